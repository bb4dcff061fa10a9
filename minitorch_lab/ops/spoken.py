"""Small functions of PyTorch's that ops say in a line or two, and the further names of those that are here."""

from __future__ import annotations

from math import log, pi, sqrt
from typing import Any

from ..core.array import float64, is_float, is_number
from ..errors import ArgumentError, DTypeError
from . import elementwise, rounding
from .closeness import isinf, signbit
from .compare import eq, ge, gt, isnan, le, logical_and, logical_not, logical_or, logical_xor, lt, ne, where
from .elementwise import log as log_
from .elementwise import log1p, mul, neg, sin
from .elementwise import pow as pow_
from .families import floating
from .front import FUNCTIONS, check_tensors, function, method, options, writable
from .gamma import erfc, lost, tail_of_normal
from .kinks import abs as abs_
from .movement import detach, to
from .powers import entr as entr_
from .powers import exp2, logaddexp
from .rounding import floor_divide, trunc

# ---- arithmetic with PyTorch's options ------------------------------------------------------------------------------


@options
def add(x: Any, y: Any, alpha: float = 1) -> Any:
    """x + alpha · y. Shapes broadcast.

    Raises:
        ShapeError: The shapes do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.add(ml.tensor([1.0, 2.0]), 10.0)
        tensor([11., 12.])
    """
    return elementwise.add(x, y) if alpha == 1 else scaled_sum(x, y, alpha)


@options
def sub(x: Any, y: Any, alpha: float = 1) -> Any:
    """x - alpha · y. Shapes broadcast.

    Raises:
        ShapeError: The shapes do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.sub(ml.tensor([1.0, 2.0]), 10.0)
        tensor([-9., -8.])
    """
    if alpha == 1:
        return elementwise.sub(x, y)
    elementwise.sub.casts(x, y)  # truth values are refused here too
    return scaled_sum(x, y, -alpha)


def scaled_sum(x: Any, y: Any, alpha: float) -> Any:
    """x + alpha · y, in one pass if both are tensors and alpha is a number."""
    if not is_number(alpha) or is_number(x) or is_number(y):
        return elementwise.add(x, mul(y, alpha))
    return elementwise.add_scaled(x, y, alpha=alpha)


@function
def rsub(x: Any, y: Any, alpha: float = 1) -> Any:
    """y - alpha · x: `sub` with its operands swapped. Shapes broadcast.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.rsub(ml.tensor([1.0, 2.0]), 10.0)
        tensor([9., 8.])
    """
    check_tensors("rsub", x)
    return sub(y, x, alpha=alpha)


@options
def div(x: Any, y: Any, rounding_mode: str | None = None) -> Any:
    """x / y, or the whole steps of y in x: towards 0 ("trunc") or down ("floor"). Shapes broadcast.

    Raises:
        ArgumentError: There is no such mode.
        ShapeError: The shapes do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.div(ml.tensor([7, -7]), 2, rounding_mode="trunc").tolist()
        [3, -3]
    """
    if rounding_mode is None:
        return elementwise.div(x, y)
    if rounding_mode not in ("floor", "trunc"):
        raise ArgumentError(
            f"div got rounding_mode={rounding_mode!r}.", 'It is None, "floor" or "trunc".', 'Did you mean "floor"?'
        )
    down = floor_divide(x, y)
    if rounding_mode == "floor":
        return down
    if down.dtype.kind not in "iu":
        steps = trunc(elementwise.div(*(v if is_number(v) else detach(v) for v in (x, y))))
        return where(False, x, where(False, y, steps))  # it is flat, also where a slope of the quotient is infinite
    cut = logical_and(down < 0, elementwise.sub(x, mul(down, y)) != 0)
    return elementwise.add(down, to(cut, down.dtype))


@options
def round(x: Any, decimals: int = 0) -> Any:
    """The nearest number with so many decimals; halfway between two, the even one.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.round(ml.tensor([0.5, 1.5, 2.2]))
        tensor([0., 2., 2.])
        >>> ml.round(ml.tensor([12.345]), decimals=-1)
        tensor([10.])
    """
    if not decimals:
        return rounding.round(x)
    scale = 10.0 ** abs(decimals)
    if decimals < 0:
        return mul(rounding.round(elementwise.div(x, scale)), scale)
    return elementwise.div(rounding.round(mul(x, scale)), scale)


# ---- entry by entry -------------------------------------------------------------------------------------------------


@writable
def frac(x: Any) -> Any:
    """What `trunc` takes away: x - trunc(x). Of floats.

    Raises:
        DTypeError: They are whole.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.frac(ml.tensor([1.5, -1.5]))
        tensor([ 0.5000, -0.5000])
    """
    if not is_float(x.dtype):
        raise DTypeError(
            f"frac got a tensor of dtype {x.dtype}.",
            "Whole numbers have no fraction.",
            "Did you mean x.float().frac()?",
        )
    return x - trunc(x)


@writable
def deg2rad(x: Any) -> Any:
    """Degrees as radians."""
    return mul(x, pi / 180)


@writable
def rad2deg(x: Any) -> Any:
    """Radians as degrees."""
    return mul(x, 180 / pi)


@writable
def logit(x: Any, eps: float | None = None) -> Any:
    """log(x / (1 - x)), which undoes `sigmoid`: NaN outside of [0, 1].

    With `eps`, x is held between eps and 1 - eps first.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.logit(ml.tensor([0.5]))
        tensor([0.])
    """
    x = mul(x, 1.0)
    x = x if eps is None else FUNCTIONS["clamp"](x, eps, 1 - eps)
    inside = logical_and(x >= 0, x <= 1)
    share = where(inside, x, 0.5)
    return where(inside, sub(log_(share), log1p(neg(share))), lost(x, logical_not(inside)))


@writable
def sinc(x: Any) -> Any:
    """sin(πx) / (πx), and 1 at 0.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.sinc(ml.tensor([0.0, 0.5]))
        tensor([1.0000, 0.6366])
    """
    x = mul(x, 1.0)
    at_0 = x == 0
    angle = where(at_0, 1.0, mul(x, pi))
    return where(at_0, 1.0 - mul(x, x), elementwise.div(sin(angle), angle))


@writable
def logaddexp2(x: Any, y: Any) -> Any:
    """log₂(2ˣ + 2ʸ), without overflow. Shapes broadcast."""
    check_tensors("logaddexp2", x, y)
    ln2, dtype = log(2), floating(x, y)
    return mul(logaddexp(mul(to(x, dtype), ln2), mul(to(y, dtype), ln2)), 1 / ln2)


@writable
def ldexp(x: Any, y: Any) -> Any:
    """x · 2ʸ. Shapes broadcast."""
    check_tensors("ldexp", x, y)
    return mul(x, exp2(y if is_float(y.dtype) else to(y, floating(x, y))))


@method
def float_power(x: Any, y: Any) -> Any:
    """x to the power y, in float64. Shapes broadcast.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.float_power(ml.tensor([2, 3]), 2).tolist()
        [4.0, 9.0]
    """
    if is_number(x):
        check_tensors("float_power", y)
    return pow_(x if is_number(x) else to(x, float64), y if is_number(y) else to(y, float64))


@method
def fmax(x: Any, y: Any) -> Any:
    """The larger of the two, and of a NaN and a number the number. Shapes broadcast."""
    check_tensors("fmax", x, y)
    return where(logical_or(isnan(y), ge(x, y)), x, y)  # of equals x, as in PyTorch


@method
def fmin(x: Any, y: Any) -> Any:
    """The smaller of the two, and of a NaN and a number the number. Shapes broadcast."""
    check_tensors("fmin", x, y)
    return where(logical_or(isnan(y), le(x, y)), x, y)


@writable
def copysign(x: Any, y: Any) -> Any:
    """The size of x with the sign of y. Shapes broadcast.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.copysign(ml.tensor([1.0, -2.0]), ml.tensor([-1.0, 1.0]))
        tensor([-1.,  2.])
    """
    check_tensors("copysign", x)
    size = abs_(to(x, floating(x, y)))
    minus = str(float(y)).startswith("-") if is_number(y) else signbit(y)
    return where(minus, neg(size), size) if not is_number(y) else (neg(size) if minus else size)


@writable
def heaviside(x: Any, values: Any) -> Any:
    """0 below 0, 1 above it, and `values` at 0, which are of the dtype of x. Shapes broadcast.

    Raises:
        DTypeError: Their dtypes differ.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.heaviside(ml.tensor([-1.0, 0.0, 2.0]), ml.tensor(0.5))
        tensor([0.0000, 0.5000, 1.0000])
    """
    check_tensors("heaviside", x, values)
    if x.dtype != values.dtype:
        raise DTypeError(
            f"heaviside got x of dtype {x.dtype} and values of dtype {values.dtype}.",
            "Both have one dtype, which is that of the result.",
            "Did you mean values.to(x.dtype)?",
        )
    return where(x == 0, values, to(x > 0, x.dtype))


@writable
def positive(x: Any) -> Any:
    """x itself.

    Raises:
        ArgumentError: It holds truth values.
    """
    if x.dtype.kind == "b":
        raise ArgumentError("positive got truth values.", "Numbers have signs.", "Did you mean x.int()?")
    return x


@method
def isposinf(x: Any) -> Any:
    """Whether the entries are inf."""
    return logical_and(isinf(x), x > 0)


@method
def isneginf(x: Any) -> Any:
    """Whether the entries are -inf."""
    return logical_and(isinf(x), x < 0)


@method
def isreal(x: Any) -> Any:
    """Whether the entries are real numbers: all are."""
    return x == x if x.dtype.kind in "biu" else logical_or(x == x, isnan(x))


def entr(x: Any) -> Any:
    """-x log x: 0 at 0, -inf below.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.special.entr(ml.tensor([0.5, -1.0]))
        tensor([0.3466,   -inf])
    """
    return entr_(x)


def ndtr(x: Any) -> Any:
    """How much of the normal distribution lies below x."""
    return 0.5 * erfc(mul(x, -sqrt(0.5)))


def log_ndtr(x: Any) -> Any:
    """The logarithm of `ndtr`."""
    x = mul(x, 1.0)
    low = x < -5
    z = where(low, neg(x), 5.0)
    far = -0.5 * z * z - 0.5 * log(2 * pi) - log_(tail_of_normal(z))
    most, middle = x > -1, logical_or(low, x > -1)
    upper = log1p(-0.5 * erfc(mul(where(most, x, 0.0), sqrt(0.5))))
    return where(low, far, where(most, upper, log_(ndtr(where(middle, -5.0, x)))))


def ndtri(p: Any) -> Any:
    """The number below which a share `p` of the normal distribution lies."""
    return FUNCTIONS["erfinv"](2 * p - 1) * sqrt(2)


# ---- truth values, written in place as 0 and 1 -----------------------------------------------------------------------

TRUTHS = (eq, ne, lt, le, gt, ge, logical_and, logical_or, logical_xor, logical_not)

# ---- further names --------------------------------------------------------------------------------------------------

# What PyTorch calls an op too: the name, and the one under which the op stands here.
ALSO: dict[str, str] = {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan",
    "arctan2": "atan2", "arctanh": "atanh", "multiply": "mul", "subtract": "sub", "divide": "div",
    "true_divide": "div", "negative": "neg", "fix": "trunc", "sgn": "sign", "greater": "gt", "greater_equal": "ge",
    "less": "lt", "less_equal": "le", "not_equal": "ne", "ger": "outer",
}  # fmt: skip
