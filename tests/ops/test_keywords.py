"""PyTorch's other names for arguments, `dtype=` of what sums, and the methods in place that follow from functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, DTypeError, GradientError, ShapeError
from minitorch_lab.ops.keywords import read_again

GRID = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda x: ml.sum(x, axis=0), GRID.sum(0)),
        (lambda x: ml.sum(input=x, dim=1, keepdims=True), GRID.sum(1, keepdims=True)),
        (lambda x: x.mean(axis=(0, 1)), GRID.mean()),
        (lambda x: ml.cat(tensors=[x, x], axis=1), np.concatenate([GRID, GRID], 1)),
        (lambda x: ml.add(input=x, other=x, alpha=2), GRID + 2 * GRID),
        (lambda x: ml.zeros(size=(2, 3)) + x, GRID),
        (lambda x: x.permute(dims=(1, 0)), GRID.T),
        (lambda x: x.var(0, unbiased=False), GRID.var(0)),
    ],
)
def test_other_names_mean_the_same(call: Any, expected: Any) -> None:
    np.testing.assert_allclose(call(ml.tensor(GRID)).numpy(), expected)


def test_a_dtype_is_taken_before_the_sum_and_after_it() -> None:
    x = ml.tensor([True, True])
    assert x.sum(dtype=ml.float32).dtype == ml.float32
    assert ml.ones(2, dtype=ml.int32).sum(dtype=ml.int32).dtype == ml.int32
    assert ml.tensor([1, 2]).mean(dtype=ml.float64).item() == 1.5


def test_other_names_stand_in_captured_programs() -> None:
    def f(x: Any) -> Any:
        return ml.sum(x, axis=0, dtype=ml.float64).clamp_(max=4.0) + x.new_ones(3)

    x = ml.tensor(GRID)
    compiled = ml.compile(f, fullgraph=True)
    for _ in range(2):
        assert compiled(x).equal(f(x))


def test_a_keyword_that_means_nothing_is_refused() -> None:
    def fn(x: Any, dim: Any = None) -> None: ...

    assert read_again(fn, (), {"input": 1, "axis": 0}) == ((1,), {"dim": 0}, None)
    assert read_again(fn, (1,), {"dmi": 0}) is None
    with pytest.raises(ArgumentError, match="memory_format"):
        ml.ones(2).contiguous(memory_format="sparse")


# ---- in place -------------------------------------------------------------------------------------------------------

SQUARE = np.array([[0.3, -1.2], [2.5, 0.1]])


def numbers() -> ml.Tensor:
    return ml.tensor(SQUARE)


CALLS: dict[str, tuple[Any, ...]] = {
    "clamp": (0.0, 1.0),
    "masked_fill": (numbers() > 1, 7.0),
    "lerp": (numbers() * 2, 0.3),
    "addcmul": (numbers(), numbers()),
    "addcdiv": (numbers(), numbers()),
    "tril": (),
    "triu": (1,),
    "cumsum": (0,),
    "scatter": (0, ml.tensor([[1, 0]]), 5.0),
    "scatter_add": (0, ml.tensor([[1, 1]]), ml.ones(1, 2, dtype=ml.float64)),
    "scatter_reduce": (0, ml.tensor([[1, 1]]), ml.ones(1, 2, dtype=ml.float64), "prod"),
    "index_add": (0, ml.tensor([1, 1]), numbers()),
    "index_fill": (1, ml.tensor([0]), -1.0),
    "index_copy": (0, ml.tensor([1, 0]), numbers()),
    "put": (ml.tensor([3]), ml.tensor([9.0], dtype=ml.float64)),
    "masked_scatter": (numbers() > 0, numbers().ravel()),
    "addmm": (numbers(), numbers()),
    "renorm": (2, 0, 1.0),
    "frac": (),
    "fill_diagonal": (0.5,),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_method_in_place_writes_what_the_function_gives(name: str) -> None:
    expected = getattr(numbers(), name)(*CALLS[name])
    x = numbers()
    memory = x.numpy()
    assert getattr(x, f"{name}_")(*CALLS[name]) is x
    assert x.equal(expected)
    np.testing.assert_array_equal(memory, expected.numpy())


@pytest.mark.parametrize("name", CALLS)
def test_its_gradient_is_that_of_the_function(name: str) -> None:
    found: list[Any] = []
    for suffix in ("", "_"):
        x = numbers().requires_grad_()
        out = getattr(x * 1.0, name + suffix)(*CALLS[name])
        (out * ml.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
        assert x.grad is not None
        found.append(x.grad.numpy())
    np.testing.assert_allclose(found[0], found[1])


def test_a_write_that_does_not_fit_is_refused() -> None:
    with pytest.raises(DTypeError, match="addcdiv_ would write float32 into a tensor of dtype int64"):
        ml.tensor([1, 2]).addcdiv_(ml.tensor([1.0, 2.0]), ml.tensor([1, 2]))
    with pytest.raises(ShapeError, match="lerp_ would write the shape"):
        ml.ones(2).lerp_(ml.ones(3, 2), 0.5)


def test_a_tensor_becomes_a_view_of_its_memory() -> None:
    x = ml.tensor(GRID)
    memory = x.numpy()
    assert x.t_() is x
    assert x.shape == (3, 2)
    assert x.unsqueeze_(0).shape == (1, 3, 2)
    x[0, 0, 1] = 9.0
    assert memory[1, 0] == 9.0


def test_what_becomes_a_view_keeps_its_history() -> None:
    leaf = ml.tensor(GRID, requires_grad=True)
    y = (leaf * 2).transpose_(0, 1)
    (y[0] * ml.tensor([1.0, 10.0])).sum().backward()
    assert leaf.grad is not None
    assert leaf.grad.tolist() == [[2.0, 0.0, 0.0], [20.0, 0.0, 0.0]]
    with pytest.raises(GradientError, match="t_ on a leaf"):
        leaf.t_()


def test_a_view_that_becomes_another_still_writes_into_its_base() -> None:
    leaf = ml.tensor(GRID, requires_grad=True)
    base = leaf * 1.0
    row = base[0]
    row.unsqueeze_(1)
    row.mul_(3.0)
    base.sum().backward()
    assert base[0].tolist() == [0.0, 3.0, 6.0]
    assert leaf.grad is not None
    assert leaf.grad.tolist() == [[3.0] * 3, [1.0] * 3]
