"""Entry-by-entry ops. A rule is g times the derivative of an output entry by the same input entry."""

from __future__ import annotations

from math import copysign, inf
from math import log as log_of
from typing import Any

from ..core.array import Array, DType, bool_, device_of, entries, float32, is_float, is_number, promote, scratch, xp
from ..errors import DTypeError
from .compare import logical_and, where
from .families import between, counted, elementwise, floating, nothing, numeric
from .op import Sample
from .prose import UNCHANGED, Prose
from .special import TWO_OVER_SQRT_PI, error_function
from .word import FLOATS, LITTLE, MUCH, NUMBERS, SINGLE, Word

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


def pow_pull(g: Any, x: Any, y: Any) -> Any:
    """g · y xʸ⁻¹; where the exponent is 0 it is 0, whatever the power and g."""
    if is_number(y):
        return g * (y * x ** (y - 1)) if y else nothing(g)
    return where(y == 0, 0.0, g * (y * x ** (y - 1.0)))


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
    commutes=True,
    word=Word(NUMBERS, "+", cost=LITTLE),
    prose=Prose(
        "{0} + {1}",
        {"": "its derivative is 1, whatever came in"},
        wholes=(UNCHANGED, UNCHANGED),
        passes=("Adding passes a gradient through unchanged.", "Adding passes a gradient through unchanged."),
    ),
)
sub = elementwise(
    "sub",
    xp.subtract,
    casts=numeric("sub", "x.logical_not() for 1 - x, or x.int() - y"),
    vjp=(lambda g: g, lambda g: -g),
    doc=("x - y.", "ml.sub(ml.tensor([1.0, 2.0]), 10.0)", "tensor([-9., -8.])"),
    word=Word(NUMBERS, "-", cost=LITTLE),
    prose=Prose(
        "{0} − {1}",
        {"": "its derivatives are 1 and −1, whatever came in"},
        wholes=(UNCHANGED, "with its sign turned"),
        passes=(
            "Subtracting passes it on unchanged to what came first.",
            "Subtracting turns the sign for what is taken away.",
        ),
    ),
)
add_scaled = elementwise(
    "add_scaled",
    add_scaled_impl,
    casts=counted("add with alpha", "x.int()"),
    vjp=(lambda g, *, alpha: g, lambda g, *, alpha: g * alpha),
    samples=lambda rng: [((rng.normal(size=s), rng.normal(size=4)), {"alpha": -0.3}) for s in ((3, 4), (0, 4))],
    program=lambda x, y, *, alpha: x + y * alpha,
    operands=lambda x, y, *, alpha: x + y * alpha,
)
mul = elementwise(
    "mul",
    xp.multiply,
    partials=(lambda y: y, lambda x: x),
    doc=("x times y.", "ml.mul(ml.tensor([1.0, 2.0]), ml.tensor([3.0, 4.0]))", "tensor([3., 8.])"),
    commutes=True,
    word=Word(NUMBERS, "*", cost=LITTLE),
    prose=Prose(
        "{0} × {1}",
        {
            "x y": "each is the other's derivative",
            "x": "it is the derivative by the other input",
            "y": "it is the derivative by the other input",
        },
        slopes=("the saved {y}", "the saved {x}"),
        wholes=("what came from above × {y}", "what came from above × {x}"),
    ),
)
div = elementwise(
    "div",
    xp.divide,
    partials=(one_over, lambda x, y: -(x / y / y)),  # of x, as PyTorch's: x.div_(y) may be written again
    casts=floating,
    samples=apart,
    doc=("x over y; of whole numbers in float32.", "ml.div(ml.tensor([1, 2]), 4)", "tensor([0.2500, 0.5000])"),
    word=Word(FLOATS, "/"),
    prose=Prose(
        "{0} / {1}",
        {
            "y": "the derivative by the numerator is 1 / the denominator",
            "x y": "the derivative by the denominator is −numerator / denominator²",
        },
        slopes=("1 / the saved {y}", "−{x} / {y}²"),
        wholes=("what came from above / {y}", "what came from above × (−{x} / {y}²)"),
    ),
)
neg = elementwise(
    "neg",
    xp.negative,
    casts=numeric("neg", "x.logical_not()"),
    vjp=(lambda g: -g,),
    doc=("-x.", "ml.neg(ml.tensor([1.0, -2.0]))", "tensor([-1.,  2.])"),
    word=Word(NUMBERS, c="(-{0})", cost=LITTLE),
    prose=Prose(
        "−{0}",
        {"": "its derivative is −1, whatever came in"},
        wholes=("with its sign turned",),
        passes=("The sign turns.",),
    ),
)
pow = elementwise(
    "pow",
    xp.power,
    vjp=(pow_pull, lambda g, x, y, out: g * log_base(x, y, out)),
    casts=pow_dtype,
    autocast="full",
    samples=powers,
    numbers="one place",
    doc=("x to the power of y.", "ml.pow(ml.tensor([1.0, 2.0, 3.0]), 2)", "tensor([1., 4., 9.])"),
    prose=Prose(
        "{0} ** {1}",
        {"x y": "the derivative of xⁿ is n × xⁿ⁻¹", "out x y": "the derivatives are n × xⁿ⁻¹ and xⁿ × log x"},
        slopes=("n × {x}ⁿ⁻¹",),
        wholes=("what came from above × n × {x}ⁿ⁻¹",),
        nouns={"y": "the exponent"},
    ),
)

# ---- smooth functions of one input --------------------------------------------------------------------------------

exp = elementwise(
    "exp",
    xp.exp,
    partials=(lambda out: out,),
    casts=floating,
    autocast="full",
    doc=("e to the power of x.", "ml.exp(ml.tensor([0.0, 1.0]))", "tensor([1.0000, 2.7183])"),
    word=Word(SINGLE, c="exp", cost=MUCH, positive=True),
    prose=Prose(
        why={"out": "the derivative of exp is exp"},
        slopes=("the saved {out}",),
        wholes=("what came from above × {out}",),
    ),
)
log = elementwise(
    "log",
    xp.log,
    partials=(lambda x: 1.0 / x,),
    casts=floating,
    autocast="full",
    samples=between(0.5, 2.0),
    doc=("The natural logarithm of x.", "ml.log(ml.tensor([1.0, 10.0]))", "tensor([0.0000, 2.3026])"),
    word=Word(SINGLE, c="log", cost=MUCH),
    prose=Prose(
        why={"x": "the derivative of log is 1 / input"},
        slopes=("1 / the saved {x}",),
        wholes=("what came from above / {x}",),
    ),
)
log1p = elementwise(
    "log1p",
    xp.log1p,
    partials=(lambda x: 1.0 / (x + 1.0),),
    casts=floating,
    autocast="full",
    samples=between(-0.5, 2.0),
    doc=("log(1 + x), exact for small x.", "ml.log1p(ml.tensor([0.0, 1.0]))", "tensor([0.0000, 0.6931])"),
    word=Word(SINGLE, c="log1p", cost=MUCH),
    prose=Prose(why={"x": "the derivative is 1 / (1 + input)"}),
)
expm1 = elementwise(
    "expm1",
    xp.expm1,
    partials=(lambda out: out + 1.0,),
    casts=floating,
    autocast="full",
    doc=("exp(x) - 1, exact for small x.", "ml.expm1(ml.tensor([0.0, 1.0]))", "tensor([0.0000, 1.7183])"),
    word=Word(SINGLE, c="expm1", cost=MUCH),
    prose=Prose(why={"out": "the derivative is result + 1"}),
)
sqrt = elementwise(
    "sqrt",
    xp.sqrt,
    partials=(lambda out: 0.5 / out,),
    casts=floating,
    samples=between(0.5, 2.0),
    doc=("The square root of x.", "ml.sqrt(ml.tensor([4.0, 9.0]))", "tensor([2., 3.])"),
    word=Word(FLOATS, c="sqrt", intrinsic=True, positive=True),
    prose=Prose(why={"out": "the derivative is 1 / (2 × result)"}, slopes=("1 / (2 × the saved {out})",)),
)
sin = elementwise(
    "sin",
    xp.sin,
    partials=(lambda x: cos(x),),
    casts=floating,
    doc=("The sine of x, in radians.", "ml.sin(ml.tensor([0.0, 1.0]))", "tensor([0.0000, 0.8415])"),
    prose=Prose(
        why={"x": "the derivative of sin is cos of the same input"},
        slopes=("cos of the saved {x}",),
        wholes=("what came from above × cos({x})",),
    ),
)
cos = elementwise(
    "cos",
    xp.cos,
    partials=(lambda x: -sin(x),),
    casts=floating,
    doc=("The cosine of x, in radians.", "ml.cos(ml.tensor([0.0, 1.0]))", "tensor([1.0000, 0.5403])"),
    prose=Prose(why={"x": "the derivative of cos is −sin of the same input"}, slopes=("−sin of the saved {x}",)),
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
    word=Word(SINGLE, c="tanh", cost=MUCH),
    prose=Prose(
        why={"out": "the derivative is 1 − result²"},
        slopes=("1 − the saved {out}²",),
        wholes=("what came from above × (1 − {out}²)",),
    ),
)
erf = elementwise(
    "erf",
    error_function,
    partials=(lambda x: exp(-(x * x)) * TWO_OVER_SQRT_PI,),
    casts=floating,
    doc=("The error function of x.", "ml.erf(ml.tensor([0.0, 1.0]))", "tensor([0.0000, 0.8427])"),
    word=Word(SINGLE, c="erf", cost=MUCH),
    prose=Prose(why={"x": "the derivative is 2/√π × exp(−x²)"}),
)
