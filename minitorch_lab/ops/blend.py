"""Mixtures of tensors under PyTorch's names. They are written with ops, so every rule follows."""

from __future__ import annotations

from typing import Any

from ..core.array import bool_, check_held, is_number
from ..errors import DTypeError, ShapeError
from .compare import where
from .elementwise import add, div, mul, sub
from .families import broadcast
from .front import writable
from .movement import to


@writable
def lerp(x: Any, end: Any, weight: Any) -> Any:
    """x + weight · (end - x): from `x` at weight 0 to `end` at weight 1. Shapes broadcast.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([0.0, 10.0]).lerp(ml.tensor([4.0, 20.0]), 0.25)
        tensor([ 1.0000, 12.5000])
    """
    given = (end, x, weight)
    broadcast("lerp")(*[tuple(v.shape) for v in given if hasattr(v, "shape")])
    return add(x, mul(sub(end, x), weight))


@writable
def addcmul(x: Any, tensor1: Any, tensor2: Any, value: float = 1) -> Any:
    """x + value · tensor1 · tensor2. Shapes broadcast.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.ones(2).addcmul(ml.tensor([1.0, 2.0]), ml.tensor([3.0, 4.0]), value=10)
        tensor([31., 81.])
    """
    product = mul(tensor1, tensor2)
    return add(x, product if value == 1 else mul(product, value))


@writable
def addcdiv(x: Any, tensor1: Any, tensor2: Any, value: float = 1) -> Any:
    """x + value · tensor1 / tensor2. Shapes broadcast.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.ones(2).addcdiv(ml.tensor([1.0, 2.0]), ml.tensor([4.0, 4.0]))
        tensor([1.2500, 1.5000])
    """
    quotient = div(tensor1, tensor2)
    return add(x, quotient if value == 1 else mul(quotient, value))


@writable
def masked_fill(x: Any, mask: Any, value: Any) -> Any:
    """`x` with `value` where `mask` is true, in the dtype of `x`; the mask stretches to the shape of `x`.

    Raises:
        DTypeError: The mask does not hold truth values, or `x` cannot hold the value.
        ShapeError: The value is not one number.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.ones(2, 2).masked_fill(ml.tensor([True, False]), 0.0)
        tensor([[0., 1.],
                [0., 1.]])
    """
    check_mask("masked_fill", mask)
    if getattr(value, "shape", ()) != ():
        raise ShapeError(
            f"masked_fill got a value of shape {tuple(value.shape)}.",
            "One number fills every place.",
            "Did you mean ml.where(mask, value, x)?",
        )
    if is_number(value):
        check_held("masked_fill", value, x.dtype)
    filled = where(mask, value, x)
    return filled if filled.dtype == x.dtype else where(mask, in_dtype(value, x), x)


def in_dtype(value: Any, x: Any) -> Any:
    """A number, or a 0-d tensor, in the dtype of `x`: a fraction is cut off, as `x[mask] = value` does."""
    return to(value, dtype=x.dtype) if hasattr(value, "dtype") else x.dtype.type(value).item()


def check_mask(name: str, mask: Any) -> None:
    """Refuse a mask that does not hold truth values.

    Raises:
        DTypeError: It does not.
    """
    if mask.dtype != bool_:
        raise DTypeError(
            f"{name} got a mask of dtype {mask.dtype}.", "A mask holds truth values.", "Did you mean mask.bool()?"
        )
