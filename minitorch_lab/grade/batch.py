"""A class at once: what is not graded yet goes to the workers, what comes back goes into the journal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from ..errors import ArgumentError
from .cluster import Cluster
from .journal import Journal, Record

Connect = Callable[[], AbstractContextManager[Cluster]]
Done = Callable[[], object]

MOST_SCHEDULERS = 5  # that may be lost in one run
RETRIES = 1  # of a submission whose worker died: the fault may have been another's
LISTEN = 0.5  # seconds between two looks at whether the scheduler is alive
FETCH = 5.0  # seconds for a result to come over from the worker that has it


class Job(Protocol):
    """What grades one submission. It is sent to the workers, so it can be pickled."""

    def __call__(self, content: bytes) -> Record:
        """The record of the submission with these bytes; it runs in a worker."""
        ...

    def fault(self, content: bytes, error: BaseException | None) -> Record:
        """The record of a submission on which the grader failed: without a score, which is not a score of zero."""
        ...


def grade_all(work: Mapping[str, bytes], job: Job, journal: Journal, connect: Connect, done: Done) -> None:
    """Grade every submission that the journal does not have.

    If the scheduler is lost, another one is started, and it gets what has no record yet. A submission on which the
    grader itself fails gets a record without a score, and does not stop the others.

    Args:
        work: The bytes of the submissions, by key.
        job: What grades one of them, in a worker.
        journal: Where the records go, as soon as they are there.
        connect: Gives a scheduler with workers.
        done: Is called once for every record, those from before too.

    Raises:
        ArgumentError: Five schedulers were lost.
    """
    for key in work:
        if key in journal:
            done()
    for _ in range(MOST_SCHEDULERS):
        left = {key: content for key, content in work.items() if key not in journal}
        if not left:
            return
        with connect() as cluster:
            for key, record in records(cluster, left, job):
                journal.append(key, record)
                done()
    if any(key not in journal for key in work):
        raise ArgumentError(
            f"{MOST_SCHEDULERS} schedulers were lost in one batch, or all their workers.",
            "One that dies is replaced, and what is graded stays graded; but something here ends them all.",
            "Is there memory left on this machine? Run the same command again: it goes on where it stopped.",
        )


def records(cluster: Cluster, work: Mapping[str, bytes], job: Job) -> Iterator[tuple[str, Record]]:
    """The records as they come, in any order, for as long as the scheduler lives.

    No more are handed out than can be worked on at once: who dies takes no waiting ones along, and a class of large
    notebooks does not fill the scheduler.
    """
    finished: SimpleQueue[Any] = SimpleQueue()
    waiting: dict[Any, str] = {}
    left = iter(work.items())

    def hand_out(most: int) -> None:
        for key, content in islice(left, most):
            future = cluster.client.submit(job, content, key=f"grade-{key}", pure=False, retries=RETRIES)
            waiting[future] = key
            future.add_done_callback(finished.put)

    hand_out(max(1, cluster.alive.threads()))
    while waiting:
        try:
            future = finished.get(timeout=LISTEN)
        except Empty:
            if not cluster.alive():
                return
            continue
        record = fetched(future, work[waiting[future]], job)
        if record is not None:
            yield waiting.pop(future), record  # and let go of, so that no death of a worker makes it again
            hand_out(1)
        elif future.status != "cancelled" and cluster.alive():
            time.sleep(LISTEN)
            future.add_done_callback(finished.put)  # the worker that held the result has died: it is made again
        else:
            return


def fetched(future: Any, content: bytes, job: Job) -> Record | None:
    """The record that a future stands for; None where it went down with the worker that held it."""
    if future.status == "error":
        return job.fault(content, future.exception(timeout=FETCH))
    if future.status != "finished":
        return None
    try:
        return future.result(timeout=FETCH)
    except (TimeoutError, CancelledError, OSError):
        return None
