"""The loader beside torch's, with and without workers."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import torch.utils.data as theirs

from minitorch_lab import data as ours

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:This DataLoader will create:UserWarning"),
    pytest.mark.filterwarnings("ignore:os.fork.. was called:RuntimeWarning"),  # JAX's, if a test before used it
]
N = 11


class Rows:
    """A dataset of nobody's: an example is a float, a tuple and a string."""

    def __len__(self) -> int:
        return N

    def __getitem__(self, i: int) -> Any:
        return float(i), (i, i * i), f"row {i}"


class AtOnce(Rows):
    """One that hands out many examples at once."""

    def __getitems__(self, indices: list[int]) -> list[Any]:
        return [(100 + i, indices[0]) for i in indices]


class Stream:
    """A stream that shares its numbers out among the workers, unevenly."""

    library: Any = None

    def __iter__(self) -> Any:
        info = self.library.get_worker_info()
        return iter(range(N)) if info is None else iter(range(info.id * info.id, N, info.num_workers))


class OurStream(Stream, ours.IterableDataset):
    """Ours."""

    library = ours


class TheirStream(Stream, theirs.IterableDataset):
    """Torch's."""

    library = theirs


def plain(value: Any) -> Any:
    """Values without tensors."""
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value.tolist() if hasattr(value, "tolist") else value


def outcome(make: Any, *args: Any, **kwargs: Any) -> Any:
    """What a loader gives and how long it says it is; or which of Python's errors it raises."""
    try:
        loader = make(*args, **kwargs)
        return [plain(batch) for batch in loader], len(loader)
    except Exception as error:
        return [kind for kind in (ValueError, TypeError, IndexError, ZeroDivisionError) if isinstance(error, kind)][:1]


ORDERS: list[dict[str, Any]] = [
    *({"batch_size": size, "drop_last": last} for size, last in product((1, 3, N, 20), (False, True))),
    {"batch_size": None},
    {"batch_size": 4, "sampler": [3, 1, 4, 1, 5]},
    {"batch_size": None, "sampler": [3, 1]},
    {"batch_sampler": [[9, 2], [6], [5, 3, 5]]},
    {"batch_size": 2, "sampler": []},
    {"batch_size": 2, "collate_fn": len},
]
WRONG: list[dict[str, Any]] = [
    {"batch_size": 0},
    {"batch_size": 2, "batch_sampler": [[0]]},
    {"shuffle": True, "sampler": [0]},
    {"num_workers": -1},
    {"timeout": -1},
    {"prefetch_factor": 2},
    {"persistent_workers": True},
    {"multiprocessing_context": "fork"},
    {"num_workers": 1, "multiprocessing_context": "nothing"},
]


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("dataset", [Rows(), AtOnce()], ids=["rows", "at once"])
def test_the_same_batches(dataset: Any, workers: int) -> None:
    for how in ORDERS:
        found, expected = (outcome(lib.DataLoader, dataset, num_workers=workers, **how) for lib in (ours, theirs))
        assert found == expected, how


@pytest.mark.parametrize("workers", [0, 2])
def test_the_same_streams(workers: int) -> None:
    """As sets: where the shares are uneven, torch's order depends on who is faster. Ours does not."""
    for how in ({"batch_size": None}, {"batch_size": 2}, {"batch_size": 2, "drop_last": True}):
        pairs = ((ours, OurStream()), (theirs, TheirStream()))
        made = (lib.DataLoader(stream, num_workers=workers, **how) for lib, stream in pairs)
        found, expected = ([plain(batch) for batch in loader] for loader in made)
        assert sorted(map(str, found)) == sorted(map(str, expected)), how


@pytest.mark.parametrize("how", WRONG, ids=str)
def test_the_same_refusals(how: dict[str, Any]) -> None:
    found, expected = (outcome(lib.DataLoader, Rows(), **how) for lib in (ours, theirs))
    assert found == expected == [ValueError]


def test_the_same_parts() -> None:
    lists = [list(range(7)), list("abc")]
    for make in (
        lambda lib: lib.ConcatDataset(lists),
        lambda lib: lib.Subset(lists[0], [6, 0, 0]),
        lambda lib: lib.ChainDataset([OurStream(), OurStream()] if lib is ours else [TheirStream(), TheirStream()]),
        lambda lib: lib.SequentialSampler(lists[1]),
        lambda lib: lib.BatchSampler(range(7), 3, True),
        lambda lib: lib.BatchSampler(range(7), 3, False),
    ):
        found, expected = (list(make(lib)) for lib in (ours, theirs))
        assert found == expected


def sizes(lib: Any, shares: list[float]) -> list[int]:
    """The lengths of the parts of a split."""
    return [len(part) for part in lib.random_split(range(7), shares)]


@pytest.mark.parametrize("shares", [[7], [3, 4], [0.5, 0.5], [0.3, 0.3, 0.4], [0.1, 0.9], [1.0], [3, 3], [0.5, 0.6]])
def test_the_same_sizes_of_a_split(shares: list[float]) -> None:
    found, expected = (outcome(sizes, lib, shares) for lib in (ours, theirs))
    assert found == expected


def test_samplers_have_the_same_lengths() -> None:
    for make in (
        lambda lib: lib.RandomSampler(range(7)),
        lambda lib: lib.RandomSampler(range(7), num_samples=20),
        lambda lib: lib.RandomSampler(range(7), replacement=True, num_samples=3),
        lambda lib: lib.SubsetRandomSampler([3, 1, 2]),
        lambda lib: lib.WeightedRandomSampler([0.1, 0.9, 0.0], 9),
        lambda lib: lib.WeightedRandomSampler([0.1, 0.9, 0.3], 3, replacement=False),
    ):
        found, expected = (make(lib) for lib in (ours, theirs))
        assert len(list(found)) == len(list(expected)) == len(found) == len(expected)
        assert set(found) <= set(range(7))
    assert sorted(ours.RandomSampler(range(7))) == sorted(theirs.RandomSampler(range(7)))
