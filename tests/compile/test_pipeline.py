"""The passes in their order, what they tell about themselves, and what graphs cost before and after."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.capture.jit import captured
from minitorch_lab.compiler.ir.cost import Cost, fused, unfused
from minitorch_lab.compiler.ir.graph import Graph
from minitorch_lab.compiler.ir.printer import table
from minitorch_lab.compiler.passes.pipeline import DEFAULT, PASSES, Step, optimize
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


def nothing_returned(graph: Graph) -> Any:
    return None


def without_its_output(graph: Graph) -> Graph:
    new = Graph(graph.name)
    new.nodes = graph.nodes[:-1]
    return new


def another(fn: Any, *shapes: tuple[int, ...]) -> Any:
    def other(graph: Graph) -> Graph:
        return of(fn, *shapes)

    return other


CHANGED = "  Compare print(graph) before and after."


@pytest.mark.parametrize(
    ("own", "text"),
    [
        (
            nothing_returned,
            "The pass nothing_returned gave None.\n  A pass is a function from graph to graph.\n"
            "  Did you forget to return the new graph?",
        ),
        (
            without_its_output,
            "The graph 'double' does not end with its output.\n  The last node is the one output of a graph.\n"
            "  Did you forget graph.output(...)?",
        ),
        (
            another(lambda x, y: x + y, (2,), (2,)),
            "The pass other changed the arguments of 'double'.\n  The new graph takes what the old one took, in the "
            f"same order, and gives values of the same kind.\n{CHANGED}",
        ),
        (
            another(lambda x: x.sum(), (2,)),
            "The pass other changed the results of 'double'.\n  The new graph takes what the old one took, in the "
            f"same order, and gives values of the same kind.\n{CHANGED}",
        ),
    ],
    ids=["none", "no output", "arguments", "results"],
)
def test_a_pass_of_one_s_own_that_goes_wrong(own: Any, text: str) -> None:
    def double(x: Any) -> Any:
        return x * 2

    with pytest.raises(CaptureError) as caught:
        optimize(of(double, (2,)), [own])
    assert str(caught.value) == text
    compiled = ml.compile(lambda x: x * 2, options={"passes": [own]})
    with pytest.raises(CaptureError):
        _ = compiled(ml.ones(2)), compiled(ml.ones(2))  # at the latest when the kernel is wanted


def test_a_pass_of_one_s_own_runs_in_the_compiler() -> None:
    seen: list[str] = []

    def look(graph: Graph) -> Graph:
        seen.append(" ".join(n.op.name for n in graph.calls if n.op is not None))
        return graph

    compiled = ml.compile(lambda x: (x * 1).exp() + (x / 1).exp(), options={"passes": ["simplify", "cse", look]})
    assert [compiled(ml.zeros(1)).item() for _ in range(2)] == [2.0, 2.0]
    x = ml.zeros(1, requires_grad=True)
    for _ in range(2):  # the first call writes its ops down while they run, the second runs the kernels
        x.grad = None
        compiled(x).backward()
        assert x.grad.tolist() == [2.0]
    assert seen == ["exp add", "exp add mul add"]  # the values; then forward and backward at once


def test_compile_knows_its_passes_beforehand() -> None:
    with pytest.raises(CaptureError, match="There is no pass 'simplfy'"):
        ml.compile(lambda x: x, options={"passes": ["simplfy"]})


def test_a_pass_that_is_not_there() -> None:
    with pytest.raises(CaptureError) as caught:
        optimize(of(lambda x: x, (2,)), ["simplfy"])
    assert str(caught.value) == (
        f"There is no pass 'simplfy'.\n  The passes are {', '.join(PASSES)}.\n"
        "  A pass of your own is given as a function from graph to graph."
    )
