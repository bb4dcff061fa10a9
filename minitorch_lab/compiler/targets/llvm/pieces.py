"""tanh and erf in sixteen pieces, each a polynomial: tables as long as a register.

Both are odd, and 1 from some number on. Which piece holds |x| is read from the bits of |x| + offset, the last two of
the exponent and the first two behind the point: four pieces to a power of 2, short near 0, where the function bends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from ....core.array import xp
from .tables import bits

COUNT, DEGREE = 16, 5
DROPPED = 21  # the bits below those that name a piece


@dataclass(frozen=True, slots=True)
class Pieces:
    """A function, piece by piece.

    Attributes:
        offset: What is added to |x|.
        end: From here on the function is 1.
        middles: Each piece's polynomial is one of the distance to a number in its middle.
        coefficients: That of the highest power first, and of each one entry a piece.
    """

    offset: float
    end: float
    middles: tuple[int, ...]
    coefficients: tuple[tuple[int, ...], ...]


def first(f: Callable[[float], float], high: float) -> list[float]:
    """The piece from 0 on, which is x P(x): the digits of small x are kept."""
    found = xp.polynomial.Chebyshev.interpolate(xp.vectorize(lambda x: f(x) / x), DEGREE - 1, domain=[0.0, high])
    return [0.0, 0.0, *(float(c) for c in found.convert(kind=xp.polynomial.Polynomial).coef)]


def between(f: Callable[[float], float], low: float, high: float) -> list[float]:
    """Another piece: a number near its middle where the polynomial is nearly a float, and the polynomial from there."""
    found = xp.polynomial.Chebyshev.interpolate(xp.vectorize(f), DEGREE, domain=[low, high])
    near = xp.linspace(0.52 * low + 0.48 * high, 0.48 * low + 0.52 * high, 500).astype("float32").astype("float64")
    off = xp.abs(found(near) - found(near).astype("float32"))
    middle = float(near[off.argmin()])
    return [middle, *(float(found.deriv(k)(middle)) / math.factorial(k) for k in range(DEGREE + 1))]


def pieces(f: Callable[[float], float], offset: float) -> Pieces:
    """The pieces of an odd function, from 0 to 15 times the offset: what is above that is taken for just below it."""
    start = bits(offset) >> DROPPED
    edges = [float(xp.int32(start + k << DROPPED).view("float32")) - offset for k in range(COUNT + 1)]
    found = [first(f, edges[1]), *(between(f, low, high) for low, high in pairwise(edges[1:]))]
    turned = found[-start % COUNT :] + found[: -start % COUNT]  # what names a piece are the last bits of its number
    middles, *coefficients = zip(*([bits(x) for x in piece] for piece in turned), strict=True)
    return Pieces(offset, 0.99 * edges[-1], middles, tuple(coefficients[::-1]))


@cache
def tanh() -> Pieces:
    """tanh is 1 from 9.02 on."""
    return pieces(math.tanh, 0.625)


@cache
def erf() -> Pieces:
    """erf is 1 from 3.83 on."""
    return pieces(math.erf, 0.3125)
