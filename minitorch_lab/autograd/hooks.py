"""What a hook returns, checked before the walk goes on with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import ArgumentError, DTypeError, ShapeError
from ..tensors.tensor import Tensor


def checked(hook: Any, what: str, parts: Sequence[Tensor | None], new: Any) -> None:
    """Refuse what cannot stand in the place of the cotangents `parts`.

    Raises:
        ArgumentError: It is no tuple of as many, or an entry is no tensor.
        ShapeError: An entry has another shape.
        DTypeError: An entry has another dtype.
    """
    name = f"The hook {getattr(hook, '__name__', type(hook).__name__)}"
    if not isinstance(new, (tuple, list)) or len(new) != len(parts):
        given = f"{len(new)} values" if isinstance(new, (tuple, list)) else kind_of(new)
        raise ArgumentError(
            f"{name} returned {given} for {what} of length {len(parts)}.",
            f"A hook of a node gets the {what} as a tuple and returns such a tuple, or None to leave it.",
            "Did you mean (g * 2,), with a comma?",
        )
    for part, x in zip(parts, new, strict=True):
        if x is None or part is None:
            continue
        if not isinstance(x, Tensor):
            raise ArgumentError(
                f"{name} returned {kind_of(x)}.",
                "What a hook returns takes the place of the cotangent, so it is a tensor; None leaves it as it is.",
                "Did you mean return g * 2? Or a function without return, that only looks.",
            )
        if tuple(x.shape) != tuple(part.shape):
            raise ShapeError(
                f"{name} returned a tensor of shape {tuple(x.shape)} for a cotangent of shape {tuple(part.shape)}.",
                "What a hook returns takes the place of the cotangent, so it has its shape.",
                "Did you sum or index where an entry by entry operation was meant?",
            )
        if x.dtype != part.dtype:
            raise DTypeError(
                f"{name} returned a tensor of dtype {x.dtype} for a cotangent of dtype {part.dtype}.",
                "What a hook returns takes the place of the cotangent, so it has its dtype.",
                f"Did you mean x.to(ml.{part.dtype})?",
            )


def kind_of(x: Any) -> str:
    """What `x` is, as errors say it."""
    return "a tensor" if isinstance(x, Tensor) else f"a {type(x).__name__}"
