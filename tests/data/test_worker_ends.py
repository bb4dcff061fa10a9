"""However a pass ends, no process and no shared memory is left."""

from __future__ import annotations

import gc
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress

import numpy as np
import pytest

from minitorch_lab.errors import ArgumentError, WorkerError
from tests.data.working import (
    PROGRAM,
    Asked,
    Numbers,
    fail,
    gone,
    loader,
    marks,
    nothing_left,
    plain,
    segments,
)

pytestmark = marks


# ---- nothing is left behind -----------------------------------------------------------------------------------------


def leave_early(each):
    for _ in each:
        break


def raise_in_the_loop(each):
    def loop():
        for _ in each:
            1 / 0  # noqa: B018

    with pytest.raises(ZeroDivisionError) as error:
        loop()
    assert error.value.__traceback__ is not None  # kept, as a notebook keeps it
    assert nothing_left()


def keep_the_error(each):
    each.dataset.at, each.dataset.do = 3, fail(ValueError("three"))
    with pytest.raises(ValueError, match="three") as error:
        list(each)
    assert error.value.__traceback__ is not None
    assert nothing_left()


def forget_the_iterator(each):
    batches = iter(each)
    next(batches)
    ring = [batches]
    ring.append(ring)
    del batches, ring
    gc.collect()


def never_ask(each):
    iter(each)


def fail_in_the_sampler(each):
    each.batch_sampler = ([1 // (3 - k)] for k in range(10))
    with pytest.raises(ZeroDivisionError):
        list(each)


@pytest.mark.parametrize(
    "end", [list, leave_early, raise_in_the_loop, forget_the_iterator, never_ask, fail_in_the_sampler]
)
def test_nothing_is_left_after(end):
    end(loader(Numbers(50)))
    assert nothing_left()


def test_an_end_runs_finally_blocks_and_waits_for_no_long_example(tmp_path):
    began = multiprocessing.get_context("fork").Event()

    def long():
        try:
            began.set()
            time.sleep(1000)
        finally:
            (tmp_path / "left").touch()

    for _ in loader(Numbers(2, at=1, do=long)):
        began.wait()
        break
    assert nothing_left()
    assert (tmp_path / "left").exists()


def test_workers_that_stay_read_every_pass_and_leave_with_the_loader():
    each = loader(Asked(), None, persistent_workers=True)
    pids = {row[3] for row in each}
    leave_early(each)
    assert {row[3] for row in each} == pids
    twin = iter(each)
    next(twin)
    with pytest.raises(ArgumentError, match=r"gone through twice at once.\n.*\n.*persistent_workers=False"):
        list(zip(each, twin, strict=True))
    assert nothing_left()
    assert len({row[3] for row in each} - pids) == 2  # others, after the error
    del each, twin
    assert nothing_left()


def test_a_forked_process_leaves_the_workers_of_its_parent():
    each = loader(Numbers(4), None, persistent_workers=True)
    assert plain(each) == [0, 1, 2, 3]
    child = multiprocessing.get_context("fork").Process(target=each._pool.close)
    child.start()
    child.join()
    assert plain(each) == [0, 1, 2, 3]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL], ids=lambda end: end.name)
def test_nothing_is_left_whenever_a_worker_is_ended(end):
    """Its memory grows with every batch, so it is often met between making memory and saying so."""
    rng = random.Random(0)
    rows = [np.zeros(100 * 2**k) for k in range(12)]
    for _ in range(12):
        batches = iter(loader(rows, None, workers=1))
        (worker,) = multiprocessing.active_children()
        time.sleep(rng.uniform(0, 0.02))
        os.kill(worker.pid, end)
        with suppress(WorkerError):
            list(batches)
        del batches
        assert nothing_left()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_nothing_is_left_after_the_program_is_ended(how, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, str(tmp_path / "program.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as program:
        workers = {int(program.stdout.readline()) for _ in range(5)}
        assert len(workers) == 3
        assert segments(program.pid)
        if how == signal.SIGINT:
            os.killpg(program.pid, how)  # as a terminal does
        else:
            program.send_signal(how)
        try:
            errors = program.communicate(timeout=120)[1].decode()
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            raise
    assert errors.count("KeyboardInterrupt\n") == (how == signal.SIGINT)
    assert gone(workers)
    assert segments(program.pid) == []


KILLED_WHILE_IT_MAKES_MEMORY = """
import os, signal
from multiprocessing import resource_tracker, shared_memory
from types import SimpleNamespace
from minitorch_lab.data.shared import Slot

resource_tracker.ensure_running()
shared_memory.mmap = SimpleNamespace(mmap=lambda *_: os.kill(os.getpid(), signal.SIGKILL))
Slot(f"ml-{os.getpid()}-0").put(1)
"""


def test_nothing_is_left_of_memory_whose_maker_is_killed_before_it_can_say_so():
    with subprocess.Popen([sys.executable, "-c", KILLED_WHILE_IT_MAKES_MEMORY], stderr=subprocess.DEVNULL) as program:
        assert program.wait(120) == -signal.SIGKILL
        end = time.monotonic() + 60
        while segments(program.pid):
            assert time.monotonic() < end, "the tracker was never told of it"
            time.sleep(0.02)
