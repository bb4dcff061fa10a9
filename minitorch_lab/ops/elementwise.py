"""Entry-by-entry ops. A rule is g times the derivative of an output entry by the same input entry."""

from __future__ import annotations

from typing import Any

from ..array import Array, DType, float32, promote, scratch, xp
from .families import between, broadcast, distinct, elementwise, floating
from .front import method
from .op import Op, Sample, rule
from .special import INVERSE_SQRT_2PI, SQRT_HALF, TWO_OVER_SQRT_PI, error_function

ZERO32, ZERO64 = xp.zeros((), "float32"), xp.zeros((), "float64")  # NumPy converts a Python 0 at every call, slowly


def zero_like(x: Array) -> Any:
    """0 in the dtype of `x`."""
    return ZERO32 if x.dtype is float32 else ZERO64 if x.dtype.kind == "f" else 0


# ---- arithmetic ---------------------------------------------------------------------------------------------------


def apart(rng: Any) -> list[Sample]:
    """Samples: a numerator, and a denominator that stays away from 0."""
    return [((rng.normal(size=s), rng.uniform(0.5, 2.0, 4)), {}) for s in ((3, 4), (0, 4))]


def powers(rng: Any) -> list[Sample]:
    """Samples: positive bases, with tensor and with number exponents."""
    base = rng.uniform(0.5, 2.0, (3, 4))
    return [((base, rng.normal(size=4)), {}), ((base, 3.0), {}), ((base[:0], 2.0), {})]


def one_less(y: Any) -> Any:
    """The exponent of the derivative; where the exponent is 0 the derivative is 0 whatever the power, so it stays 0."""
    return (y - 1 if y else y) if isinstance(y, (int, float)) else where(y == 0, 0.0, y - 1.0)


def log_base(x: Any, out: Any) -> Any:
    """The derivative of x^y by y: x^y log x, which tends to 0 as x does."""
    return out * log(where(x == 0, 1.0, x))


def pow_dtype(x: Any, y: Any) -> DType:
    """Powers of integers by integers stay integers."""
    return promote(x, y)


def add_scaled_impl(x: Array, y: Array, alpha: float, out: Array | None = None) -> Array:
    """x + alpha y, BLAS's axpy: what an optimizer does to every parameter."""
    return xp.add(x, xp.multiply(y, alpha, out=scratch.like(y)) if y.ndim else y * alpha, out=out)


add = elementwise("add", xp.add, vjp=(lambda g: g, lambda g: g))
sub = elementwise("sub", xp.subtract, vjp=(lambda g: g, lambda g: -g))
add_scaled = elementwise(
    "add_scaled",
    add_scaled_impl,
    vjp=(lambda g, *, alpha: g, lambda g, *, alpha: g * alpha),
    samples=lambda rng: [((rng.normal(size=s), rng.normal(size=4)), {"alpha": -0.3}) for s in ((3, 4), (0, 4))],
)
mul = elementwise("mul", xp.multiply, partials=(lambda y: y, lambda x: x))
div = elementwise(
    "div", xp.divide, partials=(lambda y: 1.0 / y, lambda out, y: -(out / y)), casts=floating, samples=apart
)
neg = elementwise("neg", xp.negative, vjp=(lambda g: -g,))
pow = elementwise(
    "pow",
    xp.power,
    partials=(lambda x, y: y * x ** one_less(y), log_base),
    casts=pow_dtype,
    samples=powers,
)

# ---- smooth functions of one input --------------------------------------------------------------------------------

exp = elementwise("exp", xp.exp, partials=(lambda out: out,), casts=floating)
log = elementwise("log", xp.log, partials=(lambda x: 1.0 / x,), casts=floating, samples=between(0.5, 2.0))
log1p = elementwise(
    "log1p", xp.log1p, partials=(lambda x: 1.0 / (x + 1.0),), casts=floating, samples=between(-0.5, 2.0)
)
expm1 = elementwise("expm1", xp.expm1, partials=(lambda out: out + 1.0,), casts=floating)
sqrt = elementwise("sqrt", xp.sqrt, partials=(lambda out: 0.5 / out,), casts=floating, samples=between(0.5, 2.0))
sin = elementwise("sin", xp.sin, partials=(lambda x: cos(x),), casts=floating)
cos = elementwise("cos", xp.cos, partials=(lambda x: -sin(x),), casts=floating)
tanh = elementwise("tanh", xp.tanh, partials=(lambda out: 1.0 - out * out,), casts=floating)
erf = elementwise("erf", error_function, partials=(lambda x: exp(-(x * x)) * TWO_OVER_SQRT_PI,), casts=floating)


def sigmoid_impl(x: Array, out: Array | None = None) -> Array:
    """1 / (1 + e⁻ˣ), in the form that neither overflows nor loses small values."""
    return xp.exp(-xp.logaddexp(-x, zero_like(x)), out=out)


def softplus_impl(x: Array, out: Array | None = None) -> Array:
    """log(1 + eˣ)."""
    return xp.logaddexp(x, zero_like(x), out=out)


def gelu_impl(x: Array, out: Array | None = None) -> Array:
    """x Φ(x), with Φ the normal distribution function (Hendrycks and Gimpel, 2016)."""
    return xp.multiply(x, 0.5 * (1.0 + error_function(x * SQRT_HALF)), out=out)


def gelu_slope(x: Any) -> Any:
    """Φ(x) + x φ(x)."""
    return (erf(x * SQRT_HALF) + 1.0) * 0.5 + x * exp(x * x * -0.5) * INVERSE_SQRT_2PI


sigmoid = elementwise("sigmoid", sigmoid_impl, partials=(lambda out: out * (1.0 - out),), casts=floating)
softplus = elementwise("softplus", softplus_impl, partials=(lambda x: sigmoid(x),), casts=floating)
gelu = elementwise("gelu", gelu_impl, partials=(gelu_slope,), casts=floating)

# ---- functions with kinks -----------------------------------------------------------------------------------------


def relu_impl(x: Array, out: Array | None = None) -> Array:
    """max(x, 0). A keyword that is not needed costs NumPy time, so it is not passed."""
    zero = ZERO32 if x.dtype is float32 else zero_like(x)
    return xp.maximum(x, zero) if out is None else xp.maximum(x, zero, out=out)


def larger(g: Any, x: Any, y: Any) -> Any:
    """What goes to `x` where the larger entry was kept; a tie is split, as in PyTorch."""
    return where(x == y, g * 0.5, where(x > y, g, 0.0))


def clamp_impl(x: Array, min: float | None, max: float | None, out: Array | None = None) -> Array:
    """`x` held between two bounds."""
    return xp.clip(x, min, max, out=out)


def clamp_pull(g: Any, x: Any, *, min: float | None, max: float | None) -> Any:
    """g inside the bounds, the bounds included, and 0 outside."""
    g = g if min is None else where(x < min, 0.0, g)
    return g if max is None else where(x > max, 0.0, g)


def clamped(rng: Any) -> list[Sample]:
    """Samples: bounds on both sides, on one side, on no side to speak of."""
    (x,), _ = distinct(rng)[0]
    return [((x,), {"min": -0.5, "max": 0.7}), ((x,), {"min": 0.1, "max": None}), ((x[:0],), {"min": None, "max": 1.0})]


sign = elementwise("sign", xp.sign, vjp=(None,), samples=distinct)
abs = elementwise("abs", xp.absolute, partials=(lambda x: sign(x),), samples=distinct)
relu = elementwise("relu", relu_impl, vjp=(lambda g, out: g * xp.sign(out),), samples=distinct)
maximum = elementwise("maximum", xp.maximum, vjp=(larger, lambda g, x, y: larger(g, y, x)))
minimum = elementwise("minimum", xp.minimum, vjp=(lambda g, x, y: larger(g, y, x), larger))
clamp_op = elementwise("clamp", clamp_impl, vjp=(clamp_pull,), samples=clamped)


@method
def clamp(x: Any, min: float | None = None, max: float | None = None) -> Any:
    """`x` with entries below `min` raised to it and entries above `max` lowered to it. Any shape; numeric dtypes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([-2.0, 0.5, 3.0]).clamp(min=-1, max=1)
        tensor([-1.0000,  0.5000,  1.0000])
    """
    return clamp_op(x, min=min, max=max)


# ---- comparison and choice ----------------------------------------------------------------------------------------

FLAT = (None, None)
eq = elementwise("eq", xp.equal, vjp=FLAT)
ne = elementwise("ne", xp.not_equal, vjp=FLAT)
lt = elementwise("lt", xp.less, vjp=FLAT)
le = elementwise("le", xp.less_equal, vjp=FLAT)
gt = elementwise("gt", xp.greater, vjp=FLAT)
ge = elementwise("ge", xp.greater_equal, vjp=FLAT)
logical_and = elementwise("logical_and", xp.logical_and, vjp=FLAT)
logical_or = elementwise("logical_or", xp.logical_or, vjp=FLAT)
logical_not = elementwise("logical_not", xp.logical_not, vjp=(None,))
isnan = elementwise("isnan", xp.isnan, vjp=(None,), casts=floating)


def chosen(condition: Any, *branches: Any) -> DType:
    """The dtype where the branches meet; the condition has no say."""
    return promote(*branches)


def choices(rng: Any) -> list[Sample]:
    """Samples: a condition and two branches of different shapes."""
    return [((rng.normal(size=s) > 0, rng.normal(size=4), rng.normal(size=(1, 1))), {}) for s in ((3, 4), (0, 4))]


where = Op(
    name="where",
    impl=xp.where,
    shape=broadcast("where"),
    vjp=(None, rule(lambda g, x: where(x, g, 0.0)), rule(lambda g, x: where(x, 0.0, g))),
    samples=choices,
    casts=chosen,
    stretches=True,
)
