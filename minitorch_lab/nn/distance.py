"""How near two vectors are to each other, as layers."""

from __future__ import annotations

from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .module import Module


class CosineSimilarity(Module):
    """The cosine of the angle between vectors along `dim`.

    Args:
        dim: The axis of the vectors.
        eps: The least length that a vector counts with.

    Raises:
        ShapeError: The shapes do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.CosineSimilarity()(ml.tensor([[2.0, 0.0]]), ml.tensor([[3.0, 0.0]])).tolist()
        [1.0]
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        """Remember the settings."""
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Two tensors whose shapes stretch in, one without the axis out."""
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The p-norm of the difference of two tensors of vectors, along the last axis.

    Args:
        p: Which norm.
        eps: Added to each difference.
        keepdim: Keep the axis, with length 1.

    Raises:
        ShapeError: The shapes do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.PairwiseDistance(eps=0.0)(ml.tensor([[0.0, 0.0]]), ml.tensor([[3.0, 4.0]])).tolist()
        [5.0]
    """

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Two tensors whose shapes stretch in, the distances out."""
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
