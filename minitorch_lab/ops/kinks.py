"""Entry-by-entry functions with a kink: the sign and the size of a number, and the larger of two."""

from __future__ import annotations

from typing import Any

from ..core.array import Array, bool_, float32, xp
from .compare import kept, ne, where
from .elementwise import ZERO32, zero_like
from .families import distinct, elementwise, nothing, numeric
from .prose import Prose
from .word import FLOATS, LITTLE, NUMBERS, Word

larger_of, on_cpu = xp.maximum, xp.ndarray

EXTREME = "template <typename T> __device__ T {0}(T x, T y) {{ return x != x || x {1} y ? x : y; }}  // NaN wins"
SIGN = "template <typename T> __device__ T sign(T x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }"
ABSOLUTE = "template <typename T> __device__ T absolute(T x) { return x < 0 ? -x : x; }"


def relu_impl(x: Array, out: Array | None = None) -> Array:
    """max(x, 0); of equals the second stays, so -0.0 does. A keyword that is not needed costs NumPy time."""
    zero = ZERO32 if x.dtype is float32 and type(x) is on_cpu else zero_like(x)
    return larger_of(zero, x) if out is None else larger_of(zero, x, out=out)


def sign_impl(x: Array, out: Array | None = None) -> Array:
    """-1, 0 or 1; of NaN 0, as in PyTorch; truth values stay."""
    if x.dtype == bool_:
        return xp.logical_or(x, x, out=out)
    return xp.subtract(x > 0, x < 0, dtype=x.dtype, out=out)


def relu_pull(g: Any, out: Any) -> Any:
    """g where something has passed, and 0 elsewhere, whatever g is: a product would make NaN of 0 and infinity."""
    return kept(out, g) if type(out) is on_cpu else where(ne(out, 0.0), g, 0.0)


def larger(g: Any, x: Any, y: Any) -> Any:
    """What goes to `x` where the larger entry was kept; a tie is split, and NaN gives to both, as in PyTorch."""
    return where(x == y, g * 0.5, where(x < y, 0.0, g))


sign = elementwise(
    "sign",
    sign_impl,
    vjp=(nothing,),
    samples=distinct,
    doc=("-1, 0 or 1: the sign of x; of NaN 0.", "ml.sign(ml.tensor([-2.0, 0.0, 3.0]))", "tensor([-1.,  0.,  1.])"),
    word=Word(
        FLOATS,
        helper=SIGN,
        cost=LITTLE,
    ),
)
abs = elementwise(
    "abs",
    xp.absolute,
    casts=numeric("abs", "x.int().abs()"),
    partials=(lambda x: sign(x),),
    samples=distinct,
    doc=("The size of x without its sign.", "ml.abs(ml.tensor([-2.0, 3.0]))", "tensor([2., 3.])"),
    word=Word(NUMBERS, c="fabs", helper=ABSOLUTE, intrinsic=True, positive=True),
    prose=Prose(why={"x": "the derivative is the sign of the input"}, slopes=("the sign of {x}",)),
)
relu = elementwise(
    "relu",
    relu_impl,
    casts=numeric("relu", "x.int().relu()"),
    vjp=(relu_pull,),
    samples=distinct,
    doc=("x where it is positive, else 0.", "ml.relu(ml.tensor([-2.0, 3.0]))", "tensor([0., 3.])"),
    word=Word(FLOATS, c="(0 > {0} ? 0 : {0})", cost=LITTLE, positive=True),
    prose=Prose(
        why={"out": "where the result is 0, no gradient passes"},
        slopes=("1 where {out} > 0, else 0",),
        wholes=("passed on where {out} > 0, and 0 elsewhere",),
    ),
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
    word=Word(NUMBERS, helper=EXTREME.format("maximum", ">"), cost=LITTLE),
    prose=Prose(why={"x y": "the gradient goes to the larger one"}),
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
    word=Word(NUMBERS, helper=EXTREME.format("minimum", "<"), cost=LITTLE),
    prose=Prose(why={"x y": "the gradient goes to the smaller one"}),
)
