"""Summaries of arrays: right for few and for many elements, for none, and for what is no number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from minitorch_lab.recording.values import FEW, Value, summarise


@pytest.mark.parametrize("size", [1, 2, FEW, FEW + 1, 1000])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_mean_and_range(size: int, dtype: str) -> None:
    array = (np.random.default_rng(size).normal(size=size) * 100).astype(dtype)
    value = summarise(array)
    assert (value.shape, value.dtype) == ((size,), dtype)
    assert value.mean == pytest.approx(array.astype("float64").mean(), rel=1e-5)
    assert (value.low, value.high) == (array.min(), array.max())
    assert value.data == tuple(array.tolist())


@pytest.mark.parametrize("size", [3, 1000])
@pytest.mark.parametrize(("odd", "low", "high"), [(math.nan, math.nan, math.nan), (math.inf, 0.0, math.inf)])
def test_what_is_no_number(size: int, odd: float, low: float, high: float) -> None:
    array = np.zeros(size)
    array[1] = odd
    value = summarise(array)
    np.testing.assert_equal((value.low, value.high), (low, high))


def test_opposite_infinities_give_no_warning() -> None:
    assert math.isnan(summarise(np.array([math.inf, -math.inf] * 50)).mean)


def test_no_elements() -> None:
    value = summarise(np.zeros((0, 3), "float32"))
    assert (value.shape, value.numel, value.data) == ((0, 3), 0, ())
    assert math.isnan(value.mean)


def test_more_than_the_cap() -> None:
    value = summarise(np.arange(10), cap=9)
    assert value.data is None
    assert (value.mean, value.low, value.high) == (4.5, 0.0, 9.0)


@pytest.mark.parametrize("thing", [True, 3, 2.5])
def test_numbers_of_python(thing: Any) -> None:
    assert summarise(thing) == Value((), type(thing).__name__, float(thing), float(thing), float(thing), (thing,))


def test_a_scalar_is_what_has_one_element() -> None:
    assert summarise(np.array([[7.0]])).scalar == 7.0
    assert summarise(np.array([7.0, 8.0])).scalar is None
