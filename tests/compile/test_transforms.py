"""The transformations of the loop IR for a machine: what each makes of a kernel, as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.loops.affine import axis
from minitorch_lab.compiler.loops.expr import Exprs
from minitorch_lab.compiler.loops.ir import Contract, Inside, Kernel, Sweep
from minitorch_lab.compiler.loops.show import show
from minitorch_lab.compiler.passes.cse import cse
from minitorch_lab.compiler.passes.dce import dce
from minitorch_lab.compiler.passes.decompose import decompose
from minitorch_lab.compiler.schedule.program import scheduled
from minitorch_lab.compiler.targets.llvm.runs import dtypes_of
from minitorch_lab.compiler.targets.llvm.target import target_of
from minitorch_lab.compiler.targets.llvm.transforms import TRANSFORMATIONS, arranged
from minitorch_lab.compiler.targets.llvm.transforms.ahead import ask_ahead
from minitorch_lab.compiler.targets.llvm.transforms.ends import mask_ends
from minitorch_lab.compiler.targets.llvm.transforms.interleave import interleave_copies
from minitorch_lab.compiler.targets.llvm.transforms.kinds import Machine
from minitorch_lab.compiler.targets.llvm.transforms.limits import bound_trips
from minitorch_lab.compiler.targets.llvm.transforms.past import write_past
from minitorch_lab.compiler.targets.llvm.transforms.squares import turn_in_squares
from minitorch_lab.compiler.targets.llvm.transforms.unroll import unroll_rows
from minitorch_lab.compiler.targets.llvm.transforms.ways import choose_ways
from tests.compile.test_llvm_backend import pure


def kernel_of(fn: Callable[..., Any], *shapes: tuple[int, ...]) -> tuple[Kernel, dict[str, str]]:
    """The one kernel of a function, and the dtypes of its buffers."""
    program = scheduled(dce(cse(decompose(pure(fn, *(ml.ones(*shape) for shape in shapes))))))
    (kernel,) = program.kernels
    return kernel, dtypes_of(program)


def heads(kernel: Kernel) -> list[str]:
    """The lines that open loops."""
    return [line.strip() for line in show(kernel).splitlines() if line.rstrip().endswith(":")]


def after(last: Any, fn: Callable[..., Any], *shapes: tuple[int, ...], target: str = "avx512", **facts: Any) -> str:
    """How the last loop of a kernel goes when the transformations up to `last` have been at work."""
    kernel, dtypes = kernel_of(fn, *shapes)
    machine = Machine(target_of(target), dtypes, facts.get("owner", {}))
    for transform in TRANSFORMATIONS[: TRANSFORMATIONS.index(last) + 1]:
        transform(kernel, machine)
    return heads(kernel)[-1]


def chain(a: Any, b: Any) -> Any:
    return (a * b).tanh() * b.sigmoid() + (-a * a).exp()


@pytest.mark.parametrize(
    ("fn", "shape", "text"),
    [
        (lambda a: a + 1, (1000,), "sweep j in 1000, 4 vectors at a time:"),
        (lambda a: a + 1, (40,), "sweep j in 40, 2 vectors at a time:"),
        (lambda a: a.max(), (1000,), "sweep j in 1000, 8 vectors at a time:"),
        (lambda a: a.flip(0) + 1, (1000,), "sweep j in 1000, 1 vector at a time:"),
    ],
)
def test_unroll(fn: Any, shape: tuple[int, ...], text: str) -> None:
    assert after(unroll_rows, fn, shape) == text


@pytest.mark.parametrize(
    ("fn", "n", "text"),
    [
        (chain, 1000, "sweep j in 1000, 2 vectors at a time, abreast:"),
        (lambda a, b: chain(a, b) - chain(b, a) - (a - b).sigmoid(), 16, "sweep j in 16, 1 vector at a time, abreast:"),
        (lambda a, b: a * b, 1000, "sweep j in 1000, 4 vectors at a time:"),
        (lambda a, b: (a * b).tanh() * b.tanh(), 1000, "sweep j in 1000, 3 vectors at a time, abreast:"),
    ],
)
def test_interleave(fn: Any, n: int, text: str) -> None:
    assert after(interleave_copies, fn, (n,), (n,)) == text


MANY = 1 << 22  # entries: 16 MiB, and with those of the result as much as a usual last cache holds


@pytest.mark.parametrize(
    ("fn", "shape", "text"),
    [
        (lambda a: a + 1, (MANY,), f"sweep j in {MANY}, 4 vectors at a time, past the caches:"),
        (lambda a: a + 1, (MANY // 2,), f"sweep j in {MANY // 2}, 4 vectors at a time:"),
        (lambda a: a.flip(0) + 1, (MANY,), f"sweep j in {MANY}, 1 vector at a time:"),
    ],
)
def test_write_past(fn: Any, shape: tuple[int, ...], text: str) -> None:
    assert after(write_past, fn, shape) == text


def test_what_is_written_over_does_not_go_past_the_caches() -> None:
    text = f"sweep j in {MANY}, 4 vectors at a time:"
    assert after(write_past, lambda a: a + 1, (MANY,), owner={"add": "a"}) == text


def test_ask_ahead() -> None:
    text = "sweep j in 1024, 4 vectors at a time, a, mul asked for ahead:"
    assert after(ask_ahead, lambda a, b: a * b, (512, 1024), (1024,)) == text
    assert after(ask_ahead, lambda a, b: a * b, (4, 1024), (1024,)) == "sweep j in 1024, 4 vectors at a time:"


def test_what_one_pass_has_read_the_next_finds_near() -> None:
    kernel, dtypes = kernel_of(lambda a: a.softmax(-1), (512, 1024))
    found = heads(arranged(kernel, Machine(target_of("avx512"), dtypes, {})))
    assert ["a asked for ahead" in line for line in found] == [False, True, *[False] * (len(found) - 2)]


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (1000, "4 vectors at a time: 0 to 960, then 2 vectors, then 1 vector masked:"),
        (100, "4 vectors at a time: 6 vectors, then 1 vector masked:"),
        (256, "4 vectors at a time: 0 to 256:"),
        (7, "1 vector at a time: 1 vector masked:"),
    ],
)
def test_mask_ends(n: int, text: str) -> None:
    assert after(mask_ends, lambda a: a + 1, (n,)) == f"sweep j in {n}, {text}"


@pytest.mark.parametrize("n", range(2, 600, 7))
@pytest.mark.parametrize("target", ["generic", "avx2", "avx512"])
def test_the_stretches_of_a_row_are_the_row(n: int, target: str) -> None:
    kernel, dtypes = kernel_of(lambda a: a + 1, (n,))
    lanes = target_of(target).lanes
    (sweep,) = arranged(kernel, Machine(target_of(target), dtypes, {})).body
    assert isinstance(sweep, Sweep)
    found = [j for s in sweep.way.stretches for j in range(s.start, s.stop)]
    assert found == list(range(n))
    assert all((s.stop - s.start) % lanes == 0 or s.masked for s in sweep.way.stretches)


def test_turn_in_squares() -> None:
    kernel, dtypes = kernel_of(lambda a, b: a.T + b, (64, 48), (48, 64))
    turn_in_squares(kernel, Machine(target_of("avx512"), dtypes, {}))
    assert heads(kernel) == ["for i0 in 48, in squares:", "sweep j in 64:"]
    small, dtypes = kernel_of(lambda a, b: a.T + b, (64, 12), (12, 64))
    turn_in_squares(small, Machine(target_of("avx512"), dtypes, {}))
    assert heads(small) == ["for i0 in 12:", "sweep j in 64:"]


def contraction(last: Any) -> str:
    """How a transposed convolution of rows runs when the transformations up to `last` have been at work.

    c[i, j] = sum over d, k of w[i, d, k] x[d, j - k], where 0 ≤ i - d < 20 and 0 ≤ j - k < 30.
    """
    exprs, (i, j, d, k) = Exprs(), map(axis, "ijdk")
    w, x = exprs.load("w", i * 12 + d * 3 + k, "f32"), exprs.load("x", d * 30 + j + k * -1, "f32")
    inside = [Inside(i + d * -1, 20), Inside(j + k * -1, 30)]
    c = Contract({"i": 24, "j": 32}, {"d": 4, "k": 3}, "c", w, x, inside)
    kernel = Kernel("rows", [c])
    for transform in TRANSFORMATIONS[: TRANSFORMATIONS.index(last) + 1]:
        transform(kernel, Machine(target_of("avx512"), {"w": "f32", "x": "f32"}, {}))
    return show(kernel).partition("for d in 4, k in 3")[2]


def test_choose_ways_and_bound_trips() -> None:
    limits = ", where 0 <= -1*d + i < 20 and 0 <= j + -1*k < 30"
    assert contraction(choose_ways) == f"{limits}, 8 × 2 vectors along j"
    assert contraction(bound_trips) == f"{limits}, 8 × 2 vectors along j, trips of d bounded, j + -1*k masked"


def test_a_kernel_is_not_changed_by_how_it_is_run() -> None:
    kernel, dtypes = kernel_of(lambda a: a.softmax(-1), (64, 64))
    before = show(kernel)
    assert show(arranged(kernel, Machine(target_of("avx512"), dtypes, {}))) != before == show(kernel)
