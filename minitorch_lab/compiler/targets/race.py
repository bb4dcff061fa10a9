"""A race: the same work done in several ways, each checked against the first, then timed in turn. The winner is kept.

What was found is stored on disk, so that a later process need not run again. Of the times of one candidate the least
counts: whatever else the machine does only adds to it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter

from ...core.array import Array, xp
from .cache import disk

ROUNDS = 5
LEAST = 2e-3  # seconds to measure each candidate for, at least
MOST = 1 << 10  # runs in one round

Run = Callable[[], Sequence[Array]]


@dataclass(slots=True)
class Outcome:
    """What a race has found.

    Attributes:
        seconds: What one run of each took, by name.
        refused: Who was not timed, and why.
    """

    seconds: dict[str, float] = field(default_factory=dict[str, float])
    refused: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def fastest(self) -> str:
        """The name of the winner."""
        return min(self.seconds, key=self.seconds.__getitem__)


def race(runs: Mapping[str, Run], fresh: Callable[[], None] = lambda: None) -> Outcome:
    """Check and time candidates; the first is the one whose results are right.

    Args:
        runs: By name what does the work and gives its results.
        fresh: Called before runs that must find what the first one found, where they write over it.

    Raises:
        Exception: What the first one raises. Another one that raises is refused.

    Example:
        >>> import numpy as np
        >>> x = np.arange(4.0)
        >>> found = race({"sum": lambda: [x.sum()], "mean": lambda: [x.mean() * 4], "wrong": lambda: [x.max()]})
        >>> sorted(found.seconds), found.refused
        (['mean', 'sum'], {'wrong': 'other results'})
    """
    outcome, wanted = Outcome(), None
    for name, run in runs.items():
        fresh()
        try:
            found = [x.copy() for x in run()]
        except Exception as error:
            if wanted is None:
                raise
            outcome.refused[name] = f"{type(error).__name__}: {error}"
            continue
        wanted = found if wanted is None else wanted
        if all(map(agree, found, wanted)):
            outcome.seconds[name] = float("inf")
        else:
            outcome.refused[name] = "other results"
    for _ in range(ROUNDS):  # in turn, so that whatever else the machine does is shared
        for name in outcome.seconds:
            fresh()
            outcome.seconds[name] = min(outcome.seconds[name], timed(runs[name]))
    return outcome


def agree(x: Array, y: Array) -> bool:
    """Whether two results are the same but for rounding: floats to half of their digits, beside the largest entry."""
    if x.shape != y.shape or x.dtype != y.dtype:
        return False
    if x.dtype.kind != "f":
        return bool((x == y).all())
    usual = xp.isfinite(y)
    scale = xp.abs(y[usual]).max(initial=0.0)
    near = xp.abs(x[usual] - y[usual]) <= xp.finfo(y.dtype).eps ** 0.5 * scale
    return bool(near.all()) and xp.array_equal(x[~usual], y[~usual], equal_nan=True)


def timed(run: Run) -> float:
    """Seconds for one run, from as many as `LEAST` needs."""
    runs = 1
    while True:
        start = perf_counter()
        for _ in range(runs):
            run()
        seconds = perf_counter() - start
        if seconds >= LEAST / ROUNDS or runs >= MOST:
            return seconds / runs
        runs *= 4


def remembered(key: str) -> Outcome | None:
    """What a race with this key found, if any process has run one before."""
    found = disk().load(key)
    return None if found is None else Outcome(**json.loads(found))


def remember(key: str, outcome: Outcome) -> None:
    """Keep what a race has found."""
    disk().store(key, json.dumps(asdict(outcome)).encode())
