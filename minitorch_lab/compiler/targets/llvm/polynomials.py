"""The polynomials behind exp, log, erf: Chebyshev interpolants of what is left of a function after its easy part.

They are worked out when they are asked for first, in float64 from series and the C library (L. Trefethen, Approximation
Theory and Approximation Practice, chapters 3 to 5: an interpolant in Chebyshev points is nearly the best polynomial).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from ....core.array import xp

LOG2 = math.log(2.0)
STEPS = 16  # of those that lead from one power of 2 to the next
ERF_EDGE, ERFC_END = 1.0, 4.0


def interpolant(f: Callable[[float], float], low: float, high: float, degree: int) -> list[float]:
    """The coefficients of a polynomial near `f` between two bounds, that of the highest power first."""
    found = xp.polynomial.Chebyshev.interpolate(xp.vectorize(f), degree, domain=[low, high])
    return [float(c) for c in found.convert(kind=xp.polynomial.Polynomial).coef[::-1]]


def fitted(
    f: Callable[[float], float], weight: Callable[[float], float], low: float, high: float, degree: int
) -> list[float]:
    """The same of a polynomial that is nearer to `f` where the weight is larger: least squares in Chebyshev points."""
    x = xp.polynomial.chebyshev.chebpts1(200) * ((high - low) / 2) + (high + low) / 2
    values, weights = ([g(float(at)) for at in x] for g in (f, weight))
    found = xp.polynomial.Chebyshev.fit(x, values, degree, domain=[low, high], w=weights)
    return [float(c) for c in found.convert(kind=xp.polynomial.Polynomial).coef[::-1]]


def series(term: Callable[[int], float], u: float) -> float:
    """Σ term(k) uᵏ."""
    return math.fsum(term(k) * u**k for k in range(80))


@cache
def exp() -> list[float]:
    """exp r = P(r), for |r| ≤ log(2)/2."""
    return interpolant(math.exp, -LOG2 / 2, LOG2 / 2, 6)


@cache
def exp_step() -> list[float]:
    """exp r - 1 = r P(r), for |r| ≤ log(2)/32: half of a step."""
    half = LOG2 / 2 / STEPS
    return interpolant(lambda r: series(lambda k: 1.0 / math.factorial(k + 1), r), -half, half, 2)


@cache
def expm1() -> list[float]:
    """exp r - 1 = r + r² P(r), for |r| ≤ log(2)/2, which keeps the digits of small r."""
    return interpolant(lambda r: series(lambda k: 1.0 / math.factorial(k + 2), r), -LOG2 / 2, LOG2 / 2, 4)


@cache
def exp2() -> list[float]:
    """2ᶠ - 1 = f P(f), for |f| ≤ ½."""
    return interpolant(lambda f: series(lambda k: LOG2 ** (k + 1) / math.factorial(k + 1), f), -0.5, 0.5, 5)


@cache
def log() -> list[float]:
    """For √½ ≤ 1 + m ≤ √2 its logarithm is m - m²/2 + m³ P(m)."""
    low, high = math.sqrt(0.5) - 1.0 - 1e-3, math.sqrt(2.0) - 1.0 + 1e-3
    return interpolant(lambda m: series(lambda k: (-1) ** k / (k + 3), m), low, high, 8)


@cache
def erf() -> list[float]:
    """erf x = x + x P(x²), for |x| ≤ 1."""

    def term(k: int) -> float:
        return 2 / math.sqrt(math.pi) * (-1) ** k / (math.factorial(k) * (2 * k + 1))

    return interpolant(lambda u: series(term, u) - 1.0, 0.0, ERF_EDGE**2, 5)


@cache
def erfc() -> list[float]:
    """erfc x = P(x)⁻⁸, for 1 ≤ x ≤ 4: from there on erf x is 1."""
    low = ERF_EDGE - 0.005
    return fitted(lambda x: math.erfc(x) ** -0.125, lambda x: math.erfc(x) ** 1.125, low, ERFC_END, 7)
