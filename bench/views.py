"""How long a recording and its views take: a chain of a thousand ops, recorded, told and laid out. Seconds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import minitorch_lab as ml
from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.tape import tape_scene

OPS, REPEATS = 1000, 5


def recorded() -> Any:
    """A chain of ops, and the walk back."""
    x = ml.tensor(1.0, requires_grad=True)
    with ml.record() as rec:
        y = x
        for _ in range(OPS):
            y = y * 1.001
        y.backward()
    return rec


def seconds(work: Callable[[], object]) -> float:
    """The median of a few runs."""
    times: list[float] = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> Iterator[str]:
    """The list."""
    rec = recorded()
    yield f"- {OPS} ops recorded, with their walk: {seconds(recorded):.2f} s"
    yield f"- the tape view of them: {seconds(lambda: tape_scene(rec)):.2f} s"
    yield f"- the backward view of them: {seconds(lambda: backward_scene(rec)):.2f} s"
