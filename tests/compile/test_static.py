"""Define, then run: static graphs, their control flow, sessions and refusals."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.ir.verify import verify
from minitorch_lab.errors import CaptureError, MinitorchError


def test_row_a3_nothing_computes_before_run() -> None:
    with ml.static.Graph() as graph:
        x = ml.static.placeholder((1,), name="x")
        y = x * 2 + 1
    assert repr(y) == 'Tensor("add", shape=(1,), dtype=float32)'
    assert repr(graph) == ("graph(x: f32[1]):\n    mul: f32[1] = mul(x, 2)\n    add: f32[1] = add(mul, 1)")
    session = ml.static.Session(graph)
    assert session.run(y, feed={x: [1.0]}).tolist() == [3.0]
    assert session.run({"y": y, "x": [x]}, feed={x: ml.tensor([2.0])})["y"].tolist() == [5.0]


def test_only_what_the_fetches_need_is_computed_and_fed() -> None:
    with ml.static.Graph() as graph:
        a, b = ml.static.placeholder((), name="a"), ml.static.placeholder((), name="b")
        double, quotient = a * 2, a / b
    session = ml.static.Session(graph)
    assert session.run(double, feed={a: 3.0}).item() == 6.0
    with pytest.raises(CaptureError, match=r"(?s)'b' is not fed.*It takes f32\[\]"):
        session.run(quotient, feed={a: 3.0})


def test_a_graph_can_be_gone_on_with_and_differentiated() -> None:
    with ml.static.Graph() as graph:
        x = ml.static.placeholder((2,), name="x")
    with graph:
        slope = ml.func.grad(lambda v: (v**3).sum())(x)
    assert ml.static.Session(graph).run(slope, feed={x: [1.0, 2.0]}).tolist() == [3.0, 12.0]


def test_both_branches_are_in_the_graph() -> None:
    with ml.static.Graph() as graph:
        x = ml.static.placeholder((1,), name="x")
        w = x + 1.0
        y, z = ml.static.cond(x.sum() > 0, lambda: (x * 2, w), lambda: (w * 3, x))
    session = ml.static.Session(graph)
    assert [v.item() for v in session.run((y, z), feed={x: [1.0]})] == [2.0, 2.0]
    assert [v.item() for v in session.run((y, z), feed={x: [-3.0]})] == [-6.0, -3.0]
    assert (
        str(graph)
        == """\
graph(x: f32[1]):
    add: f32[1] = add(x, 1.0)
    sum: f32[] = sum(x, axis=(0,), keepdims=False)
    gt: b8[] = gt(sum, 0)
    if: b8[] = if(gt, x, add)
        then(x: f32[1], add: f32[1]):
            mul: f32[1] = mul(x, 2)
            return (mul, add)
        else(x: f32[1], add: f32[1]):
            mul: f32[1] = mul(add, 3)
            return (mul, x)
    part: f32[1] = if[0]
    part_1: f32[1] = if[1]"""
    )


def test_a_loop_is_in_the_graph() -> None:
    with ml.static.Graph() as graph:
        n, start = ml.static.placeholder((), ml.int64, "n"), ml.static.placeholder((), ml.int64, "start")

        def one_round(v: Any, steps: Any) -> Any:
            half = (v / 2).long()
            return ml.static.cond(half * 2 == v, lambda: half, lambda: v * 3 + 1), steps + 1

        _, steps = ml.static.while_loop(lambda v, _: v > 1, one_round, (n, start))
    session = ml.static.Session(graph)
    assert session.run(steps, feed={n: 27, start: 0}).item() == 111  # Collatz
    graph.program.output(steps.value)
    verify(graph.program)


def test_a_loop_reads_what_stands_around_it() -> None:
    with ml.static.Graph() as graph:
        x, limit = ml.static.placeholder((), name="x"), ml.static.placeholder((), name="limit")
        (y,) = ml.static.while_loop(lambda v: v < limit, lambda v: (v * 2 + x,), (x,))
    assert ml.static.Session(graph).run(y, feed={x: 1.0, limit: 100.0}).item() == 127.0


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda: ml.static.placeholder((1,)), "outside a static graph"),
        (lambda: in_graph(lambda x: bool(x.sum() > 0)), "of a tensor that is being captured"),
        (lambda: in_graph(ml.ones(2).add_), "nothing runs until a session runs it"),
        (lambda: in_graph(lambda x: ml.static.cond(x > 0, lambda: x, lambda: x)), r"predicate of shape \(2,\)"),
        (
            lambda: in_graph(lambda x: ml.static.cond(x.sum() > 0, lambda: x, lambda: x.sum())),
            r"(?s)give \(f32\[2\]\) and \(f32\[\]\).*both must give",
        ),
        (
            lambda: in_graph(lambda x: ml.static.while_loop(lambda v: v.sum() > 0, lambda v: (v.sum(),), (x,))),
            "A round and what it starts with",
        ),
        (lambda: ml.static.Session(ml.static.Graph()).run(ml.ones(1)), "no value of this graph"),
        (lambda: fed(ml.ones(3)), r"(?s)fed f32\[3\].*declared as f32\[2\]"),
    ],
    ids=range(8),
)
def test_wrong_uses(wrong: Any, text: str) -> None:
    with pytest.raises(MinitorchError, match=text):
        wrong()


def in_graph(fn: Any) -> Any:
    with ml.static.Graph():
        return fn(ml.static.placeholder((2,), name="x"))


def fed(value: Any) -> Any:
    with ml.static.Graph() as graph:
        x = ml.static.placeholder((2,), name="x")
    return ml.static.Session(graph).run(x, feed={x: value})
