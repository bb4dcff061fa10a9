"""Who a worker is: what a dataset may ask in the process that reads it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class WorkerInfo:
    """A worker of a `DataLoader`, as seen by itself.

    Attributes:
        id: Its number, from 0.
        num_workers: How many there are.
        seed: What its random numbers begin with: those of `ml`, of NumPy and of `random`. Another one for each worker
            and each pass, and the same ones after the same `ml.manual_seed`.
        dataset: Its own copy of the dataset.
    """

    id: int
    num_workers: int
    seed: int
    dataset: Any


current: list[WorkerInfo] = []  # the one that this process is, if it is a worker


def get_worker_info() -> WorkerInfo | None:
    """Which worker this process is; None in a process that is none.

    A stream says with it which part of the examples is whose, for every worker has a copy of its own.

    Example:
        >>> import minitorch_lab as ml
        >>> class Count(ml.data.IterableDataset):
        ...     def __iter__(self):
        ...         info = ml.data.get_worker_info()
        ...         return iter(range(6)) if info is None else iter(range(info.id, 6, info.num_workers))
        >>> [batch.tolist() for batch in ml.data.DataLoader(Count(), batch_size=3)]
        [[0, 1, 2], [3, 4, 5]]
    """
    return current[0] if current else None
