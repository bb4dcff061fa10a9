"""Timing two programs fairly: in turn, in one process, on one thread, in many short rounds; each gives one ratio.

A shared machine drifts and stutters. A ratio taken within a few milliseconds does not notice, and the median of many
such ratios forgets the rounds that were disturbed. The first rounds are left out: caches and allocators warm up.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # read when NumPy and torch are first imported

WARM_UP, ROUNDS = 5, 61


class Ratio(NamedTuple):
    """The median of ours / theirs, its quartiles, and the median times in microseconds."""

    median: float
    lower: float
    upper: float
    ours: float
    theirs: float


def compare(ours: Callable[[], object], theirs: Callable[[], object], calls: int) -> Ratio:
    """Run both in turn, `calls` times a round."""
    rounds = [(elapsed(ours, calls), elapsed(theirs, calls)) for _ in range(WARM_UP + ROUNDS)][WARM_UP:]
    lower, median, upper = statistics.quantiles([a / b for a, b in rounds], n=4)
    return Ratio(median, lower, upper, *(1e6 * statistics.median(column) for column in zip(*rounds, strict=True)))


def elapsed(program: Callable[[], object], calls: int) -> float:
    """Seconds per call."""
    start = time.perf_counter()
    for _ in range(calls):
        program()
    return (time.perf_counter() - start) / calls


def row(name: str, ratio: Ratio, bar: float | None) -> str:
    """One line of the table."""
    verdict = "" if bar is None else f"   bar {bar:.2f}: {'held' if ratio.median <= bar else 'MISSED'}"
    return (
        f"{name:<58}{ratio.median:6.3f}  [{ratio.lower:.3f}, {ratio.upper:.3f}]"
        f"{ratio.ours:10.1f} µs{ratio.theirs:10.1f} µs{verdict}"
    )
