"""What the package imports, at any depth, is what pyproject.toml says it depends on."""

from __future__ import annotations

import ast
import re
import sys
import tomllib

from tests.house.source import ROOT, tracked

# What is imported without being a dependency of its own, and where it comes from.
BROUGHT = {
    "IPython": "ipywidgets depends on it",
    "nbval": "the extra grade; pytest runs the judge with it",
    "pytest": "nbval depends on it",
    "ipykernel": "nbval depends on it",
    "jupyter_client": "nbval depends on it",
    "cupy": "the extras cuda12 and cuda13; array.py says so when it is missing",
    "pygments": "rich depends on it",
    "traitlets": "anywidget and ipywidgets stand on it",
    "llvmlite": "the extra llvm; compiler/targets/llvm/backend.py says so when it is missing",
    "jupyterlab": "the extra lab; cli.py says so when it is missing",
    "distributed": "the extra grade; grade/cluster.py alone uses it",
    "dask": "distributed stands on it",
    "yaml": "the extra grade; grade/submitters.py alone uses it",
}


def foreign(text: str) -> set[str]:
    """Return the top-level packages that a file imports, besides Python's own and ours."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add((node.module or "").partition(".")[0])
    return names - sys.stdlib_module_names - {"minitorch_lab"}


def imported() -> set[str]:
    return set().union(*(foreign((ROOT / path).read_text("utf-8")) for path in tracked("minitorch_lab/*.py")))


def declared() -> set[str]:
    lines = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    return {re.split(r"[<>=\[;! ]", line)[0] for line in lines}


def test_every_import_is_declared_or_brought() -> None:
    assert imported() - BROUGHT.keys() == declared()


def test_imports_inside_functions_are_seen() -> None:
    assert foreign("import sys\ndef f():\n    from rich.table import Table\nimport minitorch_lab.nn") == {"rich"}
