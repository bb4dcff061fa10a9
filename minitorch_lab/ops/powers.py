"""Powers and logarithms that have names of their own."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from math import log as log_of
from typing import Any

from ..core.array import Array, DType, bool_, int64, promote, xp
from .activations import sigmoid
from .compare import logical_and, where
from .elementwise import apart, exp, log, log1p, sqrt
from .families import between, elementwise, floating
from .kinks import abs
from .op import Sample

LN2, LN10 = log_of(2.0), log_of(10.0)


def rsqrt_impl(x: Array, out: Array | None = None) -> Array:
    """1 / √x."""
    return xp.divide(x.dtype.type(1), xp.sqrt(x), out=out)


def of_numbers(x: Array) -> DType:
    """The square of a truth value is a number, in int64 as in PyTorch."""
    dtype = promote(x)
    return int64 if dtype == bool_ else dtype


square = elementwise(
    "square",
    xp.square,
    partials=(lambda x: x * 2.0,),
    casts=of_numbers,
    autocast="full",
    doc=("x times x.", "ml.square(ml.tensor([2.0, -3.0]))", "tensor([4., 9.])"),
    program=lambda x: x * x,
)
reciprocal = elementwise(
    "reciprocal",
    xp.reciprocal,
    partials=(lambda out: -(out * out),),
    casts=floating,
    autocast="full",
    samples=between(0.5, 2.0),
    doc=("1 over x.", "ml.reciprocal(ml.tensor([2.0, 4.0]))", "tensor([0.5000, 0.2500])"),
    program=lambda x: 1.0 / x,
)
rsqrt = elementwise(
    "rsqrt",
    rsqrt_impl,
    partials=(lambda out: out * out * out * -0.5,),
    casts=floating,
    autocast="full",
    samples=between(0.5, 2.0),
    doc=("1 over the square root of x.", "ml.rsqrt(ml.tensor([4.0, 16.0]))", "tensor([0.5000, 0.2500])"),
    program=lambda x: 1.0 / sqrt(x),
)
hypot = elementwise(
    "hypot",
    xp.hypot,
    partials=(lambda out, x: x / out, lambda out, y: y / out),
    casts=floating,
    samples=apart,
    numbers="nowhere",
    doc=(
        "The length of the vector (x, y), without overflow.",
        "ml.hypot(ml.tensor([3.0, 5.0]), ml.tensor([4.0, 12.0]))",
        "tensor([ 5., 13.])",
    ),
)
exp2 = elementwise(
    "exp2",
    xp.exp2,
    partials=(lambda out: out * LN2,),
    casts=floating,
    autocast="full",
    doc=("2 to the power of x.", "ml.exp2(ml.tensor([0.0, 3.0]))", "tensor([1., 8.])"),
)
log2 = elementwise(
    "log2",
    xp.log2,
    partials=(lambda x: 1.0 / (x * LN2),),
    casts=floating,
    autocast="full",
    samples=between(0.5, 2.0),
    doc=("The logarithm of x to the base 2.", "ml.log2(ml.tensor([1.0, 8.0]))", "tensor([0., 3.])"),
)
log10 = elementwise(
    "log10",
    xp.log10,
    partials=(lambda x: 1.0 / (x * LN10),),
    casts=floating,
    autocast="full",
    samples=between(0.5, 2.0),
    doc=("The logarithm of x to the base 10.", "ml.log10(ml.tensor([2.0, 5.0]))", "tensor([0.3010, 0.6990])"),
)


def logaddexp_program(x: Any, y: Any) -> Any:
    """The larger one, and log(1 + e to the minus distance) on top; the distance of two equal infinities is 0."""
    distance = where(x == y, 0.0, abs(x - y))
    return where(x > y, x, y) + log1p(exp(-distance))


logaddexp = elementwise(
    "logaddexp",
    xp.logaddexp,
    partials=(lambda x, y: sigmoid(x - y), lambda x, y: sigmoid(y - x)),
    casts=floating,
    autocast="full",
    numbers="nowhere",
    doc=(
        "log(exp(x) + exp(y)), without overflow.",
        "ml.logaddexp(ml.tensor([0.0, 1000.0]), ml.tensor([0.0, 1000.0]))",
        "tensor([   0.6931, 1000.6932])",
    ),
    program=logaddexp_program,
)


# ---- a number times a logarithm -------------------------------------------------------------------------------------


def times_log(logarithm: Callable[..., Array]) -> Callable[..., Array]:
    """x · logarithm(y), and 0 where x is 0 and y is no NaN."""

    def impl(x: Array, y: Array, out: Array | None = None) -> Array:
        found = x * logarithm(y)
        found = xp.where((x == 0) & (y == y), found.dtype.type(0), found)
        return found if out is None else xp.positive(found, out=out)

    return impl


def times_log_program(logarithm: Callable[..., Any]) -> Callable[..., Any]:
    """The same in ops."""
    return lambda x, y: where(logical_and(x == 0, y == y), 0.0, x * logarithm(y))


def share_and_number(rng: Any) -> list[Sample]:
    """Samples: any numbers, and positive ones beside them."""
    return [((rng.normal(size=s), rng.uniform(0.5, 2.0, 4)), {}) for s in ((3, 4), (0, 4))]


def entropy_impl(x: Array, out: Array | None = None) -> Array:
    """-x log x; 0 at 0, -inf below."""
    kind = x.dtype.type
    found = xp.where(x == 0, kind(0), xp.where(x < 0, kind(-xp.inf), -x * xp.log(x)))
    return found if out is None else xp.positive(found, out=out)


xlogy = elementwise(
    "xlogy",
    times_log(xp.log),
    vjp=(
        lambda g, x, y: where(logical_and(x == 0, y <= 0), 0.0, xlogy(g, y)),
        lambda g, x, y: g * (x / y),
    ),
    casts=floating,
    samples=share_and_number,
    numbers="one place",
    doc=(
        "x log y, and 0 where x is 0.",
        "ml.xlogy(ml.tensor([0.0, 1.0]), ml.tensor([0.0, 1.0]))",
        "tensor([0., 0.])",
    ),
    program=times_log_program(log),
)
xlog1py = elementwise(
    "xlog1py",
    times_log(xp.log1p),
    vjp=(
        lambda g, x, y: where(logical_and(x == 0, y <= -1), 0.0, xlog1py(g, y)),
        lambda g, x, y: g * (x / (y + 1.0)),
    ),
    casts=floating,
    samples=share_and_number,
    numbers="one place",
    doc=(
        "x log(1 + y), and 0 where x is 0.",
        "ml.xlog1py(ml.tensor([0.0, 1.0]), ml.tensor([-1.0, 0.0]))",
        "tensor([0., 0.])",
    ),
    program=times_log_program(log1p),
)
entr = elementwise(
    "entr",
    entropy_impl,
    partials=(lambda x: -(log(x) + 1.0),),
    casts=floating,
    samples=between(0.5, 2.0),
    program=lambda x: where(x == 0, 0.0, where(x < 0, -inf, -(x * log(x)))),
)
