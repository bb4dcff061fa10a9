"""Activations that are more than a kink: curves through which a layer hands on what it has computed."""

from __future__ import annotations

from typing import Any

from ..core.array import Array, xp
from .blocks import Constants, blockwise
from .clamp import clamp_op
from .compare import where
from .elementwise import erf, exp, log1p, zero_like
from .families import between, elementwise, floating
from .front import taught
from .kinks import abs, relu
from .prose import Prose
from .special import INVERSE_SQRT_2PI, SQRT_HALF, erf_into
from .word import MUCH, SINGLE, Word

ONE, HALVES, ROOT_HALF, BELL = Constants(1.0), Constants(0.5, -0.5), Constants(SQRT_HALF), Constants(INVERSE_SQRT_2PI)


def sigmoid_into(x: Array, out: Array) -> None:
    """1 / (1 + e⁻ˣ): where e⁻ˣ overflows it is 0."""
    (one,) = ONE.beside(x)
    xp.negative(x, out=out)
    xp.exp(out, out=out)
    xp.add(out, one, out=out)
    xp.reciprocal(out, out=out)


@blockwise
def sigmoid_impl(x: Array, out: Array) -> None:
    """1 / (1 + e⁻ˣ)."""
    sigmoid_into(x, out)


@blockwise
def silu_impl(x: Array, out: Array) -> None:
    """x / (1 + e⁻ˣ)."""
    sigmoid_into(x, out)
    xp.multiply(out, x, out=out)


@blockwise
def softplus_impl(x: Array, out: Array) -> None:
    """log(1 + eˣ), as max(x, 0) + log(1 + e⁻ˡˣˡ)."""
    xp.absolute(x, out=out)
    xp.negative(out, out=out)
    xp.exp(out, out=out)
    log1p_into(out, out)
    xp.add(out, xp.fmax(x, zero_like(x)), out=out)


def log1p_into(e: Array, out: Array) -> None:
    """log(1 + e) for e ≥ 0, as log u + (e - (u - 1)) / u: what is lost in the sum u is taken in again."""
    (one,) = ONE.beside(e)
    u = xp.add(e, one)
    lost = xp.subtract(u, one)
    xp.subtract(e, lost, out=lost)
    xp.divide(lost, u, out=lost)
    xp.log(u, out=u)
    xp.add(u, lost, out=out)


@blockwise
def gelu_impl(x: Array, out: Array) -> None:
    """x Φ(x), with Φ the normal distribution function (Hendrycks and Gimpel, 2016)."""
    normal_into(x, out)
    xp.multiply(out, x, out=out)


def normal_into(x: Array, out: Array) -> None:
    """Φ(x)."""
    half, _ = HALVES.beside(x)
    erf_into(xp.multiply(x, *ROOT_HALF.beside(x)), out)
    xp.add(out, *ONE.beside(x), out=out)
    xp.multiply(out, half, out=out)


@blockwise
def gelu_slope_impl(x: Array, out: Array) -> None:
    """Φ(x) + x φ(x)."""
    _, minus_half = HALVES.beside(x)
    normal_into(x, out)
    bell = xp.multiply(x, x)
    xp.multiply(bell, minus_half, out=bell)
    xp.exp(bell, out=bell)
    xp.multiply(bell, x, out=bell)
    xp.multiply(bell, *BELL.beside(x), out=bell)
    xp.add(out, bell, out=out)


def silu_slope(x: Any, s: Any) -> Any:
    """s (1 + x (1 - s)), with s the sigmoid of x."""
    return s * (x * (1.0 - s) + 1.0)


def gelu_slope_program(x: Any) -> Any:
    """Φ(x) + x φ(x)."""
    return (erf(x * SQRT_HALF) + 1.0) * 0.5 + x * exp(x * x * -0.5) * INVERSE_SQRT_2PI


SIGMOID = """\
__device__ float sigmoid(float x) {  // below 0 as e^x / (1 + e^x): nothing overflows, and small results keep digits
    const float e = expf(-fabsf(x));
    return (x < 0 ? e : 1) / (e + 1);
}"""
sigmoid = elementwise(
    "sigmoid",
    sigmoid_impl,
    partials=(lambda out: out * (1.0 - out),),
    casts=floating,
    doc=("1 / (1 + exp(-x)), between 0 and 1.", "ml.sigmoid(ml.tensor([0.0, 1.0]))", "tensor([0.5000, 0.7311])"),
    word=Word(SINGLE, helper=SIGMOID, cost=MUCH, positive=True),
    prose=Prose(
        why={"out": "the derivative is result × (1 − result)"},
        slopes=("{out} × (1 − {out})",),
        wholes=("what came from above × {out} × (1 − {out})",),
    ),
)
silu_op = elementwise(
    "silu",
    silu_impl,
    partials=(lambda x: silu_slope(x, sigmoid(x)),),
    casts=floating,
    program=lambda x: x * sigmoid(x),
    prose=Prose(why={"x": "the derivative is sigmoid(x) × (1 + x × (1 − sigmoid(x)))"}),
)
softplus = elementwise(
    "softplus",
    softplus_impl,
    partials=(lambda x: sigmoid(x),),
    casts=floating,
    autocast="full",
    doc=("log(1 + exp(x)), a smooth relu.", "ml.softplus(ml.tensor([0.0, 1.0]))", "tensor([0.6931, 1.3133])"),
    program=lambda x: relu(x) + log1p(exp(-abs(x))),
    prose=Prose(why={"x": "the derivative is sigmoid of the same input"}),
)
gelu_slope = elementwise(
    "gelu_slope",
    gelu_slope_impl,
    partials=(lambda x: exp(x * x * -0.5) * (2.0 - x * x) * INVERSE_SQRT_2PI,),
    casts=floating,
    program=gelu_slope_program,
)
gelu = elementwise(
    "gelu",
    gelu_impl,
    partials=(lambda x: gelu_slope(x),),
    casts=floating,
    doc=(
        "x times the normal distribution function of x.",
        "ml.gelu(ml.tensor([0.0, 1.0]))",
        "tensor([0.0000, 0.8413])",
    ),
    program=lambda x: x * ((erf(x * SQRT_HALF) + 1.0) * 0.5),
    prose=Prose(why={"x": "the derivative is Φ(x) + x φ(x)"}),
)


def hardsigmoid_impl(x: Array, out: Array | None = None) -> Array:
    """min(max(x + 3, 0), 6) / 6."""
    return xp.divide(xp.minimum(xp.maximum(x + x.dtype.type(3), zero_like(x)), x.dtype.type(6)), 6, out=out)


def hardsigmoid_pull(g: Any, x: Any) -> Any:
    """A sixth between the bounds; at them 0, as in PyTorch."""
    return where(x > -3, where(x < 3, g * (1.0 / 6.0), 0.0), 0.0)


def hardsigmoid_program(x: Any) -> Any:
    """min(max(x + 3, 0), 6) / 6, one bound after the other."""
    return clamp_op(clamp_op(x + 3.0, min=0.0, max=None), min=None, max=6.0) / 6.0


hardsigmoid_op = elementwise(
    "hardsigmoid",
    hardsigmoid_impl,
    vjp=(hardsigmoid_pull,),
    samples=between(-5.0, 5.0),
    casts=floating,
    program=hardsigmoid_program,
)


def hardswish_impl(x: Array, out: Array | None = None) -> Array:
    """x min(max(x + 3, 0), 6) / 6."""
    return xp.multiply(x, hardsigmoid_impl(x), out=out)


def hardswish_pull(g: Any, x: Any) -> Any:
    """g (x / 3 + 1/2) between the bounds; below them 0, and above g, as in PyTorch."""
    return where(x <= -3, 0.0, where(x >= 3, g, g * (x * (1.0 / 3.0) + 0.5)))


hardswish_op = elementwise(
    "hardswish",
    hardswish_impl,
    vjp=(hardswish_pull,),
    samples=between(-5.0, 5.0),
    casts=floating,
    program=lambda x: x * hardsigmoid_program(x),
)


@taught
def hardsigmoid(input: Any) -> Any:
    """A straight line from 0 at -3 to 1 at 3, and constant outside: a sigmoid without exp. Any shape.

    (A. Howard and others, Searching for MobileNetV3, 2019.)

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.functional.hardsigmoid(ml.tensor([-4.0, 0.0, 1.5]))
        tensor([0.0000, 0.5000, 0.7500])
    """
    return hardsigmoid_op(input)
