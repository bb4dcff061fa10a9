"""How many floating-point operations an op does, from the shapes of its inputs and of its result.

A product of matrices is counted exactly: a multiplication and an addition for each pair of entries that meet (2 FLOP,
or 1 MAC). Everything else is counted as one operation for each entry, an estimate: exp costs more than relu.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ..array import Shape
from .families import by_itself
from .op import Op


def system(a: Shape, out: Shape) -> int:
    """Elimination, then two substitutions for each column."""
    n = a[-1]
    return prod(out[:-2]) * (2 * n**3 // 3 + 2 * n * n * out[-1])


# The work of what is made of products, from the shapes of its inputs and of its result.
PRODUCTS: dict[str, Callable[..., int]] = {
    "matmul": lambda a, b, out: 2 * a[-1] * prod(out),
    "linear": lambda x, w, *bias_and_out: 2 * w[-1] * prod(bias_and_out[-1]),
    "solve": lambda a, b, out: system(a, out),
    "solve_triangular": lambda a, b, out: prod(out) * a[-1],
    "inv": lambda a, out: 2 * a[-1] * prod(a),
    "cholesky": lambda a, out: a[-1] * prod(a) // 3,
    "det": lambda a, out: 2 * a[-1] * prod(a) // 3,
    "logabsdet": lambda a, out: 2 * a[-1] * prod(a) // 3,
}


def work(op: Op, shapes: list[Shape], out: Shape) -> int:
    """How many operations the op does. What only moves entries does none; what adds some of them up, one for each."""
    if op.name in PRODUCTS:
        return PRODUCTS[op.name](*shapes, out)
    if op.jvp is by_itself or op.put is not None or not shapes:
        return max(prod(shapes[0]) - prod(out), 0) if op.name == "sum" else 0
    return max(map(prod, (*shapes, out)))
