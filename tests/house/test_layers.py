"""Imports point one way: a file may use its own floor and those below it, and no files use each other in a ring."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.house.source import ROOT, imports, tracked

FLOORS = [
    {"errors", "core"},
    {"ops"},
    {"tensors"},
    {"autograd"},
    {"func"},
    {"compiler"},
    {"nn", "optim", "data"},
    {"distributions", "train", "costmodel", "utils"},
    {"memory"},
    {"recording"},
    {"mini"},  # a stack of its own, to be read: `record` in it alone uses the rest, as tests/mini/test_names.py says
    {"widgets"},
    {"lessons"},
    {"grade"},
    {"cli"},
]
FRONT = "minitorch_lab"  # __init__.py, the public names: above everything, so nothing inside may import it


OTHERS = "*"  # what is not named
# Folders that hold folders of their own, and how their parts stand in them, from the ground up. The front of a folder,
# its __init__.py, stands above its parts.
ORDERS = {
    FRONT: FLOORS,
    f"{FRONT}.tensors": [
        {"methods", "storage", "cuda", "special"},
        {"facts", "outside"},
        {"tensor"},
        {"dtypes", "factories", "inplace", "linalg", "serialize"},
        {"interchange", "like", "random", "settings"},
    ],
    f"{FRONT}.nn": [
        {"batchnorm", "blame", "buffer", "hooks", "instancenorm", "module", "parameter", "state", "uninitialized"},
        {"functional", "utils"},
        {OTHERS},
    ],
    f"{FRONT}.optim": [{OTHERS}, {"lr_scheduler", "swa_utils"}],
    f"{FRONT}.train": [{OTHERS}],
    f"{FRONT}.utils": [{OTHERS}],
    f"{FRONT}.compiler": [
        {"ir"},
        {"memory"},
        {"autodiff"},
        {"passes"},
        {"loops"},
        {"schedule"},
        {"targets"},
        {"runtime"},
        {"capture"},
        {"explain"},
    ],
    f"{FRONT}.compiler.targets": [
        {"cache", "record", "texts", "threads", "views"},
        {"race"},
        {"numpy"},
        {"spare"},
        {"llvm", "cuda"},
        {"declared"},
        {"backends"},
    ],
    f"{FRONT}.compiler.targets.llvm": [{"target", "tiles"}, {"transforms"}, {OTHERS}],
    f"{FRONT}.compiler.runtime": [
        {"apart", "notices", "optimized", "results"},
        {"stages", "tuning"},
        {"call", "entry"},
        {"taped"},
        {"region", "modes"},
        {"checking"},
        {"sized_region"},
    ],
    f"{FRONT}.compiler.capture": [
        {"names", "trace", "tracing", "control", "walking"},
        {"static", "script", "bytecode"},
        {"jit", "api"},
    ],
    f"{FRONT}.lessons": [
        {OTHERS},
        {"lesson_01_strides"},
        {"lesson_02_tape"},
        {"lesson_03_backward"},
        {"lesson_04_modes"},
        {"lesson_05_internals"},
        {"lesson_06_memory"},
        {"lesson_07_transforms"},
        {"lesson_08_modules"},
        {"lesson_09_precision"},
        {"lesson_10_models"},
        {"lesson_11_capture"},
        {"lesson_12_partition"},
        {"lesson_13_passes"},
        {"lesson_14_fusion"},
        {"lesson_15_planning"},
        {"lesson_17_allocator"},
        {"lesson_18_step"},
    ],
    f"{FRONT}.lessons.lesson_11_capture": [{"rewriting"}, {OTHERS}],
    f"{FRONT}.grade": [{"inside"}, {OTHERS}],
}


APART = {f"{FRONT}.mini"}  # its examples use it as a user does, by its front


def height(package: str, module: str) -> int:
    """Return how high a module stands in a folder above it."""
    if module == package:
        return len(ORDERS[package])
    part = module.removeprefix(f"{package}.").partition(".")[0]
    for found, parts in enumerate(ORDERS[package]):
        if part in parts:
            return found
    for found, parts in enumerate(ORDERS[package]):
        if OTHERS in parts:
            return found
    raise AssertionError(f"{module} is in a part of {package} that ORDERS does not list: say where '{part}' stands.")


def folders(module: str, other: str) -> Iterator[str]:
    """Yield the folders with an order that hold both modules."""
    for package in ORDERS:
        if all(f"{name}.".startswith(f"{package}.") for name in (module, other)):
            yield package


def read() -> dict[str, str]:
    """Return the source of every module of the package."""
    names = {path: ".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in tracked(f"{FRONT}/*.py")}
    return {name: (ROOT / path).read_text("utf-8") for path, name in names.items()}


def graph(sources: dict[str, str]) -> dict[str, set[str]]:
    """Return, for every module, the modules that it imports."""
    edges: dict[str, set[str]] = {}
    fronts = {".".join(path.parent.parts) for path in tracked(f"{FRONT}/*/__init__.py")}
    for module, text in sources.items():
        is_package = module in fronts or any(other.startswith(f"{module}.") for other in sources)
        package = module if is_package else module.rpartition(".")[0]
        edges[module] = {known(name, sources) for name in imports(ast.parse(text), package)} - {module}
    return edges


@cache
def whole() -> dict[str, set[str]]:
    """Return the graph of the package."""
    return graph(read())


def known(name: str, sources: dict[str, str]) -> str:
    """Return the module that an imported name is, or is in."""
    return name if name in sources else name.rpartition(".")[0]


def upward(edges: dict[str, set[str]]) -> list[str]:
    """Return the imports that point up, as sentences."""
    pairs = [(module, other) for module, others in edges.items() for other in others]
    return sorted({f"{a} imports {b}" for a, b in pairs for p in folders(a, b) if height(p, a) < height(p, b)})


def parts_of(package: str, edges: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return, for every part of a folder, the parts that its files import."""
    found: dict[str, set[str]] = {}
    for module, others in edges.items():
        for other in others:
            if package not in (module, other) and package in folders(module, other):
                part, used = (name.removeprefix(f"{package}.").partition(".")[0] for name in (module, other))
                found.setdefault(part, set()).update({used} - {part})
    return found


def ring(edges: dict[str, set[str]]) -> list[str]:
    """Return modules that import each other in a ring, the first of them once more at the end."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as found:
        return found.args[1]
    return []


def test_imports_point_one_way() -> None:
    assert upward(whole()) == []


def test_no_import_cycles() -> None:
    assert ring(whole()) == []


def test_no_ring_of_folders() -> None:
    assert [found for package in ORDERS if (found := ring(parts_of(package, whole())))] == []


def test_every_folder_of_folders_has_an_order() -> None:
    modules = read().keys()
    deep = {module.rpartition(".")[0] for module in modules if any(m.startswith(f"{module}.") for m in modules)}
    assert deep - {""} - APART == ORDERS.keys()


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("minitorch_lab.ops.reduce", "from minitorch_lab.tensors.tensor import Tensor"),
        ("minitorch_lab.ops.reduce", "from ..tensors.tensor import Tensor"),
        ("minitorch_lab.ops.reduce", "from minitorch_lab.tensors import tensor"),
        ("minitorch_lab.ops", "from ..tensors.tensor import Tensor"),
        ("minitorch_lab.tensors.tensor", "import minitorch_lab.recording.events"),
        ("minitorch_lab.tensors.tensor", "import minitorch_lab"),
        ("minitorch_lab.ops.reduce", "def late():\n    from minitorch_lab.autograd import eager"),
        ("minitorch_lab.ops.reduce", "if TYPE_CHECKING:\n    from minitorch_lab.autograd import eager"),
        ("minitorch_lab.recording.events", "from minitorch_lab.widgets import host"),
        ("minitorch_lab.compiler.ir.graph", "from ..passes import dce"),
        ("minitorch_lab.compiler.ir.graph", "from .. import compile"),
        ("minitorch_lab.compiler.targets.numpy.backend", "def late():\n    from ..llvm.emit import Printer"),
    ],
)
def test_an_import_that_points_up_is_seen(module: str, line: str) -> None:
    names = ("tensors", "tensors.tensor", "recording.events", "autograd.eager", "widgets.host", "ops.reduce")
    inside = ("compiler", "compiler.ir.graph", "compiler.passes.dce", "compiler.targets.llvm.emit")
    sources = {FRONT: "", **{f"minitorch_lab.{name}": "" for name in (*names, *inside)}, module: line}
    (sentence,) = upward(graph(sources))
    assert sentence.startswith(f"{module} imports minitorch_lab")


def test_a_cycle_on_one_floor_is_seen() -> None:
    sources = {
        "minitorch_lab.nn": "from minitorch_lab.optim import step",
        "minitorch_lab.optim": "def late():\n    from minitorch_lab.data import rows",
        "minitorch_lab.data": "from minitorch_lab import nn",
        "minitorch_lab.recording": "import minitorch_lab.nn",
    }
    edges = graph(sources)
    assert upward(edges) == []
    assert set(ring(edges)) == {"minitorch_lab.data", "minitorch_lab.nn", "minitorch_lab.optim"}


def test_a_ring_of_folders_whose_files_make_none_is_seen() -> None:
    sources = {
        "minitorch_lab.compiler.targets.llvm.emit": "from ..cuda import words",
        "minitorch_lab.compiler.targets.cuda.words": "",
        "minitorch_lab.compiler.targets.cuda.driver": "from ..llvm import types",
        "minitorch_lab.compiler.targets.llvm.types": "",
    }
    edges = graph(sources)
    assert upward(edges) == ring(edges) == []
    assert set(ring(parts_of("minitorch_lab.compiler.targets", edges))) == {"llvm", "cuda"}


@pytest.mark.parametrize(("package", "part"), [(FRONT, "attic"), ("minitorch_lab.compiler", "attic.graph")])
def test_a_new_room_must_say_where_it_stands(package: str, part: str) -> None:
    with pytest.raises(AssertionError, match=f"part of {package} that ORDERS does not list: say where 'attic' stands"):
        height(package, f"{package}.{part}")
