"""Rewrite rules given as two functions: what is found, what is not, and which pairs are refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.capture.jit import captured
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.ir.graph import Graph
from minitorch_lab.compiler.ir.verify import verify
from minitorch_lab.compiler.passes.patterns import replace_pattern
from minitorch_lab.errors import CaptureError


def graph_of(fn: Any, *shapes: tuple[int, ...]) -> Graph:
    return captured(fn, tuple(ml.ones(*s) for s in shapes), {})


def replaced(graph: Graph, before: Any, after: Any, *examples: Any) -> tuple[str, int]:
    """The ops of the new graph, whose values are those of the old one, and how often it was changed."""
    new, times = replace_pattern(graph, before, after, *examples)
    verify(new)
    rng = np.random.default_rng(0)
    given = [ml.tensor(rng.normal(size=n.shape).astype(n.dtype)) for n in graph.placeholders]
    want, got = evaluate(graph, given), evaluate(new, given)
    for a, b in zip(*[(x if isinstance(x, tuple) else (x,)) for x in (want, got)], strict=True):
        np.testing.assert_allclose(b.numpy(), a.numpy(), rtol=1e-5, atol=1e-6)
    return " ".join(n.op.name for n in new.calls if n.op is not None), times


def silu(x: Any) -> Any:
    return x / (1 + (-x).exp())


def test_a_pattern_is_replaced_wherever_it_occurs() -> None:
    graph = graph_of(lambda x, y: silu(x) + silu(y @ x) * 2, (3, 3), (3, 3))
    done: Counter[str] = Counter()
    new, times = replace_pattern(graph, silu, lambda x: x * x.sigmoid(), tally=done)
    assert str(new) == (
        "graph(x: f32[3, 3], y: f32[3, 3]):\n"
        "    sigmoid: f32[3, 3] = sigmoid(x)\n"
        "    mul_1: f32[3, 3] = mul(x, sigmoid)\n"
        "    matmul: f32[3, 3] = matmul(y, x)\n"
        "    sigmoid_1: f32[3, 3] = sigmoid(matmul)\n"
        "    mul_2: f32[3, 3] = mul(matmul, sigmoid_1)\n"
        "    mul: f32[3, 3] = mul(mul_2, 2)\n"
        "    add_2: f32[3, 3] = add(div, mul)\n"
        "    return add_2"
    ).replace("add(div, mul)", "add(mul_1, mul)")
    assert times == 2
    assert done == {"replaced": 2}
    assert {n.made_by for n in new.calls} == {"", "replace_pattern"}


def test_other_shapes_than_the_example_s() -> None:
    graph = graph_of(lambda x: x - x.logsumexp(2, keepdim=True), (2, 3, 4))
    found = replaced(graph, lambda x: x - x.logsumexp(2, keepdim=True), lambda x: x.log_softmax(2), ml.ones(1, 1, 3))
    assert found == ("log_softmax", 1)


def test_parameters_are_those_of_the_shape_at_hand() -> None:
    """The pattern reduces all axes of a matrix: of the example's two, and not one of two."""
    square = lambda x: (x * x).sum()  # noqa: E731
    norm = lambda x: x.norm() ** 2  # noqa: E731
    assert replaced(graph_of(lambda x: (x * x).sum(), (5, 2, 3)), square, norm) == ("norm pow", 1)
    assert replaced(graph_of(lambda x: (x * x).sum(0), (5, 2)), square, norm) == ("mul sum", 0)


def test_operands_in_either_order() -> None:
    graph = graph_of(lambda x, y, z: (y * z + x) + (x + z * y), (2,), (2,), (2,))
    assert replaced(graph, lambda a, b, c: a + b * c, lambda a, b, c: a.addcmul(b, c)) == ("mul add mul add add", 2)
    graph = graph_of(lambda x, y: (x.exp() - y) * 2, (2,), (2,))
    assert replaced(graph, lambda a, b: b - a.exp(), lambda a, b: b - a.exp())[1] == 0  # a difference has an order


def test_a_number_stands_for_itself_and_an_argument_for_anything() -> None:
    graph = graph_of(lambda x: (x * 2.0 + 1.0) * (x * 3.0 + 1.0), (2,))
    assert replaced(graph, lambda x: x * 2.0 + 1.0, lambda x: x + x + 1.0) == ("add add mul add mul", 1)
    assert replaced(graph, lambda x, k: x * k + 1.0, lambda x, k: 1.0 + k * x)[1] == 2


def test_an_argument_stands_for_the_same_everywhere() -> None:
    twice = lambda x: x.exp() + x  # noqa: E731
    assert replaced(graph_of(lambda x, y: x.exp() + y, (2,), (2,)), twice, twice)[1] == 0
    assert replaced(graph_of(lambda x, y: y.exp() + y + x, (2,), (2,)), twice, twice)[1] == 1


def test_several_results() -> None:
    def moments(x: Any) -> Any:
        return x.mean(), (x * x).mean()

    def both(x: Any) -> Any:
        total = (x + 0.0).sum()
        return total * (1 / 16), (x * x).sum() * (1 / 16)

    graph = graph_of(lambda x: (lambda m: m[1] - m[0].exp())(moments(x)), (4, 4))
    ops, times = replaced(graph, moments, both)
    assert times == 1
    assert ops.split().count("mean") == 0


def test_what_is_needed_elsewhere_stays() -> None:
    graph = graph_of(lambda x: ((-x).exp() + silu(x), (1 + (-x).exp())), (2,))
    assert replaced(graph, silu, lambda x: x * x.sigmoid())[1] == 1  # there each has its own
    shared = graph_of(lambda x: (lambda e: (x / (1 + e), e))((-x).exp()), (2,))
    assert replaced(shared, silu, lambda x: x * x.sigmoid())[1] == 0


def test_draws_and_no_grad_are_respected() -> None:
    def f(x: Any) -> Any:
        with ml.no_grad():
            e = (-x).exp()
        return x / (1 + e)

    assert replaced(graph_of(f, (2,)), silu, lambda x: x * x.sigmoid())[1] == 0


# ---- refused --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (
            lambda x: x.relu(),
            lambda x: x.abs(),
            "replace_pattern got two functions that differ: entry (0, 1) of result 0 is 0.0000 before and 0.3963 "
            "after.\n  A rewrite gives the same numbers for every input; this was a random one.\n  Compare the two "
            "functions on such numbers: negative ones, for instance, or large ones.",
        ),
        (
            lambda x: x.sum(0),
            lambda x: x.sum(),
            "replace_pattern got a pattern that gives (f32[4]), and a replacement that gives (f32[]).\n  What stands "
            "for a value has its shape and dtype.\n  Cast or reshape in the replacement.",
        ),
        (
            lambda x, y: x + y,
            lambda x: x,
            "replace_pattern got functions of 2 and 1 arguments, and 2 examples.\n  One stands for the other, so both "
            "take the same, and each argument has an example.\n  Let both take (x, y).",
        ),
        (
            lambda x: x,
            lambda x: x,
            "replace_pattern got a pattern that gives (argument_0).\n  Every result of it is computed by an op, and "
            "every argument is read, so that it can be found.\n  Return only what is computed, and drop arguments "
            "that are not read.",
        ),
    ],
    ids=["differ", "shapes", "arguments", "nothing"],
)
def test_a_wrong_pair_is_refused(before: Any, after: Any, text: str) -> None:
    with pytest.raises(CaptureError) as caught:
        replace_pattern(graph_of(lambda x: x.relu(), (2,)), before, after)
    assert str(caught.value) == text
