"""A pass that is saved and resumed gives the batches that were left, and the passes after it are the same ones."""

from __future__ import annotations

import itertools

import pytest

import minitorch_lab as ml
from minitorch_lab.data import DataLoader, IterableDataset
from minitorch_lab.errors import ArgumentError
from tests.data.working import Numbers, marks, nothing_left, plain

pytestmark = marks


class Count(IterableDataset):
    def __iter__(self):
        return iter(range(7))


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("own", [True, False], ids=["own generator", "global"])
@pytest.mark.parametrize("taken", [0, 1, 3, 4])
def test_what_is_left_of_a_pass_and_the_passes_after_it(taken, own, workers, tmp_path):
    def make(seed):
        ml.manual_seed(seed)
        generator = ml.Generator(seed) if own else None
        return DataLoader(Numbers(), 3, shuffle=True, generator=generator, num_workers=workers)

    def steps(batches):
        return [(batch.tolist(), ml.rand(1).item()) for batch in batches]  # as a program with dropout draws

    loader = make(1)
    steps(loader)  # a whole pass before
    batches = iter(loader)
    steps(itertools.islice(batches, taken))
    ml.save([loader.state_dict(), ml.get_rng_state()], tmp_path / "run.npz")
    expected = [steps(batches), steps(loader), loader.state_dict()]

    second = make(2)
    state, random = ml.load(tmp_path / "run.npz")
    second.load_state_dict(state)
    ml.set_rng_state(random)
    assert [steps(second), steps(second), second.state_dict()] == expected
    assert nothing_left()


@pytest.mark.parametrize("workers", [0, 2])
def test_a_stream_is_read_again_up_to_its_place(workers):
    loader = DataLoader(Count(), 2, num_workers=workers)
    batches = iter(loader)
    for _ in range(3):
        next(batches)
    second = DataLoader(Count(), 2, num_workers=workers)
    second.load_state_dict(loader.state_dict())
    assert plain(second) == plain(batches)
    assert plain(second) == plain(loader)


def test_a_pass_that_is_over_is_not_resumed():
    loader = DataLoader(Numbers(), 5)
    whole = plain(loader)
    assert loader.state_dict()["taken"] == 0
    second = DataLoader(Numbers(), 5)
    second.load_state_dict(loader.state_dict())
    assert plain(second) == whole


@pytest.mark.parametrize("state", [{}, {"taken": 1}, {"generator": ml.Generator(0).get_state(), "taken": -1}])
def test_what_is_no_state_is_refused(state):
    with pytest.raises(ArgumentError, match=r"load_state_dict got \{.*\n.*\n.*what loader.state_dict\(\) gave\?"):
        DataLoader(Numbers()).load_state_dict(state)
