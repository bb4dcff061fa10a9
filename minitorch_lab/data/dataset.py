"""Datasets: a length, and an example for each index."""

from __future__ import annotations

from typing import Any

from ..errors import ArgumentError, ShapeError
from ..tensor import Tensor
from .collate import collate


class Dataset:
    """The base of datasets. A subclass says how many examples there are and what the example at an index is.

    Example:
        >>> import minitorch_lab as ml
        >>> class Squares(ml.data.Dataset):
        ...     def __len__(self):
        ...         return 5
        ...
        ...     def __getitem__(self, index):
        ...         return float(index), float(index * index)
        >>> x, y = Squares().batch([1, 3])
        >>> y.tolist()
        [1.0, 9.0]
    """

    def __len__(self) -> int:
        """How many examples there are."""
        raise unwritten(self, "__len__(self)")

    def __getitem__(self, index: Any) -> Any:
        """The example at `index`: a tensor, a number, or a tuple of them."""
        raise unwritten(self, "__getitem__(self, index)")

    def batch(self, indices: list[int]) -> Any:
        """The examples at `indices`, stacked along a new first axis. Override it to fetch many at once."""
        return collate([self[i] for i in indices])


class TensorDataset(Dataset):
    """Tensors with a common first axis: example `i` is the tuple of their rows `i`.

    Raises:
        ShapeError: The lengths differ, or a tensor has no axis.
        ArgumentError: Something that is given is no tensor, or nothing is given.

    Example:
        >>> import minitorch_lab as ml
        >>> pairs = ml.data.TensorDataset(ml.zeros(5, 2), ml.arange(5))
        >>> len(pairs), pairs[3][1].item()
        (5, 3)
    """

    def __init__(self, *tensors: Tensor) -> None:
        """Keep the tensors; nothing is copied."""
        check_rows(tensors)
        self.tensors = tensors

    def __len__(self) -> int:
        """The length of the first axis."""
        return self.tensors[0].shape[0]

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        """The rows at `index`, which may be a number, a slice or a list."""
        return tuple(tensor[index] for tensor in self.tensors)

    def batch(self, indices: list[int]) -> tuple[Tensor, ...]:
        """All rows at once: one indexing per tensor."""
        return self[indices]


def check_rows(tensors: tuple[Any, ...]) -> None:
    """Raise unless `tensors` are tensors of one length."""
    for tensor in tensors or (None,):
        if not isinstance(tensor, Tensor):
            raise ArgumentError(
                "TensorDataset got " + (f"a {type(tensor).__name__}." if tensors else "nothing."),
                "It takes one or more tensors.",
                "Did you mean TensorDataset(ml.tensor(x), ml.tensor(y))?",
            )
    shapes = [tuple(tensor.shape) for tensor in tensors]
    if not all(shapes) or len({shape[0] for shape in shapes}) > 1:
        raise ShapeError(
            f"TensorDataset got the shapes {', '.join(map(str, shapes))}.",
            "Row i of every tensor belongs to example i, so the first axes have one length.",
            "Did you swap or cut one of the tensors?",
        )


def unwritten(dataset: Dataset, method: str) -> ArgumentError:
    """A subclass of Dataset lacks one of its two methods."""
    cls = type(dataset).__name__
    return ArgumentError(
        f"{cls} has no {method.partition('(')[0]}.",
        "A dataset says its length and the example at an index.",
        f"Write def {method}: ... in class {cls}.",
    )
