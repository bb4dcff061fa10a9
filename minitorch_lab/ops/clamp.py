"""Holding entries between two bounds, which are numbers or tensors."""

from __future__ import annotations

from typing import Any

from ..core.array import Array, is_float, is_number, promote, solid, xp
from ..errors import ArgumentError
from .compare import logical_and, logical_or, where
from .families import counted, distinct, elementwise
from .front import alias, writable
from .kinks import maximum, minimum
from .movement import to
from .op import Sample
from .prose import Prose

of_numbers = counted("clamp", "x.int().clamp(...)")

# ---- between numbers ------------------------------------------------------------------------------------------------


def clamp_impl(x: Array, min: float | None, max: float | None, out: Array | None = None) -> Array:
    """`x` held between two bounds. Of equals it is x that stays: a 0 keeps its sign, which NumPy's clip takes away."""
    if not is_float(x.dtype) or 0 not in (min, max):
        return solid(x).clip(min, max, out=out)
    raised = x if min is None else xp.maximum(min, x, out=out)
    return raised if max is None else xp.minimum(max, raised, out=out)


def clamp_pull(g: Any, x: Any, *, min: float | None, max: float | None) -> Any:
    """g inside the bounds, the bounds included, and 0 outside."""
    g = g if min is None else where(x >= min, g, 0.0)
    return g if max is None else where(x <= max, g, 0.0)


def clamped(rng: Any) -> list[Sample]:
    """Samples: bounds on both sides, on one side, on no side to speak of."""
    (x,), _ = distinct(rng)[0]
    return [((x,), {"min": -0.5, "max": 0.7}), ((x,), {"min": 0.1, "max": None}), ((x[:0],), {"min": None, "max": 1.0})]


def clamp_program(x: Any, *, min: float | None, max: float | None) -> Any:
    """The lower bound, then the upper one. None where there is one bound: that is simple already."""
    return None if min is None or max is None else clamp_op(clamp_op(x, min=min, max=None), min=None, max=max)


def between_operands(x: Any, *, min: Any, max: Any) -> Any:
    """The same by the ops whose bounds are inputs."""
    if min is None or max is None:
        return clamp_max(x, max) if min is None else clamp_min(x, min)
    return clamp_between(x, min, max)


clamp_op = elementwise(
    "clamp",
    clamp_impl,
    casts=of_numbers,
    vjp=(clamp_pull,),
    samples=clamped,
    program=clamp_program,
    operands=between_operands,
    prose=Prose(why={"x": "where it was outside the bounds, no gradient passes"}),
)

# ---- between tensors ------------------------------------------------------------------------------------------------


def between_impl(x: Array, y: Array, z: Array, out: Array | None = None) -> Array:
    """min(max(x, y), z); of equals it is x that stays."""
    return xp.minimum(z, xp.maximum(y, x), out=out)


def raised_impl(x: Array, y: Array, out: Array | None = None) -> Array:
    """max(x, y); of equals it is x that stays."""
    return xp.maximum(y, x, out=out)


def lowered_impl(x: Array, y: Array, out: Array | None = None) -> Array:
    """min(x, y); of equals it is x that stays."""
    return xp.minimum(y, x, out=out)


def bounds(count: int) -> Any:
    """Samples: an input and `count` bounds that stretch, and nothing."""

    def samples(rng: Any) -> list[Sample]:
        (x,), _ = distinct(rng)[0]
        ends = (xp.array([-0.45, 0.15, 0.55, -0.75]), xp.array([[0.35], [1.05], [1.25]]))[:count]
        return [((x, *ends), {}), ((x[:0], *(xp.ones(4) for _ in ends)), {})]

    return samples


clamp_min = elementwise(
    "clamp_min",
    raised_impl,
    vjp=(lambda g, x, y: where(x >= y, g, 0.0), lambda g, x, y: where(x < y, g, 0.0)),
    samples=bounds(1),
    numbers="second",
    doc=(
        "x, raised to y where it is below; at a tie the gradient is x's.",
        "ml.clamp_min(ml.tensor([1.0, 5.0]), 3.0)",
        "tensor([3., 5.])",
    ),
    program=lambda x, y: maximum(y, x),
)
clamp_max = elementwise(
    "clamp_max",
    lowered_impl,
    vjp=(lambda g, x, y: where(x <= y, g, 0.0), lambda g, x, y: where(x > y, g, 0.0)),
    samples=bounds(1),
    numbers="second",
    doc=(
        "x, lowered to y where it is above; at a tie the gradient is x's.",
        "ml.clamp_max(ml.tensor([1.0, 5.0]), 3.0)",
        "tensor([1., 3.])",
    ),
    program=lambda x, y: minimum(y, x),
)
clamp_between = elementwise(
    "clamp_between",
    between_impl,
    casts=of_numbers,
    vjp=(
        lambda g, x, y, z: where(logical_and(x >= y, x <= z), g, 0.0),
        lambda g, x, y, z: where(logical_and(x < y, y < z), g, 0.0),
        lambda g, x, y, z: where(logical_or(x > z, z < y), g, 0.0),
    ),
    samples=bounds(2),
    program=lambda x, y, z: minimum(z, maximum(y, x)),
)


@writable
def clamp(x: Any, min: Any = None, max: Any = None) -> Any:
    """`x` with entries below `min` raised to it and entries above `max` lowered to it. `max` wins over a larger `min`.

    Any shape and dtype; bounds are numbers or tensors, which stretch. Whole numbers between bounds with a fraction
    become floats. NaN stays.

    Raises:
        ArgumentError: Neither bound is given.
        ShapeError: The shapes do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([-2.0, 0.5, 3.0]).clamp(min=-1, max=1)
        tensor([-1.0000,  0.5000,  1.0000])
        >>> ml.tensor([-2.0, 0.5, 3.0]).clamp(max=ml.tensor([0.0, 1.0, 2.0]))
        tensor([-2.0000,  0.5000,  2.0000])
    """
    given = [b for b in (min, max) if b is not None]
    if not given:
        raise ArgumentError("clamp got no bounds.", "It takes min, max or both.", "Did you mean x.clamp(min=0)?")
    if all(map(is_number, given)):
        return clamp_op(x if is_float(x.dtype) else to(x, promote(x, *given)), min=min, max=max)
    if min is not None and max is not None:
        return clamp_between(x, min, max)
    return clamp_min(x, min) if max is None else clamp_max(x, max)


alias(clamp, "clip")
