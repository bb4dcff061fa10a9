"""Fake values: what an op would give, without running it. Shape, dtype and, where it can be told, the strides."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ...core.array import Array, DType, ground, is_number, must_copy, view_as, without_memory, xp
from ...func.boxing import Box
from ...func.boxing import ghost_of as ghost_of_box
from ...ops.axes import numel
from ...ops.op import Op, as_given
from .graph import Facts
from .sizes import sizes_in


def facts_of(x: Any) -> Facts:
    """What is known of a tensor or an array that exists.

    Example:
        >>> import minitorch_lab as ml
        >>> str(facts_of(ml.zeros(2, 3)))
        'f32[2, 3]'
    """
    lies = ghost_of_box(x) if isinstance(x, Box) else ground(x)
    return Facts(tuple(x.shape), x.dtype, getattr(x, "device", "cpu"), getattr(lies, "strides", None))


def foretold(op: Op, inputs: tuple[Any, ...], params: dict[str, Any]) -> Facts:
    """What `op` gives for inputs that are already of the dtype in which they meet.

    Raises:
        ShapeError: The inputs do not fit.
    """
    shape = tuple(op.shape(*[getattr(i, "shape", ()) for i in inputs], **params))
    dtype = dtype_given(op, inputs, params)
    device = params.get("device") or next((i.device for i in inputs if hasattr(i, "device")), "cpu")
    return Facts(shape, dtype, device, strides_given(op, inputs, params, shape, dtype))


def dtype_given(op: Op, inputs: tuple[Any, ...], params: dict[str, Any]) -> DType:
    """The dtype of the result."""
    if isinstance(op.gives, str):
        return params[op.gives]
    if callable(op.gives):
        return op.gives(*inputs)
    if op.gives is not None:
        return op.gives
    met = op.casts(*inputs) if op.casts is not as_given else None
    return met or next(i.dtype for i in inputs if not is_number(i))


def strides_given(
    op: Op, inputs: tuple[Any, ...], params: dict[str, Any], shape: tuple[int, ...], dtype: DType
) -> tuple[int, ...] | None:
    """The strides of the result: a view's follow from its base; what is made new lies in row order if its inputs do.

    NumPy gives a new result the order of its inputs, so of inputs in another order nothing is said. Of products only
    the batches have an order.
    """
    if op.put is not None and len(inputs) == 1:
        ghost = ghost_of(inputs[0]) if known(params) else None
        return lying(op, ghost, params) if ghost is not None else symbolic(op, inputs[0], params, shape)
    ordered = batches_in_order if op.impl is xp.matmul else in_row_order
    plain = op.name == "contiguous" or all(ordered(i) for i in inputs if not is_number(i))  # also of symbols
    return row_order(shape, dtype.itemsize) if plain else None


def symbolic(op: Op, x: Any, params: dict[str, Any], shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The same where lengths are symbols, for what keeps row order or moves axes; of other views nothing is said."""
    if op.name == "permute" and x.strides is not None:
        return tuple(x.strides[a] for a in params["axes"])
    if op.name in ("reshape", "detach") and in_row_order(x):
        return row_order(shape, x.dtype.itemsize)
    return None


def known(*lengths: Any) -> bool:
    """Whether there is no symbol among some lengths or parameters."""
    return not sizes_in(*lengths)


def lying(op: Op, ghost: Array, params: dict[str, Any]) -> tuple[int, ...]:
    """The strides of a view of what lies like `ghost`; of one that must copy, those of the copy."""
    if op.name == "as_strided":
        there, stride = (tuple(s * ghost.itemsize for s in steps) for steps in (params["lies"][0], params["stride"]))
        return stride if there == ghost.strides else row_order(params["size"], ghost.itemsize)
    if op.name != "reshape":
        return tuple(op.impl(ghost, **params).strides)
    shape = params["shape"]
    return row_order(shape, ghost.itemsize) if must_copy(ghost, shape) else tuple(view_as(ghost, shape).strides)


def ghost_of(x: Any) -> Array | None:
    """An array without memory that lies as `x` will; None where that is not known."""
    strides = x.strides
    return (
        None
        if strides is None or not known(tuple(x.shape), strides)
        else without_memory(tuple(x.shape), strides, x.dtype)
    )


def in_row_order(x: Any) -> bool:
    """Whether `x` is known to lie in row order without gaps."""
    shape, strides = tuple(x.shape), x.strides
    if strides is None:
        return False
    plain = row_order(shape, x.dtype.itemsize)
    return not numel(shape) or all(n == 1 or a == b for n, a, b in zip(shape, strides, plain, strict=True))


def batches_in_order(x: Any) -> bool:
    """Whether the axes of `x` before the last two are known to lie as they stand, with or without gaps."""
    return x.strides is not None and all(a >= b for a, b in pairwise(x.strides[:-2]))


def row_order(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """The strides of memory in row order.

    Example:
        >>> row_order((2, 3), 4)
        (12, 4)
    """
    strides: list[int] = []
    step = itemsize
    for n in reversed(shape):
        strides.append(step)
        step *= max(n, 1)
    return tuple(reversed(strides))
