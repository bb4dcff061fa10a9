"""Datasets: a length, and an example for each index; or a stream of examples."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any

from ..errors import ArgumentError, BoundsError, ShapeError
from ..ops.meant import describe_value
from ..tensors.tensor import Tensor
from .collate import default_collate


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

    def __class_getitem__(cls, example: Any) -> type:
        """`Dataset[Tensor]` says to a reader what the examples are; it is the same class."""
        return cls

    def __len__(self) -> int:
        """How many examples there are."""
        raise unwritten(self, "__len__(self)")

    def __add__(self, other: Any) -> Dataset:
        """The examples of this one, then those of another: a `ConcatDataset`."""
        return ConcatDataset([self, other])

    def __getitem__(self, index: Any) -> Any:
        """The example at `index`: a tensor, a number, or a tuple of them."""
        raise unwritten(self, "__getitem__(self, index)")

    def batch(self, indices: list[int]) -> Any:
        """The examples at `indices`, stacked along a new first axis. Override it to fetch many at once."""
        return default_collate(examples(self, indices))


class IterableDataset(Dataset):
    """A dataset that streams: it is gone through from the front, and has no index. A subclass writes `__iter__`.

    Example:
        >>> import minitorch_lab as ml
        >>> class Countdown(ml.data.IterableDataset):
        ...     def __iter__(self):
        ...         return iter([3, 2, 1])
        >>> [batch.tolist() for batch in ml.data.DataLoader(Countdown(), batch_size=2)]
        [[3, 2], [1]]
    """

    def __iter__(self) -> Iterator[Any]:
        """The examples of one pass."""
        raise unwritten(self, "__iter__(self)")

    def __add__(self, other: Any) -> Dataset:
        """The examples of this one, then those of another: a `ChainDataset`."""
        return ChainDataset([self, other])


class ConcatDataset(Dataset):
    """Datasets one after the other. `a + b` is the same.

    Raises:
        ArgumentError: There is none, or one that streams.
        BoundsError: The index is out of range.

    Example:
        >>> both = ConcatDataset(["abc", "de"])
        >>> len(both), both[3], both[-1], both.cumulative_sizes
        (5, 'd', 'e', [3, 5])
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        """Keep the datasets; nothing is copied."""
        self.datasets = list(datasets)
        if not self.datasets or any(isinstance(part, IterableDataset) for part in self.datasets):
            raise ArgumentError(
                "ConcatDataset got " + ("an IterableDataset." if self.datasets else "nothing."),
                "It takes one or more datasets with a length.",
                "Did you mean ChainDataset?",
            )
        self.cumulative_sizes = list(accumulate(len(part) for part in self.datasets))

    def __len__(self) -> int:
        """All lengths together."""
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: int) -> Any:
        """The example at `index`, counted through."""
        n = len(self)
        if not -n <= index < n:
            raise BoundsError(
                f"ConcatDataset got the index {index}.", f"It has {n} examples.", f"They are numbered {-n} to {n - 1}."
            )
        index %= n
        which = bisect_right(self.cumulative_sizes, index)
        return self.datasets[which][index - (self.cumulative_sizes[which - 1] if which else 0)]


class ChainDataset(IterableDataset):
    """Streams one after the other.

    Example:
        >>> list(ChainDataset([[1, 2], [3]]))
        [1, 2, 3]
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        """Keep the streams."""
        self.datasets = datasets

    def __iter__(self) -> Iterator[Any]:
        """One pass over all."""
        for part in self.datasets:
            yield from part

    def __len__(self) -> int:
        """All lengths together, if every stream has one."""
        return sum(len(part) for part in self.datasets)


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
            unpacked = isinstance(tensor, (list, tuple)) and all(isinstance(part, Tensor) for part in tensor)
            raise ArgumentError(
                f"TensorDataset got {describe_value(tensor) if tensors else 'nothing'}.",
                "It takes one or more tensors.",
                "Did you mean TensorDataset(*tensors)?"
                if unpacked
                else "Did you mean TensorDataset(ml.tensor(x), ml.tensor(y))?",
            )
    shapes = [tuple(tensor.shape) for tensor in tensors]
    if not all(shapes) or len({shape[0] for shape in shapes}) > 1:
        raise ShapeError(
            f"TensorDataset got the shapes {', '.join(map(str, shapes))}.",
            "Row i of every tensor belongs to example i, so the first axes have one length.",
            "Did you swap or cut one of the tensors?",
        )


def unwritten(dataset: Dataset, method: str) -> ArgumentError:
    """A subclass of Dataset lacks one of its methods."""
    cls = type(dataset).__name__
    return ArgumentError(
        f"{cls} has no {method.partition('(')[0]}.",
        "A dataset says its length and the example at an index; one that streams is iterated.",
        f"Write def {method}: ... in class {cls}.",
    )


def fetch(dataset: Any, indices: list[int]) -> Any:
    """The batch of the examples at `indices`, as the dataset makes it if it does."""
    if isinstance(dataset, Dataset):
        return dataset.batch(indices)
    return default_collate(examples(dataset, indices))


def examples(dataset: Any, indices: list[int]) -> list[Any]:
    """The examples at `indices`: all at once where a dataset has PyTorch's `__getitems__`."""
    at_once = getattr(dataset, "__getitems__", None)
    return [dataset[i] for i in indices] if at_once is None else at_once(indices)
