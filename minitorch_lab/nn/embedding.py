"""Embedding: a vector for each number."""

from __future__ import annotations

from ..array import float32
from ..autograd import no_grad
from ..ops.front import taught
from ..random import randn
from ..tensor import Tensor
from . import functional as F  # noqa: N812
from .module import Module
from .parameter import Parameter


class Embedding(Module):
    """A table with a row of weights for each of `num_embeddings` numbers. Rows start as normal deviates.

    Args:
        num_embeddings: How many numbers there are: 0 to num_embeddings - 1.
        embedding_dim: Length of a row.
        padding_idx: A number whose row is 0 at first and learns nothing.
        dtype: float32 or float64.

    Shape:
        x int64 of any shape, weight (num_embeddings, embedding_dim), result (*x.shape, embedding_dim).

    Raises:
        DTypeError: The input is not of whole numbers.
        ShapeError: A number has no row.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Embedding(10, 3)(ml.tensor([[1, 2], [1, 9]])).shape
        (2, 2, 3)
    """

    weight: Tensor

    @taught
    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None, dtype: object = float32
    ) -> None:
        """Draw the rows from the global generator."""
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        self.weight = Parameter(randn(num_embeddings, embedding_dim, dtype=dtype))
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx] = 0.0

    def forward(self, x: Tensor) -> Tensor:
        """Whole numbers in, a row for each out."""
        return F.embedding(x, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        """The sizes."""
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"
