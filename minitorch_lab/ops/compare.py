"""Comparison and choice: ops whose results are truth values, and the op that chooses by them."""

from __future__ import annotations

from math import copysign
from typing import Any

from ..core.array import Array, DType, bool_, float32, float64, int32, int64, is_number, promote, uint8, xp
from ..errors import DTypeError
from .batching import aligned
from .families import broadcast, elementwise, floating
from .op import Op, Sample, rule
from .prose import Prose
from .word import ANY, FLOATS, LITTLE, TRUTH, Word

FLAT, FEW, on_cpu = (None, None), 2048, xp.ndarray
BITS = {float32: (int32, xp.zeros((), float32)), float64: (int64, xp.zeros((), float64))}
eq = elementwise(
    "eq",
    xp.equal,
    vjp=FLAT,
    numbers="second",
    doc=("Whether x equals y.", "ml.eq(ml.tensor([1, 2]), 2)", "tensor([False,  True])"),
    word=Word(ANY, "==", cost=LITTLE),
)
ne = elementwise(
    "ne",
    xp.not_equal,
    vjp=FLAT,
    numbers="second",
    doc=("Whether x differs from y.", "ml.ne(ml.tensor([1, 2]), 2)", "tensor([ True, False])"),
    word=Word(ANY, "!=", cost=LITTLE),
)
lt = elementwise(
    "lt",
    xp.less,
    vjp=FLAT,
    numbers="second",
    doc=("Whether x is less than y.", "ml.lt(ml.tensor([1, 2]), 2)", "tensor([ True, False])"),
    word=Word(ANY, "<", cost=LITTLE),
)
le = elementwise(
    "le",
    xp.less_equal,
    vjp=FLAT,
    numbers="second",
    doc=("Whether x is at most y.", "ml.le(ml.tensor([1, 2]), 2)", "tensor([True, True])"),
    word=Word(ANY, "<=", cost=LITTLE),
)
gt = elementwise(
    "gt",
    xp.greater,
    vjp=FLAT,
    numbers="second",
    doc=("Whether x is greater than y.", "ml.gt(ml.tensor([1, 2]), 1)", "tensor([False,  True])"),
    word=Word(ANY, ">", cost=LITTLE),
)
ge = elementwise(
    "ge",
    xp.greater_equal,
    vjp=FLAT,
    numbers="second",
    doc=("Whether x is at least y.", "ml.ge(ml.tensor([1, 2]), 2)", "tensor([False,  True])"),
    word=Word(ANY, ">=", cost=LITTLE),
)
logical_and = elementwise(
    "logical_and",
    xp.logical_and,
    vjp=FLAT,
    numbers="nowhere",
    doc=(
        "Whether both are true.",
        "ml.logical_and(ml.tensor([True, False]), ml.tensor(True))",
        "tensor([ True, False])",
    ),
    word=Word(TRUTH, "&", "({0} && {1})"),
)
logical_or = elementwise(
    "logical_or",
    xp.logical_or,
    vjp=FLAT,
    numbers="nowhere",
    doc=(
        "Whether one of the two is true.",
        "ml.logical_or(ml.tensor([True, False]), ml.tensor(True))",
        "tensor([True, True])",
    ),
    word=Word(TRUTH, "|", "({0} || {1})"),
)
logical_xor = elementwise(
    "logical_xor",
    xp.logical_xor,
    vjp=FLAT,
    numbers="nowhere",
    doc=(
        "Whether just one is true.",
        "ml.logical_xor(ml.tensor([True, False]), ml.tensor(True))",
        "tensor([False,  True])",
    ),
    word=Word(TRUTH, c="({0} != {1})", of_truth="ne"),
)
logical_not = elementwise(
    "logical_not",
    xp.logical_not,
    vjp=(None,),
    doc=("Whether x is false.", "ml.logical_not(ml.tensor([True, False]))", "tensor([False,  True])"),
    word=Word(TRUTH, c="(!{0})"),
)
isnan = elementwise(
    "isnan",
    xp.isnan,
    vjp=(None,),
    casts=floating,
    doc=("Whether x is not a number.", "ml.isnan(ml.tensor([1.0, float('nan')]))", "tensor([False,  True])"),
    word=Word(FLOATS, c="({0} != {0})"),
)


def chosen(condition: Any, *branches: Any) -> DType:
    """The dtype where the branches meet; the condition has no say."""
    return promote(*branches)


def choices(rng: Any) -> list[Sample]:
    """Samples: a condition and two branches of different shapes."""
    return [((rng.normal(size=s) > 0, rng.normal(size=4), rng.normal(size=(1, 1))), {}) for s in ((3, 4), (0, 4))]


def where_impl(condition: Array, x: Array, y: Array) -> Array:
    """`x` where the condition holds, else `y`. Two Python numbers meet in the default dtype.

    Raises:
        DTypeError: The condition does not hold truth values.
    """
    if getattr(condition, "dtype", bool_) not in (bool_, uint8):
        raise DTypeError(
            f"where got a condition of dtype {condition.dtype}.",
            "A condition holds truth values: ml.where(condition, x, y), or x.where(condition, y).",
            "Did you mean condition != 0, or condition.bool()?",
        )
    if is_number(x) and is_number(y):
        kind = promote(x, y).type
        x, y = kind(x), kind(y)
    if type(condition) is on_cpu:
        if is_zero(y):
            return kept(condition, x)
        if is_zero(x):
            return kept(xp.logical_not(condition), y)
    return xp.where(condition, x, y)


def is_zero(x: Any) -> bool:
    """Whether it is the number 0.0."""
    return type(x) is float and not x and copysign(1.0, x) > 0


def kept(condition: Array, x: Array) -> Array:
    """`x` where the condition is not 0, else 0: also where `x` is infinite or NaN, unlike a product.

    NumPy's `where` branches at each entry, and a processor cannot guess which way: many entries are 20 times as fast as
    a product of their bits with 0 or 1.
    """
    if type(x) is not on_cpu or (found := BITS.get(x.dtype)) is None:
        return xp.where(condition, x, xp.zeros_like(x, shape=()))
    whole, zero = found
    if x.size < FEW:
        return xp.where(condition, x, zero)
    return xp.multiply(x.view(whole), condition if condition.dtype == bool_ else condition != zero).view(x.dtype)


where = Op(
    name="where",
    impl=where_impl,
    shape=broadcast("where"),
    vjp=(None, rule(lambda g, x: where(x, g, 0.0)), rule(lambda g, x: where(x, 0.0, g))),
    samples=choices,
    casts=chosen,
    stretches=True,
    doc=("y where the condition x holds, else z.", "ml.where(ml.tensor([True, False]), 1.0, 5.0)", "tensor([1., 5.])"),
    batch=aligned,
    entrywise=True,
    word=Word(ANY, c="({0} ? {1} : {2})", cost=LITTLE),
    prose=Prose(
        why={"x": "the gradient goes to the branch that was chosen"},
        wholes=(
            "",
            "what came from above where {x} holds, 0 elsewhere",
            "what came from above where {x} fails, else 0",
        ),
        nouns={"x": "the condition"},
    ),
)


def equals(x: Any, y: Any) -> Any:
    """Where x is y, NaN being itself."""
    return where(isnan(y), isnan(x), eq(x, y))
