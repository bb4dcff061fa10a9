"""Settings of the whole process, constants, and questions to any object: PyTorch's names for them."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

from ..core.array import DType, as_dtype, default_dtype, is_float, set_default
from ..core.printing import set_printoptions
from ..errors import ArgumentError, DTypeError
from ..ops.keywords import OTHER_LAYOUTS, PLAIN_LAYOUTS
from ..ops.random import DEFAULT
from .cuda import is_available
from .tensor import Tensor

pi, e, inf, nan, newaxis = math.pi, math.e, math.inf, math.nan, None
contiguous_format, preserve_format, strided = PLAIN_LAYOUTS
channels_last, channels_last_3d = OTHER_LAYOUTS
default_generator = DEFAULT
backends = SimpleNamespace(
    cuda=SimpleNamespace(is_built=is_available, matmul=SimpleNamespace(allow_tf32=False)),
    cudnn=SimpleNamespace(
        is_available=lambda: False, enabled=False, benchmark=False, deterministic=True, allow_tf32=False
    ),
    mps=SimpleNamespace(is_available=lambda: False, is_built=lambda: False),
)


def get_default_dtype() -> DType:
    """The dtype of what is made of Python's floats, or of nothing: float32 unless it was set otherwise."""
    return default_dtype()


def set_default_dtype(d: Any) -> None:
    """Let tensors be made in the dtype `d` from now on, where none is named: of Python's floats, zeros, random numbers.

    Raises:
        DTypeError: It does not hold floats.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.set_default_dtype(ml.float64)
        >>> ml.zeros(1).dtype
        dtype('float64')
        >>> ml.set_default_dtype(ml.float32)
    """
    wanted = as_dtype(d)
    if not is_float(wanted):
        raise DTypeError(f"set_default_dtype got {wanted}.", "It is the dtype of floats.", "Did you mean ml.float64?")
    set_default(wanted)


def is_tensor(obj: Any) -> bool:
    """Whether an object is a tensor."""
    return isinstance(obj, Tensor)


def is_storage(obj: Any) -> bool:
    """Whether an object is the memory of a tensor."""
    return type(obj).__name__ == "Storage"


def is_complex(input: Tensor) -> bool:
    """Whether the entries are complex: they never are."""
    return False


def is_floating_point(input: Tensor) -> bool:
    """Whether the entries are floats."""
    return is_float(input.dtype)


def real(input: Tensor) -> Tensor:
    """The real part: the tensor itself."""
    return input


def is_signed(input: Tensor) -> bool:
    """Whether the dtype holds numbers below 0."""
    return input.dtype.kind not in "bu"


def is_nonzero(input: Tensor) -> bool:
    """Whether the only entry is not 0."""
    return bool(input.item())


def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape."""
    return tuple(input.shape) == tuple(other.shape)


def is_inference(input: Tensor) -> bool:
    """Whether `inference_mode()` made the tensor."""
    return input.is_inference()


def numel(input: Tensor) -> int:
    """The number of entries."""
    return input.numel()


def typename(obj: Any) -> str:
    """The name of an object's type, with its module."""
    return f"{type(obj).__module__}.{type(obj).__qualname__}"


def initial_seed() -> int:
    """The seed with which the global sequence of random numbers began."""
    return DEFAULT.initial_seed()


def seed() -> int:
    """Begin the global sequence of random numbers anew, with a seed of the operating system, which is returned."""
    return DEFAULT.seed()


# ---- settings that have one answer here -----------------------------------------------------------------------------


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Equal inputs give equal results here, whatever is asked for."""


def are_deterministic_algorithms_enabled() -> bool:
    """Whether equal inputs give equal results: they always do."""
    return True


def set_float32_matmul_precision(precision: str) -> None:
    """Products of float32 are computed in float32, whatever is asked for.

    Raises:
        ArgumentError: There is no such precision.
    """
    if precision not in ("highest", "high", "medium"):
        raise ArgumentError(
            f"set_float32_matmul_precision got {precision!r}.", 'It is "highest", "high" or "medium".', ""
        )


def get_float32_matmul_precision() -> str:
    """How products of float32 are computed: in float32."""
    return "highest"


__all__ = [
    "are_deterministic_algorithms_enabled", "backends", "channels_last", "channels_last_3d",
    "contiguous_format", "default_generator", "e", "get_default_dtype", "get_float32_matmul_precision", "inf",
    "initial_seed", "is_complex", "is_floating_point", "is_inference", "is_nonzero", "is_same_size",
    "is_signed", "is_storage", "is_tensor", "nan", "newaxis", "numel", "pi", "preserve_format", "real", "seed",
    "set_default_dtype", "set_float32_matmul_precision", "set_printoptions", "strided", "typename",
    "use_deterministic_algorithms",
]  # fmt: skip
