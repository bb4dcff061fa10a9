"""Element types against PyTorch: where every pair of operands meets, what is refused, and every op in every dtype."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml
from minitorch_lab.array import DTYPES
from minitorch_lab.errors import DTypeError

pytestmark = pytest.mark.oracle

FLOATS = ("float16", "bfloat16", "float32", "float64")
WHOLE = ("int8", "int16", "int32", "int64", "uint8")
ENTRIES = {**{name: [1.5, 3.0] for name in FLOATS}, **{name: [100, 3] for name in WHOLE}, "bool": [True, False]}
NUMBERS = (True, 7, 0.3)
Made = tuple[str, Any, Any]  # what it is, ours, PyTorch's


def theirs(dtype: str) -> torch.dtype:
    return getattr(torch, dtype)


def pair(entries: Any, dtype: str) -> tuple[Any, Any]:
    return ml.tensor(entries, dtype=dtype), torch.tensor(entries, dtype=theirs(dtype))


def tensors(entries: dict[str, list[Any]] = ENTRIES) -> list[Made]:
    """Each dtype with an axis and without."""
    return [
        (f"{dtype}{'[2]' if axes else '[]'}", *pair(found if axes else found[0], dtype))
        for dtype, found in entries.items()
        for axes in (True, False)
    ]


def operands(entries: dict[str, list[Any]] = ENTRIES) -> Iterator[tuple[Made, Made]]:
    """Every pair of which at least one is a tensor."""
    left, numbers = tensors(), [(repr(n), n, n) for n in NUMBERS]
    right = tensors(entries)
    yield from ((a, b) for a in left for b in (*right, *numbers))
    yield from ((a, b) for a in numbers for b in right)


def outcome(op: Callable[..., Any], x: Any, y: Any, refusal: type[Exception]) -> Any:
    try:
        return op(x, y)
    except refusal:
        return None


def told(ours: Any, other: Any) -> str | None:
    """What differs, in words."""
    if (ours is None) != (other is None):
        return f"{'refused' if ours is None else ours.dtype.name} against {'refused' if other is None else other.dtype}"
    if ours is None:
        return None
    if f"torch.{ours.dtype.name}" != str(other.dtype):
        return f"{ours.dtype.name} against {other.dtype}"
    if not np.array_equal(ours.tolist(), other.tolist(), equal_nan=True):
        return f"{ours.tolist()} against {other.tolist()}"
    return None


OPERATORS = ("add", "sub", "mul", "truediv", "pow", "eq", "ne", "lt", "le", "gt", "ge")
TWO_TENSORS = ("maximum", "minimum", "logical_and", "logical_or")  # PyTorch takes no numbers here
SMALL = {**{name: [0.5, 2.0] for name in FLOATS}, **{name: [2, 3] for name in WHOLE}, "bool": [True, False]}


def mistakes(op: Callable[..., Any], other: Callable[..., Any], pairs: Any) -> list[str]:
    """Where the two differ, over all pairs."""
    wrong = []
    with np.errstate(all="ignore"):
        for (a, x, p), (b, y, q) in pairs:
            problem = told(outcome(op, x, y, DTypeError), outcome(other, p, q, RuntimeError))
            wrong += [f"{a}, {b}: {problem}"] if problem else []
    return wrong


@pytest.mark.parametrize("name", OPERATORS)
def test_every_pair_meets_where_it_does_in_torch(name: str) -> None:
    op = getattr(operator, name)
    assert mistakes(op, op, operands(SMALL if name == "pow" else ENTRIES)) == []


@pytest.mark.parametrize("name", TWO_TENSORS)
def test_every_pair_of_tensors_meets_where_it_does_in_torch(name: str) -> None:
    pairs = [(a, b) for a, b in operands() if hasattr(a[1], "dtype") and hasattr(b[1], "dtype")]
    assert mistakes(getattr(ml, name), getattr(torch, name), pairs) == []


def test_the_branches_of_where_meet_where_they_do_in_torch() -> None:
    ours, other = pair([True, False], "bool")
    assert mistakes(lambda x, y: ml.where(ours, x, y), lambda x, y: torch.where(other, x, y), operands()) == []


@pytest.mark.parametrize("name", ["iadd", "isub", "imul", "itruediv", "ipow"])
def test_what_may_be_written_in_place_is_what_may_be_in_torch(name: str) -> None:
    op = getattr(operator, name)
    pairs = [(a, b) for a, b in operands(SMALL if name == "ipow" else ENTRIES) if hasattr(a[1], "dtype")]
    pairs = [(a, b) for a, b in pairs if len(a[1].shape) >= len(getattr(b[1], "shape", ()))]
    assert mistakes(lambda x, y: op(x.clone(), y), lambda x, y: op(x.clone(), y), pairs) == []


def test_result_type_promote_types_and_can_cast() -> None:
    for (a, x, p), (b, y, q) in operands():
        assert f"torch.{ml.result_type(x, y).name}" == str(torch.result_type(p, q)), (a, b)
    for a in DTYPES:
        for b in DTYPES:
            assert f"torch.{ml.promote_types(a, b).name}" == str(torch.promote_types(theirs(a), theirs(b)))
            assert ml.can_cast(a, b) == torch.can_cast(theirs(a), theirs(b)), (a, b)
