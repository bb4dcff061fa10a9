"""Samplers: which examples come, and in which order. A loader asks one anew for every pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice
from typing import Any

from ..core.array import float64
from ..errors import ArgumentError
from ..ops.front import taught
from ..ops.random import Generator
from ..tensors.interchange import as_tensor
from ..tensors.random import multinomial, randint, randperm


class Sampler:
    """The base of samplers: an iterable of positions in a dataset, or of lists of them.

    Example:
        >>> import minitorch_lab as ml
        >>> class Backwards(ml.data.Sampler):
        ...     def __init__(self, dataset):
        ...         self.dataset = dataset
        ...
        ...     def __iter__(self):
        ...         return iter(range(len(self.dataset) - 1, -1, -1))
        >>> [batch.tolist() for batch in ml.data.DataLoader([1, 2, 3], batch_size=2, sampler=Backwards([1, 2, 3]))]
        [[3, 2], [1]]
    """

    def __init__(self, data_source: Any = None) -> None:
        """Nothing is kept: a subclass keeps what it needs."""

    def __class_getitem__(cls, kind: Any) -> type:
        """`Sampler[int]` says to a reader what comes; it is the same class."""
        return cls

    def __iter__(self) -> Iterator[Any]:
        """The positions of one pass."""
        raise ArgumentError(
            f"{type(self).__name__} has no __iter__.",
            "A sampler gives positions, one after the other.",
            f"Write def __iter__(self): ... in class {type(self).__name__}.",
        )


class SequentialSampler(Sampler):
    """Every position, in order.

    Example:
        >>> list(SequentialSampler("abc"))
        [0, 1, 2]
    """

    def __init__(self, data_source: Sized) -> None:
        """Keep the dataset, whose length counts."""
        self.data_source = data_source

    def __len__(self) -> int:
        """How many positions one pass has."""
        return len(self.data_source)

    def __iter__(self) -> Iterator[int]:
        """The positions in order."""
        return iter(range(len(self.data_source)))


class RandomSampler(Sampler):
    """Every position once, in a new order for every pass; or with replacement.

    Args:
        data_source: What has a length.
        replacement: Draw each position from all, so that one may come twice.
        num_samples: Positions in one pass; as many as there are if left out.
        generator: Where the order comes from; the global one if left out.

    Raises:
        ArgumentError: The number of samples is not a positive whole number.

    Example:
        >>> sorted(RandomSampler("abc"))
        [0, 1, 2]
    """

    @taught
    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        """Check the number; nothing is drawn yet."""
        if num_samples is not None:
            check_count("RandomSampler", "num_samples", num_samples)
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self.wanted = num_samples

    @property
    def num_samples(self) -> int:
        """Positions in one pass."""
        return len(self.data_source) if self.wanted is None else self.wanted

    def __len__(self) -> int:
        """Positions in one pass."""
        return self.num_samples

    def __iter__(self) -> Iterator[int]:
        """A new draw."""
        n, left = len(self.data_source), self.num_samples
        if self.replacement:
            yield from randint(0, n, (left,), generator=self.generator).tolist()
            return
        while left > 0:  # more than there are: another order after the first
            order = randperm(n, self.generator).tolist()[:left]
            left -= len(order)
            yield from order


class SubsetRandomSampler(Sampler):
    """Some positions, in a new order for every pass.

    Example:
        >>> sorted(SubsetRandomSampler([3, 1, 4]))
        [1, 3, 4]
    """

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        """Keep the positions."""
        self.indices, self.generator = indices, generator

    def __len__(self) -> int:
        """How many positions there are."""
        return len(self.indices)

    def __iter__(self) -> Iterator[int]:
        """A new order."""
        for i in randperm(len(self.indices), self.generator).tolist():
            yield self.indices[i]


class WeightedRandomSampler(Sampler):
    """Positions 0, 1, … drawn by weights, such as those that let rare classes come as often as common ones.

    Args:
        weights: One number for each position, 0 or more; they need no sum.
        num_samples: Positions in one pass.
        replacement: False: no position comes twice.
        generator: Where the draws come from; the global one if left out.

    Raises:
        ArgumentError: The weights are no row of numbers, or there are too few of them.

    Example:
        >>> list(WeightedRandomSampler([0.0, 1.0, 0.0], 4))
        [1, 1, 1, 1]
    """

    @taught
    def __init__(
        self, weights: Any, num_samples: int, replacement: bool = True, generator: Generator | None = None
    ) -> None:
        """Check the weights; nothing is drawn yet."""
        check_count("WeightedRandomSampler", "num_samples", num_samples)
        self.weights = as_tensor(weights, dtype=float64)
        if len(self.weights.shape) != 1:
            raise ArgumentError(
                f"WeightedRandomSampler got weights of shape {tuple(self.weights.shape)}.",
                "There is one weight for each example.",
                "Did you mean class_weights[labels]?",
            )
        self.num_samples, self.replacement, self.generator = num_samples, replacement, generator

    def __len__(self) -> int:
        """Positions in one pass."""
        return self.num_samples

    def __iter__(self) -> Iterator[int]:
        """A new draw."""
        return iter(multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator).tolist())


class BatchSampler(Sampler):
    """Lists of positions: those of another sampler, `batch_size` at a time.

    Raises:
        ArgumentError: The batch size is not a positive whole number.

    Example:
        >>> list(BatchSampler(SequentialSampler("abcde"), 2, drop_last=False))
        [[0, 1], [2, 3], [4]]
    """

    @taught
    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool = False) -> None:
        """Check the size."""
        check_count("BatchSampler", "batch_size", batch_size)
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __len__(self) -> int:
        """Lists in one pass."""
        full, rest = divmod(count(self.sampler), self.batch_size)
        return full + (rest > 0 and not self.drop_last)

    def __iter__(self) -> Iterator[list[int]]:
        """One pass."""
        return in_batches(self.sampler, self.batch_size, self.drop_last)


def in_batches(items: Iterable[Any], size: int, drop_last: bool) -> Iterator[list[Any]]:
    """The items in lists of `size`; a last one that is shorter unless it is dropped."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        if len(batch) == size or not drop_last:
            yield batch


def count(items: Any) -> int:
    """The length of what may have none.

    Raises:
        ArgumentError: It has none.
    """
    if not hasattr(items, "__len__"):
        raise ArgumentError(
            f"A {type(items).__name__} has no length.", "It says what comes one by one.", "Write def __len__(self): ..."
        )
    return len(items)


def check_count(owner: str, name: str, n: Any) -> None:
    """Refuse what is no positive whole number.

    Raises:
        ArgumentError: It is none.
    """
    if not isinstance(n, int) or n < 1:
        raise ArgumentError(
            f"{owner} got {name}={n!r}.", "It is a whole number, at least 1.", f"Did you mean {name}=8?"
        )
