"""Read a page of idioms, and run one with PyTorch or with this library: the imports alone differ."""

from __future__ import annotations

import ast
import contextlib
import io
import math
import re
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

HERE = Path(__file__).parent
SECTION = re.compile(r"^## (.+?)\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IMPORT = re.compile(r"^(\s*(?:import|from)) torch\b(.*)$", re.MULTILINE)


class Idiom(NamedTuple):
    """One snippet: what it is about and where the like is found, and its code."""

    name: str
    code: str


def read_idioms(page: str) -> list[Idiom]:
    """The snippets of `page` (a file of this folder), in order."""
    return [Idiom(*found) for found in SECTION.findall((HERE / page).read_text("utf-8"))]


def read_waiting(page: str) -> set[str]:
    """The names of the snippets that do not run here yet: the lines of the page's list, if it has one."""
    path = HERE / page.replace(".md", ".waiting.txt")
    return set(path.read_text("utf-8").splitlines()) if path.exists() else set()


def with_imports_from(package: str, code: str) -> str:
    """`code` with `package` in place of torch in its imports."""

    def swap(found: re.Match[str]) -> str:
        head, rest = found.groups()
        name = f"{head} {package}{rest}"
        return f"{name} as torch" if head.strip() == "import" and not rest else name

    return IMPORT.sub(swap, code)


def run_idiom(idiom: Idiom, library: ModuleType) -> list[Any]:
    """The values in which the snippet ends, as plain numbers, strings and NumPy arrays."""
    tree = ast.parse(with_imports_from(library.__name__, idiom.code))
    last = tree.body.pop()
    assert isinstance(last, ast.Expr), f"{idiom.name} ends in no values"
    names = {"__name__": "idiom", **helpers(library)}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        library.manual_seed(0)
        exec(compile(tree, idiom.name, "exec"), names)
        value = eval(compile(ast.Expression(last.value), idiom.name, "eval"), names)
    return plain(value)


def helpers(library: Any) -> dict[str, Any]:
    """`data`, `labels` and `settle`, which stand for random numbers, for one library."""

    def data(*shape: int) -> Any:
        return library.tensor(wave(shape), dtype=library.float32)

    def labels(n: int, classes: int) -> Any:
        return library.tensor([(7 * i * i + 3 * i + 1) % 11 % classes for i in range(n)])

    def settle(module: Any) -> Any:
        with library.no_grad():
            for k, parameter in enumerate(module.parameters()):
                parameter.copy_(library.tensor(0.5 * wave(tuple(parameter.shape), k + 1), dtype=parameter.dtype))
        return module

    return {"data": data, "labels": labels, "settle": settle}


def wave(shape: tuple[int, ...], start: int = 0) -> np.ndarray:
    """Numbers between -1 and 1 of which no two are alike."""
    return np.sin(1.7 * np.arange(math.prod(shape)) + 0.37 * start + 0.2).reshape(shape)


def plain(value: Any) -> Any:
    """`value` without tensors: nested lists of arrays, numbers and strings."""
    if hasattr(value, "detach"):
        return value.detach().numpy()
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple, range)) or hasattr(value, "_fields"):
        return [plain(part) for part in value]
    return value


def largest(x: np.ndarray) -> float:
    """The largest size of a finite entry: what rounding in a sum goes by."""
    sizes = np.abs(np.nan_to_num(x, posinf=0.0, neginf=0.0))
    return float(sizes.max(initial=0.0))


def differences(ours: Any, theirs: Any, path: str = "result") -> list[str]:
    """Where two results differ; nothing if they agree to 1e-4, or to 1e-5 of the largest entry."""
    if isinstance(theirs, (list, dict)):
        if type(ours) is not type(theirs) or len(ours) != len(theirs):
            return [f"{path}: {ours!r} is not {theirs!r}"]
        keys = theirs if isinstance(theirs, dict) else range(len(theirs))
        return [line for key in keys for line in differences(ours[key], theirs[key], f"{path}[{key!r}]")]
    if isinstance(theirs, np.ndarray):
        same = isinstance(ours, np.ndarray) and (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
        same = same and np.allclose(ours, theirs, rtol=1e-4, atol=1e-5 * max(1.0, largest(theirs)), equal_nan=True)
    elif isinstance(theirs, float):
        same = isinstance(ours, float) and math.isclose(ours, theirs, rel_tol=1e-4, abs_tol=1e-5)
    else:
        same = ours == theirs
    return [] if same else [f"{path}: {ours!r} is not {theirs!r}"]
