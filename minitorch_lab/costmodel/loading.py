"""What a data pipeline must deliver, so that nothing waits for it."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from time import perf_counter
from typing import Any

from .checks import check_amounts


def batches_in_flight(workers: int, prefetch: int = 2) -> int:
    """How many batches are being made or wait to be taken.

    Raises:
        ArgumentError: A number is negative.

    Example:
        >>> batches_in_flight(4)
        8
    """
    check_amounts("batches_in_flight", workers=workers, prefetch=prefetch)
    return workers * prefetch


def loader_bandwidth(rate: float, nbytes: float) -> float:
    """Bytes per second that the pipeline has to deliver.

    Args:
        rate: Examples per second that the model takes.
        nbytes: Bytes of an example.

    Raises:
        ArgumentError: An amount is negative.

    Example:
        >>> f"{loader_bandwidth(1000, 224 * 224 * 3) / 1e6:.1f} MB/s"
        '150.5 MB/s'
    """
    check_amounts("loader_bandwidth", rate=rate, nbytes=nbytes)
    return rate * nbytes


def workers_needed(rate: float, seconds: float) -> int:
    """The fewest workers that keep up.

    Args:
        rate: Examples per second that the model takes.
        seconds: Seconds in which one worker makes one example.

    Raises:
        ArgumentError: An amount is negative.

    Example:
        >>> workers_needed(1000, 3.5e-3)
        4
    """
    check_amounts("workers_needed", rate=rate, seconds=seconds)
    return ceil(round(rate * seconds, 9))


def step_time(compute: float, batch: int, seconds: float, workers: int) -> float:
    """Seconds from one step to the next: the model's own, or the loader's where that is longer.

    Without workers the model waits while the batch is made, so both add up.

    Args:
        compute: Seconds that the model takes for a batch.
        batch: Examples of a batch.
        seconds: Seconds in which one process makes one example.
        workers: How many make batches at the same time.

    Raises:
        ArgumentError: An amount is negative.

    Example:
        >>> [round(step_time(0.1, 64, 3e-3, workers), 3) for workers in (0, 1, 2)]
        [0.292, 0.192, 0.1]
    """
    check_amounts("step_time", compute=compute, batch=batch, seconds=seconds, workers=workers)
    loading = batch * seconds
    return max(compute, loading / workers) if workers else compute + loading


def measure_loader(batches: Iterable[Any], most: int = 100) -> float:
    """Batches per second that a loader here delivers to somebody who does nothing else.

    Args:
        batches: The loader. The first batch, for which workers are started, is not counted.
        most: How many to take.

    Raises:
        ArgumentError: There are fewer than two batches.

    Example:
        >>> import minitorch_lab as ml
        >>> loader = ml.data.DataLoader(ml.data.TensorDataset(ml.ones(100, 2)), batch_size=10)
        >>> measure_loader(loader) > 0
        True
    """
    taken, start = -1, 0.0
    for _ in batches:
        taken += 1
        if taken == 0:
            start = perf_counter()
        if taken == most:
            break
    seconds = perf_counter() - start
    check_amounts("measure_loader", positive=("batches_after_the_first",), batches_after_the_first=max(taken, 0))
    return taken / seconds
