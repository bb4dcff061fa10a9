"""DataLoader: a dataset in batches, in order or shuffled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, Protocol, TypeVar

from ..errors import ArgumentError
from ..ops.front import taught
from ..ops.random import Generator
from ..random import randperm
from .collate import collate
from .dataset import Dataset

Example = TypeVar("Example", covariant=True)


class Sized(Protocol[Example]):
    """What the loader needs of a dataset: a length and indexing. A list will do."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Example: ...


class DataLoader(Generic[Example]):
    """Go through `dataset` in batches, once per `for` loop.

    With `shuffle=True` every pass takes a new order from the generator, so `ml.manual_seed(n)` makes a whole training
    run repeatable.

    Args:
        dataset: A `Dataset`, or anything with a length and indexing.
        batch_size: Examples per batch, at least 1.
        shuffle: Whether each pass has a new random order.
        drop_last: Whether to leave out a last batch that is smaller.
        generator: Where the order comes from; the global one if left out.
        collate_fn: From a list of examples to a batch, instead of stacking them.

    Raises:
        ArgumentError: The batch size is not a positive whole number, or the dataset is none.

    Example:
        >>> import minitorch_lab as ml
        >>> loader = ml.data.DataLoader(ml.data.TensorDataset(ml.arange(5)), batch_size=2)
        >>> [batch.tolist() for (batch,) in loader], len(loader)
        ([[0, 1], [2, 3], [4]], 3)
    """

    @taught
    def __init__(
        self,
        dataset: Sized[Example],
        batch_size: int = 1,
        shuffle: bool = False,
        *,
        drop_last: bool = False,
        generator: Generator | None = None,
        collate_fn: Callable[[list[Example]], Any] | None = None,
    ) -> None:
        """Check the arguments; nothing is read yet."""
        check_dataset(dataset)
        if not isinstance(batch_size, int) or batch_size < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentError(
                f"DataLoader got batch_size={batch_size!r}.",
                "A batch has a whole number of examples, at least 1.",
                "Did you mean batch_size=32?",
            )
        self.dataset, self.batch_size, self.shuffle, self.drop_last = dataset, batch_size, shuffle, drop_last
        self.generator, self.collate_fn = generator, collate_fn

    def __len__(self) -> int:
        """How many batches one pass has."""
        full, rest = divmod(len(self.dataset), self.batch_size)
        return full + (rest > 0 and not self.drop_last)

    def __iter__(self) -> Iterator[Any]:
        """One pass over the dataset."""
        n, size = len(self.dataset), self.batch_size
        order: list[int] = randperm(n, self.generator).tolist() if self.shuffle else list(range(n))
        for start in range(0, len(self) * size, size):
            yield self._fetch(order[start : start + size])

    def _fetch(self, indices: list[int]) -> Any:
        if self.collate_fn is None and isinstance(self.dataset, Dataset):
            return self.dataset.batch(indices)
        return (self.collate_fn or collate)([self.dataset[i] for i in indices])


def check_dataset(dataset: Any) -> None:
    """Raise ArgumentError unless `dataset` has a length and indexing."""
    if not (hasattr(dataset, "__len__") and hasattr(dataset, "__getitem__")):
        raise ArgumentError(
            f"DataLoader got a {type(dataset).__name__}.",
            "A dataset has a length and an example for each index.",
            "Did you mean ml.data.TensorDataset(x, y)?",
        )
