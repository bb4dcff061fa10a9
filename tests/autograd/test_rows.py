"""Rows B3 (the graph, linked backwards) and B4 (control of the walk) of the table of systems: its figures."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import GradientError
from tests.autograd.test_function import Halves, MultiplyAdd, leaves


def leaf(value: float) -> ml.Tensor:
    return leaves(value)[0]


def test_row_b3_pow_then_mul_then_accumulate() -> None:
    x = leaf(2.0)
    z = x**2 * 3 * 3
    assert z.item() == 36.0
    z.backward()
    assert x.grad.item() == 36.0
    names, node = [], (x**2 * 3).grad_fn
    while node is not None:
        names.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    assert names == ["MulBackward", "PowBackward", "AccumulateGrad"]


def test_row_b3_an_edge_names_the_result_of_a_function() -> None:
    x = ml.tensor([1.0, 2.0], dtype=ml.float64, requires_grad=True)
    low, high = Halves.apply(x)
    assert low.grad_fn is high.grad_fn
    assert repr(low.grad_fn) == "<HalvesBackward>"
    ((first, i), (second, j)) = (low * high).grad_fn.next_functions
    assert (first is low.grad_fn, i, second is low.grad_fn, j) == (True, 0, True, 1)
    ((accumulate, k),) = low.grad_fn.next_functions
    assert (accumulate.name(), k) == ("AccumulateGrad", 0)


def test_row_b4_multiply_add_has_the_gradients_3_2_1() -> None:
    x, y, z = leaves(2.0, 3.0, 4.0)
    out = MultiplyAdd.apply(x, y, z)
    assert out.item() == 10.0
    assert out.grad_fn.name() == "MultiplyAddBackward"
    assert [t.item() for t in out.grad_fn.saved_tensors.values()] == [2.0, 3.0]
    out.backward()
    assert (x.grad.item(), y.grad.item(), z.grad.item()) == (3.0, 2.0, 1.0)
    with pytest.raises(GradientError, match="freed"):
        out.backward()


def test_row_b4_a_hook_clamps_10_to_1() -> None:
    x = ml.tensor([1.0], requires_grad=True)
    x.register_hook(lambda g: g.clamp(max=1.0))
    (x * 10).backward()
    assert x.grad.tolist() == [1.0]


def test_row_b4_2_then_5_accumulated() -> None:
    x = leaf(1.0)
    (x * 2).backward()
    grad = x.grad
    assert grad.item() == 2.0
    (x * 3).backward()
    assert x.grad.item() == 5.0
    assert x.grad is grad
    x.grad = None
    (x * 3).backward()
    assert x.grad.item() == 3.0


def test_row_b4_4_then_an_error_and_with_retain_graph_8() -> None:
    x = leaf(2.0)
    y = x * x
    y.backward()
    assert x.grad.item() == 4.0
    with pytest.raises(GradientError, match=r"retain_graph=True"):
        y.backward()
    with pytest.raises(GradientError, match="freed"):
        _ = y.grad_fn.saved_tensors
    x.grad, y = None, x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 8.0


@pytest.mark.parametrize("free", [lambda x: x.reshape(2, 1)[0:1].expand(1, 3) + 1.0, lambda x: -x - x.clone().mean()])
def test_what_keeps_shapes_alone_is_walked_again(free: Any) -> None:
    for f in (free, ml.compile(free)):
        x = ml.tensor([2.0, 3.0], requires_grad=True)
        y = f(x).sum()
        y.backward()
        once = x.grad.tolist()
        y.backward()
        assert x.grad.tolist() == [2 * g for g in once]
