"""Parts of datasets, and datasets side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import floor, isclose
from typing import Any

from ..errors import ArgumentError, ShapeError
from ..ops.front import taught
from ..ops.random import Generator
from ..tensors.random import randperm
from .dataset import Dataset, fetch


class Subset(Dataset):
    """The examples of a dataset at some positions.

    Example:
        >>> part = Subset("abcdef", [1, 3])
        >>> len(part), part[1]
        (2, 'd')
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        """Keep both; nothing is copied."""
        self.dataset, self.indices = dataset, indices

    def __len__(self) -> int:
        """How many positions there are."""
        return len(self.indices)

    def __getitem__(self, index: Any) -> Any:
        """The example at the position that stands at `index`, or the examples at several."""
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def batch(self, indices: list[int]) -> Any:
        """The examples as the dataset batches them."""
        return fetch(self.dataset, [self.indices[i] for i in indices])


class StackDataset(Dataset):
    """Datasets side by side: example `i` is the tuple of their examples `i`, or a dict of them by name.

    Raises:
        ArgumentError: None is given, or both kinds are.
        ShapeError: The lengths differ.

    Example:
        >>> StackDataset("abc", [1, 2, 3])[1], StackDataset(letter="abc", number=[1, 2, 3])[1]
        (('b', 2), {'letter': 'b', 'number': 2})
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Keep the datasets."""
        self.datasets: Any = kwargs or args
        parts = args or tuple(kwargs.values())
        if not parts or (args and kwargs):
            raise ArgumentError(
                f"StackDataset got {len(args)} datasets without a name and {len(kwargs)} with one.",
                "They all have names, or none has.",
                "Did you mean StackDataset(images, labels)?",
            )
        lengths = sorted({len(part) for part in parts})
        if len(lengths) > 1:
            raise ShapeError(
                f"StackDataset got datasets of {lengths[0]} and of {lengths[-1]} examples.",
                "They stand side by side.",
                "Did you mean ConcatDataset?",
            )
        self.length = lengths[0]

    def __len__(self) -> int:
        """The length of each."""
        return self.length

    def __getitem__(self, index: int) -> Any:
        """The examples at `index`."""
        if isinstance(self.datasets, dict):
            return {name: part[index] for name, part in self.datasets.items()}
        return tuple(part[index] for part in self.datasets)


@taught
def random_split(dataset: Any, lengths: Sequence[float], generator: Generator | None = None) -> list[Subset]:
    """Divide a dataset at random.

    Args:
        dataset: Anything with a length and indexing.
        lengths: How many examples each part has, or shares that add up to 1.
        generator: Where the order comes from; the global one if left out.

    Returns:
        One `Subset` for each length.

    Raises:
        ArgumentError: The lengths do not add up to that of the dataset.

    Example:
        >>> [len(part) for part in random_split(range(10), [0.75, 0.25])]
        [8, 2]
    """
    n = len(dataset)
    sizes = by_shares(n, lengths) if isclose(sum(lengths), 1) and sum(lengths) <= 1 + 1e-9 else list(lengths)
    if sum(sizes) != n or not all(isinstance(size, int) for size in sizes):
        raise ArgumentError(
            f"random_split got the lengths {list(lengths)} for {n} examples.",
            "They add up to the number of examples, or to 1 if they are shares.",
            f"Did you mean {[n - n // 5, n // 5]}?",
        )
    order: list[int] = randperm(n, generator).tolist()
    ends = list(accumulate(sizes))
    return [Subset(dataset, order[int(end - size) : int(end)]) for size, end in zip(sizes, ends, strict=True)]


def by_shares(n: int, shares: Sequence[float]) -> list[float]:
    """Whole numbers near n · share that add up to n: what is left over goes to the first parts, one each."""
    sizes = [floor(n * share) for share in shares]
    for i in range(n - sum(sizes)):
        sizes[i % len(sizes)] += 1
    return list(sizes)
