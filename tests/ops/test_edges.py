"""Values and gradients at edges, as PyTorch has them: ties, kinks, zeros, and who shares whose memory."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import errors


def gradient(fn: Callable[[Any], Any], *numbers: float) -> list[float]:
    """The gradient of the sum of `fn` of a vector."""
    x = ml.tensor(numbers, dtype=ml.float64, requires_grad=True)
    fn(x).sum().backward()
    assert x.grad is not None
    return x.grad.tolist()


FLAT = ("round", "floor", "ceil", "trunc", "sign")


@pytest.mark.parametrize("name", FLAT)
def test_a_step_has_a_gradient_of_zeros(name: str) -> None:
    assert gradient(lambda x: getattr(x, name)(), 1.5, -0.0, inf) == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("p", [0.5, 1, 1.5, 2, 3, inf, -inf, 0, -1])
def test_the_subgradient_of_a_norm_at_zero_is_zero(p: float) -> None:
    assert gradient(lambda x: x.norm(p), 0.0, 0.0) == [0.0, 0.0]


def test_entries_that_are_equal_do_not_spread() -> None:
    assert gradient(lambda x: x.std(), 2.0, 2.0, 2.0) == [0.0, 0.0, 0.0]
    assert gradient(lambda x: x.std(), 1.0, 3.0) == pytest.approx([-(0.5**0.5), 0.5**0.5])


def test_powers_of_zero() -> None:
    assert gradient(lambda t: 0.0**t, 2.0, 0.0, -1.0) == [0.0, 0.0, -inf]
    assert gradient(lambda x: x**0, 0.0, 2.0) == [0.0, 0.0]
    assert gradient(lambda x: x / 0, 1.0) == [inf]


def test_the_angle_at_the_centre_has_no_slope() -> None:
    assert gradient(lambda x: x.atan2(x * 0), 0.0) == [0.0]


def test_bounds_that_are_tensors() -> None:
    x, low = ml.tensor([0.0, 1.0, nan, 5.0], requires_grad=True), ml.tensor([1.0], requires_grad=True)
    y = x.clamp(low, ml.tensor([3.0, 3.0, 3.0, nan]))
    assert repr(y.detach().tolist()) == "[1.0, 1.0, nan, nan]"
    y[:2].sum().backward()
    assert x.grad is not None
    assert low.grad is not None
    assert (x.grad.tolist(), low.grad.tolist()) == ([0.0, 1.0, 0.0, 0.0], [1.0])  # a tie is x's
    assert ml.tensor([1, 5]).clamp(max=ml.tensor(2)).tolist() == [1, 2]
    assert ml.tensor([5.0]).clamp(3, ml.tensor([1.0])).tolist() == [1.0]  # max wins
    with pytest.raises(errors.ArgumentError, match="no bounds"):
        x.clamp()


def test_the_middle_of_nan_is_nan_and_equals_share() -> None:
    values, where = ml.tensor([[3.0, nan, 1.0], [3.0, 2.0, 1.0]]).median(1)
    assert (repr(values.tolist()), where.tolist()) == ("[nan, 2.0]", [1, 1])
    assert gradient(lambda x: x.median(), 2.0, 2.0, 5.0, 1.0) == [0.5, 0.5, 0.0, 0.0]


def test_bits_are_not_truth_values() -> None:
    x = ml.tensor([6, 5, 4])
    assert ((x & 3).tolist(), (x | 3).tolist(), (x ^ 3).tolist(), (~x).tolist()) == (
        [2, 1, 0], [7, 7, 7], [5, 6, 7], [-7, -6, -5]
    )  # fmt: skip
    assert ((1 << x).tolist(), (x >> 1).tolist(), (3 & x).tolist()) == ([64, 32, 16], [3, 2, 2], [2, 1, 0])
    assert (x > 4).logical_and(x < 6).equal((x > 4) & (x < 6))
    with pytest.raises(errors.DTypeError, match="bits of whole numbers"):
        ml.ones(2) & ml.ones(2)


def test_where_as_a_method_keeps_itself_where_the_condition_holds() -> None:
    x, c = ml.tensor([1.0, 2.0]), ml.tensor([True, False])
    assert x.where(c, 9.0).equal(ml.where(c, x, 9.0))
    with pytest.raises(errors.DTypeError, match="condition"):
        x.where(x, 9.0)


COPIES: dict[str, Callable[[Any], Any]] = {
    "repeat": lambda m: m.repeat(1, 1),
    "tile": lambda m: m.tile((1,)),
    "diag": lambda m: m.diag(),
    "max of a number": lambda m: m[0, 0].max(0).values,
    "cummax of a number": lambda m: m[0, 0].cummax(0).values,
    "repeat of a number": lambda m: m[0, 0].repeat(2, 2),
    "cat": lambda m: ml.cat([m]),
    "roll": lambda m: m.roll(0, 0),
    "clamp": lambda m: m.clamp(-9, 9),
}


@pytest.mark.parametrize("name", COPIES)
def test_what_is_a_copy_though_nothing_changes(name: str) -> None:
    m = ml.arange(6.0).reshape(2, 3)
    COPIES[name](m).fill_(7.0)
    assert m.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


def test_an_expand_that_stretches_nothing_can_be_written() -> None:
    m = ml.zeros(2, requires_grad=True)
    base = m * 1
    base.expand(1, 2)[0, 1] = 5.0
    assert base.tolist() == [0.0, 5.0]
    base.sum().backward()
    assert m.grad is not None
    assert m.grad.tolist() == [1.0, 0.0]


def test_a_pseudo_inverse_of_less_than_full_rank() -> None:
    """P(x) = x⁻¹ · wwᵀ for the matrix x · wwᵀ with |w| = 1; along that line the derivative is -1/x² · wwᵀ."""
    assert gradient(lambda x: ml.linalg.pinv(x * ml.full((2, 2), 0.5, dtype=ml.float64)), 2.0) == pytest.approx([-0.5])


REFUSED: dict[str, Callable[[], Any]] = {
    "zeros": lambda: ml.multinomial(ml.tensor([[1.0, 2.0], [0.0, 0.0]]), 1),
    "a negative weight": lambda: ml.multinomial(ml.tensor([1.0, -2.0, 3.0]), 1, replacement=True),
    "a weight that is NaN": lambda: ml.multinomial(ml.tensor([1.0, nan]), 1),
    "an infinite weight": lambda: ml.multinomial(ml.tensor([1.0, inf]), 1, replacement=True),
    "no draw": lambda: ml.multinomial(ml.ones(2), 0),
    "whole weights": lambda: ml.multinomial(ml.tensor([1, 2]), 1),
    "a probability above 1": lambda: ml.bernoulli(ml.tensor([0.5, 1.5])),
    "a probability that is NaN": lambda: ml.ones(2).bernoulli_(nan),
    "a negative deviation": lambda: ml.ones(2).normal_(0.0, -1.0),
    "a range upside down": lambda: ml.ones(2).uniform_(2.0),
    "too few arguments in place": lambda: ml.ones(2).div_(),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_drawn_is_refused(name: str) -> None:
    with pytest.raises((errors.ArgumentError, errors.DTypeError)):
        REFUSED[name]()


def test_a_compiled_draw_looks_at_its_weights_too() -> None:
    draw = ml.compile(lambda w: ml.multinomial(w * 2.0, 1, replacement=True))
    for _ in range(3):
        assert draw(ml.tensor([0.0, 1.0])).tolist() == [1]
    with pytest.raises(errors.ArgumentError, match="all 0"):
        draw(ml.zeros(2))


def test_a_quotient_in_place_may_be_written_again() -> None:
    a = ml.tensor([4.0], requires_grad=True)
    y = ml.tensor([8.0], requires_grad=True) * 1.0
    y.div_(a)
    y.add_(1.0)
    y.sum().backward()
    assert a.grad is not None
    assert a.grad.tolist() == [-0.5]


def test_whole_ranges_cut_their_bounds() -> None:
    assert ml.arange(3.1, dtype=ml.int64).tolist() == [0, 1, 2]
    assert ml.arange(0.1, -7.9, -4.0, dtype=ml.int64).tolist() == [0, -4]


def test_a_value_with_axes_of_length_1_in_front_gets_its_gradient_back() -> None:
    v = ml.tensor([5.0], requires_grad=True)
    y = ml.zeros(3) * 1.0
    y[0] = v
    y.sum().backward()
    assert v.grad is not None
    assert v.grad.tolist() == [1.0]


def test_python_asks_a_tensor() -> None:
    x = ml.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert 3.0 in x
    assert 5 not in x
    assert reversed(x).tolist() == [[3.0, 4.0], [1.0, 2.0]]
    with pytest.raises(TypeError, match="Iteration over a 0-d tensor"):
        iter(x[0, 0])
    with pytest.raises(TypeError, match="format"):
        format(x, ".2f")
    with pytest.raises(IndexError, match="reaches outside"):
        x[ml.tensor([0, 2])]
    with pytest.raises(IndexError, match="A mask of shape"):
        x[ml.tensor([True])]


def test_a_vector_of_one_is_written_to_one_entry() -> None:
    y, v = ml.zeros(2, 3), ml.tensor([5.0], requires_grad=True)
    y[ml.tensor(0), ml.tensor(1)] = v
    y[ml.tensor(1), 2] = ml.tensor([[4.0]])
    assert y.tolist() == [[0.0, 5.0, 0.0], [0.0, 0.0, 4.0]]
    (y * 2).sum().backward()
    assert v.grad is not None
    assert v.grad.tolist() == [2.0]
