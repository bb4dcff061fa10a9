"""Entry-by-entry ops. A rule is g times the derivative of an output entry by the same input entry."""

from __future__ import annotations

from math import copysign, inf
from math import log as log_of
from typing import Any

from ..array import Array, DType, bool_, device_of, entries, float32, is_float, is_number, promote, scratch, xp
from ..errors import DTypeError
from .compare import logical_and, where
from .families import between, distinct, elementwise, floating, nothing, numeric
from .op import Sample
from .special import INVERSE_SQRT_2PI, SQRT_HALF, TWO_OVER_SQRT_PI, error_function

larger_of, sign_of, on_cpu = xp.maximum, xp.sign, xp.ndarray
ZERO32, ZERO64 = xp.zeros((), "float32"), xp.zeros((), "float64")  # NumPy converts a Python 0 at every call, slowly


def zero_like(x: Array) -> Any:
    """0 in the dtype of `x`: a NumPy one, which CuPy would refuse to meet, only where `x` is NumPy's."""
    if device_of(x) == "cuda":
        return 0
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


def log_base(x: Any, y: Any, out: Any) -> Any:
    """The derivative of x^y by y: x^y log x, which tends to 0 as x does, unless y is negative."""
    if is_number(x) and x > 0:
        return out * log_of(x)
    tends_to_0 = logical_and(x == 0, y >= 0)
    return where(tends_to_0, 0.0, out * log(where(tends_to_0, 1.0, x)))


def one_over(y: Any) -> Any:
    """1 / y; of the number 0 infinite, as of a tensor's 0."""
    return copysign(inf, y) if is_number(y) and not y else 1.0 / y


def pow_dtype(x: Any, y: Any) -> DType:
    """Powers of integers by integers stay integers.

    Raises:
        DTypeError: Both are truth values, or the exponent is negative: the power would be no integer.
    """
    dtype = promote(x, y)
    dtype = of_numbers(x, y) if dtype == bool_ else dtype
    numbers = y if is_number(y) else entries(y)
    if not is_float(dtype) and numbers is not None and xp.any(numbers < 0):
        raise DTypeError(
            f"pow got a base and an exponent of dtype {dtype}, and the exponent is negative.",
            "A whole number to a negative power is a fraction.",
            "Did you mean x.float() ** y?",
        )
    return dtype


of_numbers = numeric("pow", "x.int() ** y")
SMALL = 4096  # entries; a temporary of this size comes from the allocator's cache


def add_scaled_impl(x: Array, y: Array, alpha: float, out: Array | None = None) -> Array:
    """x + alpha y, BLAS's axpy: what an optimizer does to every parameter."""
    return xp.add(x, xp.multiply(y, alpha, out=scratch.like(y)) if y.size > SMALL else y * alpha, out=out)


add = elementwise(
    "add",
    xp.add,
    vjp=(lambda g: g, lambda g: g),
    doc=("x + y.", "ml.add(ml.tensor([1.0, 2.0]), 10.0)", "tensor([11., 12.])"),
)
sub = elementwise(
    "sub",
    xp.subtract,
    casts=numeric("sub", "x.logical_not() for 1 - x, or x.int() - y"),
    vjp=(lambda g: g, lambda g: -g),
    doc=("x - y.", "ml.sub(ml.tensor([1.0, 2.0]), 10.0)", "tensor([-9., -8.])"),
)
add_scaled = elementwise(
    "add_scaled",
    add_scaled_impl,
    casts=numeric("add with alpha", "x.int()"),
    vjp=(lambda g, *, alpha: g, lambda g, *, alpha: g * alpha),
    samples=lambda rng: [((rng.normal(size=s), rng.normal(size=4)), {"alpha": -0.3}) for s in ((3, 4), (0, 4))],
)
mul = elementwise(
    "mul",
    xp.multiply,
    partials=(lambda y: y, lambda x: x),
    doc=("x times y.", "ml.mul(ml.tensor([1.0, 2.0]), ml.tensor([3.0, 4.0]))", "tensor([3., 8.])"),
)
div = elementwise(
    "div",
    xp.divide,
    partials=(one_over, lambda x, y: -(x / y / y)),  # of x, as PyTorch's: x.div_(y) may be written again
    casts=floating,
    samples=apart,
    doc=("x over y; of whole numbers in float32.", "ml.div(ml.tensor([1, 2]), 4)", "tensor([0.2500, 0.5000])"),
)
neg = elementwise(
    "neg",
    xp.negative,
    casts=numeric("neg", "x.logical_not()"),
    vjp=(lambda g: -g,),
    doc=("-x.", "ml.neg(ml.tensor([1.0, -2.0]))", "tensor([-1.,  2.])"),
)
pow = elementwise(
    "pow",
    xp.power,
    partials=(lambda x, y: y * x ** one_less(y), log_base),
    casts=pow_dtype,
    samples=powers,
    numbers="one place",
    doc=("x to the power of y.", "ml.pow(ml.tensor([1.0, 2.0, 3.0]), 2)", "tensor([1., 4., 9.])"),
)

# ---- smooth functions of one input --------------------------------------------------------------------------------

exp = elementwise(
    "exp",
    xp.exp,
    partials=(lambda out: out,),
    casts=floating,
    doc=("e to the power of x.", "ml.exp(ml.tensor([0.0, 1.0]))", "tensor([1.0000, 2.7183])"),
)
log = elementwise(
    "log",
    xp.log,
    partials=(lambda x: 1.0 / x,),
    casts=floating,
    samples=between(0.5, 2.0),
    doc=("The natural logarithm of x.", "ml.log(ml.tensor([1.0, 10.0]))", "tensor([0.0000, 2.3026])"),
)
log1p = elementwise(
    "log1p",
    xp.log1p,
    partials=(lambda x: 1.0 / (x + 1.0),),
    casts=floating,
    samples=between(-0.5, 2.0),
    doc=("log(1 + x), exact for small x.", "ml.log1p(ml.tensor([0.0, 1.0]))", "tensor([0.0000, 0.6931])"),
)
expm1 = elementwise(
    "expm1",
    xp.expm1,
    partials=(lambda out: out + 1.0,),
    casts=floating,
    doc=("exp(x) - 1, exact for small x.", "ml.expm1(ml.tensor([0.0, 1.0]))", "tensor([0.0000, 1.7183])"),
)
sqrt = elementwise(
    "sqrt",
    xp.sqrt,
    partials=(lambda out: 0.5 / out,),
    casts=floating,
    samples=between(0.5, 2.0),
    doc=("The square root of x.", "ml.sqrt(ml.tensor([4.0, 9.0]))", "tensor([2., 3.])"),
)
sin = elementwise(
    "sin",
    xp.sin,
    partials=(lambda x: cos(x),),
    casts=floating,
    doc=("The sine of x, in radians.", "ml.sin(ml.tensor([0.0, 1.0]))", "tensor([0.0000, 0.8415])"),
)
cos = elementwise(
    "cos",
    xp.cos,
    partials=(lambda x: -sin(x),),
    casts=floating,
    doc=("The cosine of x, in radians.", "ml.cos(ml.tensor([0.0, 1.0]))", "tensor([1.0000, 0.5403])"),
)
tanh = elementwise(
    "tanh",
    xp.tanh,
    partials=(lambda out: 1.0 - out * out,),
    casts=floating,
    doc=(
        "The hyperbolic tangent of x, between -1 and 1.",
        "ml.tanh(ml.tensor([0.0, 1.0]))",
        "tensor([0.0000, 0.7616])",
    ),
)
erf = elementwise(
    "erf",
    error_function,
    partials=(lambda x: exp(-(x * x)) * TWO_OVER_SQRT_PI,),
    casts=floating,
    doc=("The error function of x.", "ml.erf(ml.tensor([0.0, 1.0]))", "tensor([0.0000, 0.8427])"),
)


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


sigmoid = elementwise(
    "sigmoid",
    sigmoid_impl,
    partials=(lambda out: out * (1.0 - out),),
    casts=floating,
    doc=("1 / (1 + exp(-x)), between 0 and 1.", "ml.sigmoid(ml.tensor([0.0, 1.0]))", "tensor([0.5000, 0.7311])"),
)
softplus = elementwise(
    "softplus",
    softplus_impl,
    partials=(lambda x: sigmoid(x),),
    casts=floating,
    doc=("log(1 + exp(x)), a smooth relu.", "ml.softplus(ml.tensor([0.0, 1.0]))", "tensor([0.6931, 1.3133])"),
)
gelu = elementwise(
    "gelu",
    gelu_impl,
    partials=(gelu_slope,),
    casts=floating,
    doc=(
        "x times the normal distribution function of x.",
        "ml.gelu(ml.tensor([0.0, 1.0]))",
        "tensor([0.0000, 0.8413])",
    ),
)

# ---- functions with kinks -----------------------------------------------------------------------------------------


def relu_impl(x: Array, out: Array | None = None) -> Array:
    """max(x, 0). A keyword that is not needed costs NumPy time, so it is not passed."""
    zero = ZERO32 if x.dtype is float32 and type(x) is on_cpu else zero_like(x)
    return larger_of(x, zero) if out is None else larger_of(x, zero, out=out)


def larger(g: Any, x: Any, y: Any) -> Any:
    """What goes to `x` where the larger entry was kept; a tie is split, and NaN gives to both, as in PyTorch."""
    return where(x == y, g * 0.5, where(x < y, 0.0, g))


sign = elementwise(
    "sign",
    xp.sign,
    casts=numeric("sign", "x itself? It is 0 or 1"),
    vjp=(nothing,),
    samples=distinct,
    doc=("-1, 0 or 1: the sign of x.", "ml.sign(ml.tensor([-2.0, 0.0, 3.0]))", "tensor([-1.,  0.,  1.])"),
)
abs = elementwise(
    "abs",
    xp.absolute,
    casts=numeric("abs", "x.int().abs()"),
    partials=(lambda x: sign(x),),
    samples=distinct,
    doc=("The size of x without its sign.", "ml.abs(ml.tensor([-2.0, 3.0]))", "tensor([2., 3.])"),
)
relu = elementwise(
    "relu",
    relu_impl,
    casts=numeric("relu", "x.int().relu()"),
    vjp=(lambda g, out: g * sign_of(out),),
    samples=distinct,
    doc=("x where it is positive, else 0.", "ml.relu(ml.tensor([-2.0, 3.0]))", "tensor([0., 3.])"),
)
maximum = elementwise(
    "maximum",
    xp.maximum,
    vjp=(larger, lambda g, x, y: larger(g, y, x)),
    numbers="nowhere",
    doc=(
        "The larger of x and y; a tie splits the gradient.",
        "ml.maximum(ml.tensor([1.0, 5.0]), ml.tensor(3.0))",
        "tensor([3., 5.])",
    ),
)
minimum = elementwise(
    "minimum",
    xp.minimum,
    vjp=(lambda g, x, y: larger(g, y, x), larger),
    numbers="nowhere",
    doc=(
        "The smaller of x and y; a tie splits the gradient.",
        "ml.minimum(ml.tensor([1.0, 5.0]), ml.tensor(3.0))",
        "tensor([1., 3.])",
    ),
)
