"""The workers of a loader, as the loader sees them: they start, are given tasks, answer, and leave nothing behind."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import wait
from secrets import token_hex
from time import monotonic
from typing import Any
from weakref import finalize

from ..errors import ArgumentError, WorkerError
from ..ops.random import Generator
from .faults import ended, reading, silent
from .fetching import Fetch
from .shared import Slot
from .worker import BEGIN, END, ERROR, TASK, Post, Sealed, work

GRACE = 2.0  # seconds that a worker has to leave before it is killed
NO_MORE = object()


class Worker:
    """One worker: its process, a pipe to it, and as many slots of shared memory as tasks may be on their way."""

    def __init__(self, context: Any, sealed: Sealed, post: Post, slots: list[Slot]) -> None:
        """Start the process."""
        self.slots, self.post = slots, post
        self.tasks: deque[Any] = deque()  # those that are not answered
        self.given = 0
        self.connection, other_end = context.Pipe()
        arguments = (sealed, post, other_end, [slot.name for slot in slots])
        self.process = context.Process(target=work, args=arguments, daemon=True, name=f"loader's worker {post.id}")
        try:
            self.process.start()
        except BaseException:
            self.connection.close()
            raise
        finally:
            other_end.close()

    def send(self, task: Any) -> None:
        """Give it something to read."""
        number = self.given % len(self.slots)
        self.tasks.append(task)
        self.given += 1
        with suppress(ConnectionError):  # it is gone, as whoever waits for the answer will see
            self.connection.send((TASK, number, *self.slots[number].put(task)))

    def receive(self) -> tuple[str, Any]:
        """The answer to the first task that has none.

        Raises:
            WorkerError: It has ended.
        """
        try:
            kind, *found = self.connection.recv()
        except (EOFError, ConnectionError):
            self.process.join(GRACE)
            raise self.gone() from None
        number = (self.given - len(self.tasks)) % len(self.slots)
        self.tasks.popleft()
        return kind, self.slots[number].take(*found)

    def gone(self) -> WorkerError:
        """It has ended."""
        return ended(repr(self), self.process.exitcode, self.task)

    def __repr__(self) -> str:
        """Who it is, and what it is at."""
        return f"Worker {self.post.id} of {self.post.num_workers} (process {self.process.pid})"

    @property
    def task(self) -> str:
        """What it is at, in words."""
        return reading(self.tasks[0] if self.tasks else None)


class Pool:
    """The workers of one pass over a dataset, or of all passes of a loader that keeps them.

    Args:
        loader: A `DataLoader`, which says how many workers there are, and how they are to work.
        fetch: What they read, and how.
        seed: What their random numbers begin with: each has a sequence of its own.
    """

    def __init__(self, loader: Any, fetch: Fetch, seed: int) -> None:
        """Start the processes, who all report their shared memory to one tracker, which outlives a kill of this one."""
        resource_tracker.ensure_running()
        self.timeout, self.in_order, self.keep = loader.timeout, loader.in_order, loader.persistent_workers
        self.prefetch_factor = loader.prefetch_factor
        self.workers: list[Worker] = []
        self.number = 0  # of the pass that is under way
        self.close = finalize(self, dismiss, self.workers, os.getpid())
        how = loader.multiprocessing_context
        context: Any = how if hasattr(how, "Process") else get_context(how)
        sealed, stem = Sealed(fetch, loader.worker_init_fn), f"ml-{os.getpid()}-{token_hex(3)}"
        try:
            for i in range(loader.num_workers):
                post = Post(i, loader.num_workers, whole_key(Generator(seed).fold_in(i)))
                slots = [Slot(f"{stem}-{i}-{j}") for j in range(self.prefetch_factor)]
                self.workers.append(Worker(context, sealed, post, slots))
        except BaseException:
            self.close()
            raise

    def begin(self, tasks: Iterable[Any]) -> Iterator[tuple[str, Any]]:
        """One pass: the answers to the tasks, what is to be read, batch by batch. The first are given out at once."""
        self.number += 1
        try:
            for worker in self.workers:
                while worker.tasks:  # of a pass that was left early
                    self.ready([worker]).receive()
                with suppress(ConnectionError):
                    worker.connection.send((BEGIN, 0))
            rest = iter(tasks)
            for worker in self.workers * self.prefetch_factor:
                self.give(worker, rest)
        except BaseException:
            self.close()
            raise
        return self.answers(rest)

    def give(self, worker: Worker, rest: Iterator[Any]) -> None:
        """The next task for a worker, if there is one."""
        task = next(rest, NO_MORE)
        if task is not NO_MORE:
            worker.send(task)

    def answers(self, rest: Iterator[Any]) -> Iterator[tuple[str, Any]]:
        """Answers in the order of tasks: workers take turns, and one whose stream is at its end has no more."""
        turns = deque(worker for worker in self.workers if worker.tasks)
        number, done = self.number, False
        try:
            while turns:
                check_alone(number, self.number)
                worker = self.ready([turns[0]] if self.in_order else turns)
                turns.remove(worker)
                kind, value = worker.receive()
                if kind != END:
                    self.give(worker, rest)
                    if worker.tasks:
                        turns.append(worker)
                    yield kind, value
            done = True
        except GeneratorExit:
            done = True
            raise
        finally:
            if not (self.keep and done):
                self.close()

    def ready(self, candidates: Iterable[Worker]) -> Worker:
        """The first of the candidates that has answered; as soon as any worker ends, that is said instead.

        Raises:
            WorkerError: A worker has ended, or none has answered in time.
        """
        by_connection = {worker.connection: worker for worker in candidates}
        by_sentinel = {worker.process.sentinel: worker for worker in self.workers}
        found = wait([*by_connection, *by_sentinel], self.timeout or None)
        for connection, worker in by_connection.items():
            if connection in found:
                return worker
        for sentinel, worker in by_sentinel.items():
            if sentinel in found:
                worker.process.join(GRACE)
                raise worker.gone()
        worker = next(iter(by_connection.values()))
        raise silent(repr(worker), self.timeout, worker.task)


def check_alone(number: int, now: int) -> None:
    """Refuse to go on with a pass when another has begun with the same workers.

    Raises:
        ArgumentError: It has.
    """
    if number != now:
        raise ArgumentError(
            "A loader with persistent_workers was gone through twice at once.",
            "Its workers stay for one pass after the other.",
            "Did you mean persistent_workers=False?",
        )


def whole_key(generator: Generator) -> int:
    """The key of a generator as one number: the seed of one that has this key."""
    high, low = generator.key
    return high << 32 | low


def opened(answer: tuple[str, Any]) -> Any:
    """The batch; or its error is raised, in a frame that holds neither workers nor, in a ring, the error itself."""
    kind, value = answer
    try:
        if kind == ERROR:
            raise value
        return value
    finally:
        del answer, value


def dismiss(workers: list[Worker], owner: int) -> None:
    """End the processes and give back their memory; a process that was forked from the owner leaves them alone."""
    if os.getpid() != owner:
        return
    try:
        for worker in workers:
            worker.process.terminate()
        deadline = monotonic() + GRACE
        for worker in workers:
            worker.process.join(max(0, deadline - monotonic()))
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.join()
            worker.connection.close()
            for slot in worker.slots:
                slot.unlink()
        workers.clear()
