"""A worker: the process that makes batches, from its first line to its last."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass
from multiprocessing.process import parent_process
from multiprocessing.reduction import ForkingPickler
from pickle import loads
from threading import Thread
from typing import Any

from ..core.array import xp
from ..ops.random import DEFAULT
from ..ops.threefry import halves
from .dataset import IterableDataset
from .faults import portable, reading, unfound, unsendable
from .fetching import Fetch, Positions
from .shared import Slot
from .worker_info import WorkerInfo, current

BEGIN, TASK, BATCH, END, ERROR = "begin", "task", "batch", "end", "error"  # what a message is
POLL = 1.0  # seconds, at most, until a worker knows that the process it works for is gone


class Sealed:
    """What a worker needs: as it is for a forked one, pickled for a new Python.

    The worker opens it when it is ready to report what fails.
    """

    def __init__(self, fetch: Fetch, worker_init_fn: Callable[[int], Any] | None) -> None:
        """Keep both."""
        self.contents: Any = fetch, worker_init_fn

    def __getstate__(self) -> bytes:
        """Everything as one stream, so that what is shared stays so.

        Raises:
            ArgumentError: Something cannot be pickled.
        """
        try:
            return bytes(ForkingPickler.dumps(self.contents))
        except Exception as whole:
            fetch, worker_init_fn = self.contents
            named = {"collate_fn": fetch.collate_fn, "worker_init_fn": worker_init_fn, "dataset": fetch.dataset}
            for name, part in named.items():
                try:
                    ForkingPickler.dumps(part)
                except Exception as error:
                    raise unsendable(name, part, error) from whole
            raise

    def __setstate__(self, stream: bytes) -> None:
        """Keep the stream."""
        self.contents = stream

    def opened(self) -> tuple[Fetch, Callable[[int], Any] | None]:
        """What was sealed.

        Raises:
            ArgumentError: This process cannot import it.
        """
        if not isinstance(self.contents, bytes):
            return self.contents
        try:
            return loads(self.contents)
        except Exception as error:
            raise unfound(error) from error


@dataclass
class Post:
    """Which worker this is, of how many, and what its random numbers begin with."""

    id: int
    num_workers: int
    seed: int


def work(sealed: Sealed, post: Post, connection: Any, names: list[str]) -> None:
    """Be a worker. The grad mode, transforms and recordings of the process that was forked stay behind."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the process that shows it, and that ends its workers
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so `finally` blocks of a dataset run
    Thread(target=watch_parent, args=(os.getppid(),), daemon=True).start()
    with suppress(EOFError, ConnectionError):  # nobody is left to work for
        Context().run(serve, sealed, post, connection, [Slot(name) for name in names])


def watch_parent(born_to: int) -> None:
    """End this process once its parent is gone, whatever it is doing."""
    parent = parent_process()
    while parent is not None and parent.is_alive() and os.getppid() == born_to:
        parent.join(POLL)
    os._exit(1)


def serve(sealed: Sealed, post: Post, connection: Any, slots: list[Slot]) -> None:
    """Answer each task with a batch, an error, or the end of a stream, in the slot that brought it."""
    reader = Reader(sealed, post)
    while True:
        kind, number, *found = connection.recv()
        if kind == BEGIN:
            reader.make = None
            continue
        slot = slots[number]
        task = slot.take(*found)
        answer = reader.answer(task)
        try:
            found = slot.put(answer[1])
        except Exception as error:
            answer = ERROR, portable(error, reader.where(task))
            found = slot.put(answer[1])
        connection.send((answer[0], *found))


class Reader:
    """What reads the examples: made of what was sealed when the first task comes, and anew after it could not be."""

    def __init__(self, sealed: Sealed, post: Post) -> None:
        """Nothing is opened yet."""
        self.sealed, self.post = sealed, post
        self.fetch: Fetch | None = None
        self.make: Callable[[Any], Any] | None = None

    def prepare(self) -> Fetch:
        """Set seeds, say who this is, and call what the user wants called."""
        fetch, worker_init_fn = self.sealed.opened()
        post = self.post
        current[:] = [WorkerInfo(post.id, post.num_workers, post.seed, fetch.dataset)]
        DEFAULT.manual_seed(post.seed)
        random.seed(post.seed)
        xp.random.seed(halves(post.seed))
        if worker_init_fn is not None:
            worker_init_fn(post.id)
        return fetch

    def answer(self, task: Any) -> tuple[str, Any]:
        """A batch, an error or the end of a stream."""
        task = Positions(task) if isinstance(task, list) else task
        try:
            self.fetch = self.fetch or self.prepare()
            self.make = self.make or self.fetch.begin()
            return BATCH, self.make(task)
        except Exception as error:
            if isinstance(error, StopIteration) and self.fetch and isinstance(self.fetch.dataset, IterableDataset):
                return END, None
            return ERROR, portable(error, self.where(task))

    def where(self, task: Any) -> str:
        """What this worker was at, in words."""
        at = getattr(task, "at", None)
        return f"worker {self.post.id} of {self.post.num_workers}, reading {reading(task if at is None else at)}"
