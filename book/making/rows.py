"""The rows of the plan, and where each system is taught, shown, written and held."""

from __future__ import annotations

from typing import NamedTuple


class System(NamedTuple):
    """One row: a system, lessons by number, views by class, files of the package, tests by path, and what is missing.

    Tests that are named after the row (`test_row_a6_…`) are found by their names and are not repeated in `tests`.
    Every place is filled, or `why` says in a sentence why not; `tests/book/test_systems.py` holds that.
    """

    row: str
    name: str
    lessons: tuple[str, ...] = ()
    views: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    why: str = ""


GROUPS = {
    "A": "Execution",
    "B": "Differentiation",
    "C": "Abstraction",
    "D": "Comparison and judgement",
}

PRINTED = "A graph of this kind is read as printed text, which the lesson does."
LATER = "Not built yet."
NO_LESSON = "Its lesson is not written yet."

EXECUTION = (
    System(
        "A1",
        "Eager execution with a tape",
        ("02",),
        ("Tape", "Source"),
        ("autograd/eager.py", "autograd/tape.py"),
        ("autograd/test_backward.py",),
    ),
    System(
        "A2",
        "Safety of writes in place",
        ("02",),
        ("Tape",),
        ("autograd/writes.py", "tensors/storage.py"),
        ("autograd/test_writes.py", "autograd/test_views.py"),
    ),
    System("A3", "Static graphs: define, then run", ("10",), (), ("compiler/capture/static.py",), why=PRINTED),
    System("A4", "Tracing", ("10",), (), ("compiler/capture/trace.py",), why=PRINTED),
    System(
        "A5",
        "Scripting",
        ("10",),
        (),
        ("compiler/capture/script/script.py", "compiler/capture/script/lower.py"),
        why=PRINTED,
    ),
    System(
        "A6",
        "Capture from bytecode, guards, graph breaks",
        ("11",),
        ("Capture",),
        ("compiler/capture/bytecode/machine.py", "compiler/capture/bytecode/guards.py", "compiler/explain/show.py"),
    ),
    System(
        "A7",
        "The graph IR",
        ("10", "13"),
        ("Pipeline",),
        ("compiler/ir/graph.py", "compiler/ir/printer.py", "compiler/ir/rewrite.py"),
    ),
    System(
        "A8",
        "Ahead-of-time autograd",
        ("12",),
        ("Partition",),
        ("compiler/autodiff/aot.py", "compiler/autodiff/partition.py"),
    ),
    System("A9", "Decomposition into a core op set", ("13",), ("Pipeline",), ("compiler/passes/decompose.py",)),
    System(
        "A10", "Graph optimisation", ("13",), ("Pipeline",), ("compiler/passes/pipeline.py", "compiler/passes/cse.py")
    ),
    System(
        "A11",
        "Kernel fusion and code generation",
        ("14",),
        ("Fusion",),
        ("compiler/schedule/fuse.py", "compiler/schedule/lower.py", "compiler/targets/llvm/kernels.py"),
    ),
    System("A12", "Tiling", ("14",), ("Tiling",), ("compiler/schedule/tiling.py", "compiler/targets/llvm/tiles.py")),
    System(
        "A13",
        "Modes, backends, caches",
        ("14",),
        (),
        ("compiler/runtime/modes.py", "compiler/targets/backends.py", "compiler/targets/cache.py"),
        ("compile/test_modes.py", "compile/test_cache.py"),
        "The lesson writes backends; modes and caches are in no lesson yet. `ml.compile.explain` tells of both.",
    ),
    System(
        "A14",
        "Quantitative laws",
        ("18",),
        ("Timeline",),
        ("costmodel/dispatch.py", "costmodel/continuum.py"),
        ("costmodel/test_laws.py",),
    ),
    System("A15", "Edge runtime", why=LATER),
    System(
        "A16",
        "The iron law",
        ("18",),
        ("Fusion", "Partition", "Timeline"),
        ("costmodel/terms.py", "widgets/fusion.py", "widgets/timeline.py"),
        ("costmodel/test_laws.py", "widgets/test_fusion.py", "widgets/test_timeline.py"),
    ),
    System(
        "A17",
        "Static memory plan",
        ("15",),
        ("Arena", "Memory"),
        ("compiler/memory/plan.py", "compiler/memory/arena.py"),
    ),
    System("A18", "Measuring", ("09", "18"), ("Timeline",), ("costmodel/measure.py",), ("test_bench.py",)),
)

DIFFERENTIATION = (
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
    System(
        "B6",
        "Mixed precision",
        ("09",),
        ("Backward", "Tape"),
        ("autograd/autocast.py", "ops/precision.py", "train/amp/scaler.py", "ops/narrow.py"),
        ("train/test_amp.py", "oracles/test_amp.py", "lessons/test_precision.py"),
    ),
    System("B7", "Gradient accumulation", ("06",), ("Memory",), ("autograd/gradients.py",)),
    System("B8", "Softmax cross-entropy", ("04", "07"), ("Backward",), ("ops/loss.py",)),
    System("B9", "Function transforms", ("07",), ("Forward", "Tape"), ("func/derived.py", "func/batch.py")),
    System(
        "B10",
        "Training memory",
        ("06", "17", "18"),
        ("Memory",),
        ("memory/account.py", "costmodel/training.py"),
        ("memory/test_account.py", "costmodel/test_laws.py"),
    ),
    System(
        "B11",
        "Caching allocator",
        ("17",),
        (),
        ("memory/allocator.py", "memory/hook.py", "memory/reports.py"),
        ("memory/test_allocator.py", "memory/test_serving.py"),
        "`memory_summary()` is text, and the map of the lesson is a chart.",
    ),
)

ABSTRACTION = (
    System(
        "C1",
        "Tensors and strides",
        ("01",),
        ("Strides",),
        ("tensors/tensor.py", "tensors/storage.py", "ops/movement.py"),
    ),
    System(
        "C2", "Devices", (), (), ("core/array.py",), ("ops/test_devices.py",), f"{NO_LESSON} A device has no picture."
    ),
    System(
        "C3",
        "Streams and events",
        ("17",),
        (),
        ("memory/streams.py", "costmodel/simulator.py"),
        ("memory/test_streams.py", "costmodel/test_simulator.py"),
        "The timeline is data as yet. Its view is not built yet.",
    ),
    System(
        "C4",
        "Data pipeline",
        ("00",),
        (),
        ("data/loader.py",),
        ("data/test_data.py",),
        "Loaders run in the reader's own process as yet; there is no overlap to show.",
    ),
    System("C5", "Modules", ("00", "08"), ("ModuleTree",), ("nn/module.py", "nn/state.py")),
    System(
        "C6",
        "Optimizers and checkpoints",
        ("00", "06", "08"),
        ("Memory",),
        ("optim/__init__.py", "tensors/serialize.py"),
    ),
    System("C7", "Numerics", ("14",), ("Tiling",), ("ops/conv.py", "ops/linalg.py")),
    System(
        "C8",
        "Roofline",
        ("18",),
        ("Fusion",),
        ("costmodel/roofline.py", "costmodel/flops.py"),
        ("costmodel/test_laws.py", "costmodel/test_flops.py"),
    ),
    System("C9", "Placement and distribution", why=LATER),
    System("C10", "Export", why=LATER),
    System(
        "C11",
        "Training API",
        ("00", "09"),
        (),
        ("train/loop.py", "train/base.py", "train/run.py"),
        ("train/test_train.py", "train/test_callbacks.py", "train/test_resume.py"),
        "What it shows while it trains is a chart, `LossPlot`.",
    ),
    System(
        "C12",
        "Instruction set of a tensor compiler",
        ("13",),
        (),
        ("ops/op.py",),
        ("ops/test_laws.py",),
        "The instructions are the ops; the table of all of them is in the reference.",
    ),
    System(
        "C13",
        "Choice of kernels",
        ("18",),
        (),
        ("compiler/targets/numpy/choice.py", "compiler/targets/llvm/types.py"),
        why="What was chosen, and why, is a table that `ml.compile.explain` prints.",
    ),
    System(
        "C14",
        "Counter-based random numbers",
        (),
        (),
        ("ops/random.py", "tensors/random.py"),
        why=f"{NO_LESSON} Its test is that the order of the draws does not matter: there is nothing to watch.",
    ),
    System("C15", "Scheduling of operations", why=LATER),
)

JUDGEMENT = (
    System(
        "D1",
        "One step, end to end",
        ("00",),
        ("Lab",),
        ("widgets/laboratory.py",),
        ("widgets/test_linking.py", "compile/test_story.py"),
    ),
    System(
        "D2",
        "Three styles of framework",
        ("10",),
        (),
        ("compiler/capture/static.py", "func/derived.py"),
        ("compile/test_static.py", "lessons/test_models.py"),
        "Styles are compared as code, side by side.",
    ),
    System("D3", "Maps of runtimes and deployment", why=LATER),
    System("D4", "Fallacies and pitfalls", why=LATER),
    System(
        "D5",
        "Self-checks",
        ("01",),
        (),
        ("grade/selfcheck.py",),
        ("lessons/test_strides.py",),
        "A check answers in words. Every lesson has them.",
    ),
    System(
        "D6",
        "Hierarchy and contracts",
        (),
        (),
        ("errors.py",),
        ("house/test_layers.py", "test_wrong_uses.py"),
        f"{NO_LESSON} The map of the layers is the list of imports in CONTRIBUTING.md.",
    ),
)

SYSTEMS = (*EXECUTION, *DIFFERENTIATION, *ABSTRACTION, *JUDGEMENT)
