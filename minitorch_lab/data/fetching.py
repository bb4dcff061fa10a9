"""Fetching: from a task, the positions that a sampler gives, to a batch. The same here and in a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .collate import default_collate, default_convert
from .dataset import IterableDataset, examples, fetch
from .sampler import in_batches


@dataclass
class Fetch:
    """How a loader makes batches.

    Attributes:
        dataset: Where the examples come from.
        batched: Whether a task is a list of positions, or one.
        collate_fn: From a list of examples to a batch, or from one example to what is handed out; None for the default.
        batch_size: How many examples of a stream make a batch.
        drop_last: Whether a last batch of a stream that is smaller is left out.
    """

    dataset: Any
    batched: bool
    collate_fn: Callable[[Any], Any] | None
    batch_size: int | None
    drop_last: bool

    def begin(self) -> Callable[[Any], Any]:
        """What makes a batch of a task, for one pass. A stream asks no task, and ends with StopIteration."""
        collate = self.collate_fn or (default_collate if self.batched else default_convert)
        if isinstance(self.dataset, IterableDataset):
            stream: Iterator[Any] = iter(self.dataset)
            items = in_batches(stream, self.batch_size or 1, self.drop_last) if self.batched else stream
            return lambda task: collate(next(items))
        if not self.batched:
            return lambda index: collate(self.dataset[index])
        if self.collate_fn is None:
            return lambda indices: fetch(self.dataset, indices)
        return lambda indices: collate(examples(self.dataset, indices))


class Positions(list[int]):
    """A list of positions that knows which of them is being looked at: where an error came from."""

    at: int | None = None

    def __iter__(self) -> Iterator[int]:
        """One after the other."""
        for self.at in super().__iter__():
            yield self.at
        self.at = None
