"""Fake tensors for readers: foretelling an op, and the check of a rule that foretells a sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler.ir.fake import foretold, row_order
from ...compiler.ir.graph import Facts
from ...core.array import DType, bool_, float16, float32, int32, int64
from ...costmodel import count_flops
from ...ops.op import OPS
from ...tensors.factories import zeros
from ..unaided import unaided
from ..values import described, shown, whole_numbers
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

Shape = tuple[int, ...]
Foretell = Callable[[Shape, DType, Shape, bool], Any]

CASES: list[tuple[Shape, DType, Shape, bool]] = [
    ((2, 3, 4), float32, (1,), False),
    ((2, 3, 4), float32, (1,), True),
    ((2, 3, 4), float32, (0, 2), False),
    ((2, 3, 4), float32, (-1,), False),
    ((5, 1), float32, (0,), False),
    ((5, 6), float16, (0,), False),
    ((5, 6), int32, (1,), False),
    ((5, 6), bool_, (0, 1), False),
]
VAST: tuple[Shape, DType, Shape, bool] = ((10**9, 10**10, 10**8), float32, (1,), False)
VAST_SUM = [10**9, 10**8]


def fake(*shape: int, dtype: DType = float32) -> Facts:
    """What is known of a tensor in row order that nobody has made.

    Example:
        >>> str(fake(2, 3))
        'f32[2, 3]'
    """
    return Facts(shape, dtype, strides=row_order(shape, dtype.itemsize))


def foretell(op: str, *inputs: Any, **params: Any) -> Facts:
    """What the op of this name would give for fakes.

    Raises:
        ShapeError: They do not fit.

    Example:
        >>> str(foretell("matmul", fake(2, 3), fake(3, 5)))
        'f32[2, 5]'
    """
    return foretold(OPS[op], inputs, params)


@answering
@unaided(foretold, instead="Foretell it from the shape.")
def check_foretelling(foretell_sum: Foretell) -> Verdict:
    """Check the reader's rule against sums that run."""
    for shape, dtype, axes, keepdims in CASES:
        with count_flops() as ran:
            found, error = attempt(foretell_sum, shape, dtype, axes, keepdims)
        if error is not None:
            return stopped("your rule", error)
        out = zeros(*shape, dtype=dtype).sum(axes, keepdim=keepdims)
        lengths = whole_numbers(found[0]) if isinstance(found, tuple | list) and len(found) == 2 else None
        if lengths is None:
            parts = found if isinstance(found, tuple | list) and len(found) == 2 else (found,)
            given = " and ".join(map(described, parts))
            return not_yet(f"your rule gives {given}. It gives a pair: a tuple of lengths, the shape, and a dtype.")
        if ran.calls:
            return not_yet(f"your rule runs {next(iter(ran.calls))} to see what comes out. Foretell it from the shape.")
        found = tuple(lengths), found[1]
        if found == (shape, dtype) and axes == CASES[0][2]:
            return unwritten("your rule still says that a sum is like its input.")
        where = f"For {list(shape)} of {dtype}, axes {axes}, keepdims={keepdims}"
        if found[0] != out.shape:
            said = f"{where} you say {lengths}, and it is {list(out.shape)}."
            return not_yet(f"{thought(found[0], shape, axes, keepdims)} {said}")
        if found[1] != out.dtype:
            return not_yet(f"{of_dtype(dtype, found[1])} {where} you say {found[1]}, and it is {out.dtype}.")
    found, error = attempt(foretell_sum, *VAST)
    if error is not None:
        return not_yet(
            f"right for small shapes, and for {list(VAST[0])} it stops with {type(error).__name__}. No memory holds "
            "such a "
            "tensor: your rule makes an array to see what comes out. Foretell it from the shape."
        )
    if not isinstance(found, tuple | list) or whole_numbers(found[0]) != VAST_SUM:
        return not_yet(f"right for small shapes. For {list(VAST[0])} you say {shown(found)}, and it is {VAST_SUM}.")
    return done(f"{len(CASES)} sums foretold, and none of yours was run. That is all that a fake tensor is made of.")


def thought(found: Shape, shape: Shape, axes: Shape, keepdims: bool) -> str:
    """The thought that leads to the shape `found`."""
    summed = {a % len(shape) for a in axes}
    ones = tuple(1 if i in summed else n for i, n in enumerate(shape))
    gone = tuple(n for i, n in enumerate(shape) if i not in summed)
    first = axes[0] % len(shape)
    if not keepdims and found == ones:
        return "you left a 1 where an axis was summed. That is keepdims=True."
    if keepdims and found == gone:
        return "you dropped the axis. With keepdims=True it stays, with length 1."
    if found == tuple(n for i, n in enumerate(shape) if i in summed):
        return "you kept the axes that are summed, and dropped those that stay."
    if len(axes) > 1 and found == tuple(n for i, n in enumerate(shape) if i != first):
        return "you summed the first of the axes only."
    if min(axes) < 0:
        return "an axis may count from the end: −1 is the last one."
    if 1 in shape and found == tuple(n for n in gone if n != 1):
        return "you dropped an axis because its length is 1. It was not summed, so it stays."
    return "not this shape."


def of_dtype(dtype: DType, found: DType) -> str:
    """The thought that leads to another dtype."""
    if dtype == float16:
        return "a sum of floats is of their dtype, however narrow."
    if dtype == bool_ and found == bool_:
        return "a sum of truth values counts them, so it is a number."
    if found == dtype:
        return f"whole numbers are summed as int64: {dtype} would overflow."
    return f"whole numbers are summed as {int64}."
