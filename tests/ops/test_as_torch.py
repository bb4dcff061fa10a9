"""Calls that PyTorch takes in a form of their own: numbers as vectors, a tensor for `dim`, several dims. Its values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml

X = ml.tensor(5.0)
INDEX = ml.tensor(0)


@pytest.mark.parametrize(
    "call",
    [
        lambda: X.sort(0).values,
        lambda: X.topk(1).values,
        lambda: X.kthvalue(1).values,
        lambda: X.median(0).values,
        lambda: X.gather(0, INDEX),
        lambda: X.take_along_dim(INDEX, 0),
        lambda: X.index_select(0, ml.tensor([0])),
        lambda: ml.zeros(()).scatter(0, INDEX, X),
        lambda: ml.zeros(()).scatter(0, INDEX, 5.0),
        lambda: ml.zeros(()).scatter_add(0, INDEX, X),
        lambda: ml.zeros(()).index_add(0, ml.tensor([0]), X),
        lambda: X.squeeze(()),
    ],
)
def test_a_number_counts_as_a_vector_with_one_entry(call: Callable[[], Any]) -> None:
    found = call()
    assert (found.shape, found.item()) == ((), 5.0)


def test_the_axes_of_an_index_are_those_of_the_result() -> None:
    assert X.gather(0, ml.tensor([0])).shape == (1,)
    assert ml.tensor([1.0, 2.0]).gather(0, ml.tensor(1)).tolist() == 2.0
    assert X.unfold(0, 1, 1).shape == (1,)
    assert [v.tolist() for v in X.nonzero(as_tuple=True)] == [[0]]


def test_the_larger_of_two_tensors_by_max() -> None:
    a, b = ml.tensor([1.0, 5.0]), ml.tensor([3.0, 2.0])
    assert (ml.max(a, b).tolist(), a.min(b).tolist()) == ([3.0, 5.0], [1.0, 2.0])


def test_several_axes_are_squeezed_at_once() -> None:
    assert ml.zeros(1, 2, 1, 3).squeeze((0, 1)).shape == (2, 1, 3)


def test_a_filled_mask_keeps_the_dtype() -> None:
    whole, mask = ml.tensor([1, 2]), ml.tensor([True, False])
    assert whole.masked_fill(mask, 2.7).tolist() == [2, 2]
    assert mask.masked_fill(mask, 0).tolist() == [False, False]
    assert whole.masked_fill(mask, ml.tensor(7.0)).dtype == ml.int64


def test_without_dim_the_entries_are_one_vector() -> None:
    x = ml.tensor([[1, 2], [3, 4]])
    assert x.take_along_dim(ml.tensor([3, -4])).tolist() == [4, 1]


def test_empty_vectors_are_passed_over_by_cat() -> None:
    assert ml.cat([ml.zeros(0), ml.ones(2, 3)], 1).shape == (2, 3)


def test_operands_of_einsum_may_stand_in_a_list() -> None:
    assert ml.einsum("i,i", [ml.tensor([1, 2]), ml.tensor([3, 4])]).item() == 11


def test_sums_of_weights_are_floats() -> None:
    assert ml.tensor([0, 1, 1]).bincount(ml.tensor([1, 2, 3])).dtype == ml.float64


def test_truth_values_are_close_where_they_are_equal() -> None:
    assert ml.tensor([True, False]).isclose(ml.tensor([True, True])).tolist() == [True, False]


def test_the_nuclear_norm_by_norm() -> None:
    assert ml.tensor([[3.0, 0.0], [0.0, -4.0]]).norm("nuc").item() == pytest.approx(7.0)


@pytest.mark.parametrize("name", ["maximum", "minimum", "hypot", "atan2", "logaddexp", "logical_and", "logical_or"])
def test_a_number_is_refused_where_tensors_are_compared(name: str) -> None:
    x = ml.ones(2)
    for call in (lambda: getattr(ml, name)(x, 2), lambda: getattr(ml, name)(2, x), lambda: getattr(x, name)(2)):
        with pytest.raises(ml.errors.ArgumentError, match=rf"{name} got the number 2\.\n  {name} takes tensors\."):
            call()


@pytest.mark.parametrize("name", ["eq", "ne", "lt", "le", "gt", "ge", "fmod"])
def test_a_number_comes_second(name: str) -> None:
    x = ml.ones(2)
    assert getattr(ml, name)(x, 2).shape == getattr(x, name)(2).shape == (2,)
    with pytest.raises(ml.errors.ArgumentError, match=rf"{name} got the number 2\.\n  {name} takes a tensor first\."):
        getattr(ml, name)(2, x)
