"""Embedding: a vector for each number."""

from __future__ import annotations

from typing import Any, Self

from ..autograd import no_grad
from ..tensors.random import randn
from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .module import Module
from .parameter import Parameter


class Table(Module):
    """What `Embedding` and `EmbeddingBag` share: the rows, and how they are measured and learned."""

    weight: Tensor
    mode: str | None = None
    include_last_offset = False

    def fill(
        self,
        shape: tuple[int, int],
        padding_idx: int | None,
        lengths: tuple[float | None, float],
        switches: tuple[bool, bool],
        weight: Tensor | None,
        dtype: Any,
    ) -> None:
        """Keep the settings, and draw the rows from the global generator unless they are given."""
        self.num_embeddings, self.embedding_dim = shape
        self.max_norm, self.norm_type = lengths
        self.scale_grad_by_freq, self.sparse = switches
        self.padding_idx = None if padding_idx is None else padding_idx % shape[0]
        self.weight = Parameter(randn(*shape, dtype=dtype) if weight is None else weight)
        if self.padding_idx is not None and weight is None:
            with no_grad():
                self.weight[self.padding_idx] = 0.0

    @classmethod
    def from_pretrained(cls, embeddings: Tensor, freeze: bool = True, **settings: Any) -> Self:
        """A table of rows that are there: (numbers, width). They learn nothing if `freeze`.

        Example:
            >>> import minitorch_lab as ml
            >>> ml.nn.Embedding.from_pretrained(ml.eye(3))(ml.tensor(2)).tolist()
            [0.0, 0.0, 1.0]
        """
        numbers, width = embeddings.shape
        make: Any = cls
        table = make(numbers, width, _weight=embeddings, **settings)
        table.weight.requires_grad_(not freeze)
        return table

    def learning(self) -> dict[str, Any]:
        """The settings that the functions take by name."""
        names = ("padding_idx", "max_norm", "norm_type", "scale_grad_by_freq", "sparse")
        return {name: getattr(self, name) for name in names}

    def extra_repr(self) -> str:
        """The sizes, and the settings that are not the usual ones."""
        usual = {"max_norm": None, "norm_type": 2.0, "scale_grad_by_freq": False, "sparse": False}
        given = {name: value for name, value in self.learning().items() if value != usual.get(name)}
        mode = {} if self.mode is None else {"mode": repr(self.mode)}
        padding = {"padding_idx": given.pop("padding_idx")} if "padding_idx" in given else {}
        shown = {**given, **mode, **padding} if mode else {**padding, **given}
        return ", ".join([f"{self.num_embeddings}, {self.embedding_dim}", *(f"{k}={v}" for k, v in shown.items())])


class Embedding(Table):
    """A table with a row of weights for each of `num_embeddings` numbers. Rows start as normal deviates.

    Args:
        num_embeddings: How many numbers there are: 0 to num_embeddings - 1.
        embedding_dim: Length of a row.
        padding_idx: A number whose row is 0 at first and learns nothing.
        max_norm: Rows that are asked for and are longer are shortened first, where they stand.
        norm_type: The p-norm by which rows are measured.
        scale_grad_by_freq: The gradient of a row is the mean of its cotangents, not their sum.
        sparse: PyTorch's choice of how a gradient is stored; it changes nothing here.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

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

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        """Draw the rows from the global generator."""
        super().__init__()
        switches = scale_grad_by_freq, sparse
        self.fill((num_embeddings, embedding_dim), padding_idx, (max_norm, norm_type), switches, _weight, dtype)

    def forward(self, x: Tensor) -> Tensor:
        """Whole numbers in, a row for each out."""
        return F.embedding(x, self.weight, **self.learning())


class EmbeddingBag(Table):
    """The rows of an `Embedding` for bags of numbers, added up, averaged, or the largest entries of them.

    Args:
        num_embeddings: How many numbers there are.
        embedding_dim: Length of a row.
        max_norm: Rows that are asked for and are longer are shortened first, where they stand.
        norm_type: The p-norm by which rows are measured.
        scale_grad_by_freq: The gradient of a row is the mean of its cotangents, not their sum.
        mode: "sum", "mean" or "max".
        sparse: PyTorch's choice of how a gradient is stored; it changes nothing here.
        include_last_offset: The last of the offsets is where the last bag ends.
        padding_idx: A number that belongs to no bag.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x int64, (bags, length), or (n,) with the bags one after the other and `offsets`, where each begins;
        weight (num_embeddings, embedding_dim), result (bags, embedding_dim).

    Raises:
        ArgumentError: There is no such mode.
        ShapeError: The input has other axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.EmbeddingBag(10, 3)(ml.tensor([1, 2, 4, 5]), ml.tensor([0, 3])).shape
        (2, 3)
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        """Draw the rows from the global generator."""
        super().__init__()
        self.mode, self.include_last_offset = mode, include_last_offset
        switches = scale_grad_by_freq, sparse
        self.fill((num_embeddings, embedding_dim), padding_idx, (max_norm, norm_type), switches, _weight, dtype)

    def forward(self, x: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None) -> Tensor:
        """Bags of whole numbers in, a row for each bag out."""
        return F.embedding_bag(
            x,
            self.weight,
            offsets,
            self.mode or "mean",
            per_sample_weights,
            self.include_last_offset,
            **self.learning(),
        )
