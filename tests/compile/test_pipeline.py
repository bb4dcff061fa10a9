"""The passes in their order, what they tell about themselves, and what graphs cost before and after."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compile.cost import Cost, fused, unfused
from minitorch_lab.compile.graph import Graph
from minitorch_lab.compile.jit import captured
from minitorch_lab.compile.pipeline import DEFAULT, PASSES, Step, optimize
from minitorch_lab.compile.printer import table
from minitorch_lab.errors import CaptureError


def of(fn: Any, *shapes: tuple[int, ...]) -> Graph:
    return captured(fn, tuple(ml.ones(*s) for s in shapes), {})


# ---- the tables of the text -----------------------------------------------------------------------------------------


def test_row_a7_the_tables_of_leaky_relu() -> None:
    """The graph before the branch, and that of the negative side; the other one is empty."""
    asked = of(lambda a: (a > 0,), (1,))
    assert table(asked) == (
        "opcode       name    target  args      kwargs\n"
        "-----------  ------  ------  --------  ------\n"
        "placeholder  a       a       ()        {}\n"
        "call         gt      gt      (a, 0)    {}\n"
        "output       output  output  ((gt,),)  {}"
    )
    negative = of(lambda a: (0.1 * a,), (1,))
    assert table(negative) == (
        "opcode       name    target  args       kwargs\n"
        "-----------  ------  ------  ---------  ------\n"
        "placeholder  a       a       ()         {}\n"
        "call         mul     mul     (0.1, a)   {}\n"
        "output       output  output  ((mul,),)  {}"
    )


# ---- intensity ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 100, 12345])
def test_row_a10_three_operations_fused_and_not(n: int) -> None:
    """E = D + ((A + B) · C): nine accesses for three operations, and five when fused; four bytes each."""
    graph = of(lambda a, b, c, d: d + ((a + b) * c), (n,), (n,), (n,), (n,))
    apart, together = unfused(graph), fused(graph)
    assert (apart.per_access, together.per_access) == (Fraction(1, 3), Fraction(3, 5))
    assert (apart.per_byte, together.per_byte) == (Fraction(1, 12), Fraction(3, 20))
    assert (apart.nbytes, together.nbytes) == (36 * n, 20 * n)


def test_views_move_nothing_and_what_is_stretched_is_read_once() -> None:
    graph = of(lambda x, b: x.T + b, (3, 4), (3,))
    assert unfused(graph) == Cost(flops=12, accesses=12 + 3 + 12, nbytes=4 * 27)
    graph = of(lambda x: x.expand(5, 4) * 2, (4,))
    assert unfused(graph) == fused(graph) == Cost(flops=20, accesses=4 + 20, nbytes=96)


def test_products_are_counted_exactly() -> None:
    graph = of(lambda x, w: (x @ w).relu(), (2, 3), (3, 4))
    assert unfused(graph) == Cost(2 * 2 * 3 * 4 + 8, 6 + 12 + 8 + 8 + 8, 4 * 42)
    assert fused(graph) == Cost(2 * 2 * 3 * 4 + 8, 6 + 12 + 8, 4 * 26)


# ---- the pipeline ---------------------------------------------------------------------------------------------------


def redundant(x: Any, w: Any, b: Any) -> Any:
    dead = x.exp()  # noqa: F841
    y = x.T.T * 1
    return (y @ w.T + b).relu() - -(y @ w.T + b).relu() * (ml.ones(2) * 3)


def test_row_a10_a_program_loses_what_it_does_not_need() -> None:
    log: list[Step] = []
    graph = of(redundant, (4, 3), (2, 3), (2,))
    new = optimize(graph, log=log)
    assert str(new) == (
        "redundant(x: f32[4, 3], w: f32[2, 3], b: f32[2]):\n"
        "    linear: f32[4, 2] = linear(x, w, b)\n"
        "    relu: f32[4, 2] = relu(linear)\n"
        "    neg: f32[4, 2] = neg(relu)\n"
        "    constant: f32[2]\n"
        "    mul_2: f32[4, 2] = mul(neg, constant)\n"
        "    sub: f32[4, 2] = sub(relu, mul_2)\n"
        "    return sub"
    )
    assert [step.name for step in log] == list(DEFAULT)
    assert log[0].before is graph
    assert log[-1].after is new
    assert all(a.after is b.before for a, b in pairwise(log))
    assert all(step.seconds >= 0 for step in log)
    assert [str(step) for step in log if step.done] == [
        "simplify: 21 → 19 nodes (permute of permute: 1, x * 1: 1)",
        "fold: 19 → 19 nodes (folded: 1)",
        "cse: 19 → 15 nodes (repeated: 4)",
        "linear_act: 15 → 15 nodes (linear: 1)",
        "dce: 15 → 10 nodes (dead: 5)",
    ]
    assert {n.made_by for n in new.calls} == {"", "linear_act"}


def test_passes_of_one_s_own() -> None:
    def nothing(graph: Graph) -> Graph:
        return graph

    log: list[Step] = []
    graph = of(lambda x: x * 2, (2,))
    assert optimize(graph, [nothing, "dce"], log) is not graph
    assert [step.name for step in log] == ["nothing", "dce"]


def test_a_pass_that_is_not_there() -> None:
    with pytest.raises(CaptureError) as caught:
        optimize(of(lambda x: x, (2,)), ["simplfy"])
    assert str(caught.value) == (
        f"There is no pass 'simplfy'.\n  The passes are {', '.join(PASSES)}.\n"
        "  A pass of your own is given as a function from graph to graph."
    )
