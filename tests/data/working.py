"""Datasets, loaders and what is left of them, for the tests of workers."""

from __future__ import annotations

import multiprocessing
import os
import random
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

import minitorch_lab as ml
from minitorch_lab.data import DataLoader, Dataset, IterableDataset, get_worker_info

SHM = Path("/dev/shm")
marks = [
    pytest.mark.skipif(not SHM.exists(), reason="looks for what is left behind where Linux keeps it"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]


class Numbers(Dataset):
    """0, 1, 2, …; what happens at a number may be said."""

    def __init__(self, n=10, at=None, do=None):
        self.n, self.at, self.do = n, at, do

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        if index == self.at:
            self.do()
        return index


class Stream(IterableDataset):
    """Worker i has `lengths[i]` numbers: 100 i, 100 i + 1, …"""

    def __init__(self, *lengths):
        self.lengths = lengths

    def __iter__(self):
        info = get_worker_info()
        return iter(range(100 * info.id, 100 * info.id + self.lengths[info.id]))


class Asked(Dataset):
    """What a worker knows, and draws."""

    def __len__(self):
        return 4

    def __getitem__(self, index):
        info = get_worker_info()
        return info.id, info.num_workers, info.seed, os.getpid(), ml.rand(1).item(), random.random(), np.random.rand()


class Odd(Exception):  # noqa: N818
    def __init__(self, left, right):
        super().__init__(f"{left} and {right}")
        self.left = left


def loader(dataset, *args, workers=2, context="fork", **kwargs):
    return DataLoader(dataset, *args, num_workers=workers, multiprocessing_context=context, **kwargs)


def plain(batches):
    return [batch.tolist() if isinstance(batch, ml.Tensor) else batch for batch in batches]


def gone(pids, seconds=30.0):
    """Whether these processes end by themselves; a zombie is one that has."""
    deadline = time.monotonic() + seconds
    while any(alive(pid) for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def alive(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def segments(pid=None):
    return [path.name for path in SHM.glob(f"ml-{pid or os.getpid()}-*")]


def nothing_left():
    return multiprocessing.active_children() == [] and segments() == []


def fail(error):
    def do():
        raise error

    return do


def caught(dataset, kind, *args, **kwargs):
    with pytest.raises(kind) as found:
        list(loader(dataset, *args, **kwargs))
    assert nothing_left()
    return found.value


PROGRAM = """
import os, signal, sys, time
import minitorch_lab as ml

class Slow(ml.data.Dataset):
    def __len__(self):
        return 1000

    def __getitem__(self, index):
        if index == 5:
            time.sleep(1000)
        return ml.full((10,), float(index)), os.getpid()

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal: what a shell starts behind it is deaf
    for _, pid in ml.data.DataLoader(Slow(), num_workers=3, multiprocessing_context="fork"):
        print(pid.item(), flush=True)
"""
