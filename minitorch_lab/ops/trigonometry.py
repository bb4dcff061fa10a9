"""Functions of angles and of the hyperbola, and their inverses. `sin`, `cos` and `tanh` stand in elementwise.py."""

from __future__ import annotations

from math import inf
from typing import Any

from ..core.array import xp
from .compare import where
from .elementwise import sqrt
from .families import between, elementwise, floating
from .op import Sample


def off_centre(rng: Any) -> list[Sample]:
    """Samples: pairs in all four quadrants, none near the origin."""
    away = rng.uniform(0.5, 2.0, (3, 4)) * xp.where(rng.normal(size=(3, 4)) < 0, -1.0, 1.0)
    return [((away, rng.uniform(-2.0, 2.0, 4)), {}), ((away[:0], rng.normal(size=4)), {})]


tan = elementwise(
    "tan",
    xp.tan,
    partials=(lambda out: 1.0 + out * out,),
    casts=floating,
    autocast="full",
    samples=between(-1.2, 1.2),
    doc=("The tangent of x, in radians.", "ml.tan(ml.tensor([0.0, 1.0]))", "tensor([0.0000, 1.5574])"),
)
asin = elementwise(
    "asin",
    xp.arcsin,
    partials=(lambda x: 1.0 / sqrt(1.0 - x * x),),
    casts=floating,
    autocast="full",
    samples=between(-0.8, 0.8),
    doc=("The angle whose sine is x, from -π/2 to π/2.", "ml.asin(ml.tensor([0.0, 1.0]))", "tensor([0.0000, 1.5708])"),
)
acos = elementwise(
    "acos",
    xp.arccos,
    partials=(lambda x: -1.0 / sqrt(1.0 - x * x),),
    casts=floating,
    autocast="full",
    samples=between(-0.8, 0.8),
    doc=("The angle whose cosine is x, from 0 to π.", "ml.acos(ml.tensor([1.0, 0.0]))", "tensor([0.0000, 1.5708])"),
)
atan = elementwise(
    "atan",
    xp.arctan,
    partials=(lambda x: 1.0 / (1.0 + x * x),),
    casts=floating,
    doc=(
        "The angle whose tangent is x, from -π/2 to π/2.",
        "ml.atan(ml.tensor([0.0, 1.0]))",
        "tensor([0.0000, 0.7854])",
    ),
)


def square_length(x: Any, y: Any) -> Any:
    """x² + y²; at the centre, where any angle would do, infinite: the derivatives are 0 there, as in PyTorch."""
    found = x * x + y * y
    return where(found == 0, inf, found)


atan2 = elementwise(
    "atan2",
    xp.arctan2,
    partials=(lambda x, y: y / square_length(x, y), lambda x, y: -x / square_length(x, y)),
    casts=floating,
    samples=off_centre,
    numbers="nowhere",
    doc=(
        "The angle of the point (y, x): first the height, then the width, as in C.",
        "ml.atan2(ml.tensor([1.0, 1.0]), ml.tensor([1.0, -1.0]))",
        "tensor([0.7854, 2.3562])",
    ),
)
sinh = elementwise(
    "sinh",
    xp.sinh,
    partials=(lambda x: cosh(x),),
    casts=floating,
    autocast="full",
    doc=("The hyperbolic sine of x.", "ml.sinh(ml.tensor([0.0, 1.0]))", "tensor([0.0000, 1.1752])"),
)
cosh = elementwise(
    "cosh",
    xp.cosh,
    partials=(lambda x: sinh(x),),
    casts=floating,
    autocast="full",
    doc=("The hyperbolic cosine of x.", "ml.cosh(ml.tensor([0.0, 1.0]))", "tensor([1.0000, 1.5431])"),
)
asinh = elementwise(
    "asinh",
    xp.arcsinh,
    partials=(lambda x: 1.0 / sqrt(x * x + 1.0),),
    casts=floating,
    doc=("The number whose hyperbolic sine is x.", "ml.asinh(ml.tensor([0.0, 1.0]))", "tensor([0.0000, 0.8814])"),
)
acosh = elementwise(
    "acosh",
    xp.arccosh,
    partials=(lambda x: 1.0 / sqrt(x * x - 1.0),),
    casts=floating,
    samples=between(1.5, 3.0),
    doc=(
        "The number from 0 up whose hyperbolic cosine is x.",
        "ml.acosh(ml.tensor([1.0, 2.0]))",
        "tensor([0.0000, 1.3170])",
    ),
)
atanh = elementwise(
    "atanh",
    xp.arctanh,
    partials=(lambda x: 1.0 / (1.0 - x * x),),
    casts=floating,
    samples=between(-0.8, 0.8),
    doc=("The number whose hyperbolic tangent is x.", "ml.atanh(ml.tensor([0.0, 0.5]))", "tensor([0.0000, 0.5493])"),
)
