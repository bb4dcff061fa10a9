"""10,000 examples, each 0.1 ms of Python, by one process and by a loader's workers.

Both take turns, and the ratio is taken within a round, from `iter` to the last batch: the start of the workers counts.
The bar is for two quiet cores. The time of processors says what workers cost besides, on any machine: two cores cannot
be faster than 2 ÷ that.
"""

from __future__ import annotations

from bench import one_thread  # first

# isort: split
import statistics
from collections.abc import Iterator
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter
from typing import NamedTuple

import minitorch_lab as ml

ITEMS, BATCH, ROUNDS, BAR = 10_000, 50, 5, 1.7
WORK = 1500  # steps of Python for an example


class Work(ml.data.Dataset):
    """Examples that are computed step by step: what NumPy would do at once, and Python does for text or trees."""

    def __len__(self) -> int:
        return ITEMS

    def __getitem__(self, index: int) -> tuple[ml.Tensor, int]:
        total = index
        for step in range(WORK):
            total = (total * 31 + step) % 65537
        return ml.full((64,), float(total)), total


class Pass(NamedTuple):
    """What one pass took, and a number that depends on every example and on their order."""

    seconds: float
    processors: float
    found: int


def processors() -> float:
    """Seconds that all processors have worked for this process and its children that have ended."""
    return sum(sum(getrusage(who)[:2]) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))


def timed(workers: int) -> Pass:
    """One pass."""
    start, before, found = perf_counter(), processors(), 0
    for _, totals in ml.data.DataLoader(Work(), BATCH, num_workers=workers):
        found = (found * 31 + int(totals.sum().item())) % 65537
    return Pass(perf_counter() - start, processors() - before, found)


def main() -> Iterator[str]:
    """The table."""
    yield "| workers | one process ÷ workers | lowest | highest | bar | | processors: workers ÷ one |"
    yield "|--:|--:|--:|--:|--:|---|--:|"
    for workers, bar in ((1, None), (2, None), (4, BAR)):
        with one_thread.unpinned():
            rounds = [(timed(0), timed(workers)) for _ in range(ROUNDS)]
        assert len({each.found for pair in rounds for each in pair}) == 1
        ratios = [one.seconds / many.seconds for one, many in rounds]
        more = statistics.median(many.processors / one.processors for one, many in rounds)
        median = statistics.median(ratios)
        verdict = "" if bar is None else "held" if median >= bar else "**missed**"
        spread = f"{min(ratios):.2f} | {max(ratios):.2f}"
        yield f"| {workers} | {median:.2f} | {spread} | {bar or ''} | {verdict} | {more:.2f} |"


if __name__ == "__main__":
    print(*main(), sep="\n")
