"""Workers read the same batches as one process, in the same order, with seeds of their own."""

from __future__ import annotations

import multiprocessing
import os

import pytest

import minitorch_lab as ml
from minitorch_lab.data import DataLoader, IterableDataset, Subset, TensorDataset, get_worker_info
from minitorch_lab.errors import ArgumentError
from tests.data.working import (
    Asked,
    Numbers,
    Stream,
    loader,
    marks,
    nothing_left,
    plain,
)

pytestmark = marks


# ---- the same batches -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize(
    "how",
    [
        {"batch_size": 3},
        {"batch_size": 3, "drop_last": True},
        {"batch_size": None},
        {"batch_size": 20},
        {"batch_size": 4, "shuffle": True},
        {"batch_size": 2, "sampler": [9, 1, 1, 4, 0]},
        {"batch_sampler": [[1, 2], [0], [5, 6, 7]]},
        {"batch_size": 2, "collate_fn": tuple},
        {"batch_size": 1, "prefetch_factor": 1},
        {"batch_size": 1, "prefetch_factor": 7, "persistent_workers": True},
    ],
    ids=str,
)
def test_batches_are_those_of_one_process(how, workers):
    alone = {name: value for name, value in how.items() if name not in ("prefetch_factor", "persistent_workers")}
    one, many = (DataLoader(Numbers(), **alone), loader(Numbers(), workers=workers, **how))
    passes = []
    for each in (one, many):
        ml.manual_seed(3)
        passes.append([plain(each) for _ in range(2)])
    assert passes[0] == passes[1]
    assert len(one) == len(many) == len(passes[0][0])
    del each, many
    assert nothing_left()


def test_datasets_that_batch_by_themselves():
    rows = TensorDataset(ml.arange(12).reshape(6, 2), ml.arange(6.0))
    for dataset in (rows, Subset(rows, [5, 0, 3, 3])):
        one, many = (
            [[part.tolist() for part in batch] for batch in each]
            for each in (DataLoader(dataset, 2), loader(dataset, 2))
        )
        assert one == many


def test_a_spawned_worker_reads_the_same():
    assert plain(loader(Numbers(7), 2, workers=1, context="spawn")) == plain(DataLoader(Numbers(7), 2))
    assert nothing_left()


def test_batches_as_they_are_ready():
    read = multiprocessing.get_context("fork").Event()
    dataset = Numbers(4, at=0, do=read.wait)
    batches = iter(loader(dataset, in_order=False, prefetch_factor=1))
    assert [next(batches).item() for _ in range(3)] == [1, 2, 3]
    read.set()
    assert plain(batches) == [[0]]


def test_what_holds_for_this_process_holds_for_no_worker():
    def tracked():
        assert (ml.ones(1, requires_grad=True) * 2).requires_grad

    with ml.no_grad():
        assert plain(loader(Numbers(2, at=1, do=tracked))) == [[0], [1]]


# ---- streams --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lengths", [(4, 4), (1, 5), (0, 3), (5, 0, 2), (0, 0)])
@pytest.mark.parametrize("size", [None, 2])
def test_streams_take_turns_until_each_is_at_its_end(lengths, size):
    parts = [list(range(100 * i, 100 * i + n)) for i, n in enumerate(lengths)]
    cut = parts if size is None else [[part[k : k + size] for k in range(0, len(part), size)] for part in parts]
    turns = max(len(part) for part in cut)
    expected = [part[k] for k in range(turns) for part in cut if k < len(part)]
    each = loader(Stream(*lengths), size, workers=len(lengths), persistent_workers=True)
    assert [plain(each) for _ in range(2)] == [expected, expected]


def test_a_stream_that_asks_nobody_comes_once_from_each_worker():
    class Whole(IterableDataset):
        def __iter__(self):
            return iter(range(3))

    assert plain(loader(Whole(), None)) == [0, 0, 1, 1, 2, 2]


# ---- seeds ----------------------------------------------------------------------------------------------------------


def test_seeds_are_each_workers_own_and_come_again():
    def facts():
        return [[int(v) if k < 4 else float(v) for k, v in enumerate(row)] for row in loader(Asked(), None)]

    ml.manual_seed(5)
    first, second = facts(), facts()
    ml.manual_seed(5)
    again = facts()
    drawn = [[row[:3] + row[4:] for row in rows] for rows in (first, second, again)]
    assert drawn[0] == drawn[2] != drawn[1]
    assert [row[:2] for row in first] == [[0, 2], [1, 2], [0, 2], [1, 2]]
    seeds = {row[2] for row in first + second}
    assert len(seeds) == 4
    for which in (0, 1):
        expected = ml.rand(2, generator=ml.Generator(first[which][2])).tolist()
        assert [row[4] for row in first if row[0] == which] == expected
    assert len({row[3] for row in first} | {os.getpid()}) == 3


def test_seeds_come_from_the_loaders_generator():
    def seeds(generator):
        return [row[2] for row in loader(Asked(), None, generator=generator)]

    generator = ml.Generator(1)
    first = seeds(generator)
    assert first == seeds(ml.Generator(1)) != seeds(generator)


def test_an_init_function_is_called_in_each_worker():
    def name(worker):
        get_worker_info().dataset.n = 100 + worker

    class Named(Numbers):
        def __getitem__(self, index):
            return self.n

    assert plain(loader(Named(4), None, worker_init_fn=name)) == [100, 101, 100, 101]
    assert get_worker_info() is None


# ---- arguments ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ({"num_workers": -1}, "num_workers=-1.\n  It is a whole number, at least 0.\n  Did you mean num_workers=2?"),
        ({"num_workers": 1.5}, "num_workers=1.5.\n  It is a whole number, at least 0.\n  Did you mean num_workers=2?"),
        ({"timeout": -1}, "timeout=-1.\n  It is a number of seconds, at least 0.\n  Did you mean timeout=2?"),
        (
            {"num_workers": 1, "prefetch_factor": 0},
            "prefetch_factor=0.\n  It is a whole number, at least 1.\n  Did you mean prefetch_factor=2?",
        ),
        (
            {"prefetch_factor": 2, "persistent_workers": True},
            "prefetch_factor and persistent_workers, and num_workers=0.\n"
            "  They are about workers, and there are none.\n  Did you mean num_workers=2?",
        ),
        (
            {"num_workers": 1, "multiprocessing_context": "threads"},
            "multiprocessing_context='threads'.\n  A context is one of multiprocessing's, or one of the names fork, "
            'spawn, forkserver.\n  Did you mean "fork"?',
        ),
    ],
    ids=str,
)
def test_arguments_that_are_wrong(more, text):
    with pytest.raises(ArgumentError) as error:
        DataLoader(Numbers(), **more)
    assert str(error.value) == f"DataLoader got {text}"


def test_what_was_said_can_be_read():
    each = loader(Numbers(), timeout=3, persistent_workers=True, pin_memory=True)
    assert (each.num_workers, each.prefetch_factor, each.timeout, each.in_order) == (2, 2, 3, True)
    assert (each.persistent_workers, each.pin_memory, each.multiprocessing_context) == (True, True, "fork")
    assert DataLoader(Numbers()).prefetch_factor is None
    assert plain(each)[:2] == [[0], [1]]  # pinned only where there is a GPU
