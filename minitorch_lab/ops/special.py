"""The error function, which NumPy lacks. Two series meet at |x| = 1: both are within a few units in the last place.

Inside, the Taylor series. Outside, erfc(x) = t·exp(−x² + P(t)) with t = 2/(2+x), where P is the Chebyshev interpolant
of what is left: the form is that of W. Press et al., Numerical Recipes, section 6.2. Its coefficients are worked out
here, once, on import, from the C library's erfc.
"""

from __future__ import annotations

import math
from typing import Any

from ..array import Array, solid, xp

SQRT_HALF = math.sqrt(0.5)
TWO_OVER_SQRT_PI = 2.0 / math.sqrt(math.pi)
INVERSE_SQRT_2PI = 1.0 / math.sqrt(2.0 * math.pi)

TERMS = 20
TAYLOR = [TWO_OVER_SQRT_PI * (-1) ** n / (math.factorial(n) * (2 * n + 1)) for n in range(TERMS)]
EDGE = 6.0  # erf is 1 in float64 from here on


def remainder(t: float) -> float:
    """What is left of log erfc once its size and its Gaussian are taken out."""
    z = 2.0 / t - 2.0
    return math.log(math.erfc(z) / t) + z * z


def chebyshev() -> Any:
    """The interpolant of `remainder` over the t that belong to 1 ≤ x ≤ EDGE."""
    low, high = 2.0 / (2.0 + EDGE), 2.0 / 3.0
    return xp.polynomial.Chebyshev.interpolate(xp.vectorize(remainder), 18, domain=[low, high])


TAIL = chebyshev()
SHIFT, SCALE = TAIL.mapparms()


def tail_at(t: Array) -> Array:
    """P(t), by Clenshaw's recurrence: sums and products alone, so that it runs where `t` lies."""
    x = SHIFT + SCALE * t
    last, before = 0.0, 0.0
    for c in TAIL.coef[:0:-1]:
        last, before = c + 2.0 * x * last - before, last
    return TAIL.coef[0] + x * last - before


def error_function(x: Array, out: Array | None = None) -> Array:
    """erf(x) = 2/√π ∫₀ˣ exp(−t²) dt, in the dtype of `x`."""
    wide = solid(x).astype("float64", copy=False)
    size = xp.minimum(xp.abs(wide), EDGE)
    small = xp.minimum(size, 1.0) ** 2
    series = xp.zeros_like(small)
    for c in TAYLOR[::-1]:
        series = series * small + c
    t = 2.0 / (2.0 + xp.maximum(size, 1.0))
    tail = 1.0 - t * xp.exp(tail_at(t) - size * size)
    value = xp.where(size < 1.0, wide * series, xp.copysign(tail, wide)).astype(x.dtype)
    if out is None:
        return value
    out[...] = value
    return out
