"""Functions put together from straight pieces."""

from __future__ import annotations

from typing import Any

from ..array import Array, xp
from .compare import where
from .elementwise import zero_like
from .families import between, elementwise, floating
from .front import taught


def hardsigmoid_impl(x: Array, out: Array | None = None) -> Array:
    """min(max(x + 3, 0), 6) / 6."""
    return xp.divide(xp.minimum(xp.maximum(x + x.dtype.type(3), zero_like(x)), x.dtype.type(6)), 6, out=out)


def hardsigmoid_pull(g: Any, x: Any) -> Any:
    """A sixth between the bounds; at them 0, as in PyTorch."""
    return where(x > -3, where(x < 3, g * (1.0 / 6.0), 0.0), 0.0)


hardsigmoid_op = elementwise(
    "hardsigmoid",
    hardsigmoid_impl,
    vjp=(hardsigmoid_pull,),
    samples=between(-5.0, 5.0),
    casts=floating,
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
