"""Functions of one input in several passes: each pass goes over a block that stays in the cache.

An array of a million entries is read from memory once, and not once for each product of a polynomial; and what lies
between two passes takes the room of a block, which costs no page faults.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ..core.array import Array, float32, float64, on_cpu, solid, xp

BLOCK = 16384  # entries


class Constants:
    """Numbers as NumPy takes them fastest: in the dtype of what they meet. What CuPy meets are Python numbers."""

    def __init__(self, *numbers: float) -> None:
        self.plain = numbers
        self.held = {d: tuple(xp.asarray(n, d) for n in numbers) for d in (float32, float64)}

    def beside(self, x: Array) -> Any:
        """The numbers, to meet `x`."""
        return self.held.get(x.dtype, self.plain) if type(x) is on_cpu else self.plain


def blockwise(kernel: Callable[[Array, Array], Any]) -> Callable[..., Array]:
    """The array function that `kernel(x, out)` computes on a block; there `x` and `out` are different memory."""

    @wraps(kernel)
    def impl(x: Array, out: Array | None = None) -> Array:
        x = solid(x)
        if type(x) is not on_cpu or (out is not None and not (x.flags.forc and out.strides == x.strides)):
            value = xp.empty_like(x) if out is None else out
            if out is None:
                kernel(x, value)
            else:
                value[...] = impl(x)
            return value
        x = x if x.flags.forc else xp.positive(x)  # laid out as a ufunc would
        value, shared = xp.empty_like(x) if out is None else out, out is not None and xp.shares_memory(x, out)
        if out is None and x.ndim and x.size <= BLOCK:
            kernel(x, value)
            return value
        line, target = x.ravel("K"), value.ravel("K")
        for start in range(0, x.size, BLOCK):
            part = line[start : start + BLOCK]
            kernel(part.copy() if shared else part, target[start : start + BLOCK])
        return value

    return impl


def polynomial(x: Array, coefficients: Constants, out: Array) -> None:
    """c₀ + c₁ x + c₂ x² + …, by Horner's rule."""
    *lower, top = coefficients.beside(x)
    xp.multiply(x, top, out=out)
    for c in lower[:0:-1]:
        xp.add(out, c, out=out)
        xp.multiply(out, x, out=out)
    xp.add(out, lower[0], out=out)
