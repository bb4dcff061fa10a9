"""Imports point one way: a file may use its own floor and those below it, and no files use each other in a ring."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.house.source import ROOT, imports, tracked

FLOORS = [
    {"errors", "array", "printing"},
    {"interpret"},
    {"ops"},
    {"storage", "outside", "tensor", "factories", "random", "linalg", "dtypes", "interchange"},
    {"autograd"},
    {"func"},
    {"compile"},
    {"nn", "optim", "data", "serialize"},
    {"callbacks", "train", "costmodel", "measure"},
    {"memory"},
    {"record"},
    {"widgets"},
    {"lessons"},
    {"grade"},
    {"cli"},
]
FRONT = "minitorch_lab"  # __init__.py, the public names: above everything, so nothing inside may import it


def floor(module: str) -> int:
    """Return how high a module stands."""
    if module == FRONT:
        return len(FLOORS)
    room = module.split(".")[1]
    for height, rooms in enumerate(FLOORS):
        if room in rooms:
            return height
    raise AssertionError(f"{module} is in a room that FLOORS does not list: say on which floor '{room}' stands.")


def read() -> dict[str, str]:
    """Return the source of every module of the package."""
    names = {path: ".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in tracked(f"{FRONT}/*.py")}
    return {name: (ROOT / path).read_text("utf-8") for path, name in names.items()}


def graph(sources: dict[str, str]) -> dict[str, set[str]]:
    """Return, for every module, the modules that it imports."""
    edges: dict[str, set[str]] = {}
    for module, text in sources.items():
        is_package = any(other.startswith(f"{module}.") for other in sources)
        package = module if is_package else module.rpartition(".")[0]
        edges[module] = {known(name, sources) for name in imports(ast.parse(text), package)} - {module}
    return edges


def known(name: str, sources: dict[str, str]) -> str:
    """Return the module that an imported name is, or is in."""
    return name if name in sources else name.rpartition(".")[0]


def upward(edges: dict[str, set[str]]) -> list[str]:
    """Return the imports that point up, as sentences."""
    pairs = [(module, other) for module, others in edges.items() for other in others]
    return sorted(f"{module} imports {other}" for module, other in pairs if floor(module) < floor(other))


def ring(edges: dict[str, set[str]]) -> list[str]:
    """Return modules that import each other in a ring, the first of them once more at the end."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as found:
        return found.args[1]
    return []


def test_imports_point_one_way() -> None:
    assert upward(graph(read())) == []


def test_no_import_cycles() -> None:
    assert ring(graph(read())) == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("minitorch_lab.ops.reduce", "from minitorch_lab.tensor import Tensor"),
        ("minitorch_lab.ops.reduce", "from ..tensor import Tensor"),
        ("minitorch_lab.ops.reduce", "from minitorch_lab import tensor"),
        ("minitorch_lab.ops", "from ..tensor import Tensor"),
        ("minitorch_lab.tensor", "import minitorch_lab.record.events"),
        ("minitorch_lab.tensor", "import minitorch_lab"),
        ("minitorch_lab.ops.reduce", "def late():\n    from minitorch_lab.autograd import eager"),
        ("minitorch_lab.ops.reduce", "if TYPE_CHECKING:\n    from minitorch_lab.autograd import eager"),
        ("minitorch_lab.record.events", "from minitorch_lab.widgets import host"),
    ],
)
def test_an_import_that_points_up_is_seen(module: str, line: str) -> None:
    names = ("tensor", "record.events", "autograd.eager", "widgets.host", "ops.reduce")
    sources = {FRONT: "", **{f"minitorch_lab.{name}": "" for name in names}, module: line}
    (sentence,) = upward(graph(sources))
    assert sentence.startswith(f"{module} imports minitorch_lab")


def test_a_cycle_on_one_floor_is_seen() -> None:
    sources = {
        "minitorch_lab.nn": "from minitorch_lab.optim import step",
        "minitorch_lab.optim": "def late():\n    from minitorch_lab.data import rows",
        "minitorch_lab.data": "from minitorch_lab import nn",
        "minitorch_lab.record": "import minitorch_lab.nn",
    }
    edges = graph(sources)
    assert upward(edges) == []
    assert set(ring(edges)) == {"minitorch_lab.data", "minitorch_lab.nn", "minitorch_lab.optim"}


def test_a_new_room_must_say_where_it_stands() -> None:
    with pytest.raises(AssertionError, match="say on which floor 'attic' stands"):
        floor("minitorch_lab.attic")
