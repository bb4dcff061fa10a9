"""Mixtures of tensors under PyTorch's names. They are written with ops, so every rule follows."""

from __future__ import annotations

from typing import Any

from ..core.array import bool_, check_held, is_float, is_number, promote
from ..errors import DTypeError, ShapeError
from .compare import where
from .elementwise import add, div, mul, sub
from .families import broadcast
from .front import check_tensors, writable
from .movement import to


@writable
def lerp(x: Any, end: Any, weight: Any) -> Any:
    """x + weight · (end - x): from `x` at weight 0 to `end` at weight 1. Floats of one dtype; shapes broadcast.

    Raises:
        DTypeError: `x` holds no floats, or `end` or `weight` has another dtype.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([0.0, 10.0]).lerp(ml.tensor([4.0, 20.0]), 0.25)
        tensor([ 1.0000, 12.5000])
    """
    check_tensors("lerp", x, end)
    check_blended("lerp", x)
    for name, other in (("end", end), ("weight", weight)):
        if not is_number(other) and other.dtype != x.dtype and (name == "end" or other.shape):
            raise DTypeError(
                f"lerp got {name} of dtype {other.dtype} and x of dtype {x.dtype}.",
                "What is mixed has one dtype.",
                f"Did you mean {name}.to(x.dtype)?",
            )
    given = (end, x, weight)
    broadcast("lerp")(*[tuple(v.shape) for v in given if hasattr(v, "shape")])
    return add(x, mul(sub(end, x), weight))


def check_blended(name: str, x: Any) -> None:
    """Refuse a tensor that holds no fractions: what is mixed lies between its ends.

    Raises:
        DTypeError: It holds whole numbers or truth values.
    """
    if not is_float(x.dtype):
        raise DTypeError(
            f"{name} got a tensor of dtype {x.dtype}.",
            "What lies between two whole numbers is a fraction.",
            f"Did you mean x.float().{name}(...)?",
        )


@writable
def addcmul(x: Any, tensor1: Any, tensor2: Any, value: float = 1) -> Any:
    """x + value · tensor1 · tensor2. Shapes broadcast.

    Raises:
        DTypeError: All three hold truth values.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.ones(2).addcmul(ml.tensor([1.0, 2.0]), ml.tensor([3.0, 4.0]), value=10)
        tensor([31., 81.])
    """
    if bool_ == getattr(x, "dtype", None) == getattr(tensor1, "dtype", None) == getattr(tensor2, "dtype", None):
        raise DTypeError("addcmul got truth values.", "addcmul is defined for numbers.", "Did you mean x.int()?")
    product = mul(tensor1, tensor2)
    return add(x, product if value == 1 else mul(product, value))


@writable
def addcdiv(x: Any, tensor1: Any, tensor2: Any, value: float = 1) -> Any:
    """x + value · tensor1 / tensor2. Shapes broadcast.

    Raises:
        DTypeError: Neither `tensor1` nor `tensor2` holds floats.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.ones(2).addcdiv(ml.tensor([1.0, 2.0]), ml.tensor([4.0, 4.0]))
        tensor([1.2500, 1.5000])
    """
    if not any(is_number(t) or is_float(t.dtype) for t in (tensor1, tensor2)):
        raise DTypeError(
            f"addcdiv got tensor1 of dtype {tensor1.dtype} and tensor2 of dtype {tensor2.dtype}.",
            "The quotient of two whole numbers would be rounded in one library and not in another.",
            "Did you mean tensor1.float()? For whole steps, x + value * (tensor1 // tensor2).",
        )
    dtype = promote(x, tensor1, tensor2)
    quotient = div(*(t if is_number(t) else to(t, dtype) for t in (tensor1, tensor2)))
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
