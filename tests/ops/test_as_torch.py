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


@pytest.mark.parametrize("name", ["maximum", "minimum", "hypot", "atan2", "logaddexp", "logical_and", "logical_xor"])
def test_a_number_is_refused_where_tensors_are_compared(name: str) -> None:
    x = ml.ones(2)
    for call in (lambda: getattr(ml, name)(x, 2), lambda: getattr(ml, name)(2, x), lambda: getattr(x, name)(2)):
        with pytest.raises(ml.errors.ArgumentError, match=rf"{name} got the number 2\.\n  {name} takes tensors\."):
            call()


@pytest.mark.parametrize("name", ["eq", "ne", "lt", "le", "gt", "ge", "fmod", "clamp_min", "clamp_max"])
def test_a_number_comes_second(name: str) -> None:
    x = ml.ones(2)
    assert getattr(ml, name)(x, 2).shape == getattr(x, name)(2).shape == (2,)
    with pytest.raises(ml.errors.ArgumentError, match=rf"{name} got the number 2\.\n  {name} takes a tensor first\."):
        getattr(ml, name)(2, x)


@pytest.mark.parametrize("name", ["pow", "remainder", "bitwise_and", "bitwise_left_shift"])
def test_two_numbers_are_not_enough(name: str) -> None:
    x = ml.tensor([1, 2])
    assert getattr(ml, name)(x, 2).shape == getattr(ml, name)(2, x).shape == (2,)
    with pytest.raises(ml.errors.ArgumentError, match=rf"{name} got the number 2\.\n  {name} takes a tensor in one"):
        getattr(ml, name)(2, 3)


@pytest.mark.parametrize(
    ("mode", "widths", "framed"),
    [
        ("reflect", (2, 1), [3, 2, 1, 2, 3, 2]),
        ("replicate", (2, 1), [1, 1, 1, 2, 3, 3]),
        ("circular", (2, 1), [2, 3, 1, 2, 3, 1]),
        ("circular", (-1, 1), [2, 3, 2]),
        ("constant", (-1, 1), [2, 3, 0]),
    ],
)
def test_frames_repeat_entries(mode: str, widths: tuple[int, int], framed: list[int]) -> None:
    assert ml.pad(ml.tensor([1, 2, 3]), widths, mode).tolist() == framed


def test_what_stands_in_a_frame_gets_the_gradient_of_its_places() -> None:
    x = ml.tensor([1.0, 2.0, 3.0], requires_grad=True)
    ml.pad(x, (2, 0), "reflect").sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [1.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda x: ml.pad(x, (3, 0), "reflect"), "A reflected frame takes fewer entries than there are"),
        (lambda x: ml.pad(x, (4, 0), "circular"), "a circular one no more than there are"),
        (lambda x: ml.pad(x, (1, 0), "mirror"), r'pad got mode=.mirror.\.\n  It takes "constant", "reflect"'),
        (lambda x: ml.pad(x, (1, 0), 5.0), r"Did you mean value=5\.0\?"),
        (lambda x: ml.pad(x, (1, 0), "reflect", 5.0), "Only a constant frame has a value"),
        (lambda x: ml.pad(x, (-2, -2)), "A negative width cuts off, and an axis has a length of 0 or more"),
        (lambda x: ml.nn.functional.conv1d(x[None], x[None, None], stride=2, padding="same"), "moves by 1"),
        (
            lambda x: ml.nn.functional.conv1d(x[None], x[None, None], x[:1].double()),
            "conv1d got an input of dtype float32 and parameters of dtype",
        ),
        (lambda x: ml.addmv(x.long(), ml.ones(3, 3).long(), x.long(), beta=0.5), "Whole numbers take whole factors"),
        (lambda x: x.scatter(0, ml.tensor([0]), ml.tensor([1])), "got entries of int64 for a tensor of float32"),
        (lambda x: ml.arange(0, float("inf")), "Both ends are finite"),
        (lambda x: ml.linspace(0, 1, -1), "The number of steps is whole"),
        (lambda x: ml.linspace(x, 1, 3), "A bound is one number"),
        (lambda x: ml.eye(-1), r"eye got the size \(-1, -1\)"),
        (lambda x: ml.cat([x, x.sum()]), "Numbers have no axis to be joined along"),
        (lambda x: ml.cat([x, None]), "cat got a NoneType at place 1"),
        (lambda x: x.sum().unbind(), "A single number has no slices"),
        (lambda x: x.isclose(x, rtol=-1.0), "A distance is 0 or more"),
        (lambda x: x.masked_fill(x > 0, x), "One number fills every place"),
        (lambda x: ml.nn.functional.max_pool1d(x[None, :0].reshape(0, 3), 1), "with or without the batch"),
    ],
)
def test_what_pytorch_refuses_is_refused_with_its_reason(call: Callable[[Any], Any], text: str) -> None:
    with pytest.raises(ml.errors.MinitorchError, match=text):
        call(ml.ones(3))


def test_a_convolution_with_as_many_places_as_entries() -> None:
    x, w = ml.tensor([[1.0, 2.0, 3.0, 4.0]]), ml.ones(1, 1, 2)
    assert ml.nn.functional.conv1d(x, w, padding="same").tolist() == [[3.0, 5.0, 7.0, 4.0]]
    assert ml.nn.functional.conv1d(x, w, padding="same", dilation=2).tolist() == [[2.0, 4.0, 6.0, 3.0]]
    assert ml.nn.functional.conv1d(x, w, padding="valid").shape == (1, 3)


def test_a_range_meets_both_ends_and_cuts_fractions_off() -> None:
    assert ml.linspace(0, 10, 4, dtype=ml.int64).tolist() == [0, 3, 6, 10]
    assert ml.linspace(4.9, 1, 4, dtype=ml.int64).tolist() == [4, 3, 2, 1]
    assert ml.linspace(ml.tensor(1.0), 2, 3, dtype=ml.float64).tolist() == [1.0, 1.5, 2.0]


def test_a_truth_value_for_dim_says_whether_the_variance_is_corrected() -> None:
    x = ml.tensor([1.0, 3.0])
    assert (x.var(True).item(), x.var(False).item(), x.var(correction=None).item()) == (2.0, 1.0, 2.0)


def test_the_gradient_of_a_pseudo_inverse_is_that_among_matrices_of_its_rank() -> None:
    a = ml.tensor([[1.0, 2.0], [2.0, 4.0]], dtype=ml.float64, requires_grad=True)  # u vᵀ with A⁺ = Aᵀ / 25
    ml.linalg.pinv(a).sum().backward()
    assert a.grad is not None
    # along A itself A⁺ shrinks as A grows: ⟨gradient, A⟩ = -ΣA⁺; along (1, 2)ᵀ(2, -1) it turns: (2, -1)(1, 2)ᵀ / 25
    assert (a.grad * a).sum().item() == pytest.approx(-9 / 25)
    turn = ml.tensor([[2.0, -1.0], [4.0, -2.0]], dtype=ml.float64)
    assert (a.grad * turn).sum().item() == pytest.approx(3 / 25)


def test_singular_values_of_0_have_a_gradient() -> None:
    a = ml.zeros(2, 3, requires_grad=True)
    a.norm("nuc").backward()
    assert a.grad is not None
    assert a.grad.abs().sum().item() == 2.0  # U Vᵀ, of entries 0 and 1 here


def test_a_norm_of_zeros_has_a_gradient_of_zeros_that_stays() -> None:
    x = ml.zeros(3, requires_grad=True)
    (slope,) = ml.autograd.grad(x.norm(), x, create_graph=True)
    (second,) = ml.autograd.grad(slope.sum(), x)
    assert (slope.tolist(), second.tolist()) == ([0.0] * 3, [0.0] * 3)
