"""Collate: from a list of examples to one batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.array import float64
from ..errors import ArgumentError, ShapeError
from ..ops.join import stack
from ..tensors.factories import tensor
from ..tensors.tensor import Tensor


def default_collate(examples: list[Any]) -> Any:
    """The examples as one: numbers become a tensor, tensors are stacked, tuples and dicts go part by part.

    Args:
        examples: A list of n examples of the same form.

    Returns:
        The same form, with a first axis of length n in every tensor. Strings stay a list.

    Raises:
        ArgumentError: An example is of a kind that has no batch.
        ShapeError: Tensors of different shapes, or tuples of different lengths.

    Example:
        >>> import minitorch_lab as ml
        >>> x, y = default_collate([(ml.zeros(3), 7), (ml.ones(3), 8)])
        >>> x.shape, y.tolist()
        ((2, 3), [7, 8])
    """
    first = examples[0]
    if isinstance(first, Tensor):
        check_shapes(examples)
        return stack(examples)
    if type(first) is float:
        return tensor(examples, float64)
    if isinstance(first, (bool, int, float)) or hasattr(first, "dtype"):
        return tensor(examples)
    if isinstance(first, (str, bytes)):
        return examples
    if isinstance(first, (tuple, list)):
        check_lengths(examples)
        parts = [default_collate(list(part)) for part in zip(*examples, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    if isinstance(first, Mapping):
        return {key: default_collate([example[key] for example in examples]) for key in first}
    raise ArgumentError(
        f"The loader got an example of type {type(first).__name__}.",
        "An example is a tensor, a number, a string, or a tuple or dict of them.",
        "Did you mean to give DataLoader a collate_fn that turns a list of examples into a batch?",
    )


def check_shapes(examples: list[Tensor]) -> None:
    """Raise ShapeError unless all tensors have the same shape."""
    shape = examples[0].shape
    other = next((x.shape for x in examples if getattr(x, "shape", shape) != shape), shape)
    if other != shape:
        raise ShapeError(
            f"The loader got tensors of the shapes {shape} and {other} in one batch.",
            "Tensors of a batch are stacked, so they have one shape.",
            "Did you mean to give DataLoader a collate_fn that pads the short ones?",
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


def default_convert(example: Any) -> Any:
    """An example with tensors for its arrays, part by part: what a loader without batches gives.

    Example:
        >>> import numpy as np
        >>> default_convert((np.ones(2), 3, "name"))
        (tensor([1., 1.], dtype=float64), 3, 'name')
    """
    if isinstance(example, Mapping):
        whole: Mapping[Any, Any] = example
        return {key: default_convert(part) for key, part in whole.items()}
    if isinstance(example, (tuple, list)):
        parts = [default_convert(part) for part in example]
        return type(example)(*parts) if hasattr(example, "_fields") else type(example)(parts)
    return tensor(example) if hasattr(example, "dtype") and not isinstance(example, Tensor) else example
