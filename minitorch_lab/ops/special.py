"""The error function, which NumPy lacks.

In float32, and what is narrower, erf(x) = tanh(x·P(x²)) with a polynomial P of degree 6: within 4 units in the last
place. In float64 two series meet at |x| = 1, both within a few units. Inside, the Taylor series. Outside,
erfc(x) = t·exp(−x² + P(t)) with t = 2/(2+x), where P is the Chebyshev interpolant of what is left: the form is that of
W. Press et al., Numerical Recipes, section 6.2. Its coefficients are worked out here, once, on import, from the C
library's erfc.
"""

from __future__ import annotations

import math
from typing import Any

from ..core.array import Array, float64, xp
from .blocks import Constants, blockwise, polynomial

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
SERIES, OUTSIDE = Constants(*TAYLOR), Constants(*xp.polynomial.chebyshev.cheb2poly(TAIL.coef).tolist())
STRETCH = Constants(*TAIL.mapparms())
# The best P for 0 ≤ x ≤ 4 in the size of the error of erf; from there on x·P(x²) grows, and its tanh is 1.
SLOPE = Constants(
    1.1283792741826637, 0.10276905682343614, -0.00019183295503633974, -0.0006197829450055791, 8.763673052271463e-05,
    -5.668385033628278e-06, 1.4184738885107702e-07,
)  # fmt: skip


def erf_into(x: Array, out: Array) -> None:
    """erf(x), into other memory."""
    if x.dtype == float64:
        erf_into_float64(x, out)
        return
    square = xp.multiply(x, x)
    polynomial(square, SLOPE, out)
    xp.multiply(out, x, out=out)
    xp.tanh(out, out=out)


def erf_into_float64(x: Array, out: Array) -> None:
    """The same, from the two series."""
    size = xp.minimum(xp.absolute(x), EDGE)
    square = xp.multiply(size, size)
    polynomial(xp.minimum(square, 1.0), SERIES, out)
    xp.multiply(out, x, out=out)
    outside = size >= 1.0
    if not outside.any():
        return
    shift, scale = STRETCH.beside(x)
    t = 2.0 / (2.0 + xp.maximum(size, 1.0))
    tail = xp.empty_like(t)
    polynomial(shift + scale * t, OUTSIDE, tail)
    xp.subtract(tail, square, out=tail)
    xp.exp(tail, out=tail)
    xp.multiply(tail, t, out=tail)
    xp.subtract(1.0, tail, out=tail)
    xp.copyto(out, xp.copysign(tail, x), where=outside)


@blockwise
def error_function(x: Array, out: Array) -> None:
    """erf(x) = 2/√π ∫₀ˣ exp(−t²) dt, in the dtype of `x`."""
    erf_into(x, out)
