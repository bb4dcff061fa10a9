"""Flatten: from images to rows."""

from __future__ import annotations

from ..tensors.tensor import Tensor
from .module import Module


class Flatten(Module):
    """Make the axes `start_dim` to `end_dim` one. The default keeps the first axis, the batch.

    Raises:
        ShapeError: The input has no such axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Flatten()(ml.zeros(5, 8, 8)).shape
        (5, 64)
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        """Remember the axes."""
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, x: Tensor) -> Tensor:
        """A view where the memory allows it."""
        return x.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        """The axes."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"
