"""How many floating-point operations an op does, from the shapes of its inputs and of its result.

A product of matrices is counted exactly: a multiplication and an addition for each pair of entries that meet (2 FLOP,
or 1 MAC). Everything else is counted as one operation for each entry, an estimate: exp costs more than relu.
"""

from __future__ import annotations

from math import prod

from ..core.array import Shape
from .families import by_itself
from .op import Op


def work(op: Op, shapes: list[Shape], out: Shape) -> int:
    """How many operations the op does. What only moves entries does none; what adds some of them up, one for each."""
    if op.work is not None:
        return op.work(*shapes, out)
    if op.jvp is by_itself or op.put is not None or not shapes:
        return max(prod(shapes[0]) - prod(out), 0) if op.reduces else 0
    return max(map(prod, (*shapes, out)))
