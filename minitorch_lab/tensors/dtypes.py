"""What a dtype holds, and where dtypes meet: PyTorch's questions, under its names."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..core import array
from ..core.array import DType, as_dtype, float_limits, is_float, xp
from ..errors import DTypeError
from ..ops.front import taught


class FloatInfo(NamedTuple):
    """The limits of a dtype of floats. `eps` is the distance from 1 to the next larger number."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float  # below it, numbers lose digits
    smallest_subnormal: float  # half of it and less is 0
    resolution: float  # how far apart decimals are that it tells from each other, near 1
    dtype: DType

    @property
    def tiny(self) -> float:
        """The smallest normal number."""
        return self.smallest_normal


class IntInfo(NamedTuple):
    """The limits of a dtype of whole numbers."""

    bits: int
    max: int
    min: int
    dtype: DType


@taught
def finfo(dtype: Any = array.float32) -> FloatInfo:
    """The limits of a dtype of floats.

    Raises:
        DTypeError: It holds whole numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.finfo(ml.bfloat16).eps, ml.finfo(ml.float16).max
        (0.0078125, 65504.0)
    """
    wanted = as_dtype(dtype)
    if not is_float(wanted):
        raise DTypeError(
            f"finfo got {wanted}.", "It speaks of dtypes that hold floats.", f"Did you mean iinfo({wanted})?"
        )
    limits = float_limits(wanted)
    return FloatInfo(
        bits=wanted.itemsize * 8,
        eps=float(limits.eps),
        max=float(limits.max),
        min=float(limits.min),
        smallest_normal=float(limits.smallest_normal),
        smallest_subnormal=float(limits.smallest_subnormal),
        resolution=10.0**-limits.precision,
        dtype=wanted,
    )


@taught
def iinfo(dtype: Any) -> IntInfo:
    """The limits of a dtype of whole numbers.

    Raises:
        DTypeError: It holds floats or truth values.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.iinfo(ml.int8).min, ml.iinfo(ml.uint8).max
        (-128, 255)
    """
    wanted = as_dtype(dtype)
    if wanted.kind not in "iu":
        raise DTypeError(
            f"iinfo got {wanted}.", "It speaks of dtypes that hold whole numbers.", f"Did you mean finfo({wanted})?"
        )
    limits = xp.iinfo(wanted)
    return IntInfo(limits.bits, int(limits.max), int(limits.min), wanted)


@taught
def promote_types(type1: Any, type2: Any) -> DType:
    """The dtype in which tensors of two dtypes meet, if both have axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.promote_types(ml.int64, ml.float16), ml.promote_types(ml.float16, ml.bfloat16)
        (dtype('float16'), dtype('float32'))
    """
    return array.promote_types(as_dtype(type1), as_dtype(type2))


@taught
def result_type(tensor1: Any, tensor2: Any) -> DType:
    """The dtype in which two operands of arithmetic meet: tensors with axes, 0-d tensors, or Python numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.result_type(ml.ones(2, dtype=ml.int8), 300), ml.result_type(ml.ones(2, dtype=ml.int8), 0.5)
        (dtype('int8'), dtype('float32'))
    """
    return array.promote(tensor1, tensor2)


@taught
def can_cast(from_: Any, to: Any) -> bool:
    """Whether a write in place may turn results of the dtype `from_` into `to`: no fraction or number is dropped.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.can_cast(ml.float64, ml.float16), ml.can_cast(ml.float32, ml.int64), ml.can_cast(ml.int64, ml.bool)
        (True, False, False)
    """
    return array.can_hold(as_dtype(to), as_dtype(from_))
