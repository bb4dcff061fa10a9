"""Stubs for what no reader of the source can see, since ops' records make it: `python -m tests.types.stubs`.

A room's stub is its imports, each as a public name, and the signatures of its functions that are written from records.
What a parameter takes and a function gives stands in the function's own signature, where `Any` means: a tensor. Beside
it, a function takes what `ops/front.py` lets every function take: `out=`, and `dtype=` where entries are summed.
"""

from __future__ import annotations

import ast
import builtins
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import Parameter, Signature, getattr_static, signature, unwrap
from pathlib import Path
from textwrap import fill, indent
from types import FunctionType
from typing import Any, get_args

from minitorch_lab.ops.front import FUNCTIONS, METHODS, OPTIONS
from minitorch_lab.tensors.tensor import Tensor
from tests.house.source import ROOT

ROOMS = ("", ".tensors.linalg", ".tensors.special", ".nn.functional")
METHODS_STUB = Path("minitorch_lab/tensors/methods.pyi")
OPERAND = "_Operand"
HEAD = '"""{what} Written by `python -m tests.types.stubs`."""\n\n'
BASE = {
    "builtins": ("bool", "float", "int"),
    "typing": ("Any", "Literal", "TypeAlias", "overload"),
    "numpy": ("generic", "ndarray"),
}
OPERANDS = f"\n{OPERAND}: _TypeAlias = Tensor | _float | _ndarray[_Any, _Any] | _generic\n"

# What depends on the arguments: the parameters after the first, and the result.
EXTREMES = (
    ("dim: None = None", "Tensor"),
    ("dim: Tensor", "Tensor"),
    ("dim: _int, keepdim: _bool = False", "Extremes"),
)
MEDIANS = (("dim: None = None", "Tensor"), ("dim: _int, keepdim: _bool = False", "Sorted"))
FLAGS = "return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None"
DUAL = {
    "max": EXTREMES,
    "min": EXTREMES,
    "median": MEDIANS,
    "nanmedian": MEDIANS,
    "nonzero": (("as_tuple: _Literal[False] = False", "Tensor"), ("as_tuple: _Literal[True]", "tuple[Tensor, ...]")),
    "type": (("dtype: None = None", "str"), ("dtype: _Any", "Tensor")),
    "unique": (
        ("sorted: _bool = True, *, dim: _int | None = None", "Tensor"),
        (f"sorted: _bool = True, {FLAGS}", "_Any"),
    ),
    "unique_consecutive": (("*, dim: _int | None = None", "Tensor"), (FLAGS, "_Any")),
}
ABSTRACT = dict.fromkeys(("Callable", "Sequence", "Iterable", "Mapping"), "collections.abc")
WHERE = (
    ("condition: Tensor", "tuple[Tensor, ...]"),
    (f"condition: Tensor, input: {OPERAND}, other: {OPERAND}", "Tensor"),
)
FOUND = {"Extremes": "minitorch_lab.ops.axes", "Sorted": "minitorch_lab.ops.order"}
RANKS = (("tensor: Tensor, /", "Tensor"), ("*tensors: Tensor | Sequence[Tensor]", "_Any"))
WHOLE = {"where": WHERE} | {f"atleast_{n}d": RANKS for n in (1, 2, 3)}  # with the first parameter


def text_of(annotation: Any, given: str, names: dict[str, Any], used: dict[str, str]) -> str:
    """An annotation as the stub writes it, `Any` and none as `given`. Classes that it names are added to `used`."""
    if annotation in (Parameter.empty, "Any"):
        return given

    def spell(found: re.Match[str]) -> str:
        word = found.group().rpartition(".")[2]
        meaning = names.get(word, given)
        if word in ("bool", "int", "float", "Any"):
            return given if word == "Any" else f"_{word}"
        if word in ("None", "Tensor") or hasattr(builtins, word):
            return word
        if word in ABSTRACT or (isinstance(meaning, type) and not get_args(meaning)):
            used[word] = ABSTRACT.get(word) or meaning.__module__
            return word
        if (isinstance(meaning, str) and meaning != given) or get_args(meaning):  # an alias, such as Dim or Shape
            return text_of(str(meaning), given, names, used)
        return given

    return re.sub(r"[A-Za-z_][\w.]*\w|[A-Z]", spell, str(annotation).strip("'"))


def names_for(name: str, fn: Callable[..., Any]) -> dict[str, Any]:
    """What the words of a signature mean: in the module of the function, or of that which a method in place writes."""
    of = METHODS.get(name.removesuffix("_")) or OPTIONS.get(name.removesuffix("_")) or fn
    return {**unwrap(of).__globals__, **unwrap(fn).__globals__}


def parameters(name: str, fn: Callable[..., Any], used: dict[str, str], method: bool) -> tuple[str, str]:
    """The text between the parentheses, and the type of the result."""
    found, names = signature(fn), names_for(name, fn)
    gives = text_of(found.return_annotation, "Tensor", names, used)
    plain = all(p.annotation is p.empty for p in found.parameters.values())
    parts: list[str] = []
    kinds = [p.kind for p in found.parameters.values()]
    for k, p in enumerate(found.parameters.values()):
        if method and not k:
            parts.append("self")
            continue
        if p.kind is p.KEYWORD_ONLY and p.VAR_POSITIONAL not in kinds and "*" not in parts:
            parts.append("*")
        given = "Tensor" if plain and len(found.parameters) == 1 else OPERAND if plain or not k else "_Any"
        if p.kind is p.VAR_POSITIONAL or p.name == "tensors":
            given = "_Any"
        called = "y" if method and name.endswith("__") else p.name  # a reflected one is (y, x) once it is written
        word = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + called
        kind = text_of(p.annotation, given, names, used)
        parts.append(f"{word}: {kind}" + ("" if p.default is p.empty else f" = {plain_default(p.default)}"))
    more = more_keywords(name, found, gives, method)
    if more and parts[-1].startswith("**"):
        more = []
    if more and not {p.KEYWORD_ONLY, p.VAR_POSITIONAL} & set(kinds):
        parts.append("*")
    return ", ".join([*parts, *more]), gives


def plain_default(value: Any) -> str:
    """A default as it is shown."""
    return repr(value) if isinstance(value, (int, float, str, bool, type(None))) else "..."


def more_keywords(name: str, found: Signature, gives: str, method: bool) -> list[str]:
    """What a published function takes beside its own parameters."""
    fn = unwrap(FUNCTIONS.get(name) or METHODS.get(name) or (lambda: None))
    more = ["dtype: _Any = None"] if hasattr(fn, "takes_dtype") and "dtype" not in found.parameters else []
    more += ["unbiased: _bool = True"] if "correction" in found.parameters and name != "cov" else []
    return [*more, *(["out: Tensor | None = None"] if gives == "Tensor" and not method and name in FUNCTIONS else [])]


def declared(name: str, fn: Callable[..., Any], used: dict[str, str], method: bool = False) -> str:
    """The lines that declare a function, or a method."""
    doc = sentence(fn)
    if name in WHOLE and not method:
        forms = WHOLE[name]
        used["Sequence"] = ABSTRACT["Sequence"]
    elif name in DUAL:
        first = "self" if method else f"x: {OPERAND}"
        forms = tuple((f"{first}, {rest}", gives) for rest, gives in DUAL[name])
        used.update(FOUND)
    else:
        forms = (parameters(name, fn, used, method),)
    ignore = "  # pyright: ignore[reportIncompatibleMethodOverride]" if name in ("__eq__", "__ne__") else ""
    mark = "@_overload\n" if len(forms) > 1 else ""
    end = "def __hash__(self) -> _int: ...\n" if name == "__eq__" else ""
    return end + "".join(f"{mark}def {name}({inside}) -> {gives}:{ignore}\n    {doc}\n" for inside, gives in forms)


def sentence(fn: Callable[..., Any]) -> str:
    """What a function's documentation begins with, as a docstring of one line."""
    text = " ".join((fn.__doc__ or "").partition("\n\n")[0].split()).replace("\\", "\\\\").replace('"', "'")
    return f'"""{text}"""' if text else "..."


def made(value: Any, name: str) -> bool:
    """Whether a public name is a function whose signature says less than its stub."""
    if not isinstance(value, FunctionType):
        return False
    home = unwrap(value).__module__
    return FUNCTIONS.get(name) is value or (
        home.startswith("minitorch_lab.ops") and signature(value).return_annotation in (Signature.empty, "Any")
    )


def imports_of(path: Path, public: set[str]) -> Iterator[str]:
    """The imports of a file, those for type checkers too, as imports of public names."""
    body = ast.parse((ROOT / path).read_text("utf-8")).body
    body += [part for node in body if isinstance(node, ast.If) for part in node.body]
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.level:
            source = "." * node.level + (node.module or "")
            for alias in node.names:
                if (name := alias.asname or alias.name) in public:
                    yield f"from {source} import {alias.name} as {name}\n"


def room_stub(room: str) -> tuple[Path, str]:
    """Where a room's stub stands, and its text."""
    module: Any = import_module(f"minitorch_lab{room}")
    path = Path(module.__file__).relative_to(ROOT)
    written = {n: v for n in module.__all__ if made(v := getattr(module, n), n)}
    used: dict[str, str] = {}
    texts = [declared(name, fn, used) for name, fn in sorted(written.items())]
    lines = [*imports_of(path, set(module.__all__) - set(written)), *used_imports(used)]
    lines += ["__version__: str\n"] if not room else []
    names = fill(", ".join(f'"{name}"' for name in sorted(module.__all__)), 110)
    lines.append(f"__all__ = [\n{indent(names, '    ')}\n]  # fmt: skip\n")
    what = f"The public names of `minitorch_lab{room}`."
    return path.with_suffix(".pyi"), with_head(what, "".join(lines), "".join(texts))


def with_head(what: str, imports: str, text: str) -> str:
    """A whole stub: above `text` stands what it is, its imports, and those of the base that are used."""
    text = OPERANDS + text
    base = [(home, name) for home, names in BASE.items() for name in names if f"_{name}" in text]
    lines = [f"from {home} import {name} as _{name}\n" for home, name in base]
    if "import Tensor as" not in imports:
        lines.append("from minitorch_lab.tensors.tensor import Tensor as Tensor\n")
    return HEAD.format(what=what) + "".join(lines) + imports + text


def used_imports(used: dict[str, str]) -> list[str]:
    """The imports of the classes that signatures name."""
    return [f"from {home} import {name}\n" for name, home in sorted(used.items())]


def tensor_stub() -> tuple[Path, str]:
    """The stub of the methods that the registry gives to Tensor."""
    own = {name for base in Tensor.__mro__ for name in source_names(base)}
    used: dict[str, str] = {}
    found = {name: getattr_static(Tensor, name) for name in dir(Tensor) if name not in own}
    made_here = {n: v for n, v in found.items() if isinstance(v, FunctionType) and (n[0] != "_" or n[-2:] == "__")}
    texts = [declared(name, fn, used, method=True) for name, fn in sorted(made_here.items())]
    body = "".join("    " + line + "\n" for text in texts for line in text.splitlines())
    what = "What the ops' records give to a Tensor: methods and operators."
    head = '\nclass Methods:\n    """A part of `Tensor`: to type checkers and completion alone."""\n\n'
    return METHODS_STUB, with_head(what, "".join(used_imports(used)), head + body)


def source_names(base: type) -> set[str]:
    """The names that the text of a class defines."""
    if base is object:
        return {*vars(object)} - {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}
    tree = ast.parse(Path(sys.modules[base.__module__].__file__ or "").read_text("utf-8"))
    body = next(n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name == base.__name__)
    inside = [part for n in body for part in ([n] if isinstance(n, ast.FunctionDef) else ast.walk(n))]
    return {n.name for n in inside if isinstance(n, ast.FunctionDef)} | {
        n.id for n in inside if isinstance(n, ast.Name)
    }


def stubs() -> dict[Path, str]:
    """Every stub, as it is committed."""
    found = dict([*map(room_stub, ROOMS), tensor_stub()])
    return {path: in_form(text) for path, text in found.items()}


def in_form(text: str) -> str:
    """The text as the formatter writes it."""
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--stdin-filename", "stub.pyi", "-"],
        input=text, capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    return done.stdout


if __name__ == "__main__":
    for path, text in stubs().items():
        (ROOT / path).write_text(text, "utf-8")
