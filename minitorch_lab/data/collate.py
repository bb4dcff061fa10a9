"""Collate: from a list of examples to one batch."""

from __future__ import annotations

from typing import Any

from ..array import float64
from ..errors import ArgumentError, ShapeError
from ..factories import tensor
from ..ops.join import stack
from ..tensor import Tensor


def collate(examples: list[Any]) -> Any:
    """The examples as one: numbers become a tensor, tensors are stacked, tuples and dicts are collated part by part.

    Args:
        examples: A list of n examples of the same form.

    Returns:
        The same form, with a first axis of length n in every tensor.

    Raises:
        ArgumentError: An example is of a kind that has no batch.
        ShapeError: Tensors of different shapes, or tuples of different lengths.

    Example:
        >>> import minitorch_lab as ml
        >>> x, y = collate([(ml.zeros(3), 7), (ml.ones(3), 8)])
        >>> x.shape, y.tolist()
        ((2, 3), [7, 8])
    """
    first = examples[0]
    if isinstance(first, Tensor):
        return stack(examples)
    if type(first) is float:
        return tensor(examples, float64)
    if isinstance(first, (bool, int, float)) or hasattr(first, "dtype"):
        return tensor(examples)
    if isinstance(first, (tuple, list)):
        check_lengths(examples)
        return tuple(collate(list(part)) for part in zip(*examples, strict=True))
    if isinstance(first, dict):
        return {key: collate([example[key] for example in examples]) for key in first}
    raise ArgumentError(
        f"The loader got an example of type {type(first).__name__}.",
        "An example is a tensor, a number, or a tuple or dict of them.",
        "Did you mean to give DataLoader a collate_fn that turns a list of examples into a batch?",
    )


def check_lengths(examples: list[Any]) -> None:
    """Raise ShapeError unless all examples have the same number of parts."""
    lengths = sorted({len(example) for example in examples})
    if len(lengths) > 1:
        raise ShapeError(
            f"The loader got examples of {lengths[0]} and of {lengths[-1]} parts in one batch.",
            "Every example has the same parts, such as an input and a target.",
            "Did you mean to give DataLoader a collate_fn that pads the short ones?",
        )
