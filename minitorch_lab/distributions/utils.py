"""What distributions share: values that stretch to each other, and probabilities beside their logarithms."""

from __future__ import annotations

from math import prod
from typing import Any

from ..core.array import float32, float_limits, xp
from ..errors import ArgumentError, ShapeError
from ..ops import FUNCTIONS
from ..ops.elementwise import log, log1p
from ..ops.reduce import softmax
from ..tensors.factories import tensor
from ..tensors.random import rand
from ..tensors.tensor import Tensor

Shape = tuple[int, ...]


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """Numbers and tensors as tensors of one shape. Numbers take the dtype of the tensors, float32 among themselves.

    Raises:
        ShapeError: The shapes do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> a, b = broadcast_all(ml.zeros(2), 1.0)
        >>> b.tolist()
        [1.0, 1.0]
    """
    known = [value for value in values if isinstance(value, Tensor)]
    dtype, device = (known[0].dtype, known[0].device) if known else (float32, None)
    made = [value if isinstance(value, Tensor) else tensor(value, dtype, device) for value in values]
    shape = joint_shape(*(tuple(value.shape) for value in made))
    return tuple(value if tuple(value.shape) == shape else value.expand(shape) for value in made)


def joint_shape(*shapes: Shape) -> Shape:
    """The shape that all stretch to.

    Raises:
        ShapeError: There is none.
    """
    try:
        return tuple(xp.broadcast_shapes(*shapes))
    except ValueError:
        raise ShapeError(
            f"The shapes {' and '.join(map(str, shapes))} do not fit.",
            "Counted from the last, two axes fit if their lengths agree or one of them is 1.",
            "Did you forget an axis? unsqueeze puts one in.",
        ) from None


def sizes_of(sample_shape: Any) -> Shape:
    """A shape, given as a number, a list or a tuple."""
    return (sample_shape,) if isinstance(sample_shape, int) else tuple(sample_shape)


def sum_rightmost(x: Tensor, n: int) -> Tensor:
    """The sum over the last `n` axes."""
    return x if n == 0 else x.reshape(*x.shape[: x.ndim - n], prod(x.shape[x.ndim - n :])).sum(-1)


def uniform_open(shape: Shape, like: Tensor) -> Tensor:
    """Even deviates strictly between 0 and 1, in the dtype of `like`."""
    tiny = float(float_limits(like.dtype).eps)
    return rand(*shape, dtype=like.dtype, device=like.device).clamp(tiny / 2, 1 - tiny)


def clamp_probs(probs: Tensor) -> Tensor:
    """Probabilities that stay a little away from 0 and 1."""
    eps = float(float_limits(probs.dtype).eps)
    return probs.clamp(eps, 1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """The logarithms of probabilities; of those of two outcomes, the log of the odds."""
    held = clamp_probs(probs)
    return log(held) - log1p(-held) if is_binary else log(held)


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Probabilities from their logarithms, or from log odds."""
    return FUNCTIONS["sigmoid"](logits) if is_binary else softmax(logits, -1)


def exactly_one(owner: str, **given: Any) -> str:
    """The name of the one argument that is given.

    Raises:
        ArgumentError: Not exactly one is.
    """
    there = [name for name, value in given.items() if value is not None]
    if len(there) != 1:
        raise ArgumentError(
            f"{owner} got {' and '.join(there) or 'none of ' + ', '.join(given)}.",
            f"Each of {', '.join(given)} says it all.",
            f"Give one of them, such as {next(iter(given))}.",
        )
    return there[0]
