"""Lengths, angles and distances of vectors along an axis."""

from __future__ import annotations

from typing import Any

from ...ops.front import taught
from ...ops.narrow import rounded_once
from ...ops.precision import runs_in
from ...ops.stacks import broadcast_tensors
from ...tensors.tensor import Tensor


def length(x: Tensor, p: float, dim: Any, keepdim: bool = False) -> Tensor:
    """The p-norm along `dim`."""
    return x.norm(p, dim, keepdim)


@taught
@runs_in("full")
@rounded_once
def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Tensor:
    """`x`, divided by its p-norm along `dim`, or by `eps` where that is less.

    Raises:
        ShapeError: There is no such axis.

    Example:
        >>> import minitorch_lab as ml
        >>> normalize(ml.tensor([[3.0, 4.0]]))
        tensor([[0.6000, 0.8000]])
    """
    return input / length(input, p, dim, True).clamp(min=eps)


@taught
@runs_in("full")
@rounded_once
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between two tensors of vectors along `dim`; shapes stretch.

    Raises:
        ShapeError: The shapes do not fit, or there is no such axis.

    Example:
        >>> import minitorch_lab as ml
        >>> cosine_similarity(ml.tensor([[1.0, 0.0]]), ml.tensor([[1.0, 1.0]]))
        tensor([0.7071])
    """
    stretched = broadcast_tensors(x1, x2)  # the lengths are those of the stretched vectors
    one, two = (x / length(x, 2.0, dim, True).clamp(min=eps) for x in stretched)
    return (one * two).sum(dim)


@taught
@runs_in("full")
@rounded_once
def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """The p-norm of x1 - x2 + eps along the last axis; shapes stretch.

    Raises:
        ShapeError: The shapes do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> pairwise_distance(ml.tensor([[0.0, 0.0]]), ml.tensor([[3.0, 4.0]]))
        tensor([5.0000])
    """
    return length(x1 - x2 + eps, p, -1, keepdim)


__all__ = ["cosine_similarity", "normalize", "pairwise_distance"]
