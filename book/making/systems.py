"""The index of systems: what each is taught by, shown by, written in, and held by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from minitorch_lab import widgets


class System(NamedTuple):
    """One system: its row in the plan, its name, lessons by number, views by class, files of the package."""

    row: str
    name: str
    lessons: tuple[str, ...] = ()
    views: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class Test(NamedTuple):
    """A test named after a row: `test_row_a6_…`."""

    row: str
    name: str
    path: str


GROUPS = {
    "A": "Execution",
    "B": "Differentiation",
    "C": "Abstraction",
    "D": "Comparison and judgement",
}

SYSTEMS = (
    System("A1", "Eager execution with a tape", ("02",), ("Tape",), ("autograd/eager.py", "autograd/tape.py")),
    System("A2", "Safety of writes in place", ("02",), ("Tape",), ("autograd/writes.py", "storage.py")),
    System("A3", "Static graphs: define, then run", ("10",), (), ("compile/static.py",)),
    System("A4", "Tracing", ("10",), (), ("compile/capture/trace.py",)),
    System("A5", "Scripting", ("10",), (), ("compile/script/script.py", "compile/script/lower.py")),
    System(
        "A6",
        "Capture from bytecode, guards, graph breaks",
        ("11",),
        ("Capture", "Lab"),
        ("compile/capture/bytecode/machine.py", "compile/capture/bytecode/guards.py", "compile/explanation/show.py"),
    ),
    System("A7", "The graph IR", ("10", "13"), (), ("compile/graph.py", "compile/printer.py", "compile/rewrite.py")),
    System("A8", "Ahead-of-time autograd", ("12",), ("Partition",), ("compile/aot.py", "compile/partition.py")),
    System("A9", "Decomposition into a core op set", ("13",), ("Pipeline",), ("compile/passes/decompose.py",)),
    System("A10", "Graph optimisation", ("13",), ("Pipeline",), ("compile/pipeline.py", "compile/passes/cse.py")),
    System(
        "A11",
        "Kernel fusion and code generation",
        ("14",),
        ("Fusion",),
        ("compile/schedule/fuse.py", "compile/loops/lower.py", "compile/codegen/llvm/emit.py"),
    ),
    System("A12", "Tiling", ("14",), ("Tiling",), ("compile/schedule/tiling.py", "compile/codegen/llvm/tiles.py")),
    System(
        "A13",
        "Modes, backends, caches",
        ("11",),
        (),
        ("compile/modes.py", "compile/backends.py", "compile/cache.py"),
    ),
    System("A14", "Quantitative laws", ("08",), (), ("costmodel/laws.py",)),
    System("A15", "Edge runtime", ("20",), (), ("compile/codegen/c.py",)),
    System("A16", "The iron law", ("08",), ("Timeline",), ("costmodel/iron.py",)),
    System("A17", "Static memory plan", ("15",), ("Memory",), ("compile/plan.py", "compile/arena.py")),
    System("A18", "Measuring", (), ("Timeline",), ("measure.py",)),
    System("B1", "Reverse mode", ("03",), ("Backward",), ("autograd/walk.py", "autograd/pullback.py")),
    System("B2", "Forward mode", ("04",), ("Forward",), ("func/forward.py",)),
    System("B3", "The reverse-linked graph", ("02", "05"), ("Tape",), ("autograd/node.py", "autograd/saved.py")),
    System(
        "B4",
        "Control of the walk",
        ("03", "05"),
        ("Backward",),
        ("autograd/function.py", "autograd/hooks.py", "autograd/modes.py"),
    ),
    System("B5", "Activation checkpointing", ("06",), ("Memory", "Compare"), ("autograd/checkpoint.py",)),
    System("B6", "Mixed precision", (), (), ("ops/narrow.py", "dtypes.py")),
    System("B7", "Gradient accumulation", ("06",), ("Memory",), ("autograd/gradients.py",)),
    System("B8", "Softmax cross-entropy", ("04",), ("Backward",), ("ops/loss.py",)),
    System("B9", "Function transforms", ("07",), ("Forward", "Tape"), ("func/derived.py", "func/batch.py")),
    System("B10", "Training memory", ("06",), ("Memory",), ("memory/account.py",)),
    System("B11", "Caching allocator", (), (), ("memory/allocator.py",)),
    System("C1", "Tensors and strides", ("01",), ("Strides",), ("tensor.py", "storage.py", "ops/movement.py")),
    System("C2", "Devices", (), (), ("array.py",)),
    System("C3", "Streams and events", (), (), ("memory/streams.py",)),
    System("C4", "Data pipeline", (), (), ("data/loader.py",)),
    System("C5", "Modules", ("00",), ("ModuleTree",), ("nn/module.py", "nn/state.py")),
    System("C6", "Optimizers and checkpoints", ("00",), (), ("optim/__init__.py", "serialize.py")),
    System("C7", "Numerics", (), (), ("ops/conv.py", "ops/linalg.py")),
    System("C8", "Roofline", ("08",), (), ("costmodel/flops.py",)),
    System("C9", "Placement and distribution", (), (), ("distributed/__init__.py",)),
    System("C10", "Export", (), (), ("export/__init__.py",)),
    System("C11", "Training API", ("00",), (), ("train.py", "callbacks/base.py")),
    System("C12", "Instruction set of a tensor compiler", (), (), ("ops/op.py",)),
    System("C13", "Choice of kernels", (), (), ("compile/choice.py", "compile/codegen/llvm/types.py")),
    System("C14", "Counter-based random numbers", (), (), ("ops/random.py", "random.py")),
    System("C15", "Scheduling of operations", (), (), ("compile/schedule/parallel.py",)),
    System("D1", "One step, end to end", ("00",), ("Lab",), ()),
    System("D2", "Three styles of framework", ("10",), (), ()),
    System("D3", "Maps of runtimes and deployment"),
    System("D4", "Fallacies and pitfalls"),
    System("D5", "Self-checks", (), (), ("grade/selfcheck.py",)),
    System("D6", "Hierarchy and contracts", (), (), ("errors.py",)),
)

HEAD = """\
# Index of systems

Where every system is taught, shown, written and held. A test is listed under the row that it is named after
(`test_row_a6_…`): it holds that row's figures. An empty place is one where nothing stands yet.
"""


def page(root: Path) -> str:
    """The text of the page, from what is in the repository now."""
    tests = list(named_tests(root))
    return "\n".join([HEAD, *(group(letter, title, root, tests) for letter, title in GROUPS.items())])


def group(letter: str, title: str, root: Path, tests: list[Test]) -> str:
    """One table."""
    rows = [line(system, root, tests) for system in SYSTEMS if system.row.startswith(letter)]
    head = "| row | system | lesson | view | module | tests |\n| --- | --- | --- | --- | --- | --- |"
    return "\n".join([f"## {letter}. {title}\n", head, *rows, ""])


def line(system: System, root: Path, tests: list[Test]) -> str:
    """One row: links to what exists."""
    lessons = [path for number in system.lessons for path in sorted((root / "notebooks").glob(f"{number}_*.ipynb"))]
    views = [name for name in system.views if name in widgets.__all__]
    files = [name for name in system.files if (root / "minitorch_lab" / name).is_file()]
    held = [test for test in tests if test.row == system.row]
    cells = [
        system.row,
        system.name,
        ", ".join(f"[{path.stem[:2]}](lessons/{path.name})" for path in lessons),
        ", ".join(f"[{name}](views.md#{name.lower()})" for name in views),
        "<br>".join(f"`{name}`" for name in files),
        folded(held),
    ]
    return "| " + " | ".join(cells) + " |"


def folded(tests: list[Test]) -> str:
    """The tests of a row, behind their number."""
    if not tests:
        return ""
    names = "<br>".join(f"<code>{test.path}</code> {test.name.replace('_', ' ')}" for test in tests)
    return f"<details><summary>{len(tests)}</summary>{names}</details>"


def named_tests(root: Path) -> Iterator[Test]:
    """Every test that is named after a row."""
    for path in sorted((root / "tests").rglob("test_*.py")):
        for row, name in re.findall(r"^def test_row_([A-Da-d]\d+)_(\w+)\(", path.read_text("utf-8"), re.MULTILINE):
            yield Test(row.upper(), name, path.relative_to(root / "tests").as_posix())
