"""What element types refuse, as text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import DTypeError


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: ml.tensor(np.ones(2, "uint16")),
            "There is no dtype uint16 here.\n  Tensors hold float16, bfloat16, float32, float64, int8, int16, int32, "
            "int64, uint8 or bool.\n  Did you mean int32?",
        ),
        (
            lambda: ml.zeros(2, dtype="uint64"),
            "There is no dtype uint64 here.\n  Tensors hold float16, bfloat16, float32, float64, int8, int16, int32, "
            "int64, uint8 or bool.\n  Did you mean int64?",
        ),
        (
            lambda: ml.tensor([1j]),
            "There is no dtype complex128 here.\n  Tensors hold float16, bfloat16, float32, float64, int8, int16, "
            "int32, int64, uint8 or bool.\n  Did you mean float64?",
        ),
        (
            lambda: ml.tensor(["a"]),
            "tensor got list data of dtype <U1.\n  A tensor holds numbers: float16, bfloat16, float32, float64, int8, "
            "int16, int32, int64, uint8 or bool.\n  Convert the data to numbers first.",
        ),
        (
            lambda: ml.tensor([300], dtype=ml.int8),
            "tensor got numbers from 300 to 300 for dtype int8.\n  int8 holds the whole numbers from -128 to 127.\n"
            "  Did you mean a wider dtype, such as int64?",
        ),
        (
            lambda: ml.full((2,), 300, dtype=ml.uint8),
            "full got the number 300 for dtype uint8.\n  uint8 holds the whole numbers from 0 to 255.\n"
            "  Did you mean a wider dtype, such as int64?",
        ),
        (
            lambda: ml.zeros(2, dtype=ml.int8).fill_(300),
            "setitem got the number 300 for dtype int8.\n  int8 holds the whole numbers from -128 to 127.\n"
            "  Did you mean a wider dtype, such as int64?",
        ),
        (
            lambda: ml.zeros(2, dtype=ml.int32).add_(0.5),
            "add_ would write float32 into a tensor of dtype int32.\n"
            "  A write in place keeps the dtype of what is written to.\n"
            "  Did you mean x = x.add(y)? That makes a new tensor of dtype float32.",
        ),
        (
            lambda: ml.ones(2).bool() - ml.ones(2),
            "sub got truth values.\n  sub is defined for numbers.\n"
            "  Did you mean x.logical_not() for 1 - x, or x.int() - y?",
        ),
        (
            lambda: ml.arange(3) ** -1,
            "pow got a base and an exponent of dtype int64, and the exponent is negative.\n"
            "  A whole number to a negative power is a fraction.\n  Did you mean x.float() ** y?",
        ),
        (
            lambda: ml.arange(3)[ml.tensor([1], dtype=ml.uint8)],
            "An index of dtype uint8.\n"
            "  Indices are int64 or int32, or a bool mask; of short numbers it is not clear which was meant.\n"
            "  Did you mean index.long() for positions, or index.bool() for a mask?",
        ),
        (
            lambda: ml.rand(2, dtype=ml.int64),
            "rand got dtype=int64.\n  Its numbers are fractions: the dtype holds floats.\n  Did you mean randint?",
        ),
        (
            lambda: ml.finfo(ml.int8),
            "finfo got int8.\n  It speaks of dtypes that hold floats.\n  Did you mean iinfo(int8)?",
        ),
        (
            lambda: ml.iinfo(ml.bfloat16),
            "iinfo got bfloat16.\n  It speaks of dtypes that hold whole numbers.\n  Did you mean finfo(bfloat16)?",
        ),
        (
            lambda: ml.ones(2, 2).bool() @ ml.ones(2, 2).bool(),
            "A matrix product got bool.\n  Truth values have no products to add up.\n  Did you mean x.float()?",
        ),
        (
            lambda: ml.ones(2, 2).half() @ ml.ones(2, 2),
            "A matrix product got float16 and float32.\n"
            "  All operands need the same dtype: a silent cast of a matrix would cost a copy.\n"
            "  Did you mean y.to(ml.float16)?",
        ),
    ],
)
def test_what_is_refused(call: Any, text: str) -> None:
    with pytest.raises(DTypeError) as caught:
        call()
    assert str(caught.value) == text
