"""Which dtype data become, and which numbers a whole dtype takes. The values are PyTorch's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import DTypeError

NAN, INF = float("nan"), float("inf")


def test_pythons_float_names_float64_as_in_numpy() -> None:
    made = ml.zeros(2, dtype=float), ml.arange(3.0).to(float), ml.tensor([1], dtype=float), ml.full((2,), 1, float)
    assert {x.dtype for x in (*made, ml.ones(2).sum().to(float), ml.eye(2, dtype=float))} == {ml.float64}
    assert ml.float == ml.float32
    assert ml.zeros(2, dtype="float").dtype == ml.float64


@pytest.mark.parametrize(
    ("data", "dtype"),
    [
        ([np.ones(2), np.zeros(2)], ml.float64),
        ((np.ones(2, "float16"),), ml.float16),
        ([np.arange(2, dtype="int32")], ml.int32),
        ([[np.ones(2, "float32")], [np.ones(2)]], ml.float64),
        ([np.float64(1)], ml.float64),
        ([np.int32(1), 1.0], ml.float32),
        ([1, np.int8(1)], ml.int64),
        ([np.ones(2, "int8"), np.ones(2, "uint8")], ml.int16),
        ([ml.tensor(1.0, dtype=ml.float64), 2.0], ml.float64),
        ([[ml.tensor(1, dtype=ml.int32)]], ml.int32),
        ([ml.tensor(1.0, requires_grad=True)], ml.float32),
        ([True, 2], ml.int64),
        ([range(3)], ml.int64),
        ([[]], ml.float32),
    ],
    ids=str,
)
def test_parts_that_have_a_dtype_keep_it_and_meet(data: Any, dtype: Any) -> None:
    assert ml.tensor(data).dtype == dtype


def placed(value: Any, dtype: Any) -> dict[str, Any]:
    x = ml.ones(2, dtype=dtype)
    return {
        "tensor": lambda: ml.tensor([value, 0], dtype=dtype),
        "full": lambda: ml.full((2,), value, dtype=dtype),
        "setitem": lambda: x.__setitem__(0, value) or x,
        "fill_": lambda: x.fill_(value),
        "masked_fill": lambda: x.masked_fill(ml.tensor([True, False]), value),
        "scatter": lambda: x.scatter(0, ml.tensor([0]), value),
        "linspace": lambda: ml.linspace(value, 0, 2, dtype=dtype),
    }


@pytest.mark.parametrize("way", placed(0, ml.int64))
@pytest.mark.parametrize(
    ("value", "dtype"), [(NAN, ml.int64), (INF, ml.int8), (1e30, ml.int64), (300.5, ml.int8), (256, ml.uint8)], ids=str
)
def test_a_number_that_a_whole_dtype_cannot_hold_is_refused(way: str, value: Any, dtype: Any) -> None:
    with pytest.raises(DTypeError, match="holds the whole numbers from"):
        placed(value, dtype)[way]()


@pytest.mark.parametrize("way", placed(0, ml.int64))
def test_fractions_are_cut_off_and_below_zero_unsigned_numbers_count_from_the_end(way: str) -> None:
    assert placed(1.9, ml.int64)[way]()[0].item() == 1
    assert placed(-1, ml.uint8)[way]()[0].item() == 255


def test_sums_in_place_wrap_around_as_others_do() -> None:
    assert ml.ones(2, dtype=ml.int8).add_(256).tolist() == (ml.ones(2, dtype=ml.int8) + 256).tolist() == [1, 1]
