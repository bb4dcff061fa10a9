"""What a recording keeps of an array: shape and dtype, three numbers about it, and the elements while they are few."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..core.array import xp

CAP = 4096  # elements kept in full, unless record(values=...) says otherwise

FEW = 64  # of so few, Python's own sum is quicker than NumPy's

Number = float | int | bool


class Value(NamedTuple):
    """An array, summarised.

    `data` holds the elements in row-major order, or None when there are more than the recording keeps. `mean`, `low`
    and `high` are taken over all elements (nan for an empty array).

    Example:
        >>> Value((2,), "float32", 1.5, 1.0, 2.0, (1.0, 2.0)).numel
        2
    """

    shape: tuple[int, ...]
    dtype: str
    mean: float
    low: float
    high: float
    data: tuple[Number, ...] | None

    @property
    def numel(self) -> int:
        """How many elements the array has."""
        return math.prod(self.shape)

    @property
    def scalar(self) -> Number | None:
        """The one element of a one-element array, else None."""
        return self.data[0] if self.numel == 1 and self.data else None


def summarise(array: Any, cap: int = CAP) -> Value:
    """The summary of `array`, which is an ndarray (any shape and dtype), a NumPy scalar or a Python number.

    Example:
        >>> summarise(2.5)
        Value(shape=(), dtype='float', mean=2.5, low=2.5, high=2.5, data=(2.5,))
    """
    if not hasattr(array, "dtype"):
        return Value((), type(array).__name__, float(array), float(array), float(array), (array,))
    size = math.prod(array.shape)
    data = tuple(array.reshape(-1).tolist()) if size <= cap else None
    numbers = data if data is not None and size <= FEW else None
    return Value(tuple(array.shape), str(array.dtype), *_range(array, size, numbers), data)


def _range(array: Any, size: int, numbers: tuple[Number, ...] | None) -> tuple[float, float, float]:
    if size == 0 or (numbers is not None and any(x != x for x in numbers)):
        return math.nan, math.nan, math.nan
    if numbers is not None:
        return float(sum(numbers) / size), float(min(numbers)), float(max(numbers))
    with xp.errstate(all="ignore"):  # inf - inf is worth showing, not worth a warning
        return float(array.mean()), float(array.min()), float(array.max())


def unknown(shape: tuple[int, ...], dtype: str) -> Value:
    """The summary of a tensor that exists only on the tape: its numbers were never computed."""
    return Value(shape, dtype, math.nan, math.nan, math.nan, None)
