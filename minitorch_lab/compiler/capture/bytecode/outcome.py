"""What the result of an op follows from."""

from __future__ import annotations

from typing import Any

from ....core.array import NUMBERS, is_float, is_number
from ....ops.op import Op
from ....tensors.tensor import Tensor
from ...ir.fake import facts_of, foretold


def agrees(op: Op, args: tuple[Any, ...], params: dict[str, Any], out: Tensor) -> bool:
    """Whether the shape of a result can be told without running the op."""
    try:
        told = foretold(op, tuple(a if is_number(a) else facts_of(a) for a in args), params)
    except Exception:
        return False
    return told.shape == tuple(out.shape)


def by_default(args: tuple[Any, ...], out: Tensor) -> bool:
    """Whether an op has met or given floats without a tensor of floats: their dtype is what `set_default_dtype` set."""
    dtypes = [(a, a.dtype if hasattr(a, "dtype") else NUMBERS.get(type(a))) for a in args]
    floats = [hasattr(a, "dtype") for a, dtype in dtypes if dtype is not None and is_float(dtype)]
    return not any(floats) and (bool(floats) or is_float(out.dtype))
