"""The table op × law × oracle, from what the tests run: `python -m tests.ops.table` writes `book/reference/ops.md`.

A cell is the number of cases that the column's test runs for the op, read from the parameters of the test itself; where
there is none, the reason is. The oracles need PyTorch, so for them the counts come from the lists that they run over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from minitorch_lab.core.array import bool_, int64
from minitorch_lab.ops.op import OPS, Op
from tests.compile import test_fake
from tests.house.source import ROOT

from . import generated, laws, test_devices, test_laws, test_widths, widths

PAGE = Path(ROOT) / "book" / "reference" / "ops.md"


class Column(NamedTuple):
    """One law: its name, the test that checks it, how many cases that runs for each op, why it runs none."""

    name: str
    test: str
    cases: Counter[str]
    reason: Callable[[Op], str]
    meaning: str


def run_by(test: Any, dtype: str | None = None) -> Counter[str]:
    """How many cases of each op a test runs: from the marks by which pytest parametrizes it."""
    found: Counter[str] = Counter()
    times = 1
    for mark in test.pytestmark:
        if mark.name != "parametrize":
            continue
        names, values = mark.args[0], mark.args[1]
        if names in ("op", ("op", "args", "params")):
            found.update(op_of(value).name for value in values)
        elif dtype is None or names != "dtype":
            times *= len(list(values))
    return Counter({name: count * times for name, count in found.items()})


def op_of(value: Any) -> Op:
    """The op of one value of a parametrization."""
    value = getattr(value, "values", value)
    return value if isinstance(value, Op) else value[0] if isinstance(value[0], Op) else OPS[value[0]]


def listed(ops: Any, times: int = 1) -> Counter[str]:
    """The count of ops that a list names."""
    return Counter({op.name: times for op in ops})


def sampled() -> Counter[str]:
    """How many samples without randomness each op has: those that the oracle runs."""
    return Counter({op.name: len(samples(op)) for op in OPS.values() if op.name not in laws.RANDOM})


def samples(op: Op) -> Any:
    """The samples of the op."""
    return op.samples(np.random.default_rng(0))


def empty() -> Counter[str]:
    """How many samples of each op have an input or a result without entries."""
    return Counter(
        {op.name: sum(0 in s for args, p in samples(op) for s in [sum(shapes(op, args, p), ())]) for op in OPS.values()}
    )


def shapes(op: Op, args: Any, params: dict[str, Any]) -> list[tuple[int, ...]]:
    """The shapes of the inputs and of the result."""
    given = [np.shape(a) for a in args]
    return [*given, tuple(op.shape(*given, **params))]


# ---- why a cell is blank --------------------------------------------------------------------------------------------


def flat(op: Op) -> str:
    """Why no gradient flows through an op."""
    if op.name in laws.RANDOM:
        return "random"
    if not samples(op)[0][0]:
        return "no inputs"
    if op.gives is bool_:
        return "truth values"
    if op.gives is int64 or op.name == "one_hot":
        return "integers"
    return "by design" if op.name == "detach" else "constant between jumps"


def unbatched(op: Op) -> str:
    """Why an op has no batching rule to try."""
    return "random" if op.name in laws.RANDOM else "no inputs"


def unwritten(op: Op) -> str:
    """Why nothing can be put back through an op."""
    return "refused: entries share memory" if op.put else "no view"


def unnarrow(op: Op) -> str:
    """Why an op does not run on floats of two bytes."""
    if op.name in widths.NO_NARROW:
        return "refused"
    return unbatched(op)


def uncompared(op: Op) -> str:
    """Why an op is not compared on generated shapes."""
    return generated.SKIPPED[op.name].partition(":")[0]


def uncast(op: Op) -> str:
    """Why the widths of an op are not compared."""
    return "random" if op.name in laws.RANDOM else "the dtype is a parameter"


def uncounted(op: Op) -> str:
    """Why an op is not compared with PyTorch on whole numbers."""
    if op.name in widths.NO_WHOLE:
        return "refused"
    return "no kernel in PyTorch" if op.name in widths.NO_KERNEL else uncompared(op)


def never(op: Op) -> str:
    """No reason: the law holds for every op."""
    return ""


LAWS, WIDTHS, ORACLES = "tests/ops/test_laws.py", "tests/ops/test_widths.py", "tests/oracles"
COLUMNS = [
    Column("shape", f"{LAWS}::test_shape_and_dtype", run_by(test_laws.test_shape_and_dtype), never,
           "the shape rule foretells the shape; floats keep their dtype (float32 and float64)"),
    Column("facts", "tests/compile/test_fake.py::test_facts_are_foretold", run_by(test_fake.test_facts_are_foretold),
           never, "shape, dtype and strides are foretold without running it, from three layouts"),
    Column("torch", f"{ORACLES}/test_ops.py::test_value_gradient_and_second_derivative", sampled(), flat,
           "value, gradient and second derivative are PyTorch's, in float64 to 1e-9"),
    Column("generated", f"{ORACLES}/test_generated.py::test_generated_shapes", listed(generated.COVERED), uncompared,
           "the same on shapes and layouts that hypothesis chooses, in four float dtypes (1: it is covered)"),
    Column("vjp", f"{LAWS}::test_gradient_is_the_slope", run_by(test_laws.test_gradient_is_the_slope), flat,
           "the vjp is the slope: central differences in float64"),
    Column("vjp²", f"{LAWS}::test_second_derivative", run_by(test_laws.test_second_derivative), flat,
           "the vjp of the vjp is the slope of the vjp"),
    Column("jvp", f"{LAWS}::test_jvp_is_the_slope", run_by(test_laws.test_jvp_is_the_slope), flat,
           "the jvp is the slope along the tangent, and the transpose of the vjp"),
    Column("vmap", f"{LAWS}::test_batch_is_a_loop", run_by(test_laws.test_batch_is_a_loop), unbatched,
           "vmap over any choice of the inputs is a Python loop"),
    Column("layout", f"{LAWS}::test_layout_does_not_matter", run_by(test_laws.test_layout_does_not_matter), flat,
           "inputs with gaps, backwards, give the same value and gradients"),
    Column("no entries", f"{LAWS}::test_every_op_has_a_sample_without_entries", empty(), never,
           "samples of size zero, which all other laws run over"),
    Column("alone", f"{LAWS}::test_inputs_are_left_alone", run_by(test_laws.test_inputs_are_left_alone), flat,
           "neither the op nor its rules write into what they are given"),
    Column("in place", f"{LAWS}::test_a_write_gives_what_the_op_gives",
           run_by(test_laws.test_a_write_gives_what_the_op_gives), laws.unwritable,
           "the op with an underscore: value, gradient and version of a tensor that is written"),
    Column("put", f"{LAWS}::test_put_is_the_way_back", run_by(test_laws.test_put_is_the_way_back), unwritten,
           "what is written through a view is what the view shows, and nothing else changes"),
    Column("GPU", "tests/ops/test_devices.py::test_the_laws_hold_on_a_gpu",
           run_by(test_devices.test_the_laws_hold_on_a_gpu), never,
           "the laws on arrays of another device: a stand-in for CuPy (1: all samples)"),
]  # fmt: skip
DTYPES = [
    Column("float32", f"{LAWS}::test_widths_agree", run_by(test_laws.test_widths_agree), uncast,
           "float32 gives what float64 gives, to its precision"),
    *(
        Column(dtype, f"{WIDTHS}::test_two_bytes_are_rounded_once",
               run_by(test_widths.test_two_bytes_are_rounded_once, dtype), unnarrow,
               "the exact value, rounded once; gradients likewise; second derivatives and tangents near")
        for dtype in widths.NARROW
    ),
    *(
        Column(dtype, f"{WIDTHS}::test_whole_numbers", run_by(test_widths.test_whole_numbers, dtype), unbatched,
               "what int64 gives, wrapped around; or the refusal is the taught one")
        for dtype in widths.WHOLE
    ),
    Column("whole, torch", f"{ORACLES}/test_generated.py::test_generated_whole_numbers",
           listed(op for op in generated.COVERED if op.name not in widths.NO_WHOLE | widths.NO_KERNEL), uncounted,
           "PyTorch's value and dtype on whole numbers, on generated shapes (1: it is covered)"),
]  # fmt: skip


# ---- the page -------------------------------------------------------------------------------------------------------


def refuses(op: Op, dtype: str) -> bool:
    """Whether what the test of this dtype checks is that the op refuses it."""
    return dtype in widths.WHOLE and all(
        widths.refused(op, args, params, dtype) for args, params in samples(op) if args
    )


def cell(column: Column, op: Op) -> str:
    """How many cases, or why none."""
    count = column.cases[op.name]
    return f"{count} refused" if count and refuses(op, column.name) else str(count or column.reason(op))


def rows(columns: list[Column]) -> list[str]:
    """A table: a line for each op."""
    head = ["op", *(c.name for c in columns)]
    lines = [[f"`{op.name}`", *(cell(c, op) for c in columns)] for op in sorted(OPS.values(), key=lambda op: op.name)]
    return [f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *lines)]


def legend(columns: list[Column]) -> list[str]:
    """What each column says, and which test says it."""
    return [f"- **{c.name}**: {c.meaning}. `{c.test}`" for c in columns]


def page() -> str:
    """The page of the book."""
    with np.errstate(all="ignore"):
        return "\n".join(
            [
                "# Every op, and what checks it",
                "",
                "Written by `python -m tests.ops.table`; a test compares it with what the registry gives.",
                f"There are {len(OPS)} ops. A number says how many cases the test of the column runs for the op;",
                "where there is none, the words say why.",
                "",
                "## Laws and oracles",
                "",
                *legend(COLUMNS),
                "",
                *rows(COLUMNS),
                "",
                "## Dtypes",
                "",
                "All laws above run in float64. The tolerances are those of `tests/ops/widths.py`:",
                "",
                "| dtype | value: relative, of the largest | gradient |",
                "| --- | --- | --- |",
                *(f"| {d} | {pair(widths.VALUE[d])} | {pair(widths.GRADIENT[d])} |" for d in widths.FLOATS),
                "",
                *legend(DTYPES),
                "",
                *rows(DTYPES),
                "",
            ]
        )


def pair(tolerance: tuple[float, float]) -> str:
    """A tolerance, in words of numbers."""
    return ", ".join(f"{t:.2g}" for t in tolerance)


if __name__ == "__main__":
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {len(OPS)} ops")
