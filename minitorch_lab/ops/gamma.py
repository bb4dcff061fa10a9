"""Functions of mathematical physics, written with ops: derivatives and kernels follow from what they consist of.

The series are those of M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, chapters 6, 7 and 9.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce, wraps
from math import factorial, inf, log, nan, pi, sqrt
from typing import Any, TypeVar

from ..core.array import default_dtype, float64, is_float
from ..errors import ArgumentError
from .compare import logical_and, logical_not, logical_or, where
from .elementwise import erf, exp, log1p, neg, sin
from .elementwise import log as log_
from .elementwise import sqrt as sqrt_
from .front import METHODS, function, taught, writable
from .kinks import abs as abs_
from .kinks import sign
from .movement import detach, to
from .powers import reciprocal
from .rounding import floor
from .trigonometry import tan

SHIFT = 10  # from here on the asymptotic series are within a few units in the last place
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)


F = TypeVar("F", bound=Callable[..., Any])


def in_double(fn: F) -> F:
    """`fn(x)`, computed in float64: the series add and take away numbers that are larger than their sum."""

    @wraps(fn)
    def call(x: Any) -> Any:
        return to(fn(to(x, float64)), x.dtype if is_float(x.dtype) else default_dtype())

    return call  # pyright: ignore[reportReturnType]


def polynomial(z: Any, coefficients: Sequence[float]) -> Any:
    """Horner's rule; the constant comes first."""
    return reduce(lambda total, c: total * z + c, reversed(coefficients[:-1]), coefficients[-1])


def is_pole(x: Any) -> Any:
    """Whether the gamma function is infinite: at whole numbers that are not above 0."""
    return logical_and(x <= 0, x == floor(x))


def lost(x: Any, places: Any) -> Any:
    """NaN, with a slope that is NaN at `places`, where `x` has no value."""
    return where(places, x, 0.0) * nan


def cliff(x: Any, places: Any, value: float) -> Any:
    """At `places` a value that has no slope: the slope is NaN, as that of the branch that is not taken."""
    return where(places, value, lost(x, places))


def steep(x: Any, places: Any) -> Any:
    """At `places` x · infinity, with an infinite slope."""
    return where(places, x, 1.0) * inf


def stirling(z: Any) -> Any:
    """log Γ(z) for z ≥ 10."""
    terms = [b / (2 * k * (2 * k - 1)) for k, b in enumerate(BERNOULLI, 1)]
    r = reciprocal(z)
    return (z - 0.5) * log_(z) - z + 0.5 * log(2 * pi) + r * polynomial(r * r, terms)


def shifted(x: Any) -> tuple[Any, Any, Any]:
    """Whether x > 0 is moved up by `SHIFT`, x where it is (1 elsewhere), and x or x + `SHIFT`."""
    low = x < SHIFT
    return low, where(low, x, 1.0), where(low, x + SHIFT, x)


def log_gamma(x: Any) -> Any:
    """log Γ(x) for x > 0: log Γ(x + 10) - log x(x+1)…(x+9)."""
    low, small, z = shifted(x)
    product = reduce(lambda total, k: total * (small + k), range(1, SHIFT), small)
    return stirling(z) - where(low, log_(product), 0.0)


@writable
@in_double
def lgamma(x: Any) -> Any:
    """log |Γ(x)|, the logarithm of the gamma function; Γ(n) is (n - 1)!.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.lgamma(ml.tensor([0.5, 5.0]))
        tensor([0.5724, 3.1781])
    """
    negative, pole, top = x <= 0, is_pole(x), x == inf
    inner = where(logical_or(pole, top), 0.5, x)
    inside = logical_and(negative, logical_not(pole))
    right = log_gamma(where(inside, 1.0 - inner, inner))
    mirrored = log(pi) - log_(abs_(sin(where(inside, inner, 0.5) * pi))) - right
    at_0 = abs_(reciprocal(where(x == 0, x, 1.0)))
    at_poles = where(x == 0, at_0, cliff(x, logical_and(pole, x != 0), inf))
    return where(pole, at_poles, where(top, steep(x, top), where(negative, mirrored, right)))


def digamma_right(x: Any) -> Any:
    """ψ(x) for x > 0: ψ(x + 10) - Σ 1 / (x + k)."""
    low, small, z = shifted(x)
    before = reduce(lambda total, k: total + reciprocal(small + k), range(1, SHIFT), reciprocal(small))
    r = reciprocal(z)
    series = polynomial(r * r, [b / (2 * k) for k, b in enumerate(BERNOULLI, 1)])
    return log_(z) - 0.5 * r - r * r * series - where(low, before, 0.0)


@writable
@in_double
def digamma(x: Any) -> Any:
    """ψ(x), the derivative of `lgamma`. At 0 it is -inf, at -0.0 inf, at negative whole numbers NaN.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.digamma(ml.tensor([1.0, 2.0]))
        tensor([-0.5772,  0.4228])
    """
    pole = is_pole(x)
    negative = logical_and(x <= 0, logical_not(pole))
    inner = where(pole, 0.5, x)
    right = digamma_right(where(negative, 1.0 - inner, inner))
    mirrored = right - pi * reciprocal(tan(where(negative, inner, 0.25) * pi))
    at_0 = neg(reciprocal(where(x == 0, x, 1.0)))
    at_poles = where(x == 0, at_0, lost(x, logical_and(pole, x != 0)))
    return where(pole, at_poles, where(negative, mirrored, right))


@function
def polygamma(n: int, input: Any) -> Any:
    """The `n`-th derivative of `digamma`, for entries above 0.

    Raises:
        ArgumentError: `n` is negative.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.polygamma(1, ml.tensor([1.0]))
        tensor([1.6449])
    """
    if n < 0:
        raise ArgumentError(f"polygamma got n={n}.", "A derivative is taken 0 times or more.", "Did you mean n=1?")
    if not n:
        return digamma(input)
    return in_double(lambda x: zeta_sum(x, n))(input)


def zeta_sum(x: Any, n: int) -> Any:
    """(-1)^(n+1) n! Σ 1 / (x + k)^(n+1), over all k from 0 on."""
    s, shift = n + 1, 3 * SHIFT  # entries below 0 are moved as well
    head = reduce(lambda total, k: total + (x + k) ** -s, range(1, shift), x**-s)
    z = x + shift
    total = head + z ** (1 - s) / n + 0.5 * z**-s
    rising = float(s)
    for k, b in enumerate(BERNOULLI, 1):  # Euler and Maclaurin: the rest of Σ (x + k)^-s
        total = total + (b / factorial(2 * k) * rising) * z ** (1 - s - 2 * k)
        rising *= (s + 2 * k - 1) * (s + 2 * k)
    return total * float((-1) ** s * factorial(n))


METHODS["polygamma"] = taught(lambda x, n: polygamma(n, x))


@writable
def erfc(x: Any) -> Any:
    """1 - erf(x), the complement of the error function.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.erfc(ml.tensor([0.0, 1.0]))
        tensor([1.0000, 0.1573])
    """
    x = x * 1.0
    far, beyond = x > 3, x > 30  # where nothing is left in float64
    z = where(logical_and(far, logical_not(beyond)), x, 3.0) * sqrt(2)
    tail = sqrt(2 / pi) * exp(-0.5 * z * z) * reciprocal(tail_of_normal(z))
    return where(beyond, 0.0, where(far, tail, 1.0 - erf(x)))


def tail_of_normal(z: Any) -> Any:
    """The density of the normal distribution at z ≥ 4, by how much of it lies beyond: Laplace's continued fraction."""
    return reduce(lambda below, k: z + k * reciprocal(below), range(60, 0, -1), z)


@writable
@in_double
def erfinv(x: Any) -> Any:
    """The number whose `erf` is x: infinite at -1 and 1, NaN beyond.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.erfinv(ml.tensor([0.0, 0.5])).erf()
        tensor([0.0000, 0.5000])
    """
    inside = abs_(x) < 1
    u = where(inside, x, 0.0)
    y = detach(guess(detach(u)))
    for _ in range(4):  # Newton's steps; the derivatives converge with the values
        y = y - (erf(y) - u) * (0.5 * sqrt(pi)) * exp(y * y)
    y = where(x == 0, x * (0.5 * sqrt(pi)), y)  # of -0.0 it is -0.0
    edge = abs_(x) == 1
    return where(inside, y, where(edge, steep(x, edge), lost(x, logical_not(logical_or(inside, edge)))))


def guess(x: Any) -> Any:
    """erf⁻¹ to two parts in a thousand (S. Winitzki, 2008)."""
    a, b = 0.147, log1p(-(x * x))
    half = 2 / (pi * a) + b * 0.5
    return sign(x) * sqrt_(sqrt_(half * half - b * (1 / a)) - half)


@writable
@in_double
def i0(x: Any) -> Any:
    """The modified Bessel function of the first kind, of order 0.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.i0(ml.tensor([0.0, 1.0]))
        tensor([1.0000, 1.2661])
    """
    size = abs_(x)
    far = size > EDGE
    near, away = where(far, 0.0, x), where(far, size, EDGE)
    inner = polynomial(near * near * 0.25, [1 / factorial(k) ** 2 for k in range(60)])
    outer = exp(away) * reciprocal(sqrt_(away * (2 * pi))) * polynomial(reciprocal(away * 8.0), ODD_SQUARES)
    return where(far, outer, inner)


EDGE = 25.0
ODD_SQUARES = [reduce(lambda total, j: total * (2 * j - 1) ** 2, range(1, k + 1), 1) / factorial(k) for k in range(20)]
