"""What goes wrong in mini says what was given, the rule, and the nearest right call."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from minitorch_lab import mini
from minitorch_lab.mini import errors, nn, optim
from minitorch_lab.mini.graph import Graph
from minitorch_lab.mini.program import Program
from minitorch_lab.mini.trace import Trace
from minitorch_lab.mini.verify import verify

M = mini.tensor(np.ones((2, 3)))
ROWS = mini.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
COUNTER = itertools.count()


def walk_twice() -> None:
    loss = (ROWS * ROWS).sum()
    loss.backward()
    loss.backward()


def leak() -> Any:
    kept: list[Any] = []
    mini.grad(lambda x: kept.append(x) or x.sum())(M)
    return kept[0] + 1.0


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "a string": (lambda: M + "a", "add got 'a', which is a str"),
    "matrices": (lambda: M @ M, r"matmul got \(2, 3\) and \(2, 3\)"),
    "broadcast": (lambda: M + np.ones(4), r"add got \(2, 3\) and \(4,\)"),
    "axis": (lambda: M.sum(2), "sum got axis 2"),
    "axis twice": (lambda: M.sum((0, 0)), "sum got axis"),
    "index": (lambda: M[5], "The index"),
    "too many": (lambda: M[0, 0, 0], "The index"),
    "step": (lambda: M[::2], "A tensor was indexed"),
    "mask": (lambda: M[np.array([True, False])], "A tensor was indexed"),
    "row": (lambda: M[np.array([7])], "take got"),
    "reshape": (lambda: M.reshape(4), r"reshape got \(2, 3\)"),
    "reshape by -1": (lambda: M.reshape(-1, 4), "reshape got"),
    "expand": (lambda: M.expand(3, 3), "expand got"),
    "exponent": (lambda: M**M, "was used as an exponent"),
    "equality": (lambda: M == M.T, "were compared with =="),
    "truth": (lambda: bool(M), "item\\(\\) was asked"),
    "length": (lambda: len(M.sum()), "length of a tensor"),
    "largest of nothing": (lambda: mini.tensor(np.ones((0, 2))).max(0), r"max got \(0, 2\)"),
    "ragged": (lambda: mini.tensor([[1.0], [1.0, 2.0]]), "tensor\\(\\) got"),
    "words": (lambda: mini.tensor("one"), "tensor\\(\\) got"),
    "whole leaf": (lambda: mini.tensor([1, 2], requires_grad=True), "dtype int64"),
    "no history": (lambda: M.sum().backward(), "has no history"),
    "many roots": (lambda: (ROWS * 2.0).backward(), "the seed is missing"),
    "seed": (lambda: (ROWS * 2.0).backward(np.ones(3)), r"the seed is of shape \(3,\)"),
    "walk twice": (walk_twice, "let go"),
    "leak": (leak, "a transform has left behind"),
    "grad of many": (lambda: mini.grad(lambda x: x)(M), "grad got a function that returned shape"),
    "grad of none": (lambda: mini.grad(lambda x: None)(M), "returned NoneType"),
    "argnums": (lambda: mini.grad(lambda x: x.sum(), argnums=1)(M), "argnums=1"),
    "whole primal": (lambda: mini.grad(lambda x: x)(mini.tensor(2)), "dtype int64"),
    "tangent": (lambda: mini.jvp(lambda x: x, (M,), (M.T,)), "tangents of shapes"),
    "examples": (lambda: mini.vmap(lambda x, y: x + y)(M, M.T), "vmap found 2 and 3 examples"),
    "branch in vmap": (lambda: mini.vmap(lambda x: x if x > 0 else -x)(M[0]), "asked a Batched"),
    "model as parameters": (lambda: optim.SGD(nn.Module(), lr=0.1), "Did you mean model.parameters"),
    "no gradients": (lambda: optim.SGD([mini.tensor(1.0, True)], lr=0.1).step(), "no gradient in any"),
    "state": (lambda: nn.LayerNorm(2).load_state_dict({}), "load_state_dict got {}"),
    "labels": (lambda: nn.cross_entropy(M, np.array([0, 3])), "labels of 0 to 3"),
    "list to compile": (lambda: mini.compile(lambda x: x)([1]), "which is a list"),
    "target": (lambda: mini.compile(lambda x: x, "cuda"), "target='cuda'"),
    "counter": (lambda: mini.compile(lambda x: x * next(COUNTER))(M), "did not do the same"),
    "random": (lambda: mini.compile(lambda x: x + np.random.default_rng().normal(size=3))(M), "did not do the same"),
    "dict from compile": (lambda: mini.compile(lambda x: {"x": x})(M), "returned {"),
    "two results": (lambda: mini.compile(lambda x: (x, x))(ROWS), "returned 2 results"),
    "another shape": (lambda: Program(Trace(lambda x: x * 2.0, [M]).graph)(np.ones(9)), "It was compiled for f64"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_taught(name: str) -> None:
    wrong, text = WRONG[name]
    with pytest.raises(errors.MiniError, match=text) as caught:
        wrong()
    assert len(str(caught.value).split("\n  ")) >= 3


def test_a_second_derivative_through_a_region_is_refused() -> None:
    x = mini.tensor(2.0, requires_grad=True)
    with pytest.raises(errors.GradientError, match="Compile the derivative"):
        mini.compile(lambda x: x * x * x)(x).backward(create_graph=True)


def test_backward_inside_a_transform_is_refused() -> None:
    with pytest.raises(errors.GradientError, match="inside a transform"):
        mini.vmap(lambda x: ROWS.backward(np.ones((2, 2))))(M)


def test_the_verifier_names_the_fault() -> None:
    graph = Trace(lambda x: x.tanh().exp(), [M]).graph
    verify(graph)
    graph.nodes.reverse()
    with pytest.raises(errors.TraceError, match=r"after a pass: exp_1 reads tanh_0 before it is there"):
        verify(graph, after="a pass")
    wrong = Graph()
    wrong.outputs = [graph.nodes[0]]
    with pytest.raises(errors.TraceError, match="which it does not compute"):
        verify(wrong)


@pytest.mark.parametrize("row", errors.TABLE)
def test_every_row_has_an_error_and_three_sentences(row: str) -> None:
    said = errors.TABLE[row]
    assert issubclass(getattr(errors, said["error"]), errors.MiniError)
    assert all(said[part].strip() for part in ("given", "rule", "hint"))


def test_numbers_that_were_read_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        M.numpy()[0] = 3.0
