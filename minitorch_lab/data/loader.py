"""DataLoader: a dataset in batches, in order, shuffled, or as a sampler says."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, islice, repeat
from typing import Any, Generic, Protocol, TypeVar

from ..errors import ArgumentError
from ..func.trees import mapped
from ..ops.front import taught
from ..ops.meant import is_batch, shown
from ..ops.random import DEFAULT, Generator, is_state
from ..ops.threefry import joined
from ..tensors.cuda import is_available
from ..tensors.tensor import Tensor
from .dataset import IterableDataset
from .fetching import Fetch
from .sampler import BatchSampler, RandomSampler, SequentialSampler, count

METHODS = ("spawn",) if sys.platform == "win32" else ("fork", "spawn", "forkserver")
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
        dataset: A `Dataset`, or anything with a length and indexing; or an `IterableDataset`.
        batch_size: Examples per batch, at least 1; None gives the examples one by one.
        shuffle: Whether each pass has a new random order.
        sampler: Positions, instead of an order.
        batch_sampler: Lists of positions, one for each batch, instead of a size and an order.
        num_workers: How many processes make batches, while the program works on those that are there; 0: this one does,
            when it is asked. Their arrays come by shared memory. Order and batches are the same with any number.
        collate_fn: From a list of examples to a batch, instead of stacking them. Workers call it.
        pin_memory: Whether tensors are brought into memory from which a GPU copies faster; only where there is one.
        drop_last: Whether to leave out a last batch that is smaller.
        timeout: Seconds that a worker may take for a batch; 0: any time.
        worker_init_fn: Called in each worker, with its number, before it reads.
        multiprocessing_context: How workers start: "fork" copies this process, "spawn" starts a new Python. A context
            of `multiprocessing` will do; left out, it is the usual one of Python on this system.
        generator: Where the order and the seeds of workers come from; the global one if left out.
        prefetch_factor: How many batches each worker makes ahead; 2 if left out.
        persistent_workers: Whether workers stay when a pass is over, and read for the next.
        pin_memory_device: Taken as in PyTorch; there is one kind of GPU.
        in_order: Whether batches come in the order of the sampler; False: as soon as they are ready.

    Raises:
        ArgumentError: The batch size is not a positive whole number, the dataset is none, the order is said twice, or
            something is said of workers and there are none.
        WorkerError: In a pass: a worker has ended, or gave no batch in time.

    What a dataset raises in a worker is raised here, with a note that says which worker, at which example, and where.

    Example:
        >>> import minitorch_lab as ml
        >>> loader = ml.data.DataLoader(ml.data.TensorDataset(ml.arange(5)), batch_size=2)
        >>> [batch.tolist() for (batch,) in loader], len(loader)
        ([[0, 1], [2, 3], [4]], 3)
    """

    @taught
    def __init__(
        self,
        dataset: Sized[Example] | Iterable[Example],
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[int] | None = None,
        batch_sampler: Iterable[list[int]] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Example]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        """Check the arguments; nothing is read yet."""
        check_dataset(dataset)
        streams = isinstance(dataset, IterableDataset)
        check_order(streams, bool(shuffle), sampler, batch_sampler, batch_size, drop_last)
        self.dataset: Any = dataset
        self.batch_size, self.shuffle, self.drop_last = batch_size, bool(shuffle), drop_last
        self.generator, self.collate_fn = generator, collate_fn
        check_workers(num_workers, timeout, prefetch_factor, persistent_workers, multiprocessing_context)
        self.num_workers, self.timeout, self.in_order = num_workers, timeout, in_order
        self.prefetch_factor = prefetch_factor or (2 if num_workers else None)
        self.worker_init_fn, self.multiprocessing_context = worker_init_fn, multiprocessing_context
        self.persistent_workers, self._pool = persistent_workers, None
        self._place = self._resumed = None
        self.pin_memory, self.pin_memory_device = pin_memory, pin_memory_device
        if sampler is None and not streams:
            sampler = RandomSampler(self.dataset, generator=generator) if shuffle else SequentialSampler(self.dataset)
        if batch_sampler is None and batch_size is not None and sampler is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.sampler, self.batch_sampler = sampler, batch_sampler

    def __len__(self) -> int:
        """How many batches one pass has.

        Raises:
            ArgumentError: The dataset streams, or a sampler gives positions one by one, and says no length.
        """
        if self.batch_sampler is not None:
            return count(self.batch_sampler)
        n, size = count(self.dataset if self.sampler is None else self.sampler), self.batch_size or 1
        return n // size if self.drop_last else -(-n // size)

    def __iter__(self) -> Iterator[Any]:
        """One pass over the dataset. One random number is drawn for it, from which workers have their seeds."""
        source, tasks = self._source(), self.sampler if self.batch_sampler is None else self.batch_sampler
        now = source.get_state()
        place, self._resumed = self._resumed or {"generator": now, "taken": 0}, None
        source.set_state(place["generator"])
        high, low = source.words((1,))
        fetch = Fetch(self.dataset, self.batch_size is not None, self.collate_fn, self.batch_size, self.drop_last)
        rest = repeat(None) if tasks is None else iter(tasks)
        deque(islice(rest, 0 if tasks is None else place["taken"]), 0)
        if place["taken"] and self.generator is None:
            source.set_state(now)  # where the rest of the program stands is not for a loader to say
        if self.num_workers:
            batches = self._from_workers(fetch, rest, int(joined(high, low)[0]))
        else:
            batches = map(fetch.begin(), rest)
        if tasks is None:  # a stream is read again up to its place
            deque(islice(batches, place["taken"]), 0)
        batches = map(pinned, batches) if self.pin_memory and is_available() else batches
        self._place = place
        return chain(map(partial(counted, place), batches), self._ended(place))

    def _source(self) -> Generator:
        return DEFAULT if self.generator is None else self.generator

    def _ended(self, place: dict[str, Any]) -> Iterator[Any]:
        self._place = None if self._place is place else self._place
        yield from ()

    def state_dict(self) -> dict[str, Any]:
        """Where the pass that is under way stands, for `ml.save`: what the order was drawn from, and the batches taken.

        Example:
            >>> import minitorch_lab as ml
            >>> loader = ml.data.DataLoader(range(6), batch_size=2, shuffle=True, generator=ml.Generator(0))
            >>> batches = iter(loader)
            >>> _ = next(batches)
            >>> state = loader.state_dict()
            >>> again = ml.data.DataLoader(range(6), batch_size=2, shuffle=True, generator=ml.Generator(5))
            >>> again.load_state_dict(state)
            >>> [batch.tolist() for batch in again] == [batch.tolist() for batch in batches]
            True
        """
        return dict(self._place or {"generator": self._source().get_state(), "taken": 0})

    @taught
    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Have the next pass go on where another one stood, in its order.

        Positions are skipped without reading; a stream is read again from its beginning. Random numbers that a dataset
        draws in workers are those of a pass that starts, unless it takes them from its own `Generator` by index.

        Raises:
            ArgumentError: It is no state of a loader.
        """
        taken = state_dict.get("taken")
        if not is_state(state_dict.get("generator")) or not isinstance(taken, int) or taken < 0:
            raise ArgumentError(
                f"load_state_dict got {state_dict!r}.",
                "The state of a loader says what its order was drawn from, and how many batches were taken.",
                "Did you mean what loader.state_dict() gave?",
            )
        self._resumed = dict(state_dict)

    def _from_workers(self, fetch: Fetch, tasks: Iterable[Any], seed: int) -> Iterator[Any]:
        from .pool import Pool, opened  # multiprocessing takes a while to import

        pool = self._pool
        if pool is None or not pool.close.alive:
            pool = Pool(self, fetch, seed)
        self._pool = pool if self.persistent_workers else None
        return map(opened, pool.begin(tasks))

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the processes: a copy of a loader has workers of its own."""
        return {**vars(self), "_pool": None}


def counted(place: dict[str, Any], batch: Any) -> Any:
    """The batch, one more that was taken."""
    place["taken"] += 1
    return batch


def pinned(batch: Any) -> Any:
    """A batch with its tensors in memory that a GPU reads from faster."""
    return mapped(lambda leaf: leaf.pin_memory() if isinstance(leaf, Tensor) else leaf, batch)


def check_order(
    streams: bool, shuffle: bool, sampler: Any, batch_sampler: Any, batch_size: Any, drop_last: bool
) -> None:
    """Refuse a batch size that is none, and an order that is said twice.

    Raises:
        ArgumentError: It is.
    """
    if batch_size is not None and (not isinstance(batch_size, int) or batch_size < 1):
        raise ArgumentError(
            f"DataLoader got batch_size={shown(batch_size)}.",
            "A batch has a whole number of examples, at least 1; None gives them one by one.",
            "Did you mean DataLoader(TensorDataset(x, y), 32)?"
            if is_batch(batch_size)
            else "Did you mean batch_size=32?",
        )
    given = {"sampler": sampler is not None, "batch_sampler": batch_sampler is not None, "shuffle=True": shuffle}
    said = [name for name, there in given.items() if there]
    if streams and said:
        raise ArgumentError(
            f"DataLoader got {said[0]} and a dataset that streams.",
            "An IterableDataset says itself what comes next.",
            f"Leave {said[0].partition('=')[0]} out.",
        )
    if len(said) > 1 or (batch_sampler is not None and (batch_size != 1 or drop_last)):
        more = [*said, *(["batch_size"] if batch_size != 1 else []), *(["drop_last"] if drop_last else [])]
        raise ArgumentError(
            f"DataLoader got {' and '.join(more)}.",
            "Each says which examples make a batch.",
            "Keep one of them: a batch_sampler stands for batch_size, shuffle, sampler and drop_last.",
        )


def check_dataset(dataset: Any) -> None:
    """Raise ArgumentError unless `dataset` has a length and indexing."""
    if not hasattr(dataset, "__getitem__"):
        raise ArgumentError(
            f"DataLoader got a {type(dataset).__name__}.",
            "A dataset has a length and an example for each index, or is an IterableDataset.",
            "Did you mean ml.data.TensorDataset(x, y)?",
        )


def check_workers(n: Any, timeout: Any, prefetch_factor: Any, persistent_workers: bool, context: Any) -> None:
    """Refuse numbers that are none, and what is said of workers where there are none.

    Raises:
        ArgumentError: There is such a thing.
    """
    numbers = {"num_workers": (n, 0), "timeout": (timeout, 0), "prefetch_factor": (prefetch_factor, 1)}
    for name, (value, least) in numbers.items():
        kinds = (int, float) if name == "timeout" else int
        if value is not None and (not isinstance(value, kinds) or value < least):
            raise ArgumentError(
                f"DataLoader got {name}={value!r}.",
                f"It is a {'number of seconds' if name == 'timeout' else 'whole number'}, at least {least}.",
                f"Did you mean {name}=2?",
            )
    said = {
        "prefetch_factor": prefetch_factor is not None,
        "persistent_workers": persistent_workers,
        "multiprocessing_context": context is not None,
    }
    if n == 0 and any(said.values()):
        raise ArgumentError(
            f"DataLoader got {' and '.join(name for name, there in said.items() if there)}, and num_workers=0.",
            "They are about workers, and there are none.",
            "Did you mean num_workers=2?",
        )
    if context is not None and not hasattr(context, "Process") and context not in METHODS:
        raise ArgumentError(
            f"DataLoader got multiprocessing_context={context!r}.",
            f"A context is one of multiprocessing's, or one of the names {', '.join(METHODS)}.",
            'Did you mean "fork"?' if "fork" in METHODS else 'Did you mean "spawn"?',
        )
