"""Tensors without entries of their own yet, tensors made after another, and the constructors of older scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.array import (
    DType,
    as_dtype,
    default_dtype,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    is_float,
    uint8,
    xp,
)
from ..core.array import bool_ as truth
from ..ops.front import taught
from .factories import finished, full, linspace, ones, sizes, tensor, zeros
from .tensor import Tensor, named


@taught
def empty(*size: Any, dtype: Any = None, device: str | None = None, requires_grad: bool = False) -> Tensor:
    """A tensor whose entries have yet to be written: whatever the memory held. Of the default dtype, unless said.

    Raises:
        ShapeError: A length is negative or no whole number.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.empty(2, 3).shape
        (2, 3)
    """
    return finished(Tensor(xp.empty(sizes("empty", size), as_dtype(dtype or default_dtype()))), device, requires_grad)


@taught
def empty_like(x: Tensor, dtype: Any = None, device: str | None = None, requires_grad: bool = False) -> Tensor:
    """A tensor with the shape, dtype and device of `x` whose entries have yet to be written."""
    return empty(*x.shape, dtype=dtype or x.dtype, device=device or x.device, requires_grad=requires_grad)


@taught
def scalar_tensor(s: float, dtype: Any = None, device: str | None = None, requires_grad: bool = False) -> Tensor:
    """A tensor of shape () that holds one number, of the default dtype unless said."""
    return tensor(s, dtype or default_dtype(), device, requires_grad)


@taught
def logspace(
    start: float,
    end: float,
    steps: int,
    base: float = 10.0,
    dtype: Any = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """`steps` powers of `base`, with exponents at even distances from `start` to `end`.

    Raises:
        ArgumentError: The number of steps is negative.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.logspace(0, 2, 3)
        tensor([  1.,  10., 100.])
    """
    wanted = as_dtype(dtype or default_dtype())
    if not is_float(wanted):
        start, end = int(start), int(end)
    return finished((base ** linspace(start, end, steps, float64)).to(wanted), device, requires_grad)


# ---- after another tensor -------------------------------------------------------------------------------------------


def after(make: Callable[..., Tensor], name: str, what: str) -> Callable[..., Tensor]:
    """`x.new_...(size)`."""

    def method(
        self: Tensor, *size: Any, dtype: Any = None, device: str | None = None, requires_grad: bool = False
    ) -> Tensor:
        return make(*size, dtype=dtype or self.dtype, device=device or self.device, requires_grad=requires_grad)

    return taught(named(method, name, f"{what}, with the dtype and device of this one unless said."))


def new_full(
    self: Tensor, size: Any, fill_value: float, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of `size` with one number everywhere, with the dtype and device of this one unless said."""
    return full(size, fill_value, dtype or self.dtype, device or self.device, requires_grad)


def new_tensor(self: Tensor, data: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A new tensor with a copy of `data`, with the dtype and device of this one unless said."""
    return tensor(data, dtype or self.dtype, device or self.device, requires_grad)


for maker, word in ((zeros, "zeros"), (ones, "ones"), (empty, "empty")):
    setattr(Tensor, f"new_{word}", after(maker, f"new_{word}", f"A tensor of the given size: {word}"))
for method in (new_full, new_tensor):
    setattr(Tensor, method.__name__, taught(named(method, method.__name__, method.__doc__ or "")))

# ---- by a dtype, as older scripts write it --------------------------------------------------------------------------


def constructor(name: str, dtype: DType) -> Callable[..., Tensor]:
    """`ml.FloatTensor(...)` and its kin: of data, or of a size."""

    def make(*data: Any) -> Tensor:
        if data and all(isinstance(n, int) for n in data):
            return empty(*data, dtype=dtype)
        return tensor(data[0] if data else [], dtype=dtype)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"A tensor of {dtype.name} with a copy of the data, or with the lengths that are given as numbers."
    return taught(make)


BoolTensor = constructor("BoolTensor", truth)
ByteTensor = constructor("ByteTensor", uint8)
CharTensor = constructor("CharTensor", int8)
DoubleTensor = constructor("DoubleTensor", float64)
FloatTensor = constructor("FloatTensor", float32)
HalfTensor = constructor("HalfTensor", float16)
IntTensor = constructor("IntTensor", int32)
LongTensor = constructor("LongTensor", int64)
ShortTensor = constructor("ShortTensor", int16)
