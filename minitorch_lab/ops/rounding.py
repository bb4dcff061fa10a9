"""Whole numbers near a number, and what division by whole steps leaves over. They are flat: gradients of zeros."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.array import Array, is_float, is_number, xp
from ..errors import ArgumentError
from .elementwise import apart
from .families import counted, elementwise, nothing, numeric
from .movement import detach
from .op import Sample
from .word import FLOATS, Word

INSTEAD, DIVIDED = "x itself, which is whole", "x.int()"


def away_from_steps(rng: Any) -> list[Sample]:
    """Samples: one input with distinct entries, none of them whole or halfway, and an empty one."""
    return [((rng.permutation(12).reshape(3, 4) * 0.3 - 0.93,), {}), ((xp.zeros((0, 4)),), {})]


def is_whole(x: Any) -> bool:
    """Whether these are whole numbers or truth values."""
    return isinstance(x, int) if is_number(x) else not is_float(x.dtype)


def by_steps(name: str, ufunc: Callable[..., Array]) -> Callable[..., Array]:
    """`ufunc(x, y)`, which divides: whole numbers have no infinity, so their 0 is refused as a divisor.

    Raises:
        ArgumentError: Whole numbers are divided by 0.
    """

    def impl(x: Array, y: Array, out: Array | None = None) -> Array:
        if is_whole(x) and is_whole(y) and not xp.all(y):
            raise ArgumentError(
                f"{name} of whole numbers got a divisor 0.",
                "Whole numbers have neither infinity nor NaN, so there is no answer.",
                "Did you mean x.float()? Or ml.where(y == 0, 1, y).",
            )
        return ufunc(x, y, out=out)

    return impl


def rounded(x: Array, out: Array | None = None) -> Array:
    """The nearest whole number; whole ones stay, in their dtype."""
    return (xp.positive if is_whole(x) else xp.rint)(x, out=out)


def left_over(x: Any, y: Any, out: Array | None = None) -> Array:
    """NumPy's remainder, but a 0 has the sign of x, as in PyTorch."""
    found = xp.remainder(x, y, out=out)
    if is_whole(found):
        return found
    found = xp.where(found == 0, xp.copysign(found, x), found)
    return found if out is None else xp.positive(found, out=out)


floor = elementwise(
    "floor",
    xp.floor,
    vjp=(nothing,),
    casts=numeric("floor", INSTEAD),
    samples=away_from_steps,
    doc=("The next whole number at or below x.", "ml.floor(ml.tensor([1.7, -1.2]))", "tensor([ 1., -2.])"),
    word=Word(FLOATS, c="floor", intrinsic=True),
)
ceil = elementwise(
    "ceil",
    xp.ceil,
    vjp=(nothing,),
    casts=numeric("ceil", INSTEAD),
    samples=away_from_steps,
    doc=("The next whole number at or above x.", "ml.ceil(ml.tensor([1.2, -1.7]))", "tensor([ 2., -1.])"),
    word=Word(FLOATS, c="ceil", intrinsic=True),
)
trunc = elementwise(
    "trunc",
    xp.trunc,
    vjp=(nothing,),
    casts=numeric("trunc", INSTEAD),
    samples=away_from_steps,
    doc=("x without its fraction.", "ml.trunc(ml.tensor([1.7, -1.7]))", "tensor([ 1., -1.])"),
    word=Word(FLOATS, c="trunc", intrinsic=True),
)
round = elementwise(
    "round",
    rounded,
    vjp=(nothing,),
    casts=numeric("round", INSTEAD),
    samples=away_from_steps,
    doc=(
        "The nearest whole number; halfway between two, the even one.",
        "ml.round(ml.tensor([0.5, 1.5, 2.2]))",
        "tensor([0., 2., 2.])",
    ),
    word=Word(FLOATS, c="rint", intrinsic=True),
)
floor_divide = elementwise(
    "floor_divide",
    by_steps("floor_divide", xp.floor_divide),
    vjp=(None, None),
    casts=counted("floor_divide", DIVIDED),
    samples=apart,
    doc=(
        "How many whole steps of y lie in x, rounded down: x // y.",
        "ml.floor_divide(ml.tensor([7, -7]), 2)",
        "tensor([ 3, -4])",
    ),
)
remainder = elementwise(
    "remainder",
    by_steps("remainder", left_over),
    vjp=(lambda g: g, lambda g, x, y: -(g * floor_divide(x, y))),
    casts=counted("remainder", DIVIDED),
    samples=apart,
    numbers="one place",
    doc=(
        "What is left of x after whole steps of y, with the sign of y: x % y.",
        "ml.remainder(ml.tensor([7.0, -7.0]), 4.0)",
        "tensor([3., 1.])",
    ),
)
fmod = elementwise(
    "fmod",
    by_steps("fmod", xp.fmod),
    vjp=(lambda g: g, lambda g, x, y: -(g * trunc(detach(x / y)))),
    casts=counted("fmod", DIVIDED),
    samples=apart,
    numbers="second",
    doc=(
        "What is left of x after whole steps of y, with the sign of x, as in C.",
        "ml.fmod(ml.tensor([7.0, -7.0]), 4.0)",
        "tensor([ 3., -3.])",
    ),
)
