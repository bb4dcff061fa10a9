"""Weights and probabilities, looked at by an op of its own where they are read: so compiled code looks too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.array import Array, xp
from ..errors import ArgumentError
from .batching import as_it_is
from .families import only_floats, same_shape
from .op import Op, Sample


def weighed(x: Array, name: str) -> Array:
    """`x`, if each row can be drawn from.

    Raises:
        ArgumentError: A weight is negative, infinite or NaN, or all weights of a row are 0.
    """
    if not (x >= 0).all() or not xp.isfinite(x).all():
        raise ArgumentError(
            f"{name} got weights that are negative, infinite or NaN.",
            "An entry is drawn with a probability in proportion to its weight, which is 0 or more.",
            "Did you mean logits.softmax(-1)?",
        )
    if not (x > 0).any(-1).all():
        raise ArgumentError(
            f"{name} got a row whose weights are all 0.",
            "There is nothing in it that could be drawn.",
            "Leave the row out, or give its entries equal weights.",
        )
    return x.copy()


def probable(x: Array, name: str) -> Array:
    """`x`, if it holds probabilities.

    Raises:
        ArgumentError: An entry is below 0, above 1 or NaN.
    """
    if not ((x >= 0) & (x <= 1)).all():
        raise ArgumentError(
            f"{name} got probabilities outside 0 to 1.",
            "A probability is at least 0 and at most 1.",
            "Did you mean logits.sigmoid()?",
        )
    return x.copy()


def looked_at(what: str, check: Callable[..., Array], drawing: str) -> Op:
    """An op that gives its input back, and refuses what is not that; its parameter `name` says who reads it."""

    def samples(rng: Any) -> list[Sample]:
        return [((x,), {"name": drawing}) for x in (rng.uniform(0.1, 0.9, (3, 4)), xp.ones((0, 4)))]

    return Op(
        name=what,
        impl=check,
        shape=same_shape,
        vjp=(None,),
        samples=samples,
        casts=only_floats(drawing),
        batch=as_it_is,
        refuses=True,
    )


weights = looked_at("weights", weighed, "multinomial")
probabilities = looked_at("probabilities", probable, "bernoulli")
