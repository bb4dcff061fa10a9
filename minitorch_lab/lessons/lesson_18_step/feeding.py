"""The check of the reader's throughput: what binds a step that is fed by a loader and a link."""

from __future__ import annotations

from collections.abc import Callable
from math import isclose
from typing import Any

from ..values import settled
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from .amounts import amount

Throughput = Callable[[int, float, int, int, float, float], Any]
RESOURCES = ("loader", "transfer", "compute")
Feed = tuple[int, float, int, int, float, float]  # batch, seconds to load one, workers, its bytes, link, compute
ASKED: dict[str, Feed] = {
    "one worker, and it is slow": (64, 0.003, 1, 150_528, 16e9, 0.100),
    "two workers": (64, 0.003, 2, 150_528, 16e9, 0.100),
    "a slow link": (32, 0.0001, 4, 4_000_000, 1e9, 0.050),
    "a slow link, a large batch": (512, 0.0005, 8, 602_112, 2e9, 0.090),
    "many workers, a small batch": (8, 0.010, 4, 1_000, 16e9, 0.015),
    "all of them far apart": (100, 0.0001, 1, 1_000_000, 1e10, 0.500),
}


def times_of(batch: int, load: float, workers: int, nbytes: int, link: float, compute: float) -> dict[str, float]:
    """The seconds that each resource needs for one batch.

    Example:
        >>> times_of(64, 0.003, 2, 150_528, 16e9, 0.1)["loader"]
        0.096
    """
    return {"loader": batch * load / workers, "transfer": batch * nbytes / link, "compute": compute}


@answering
def check_throughput(throughput: Throughput) -> Verdict:
    """Check what the reader says binds, and how many examples a second go through."""
    answers: dict[str, Any] = {}
    for name, numbers in ASKED.items():
        found, error = attempt(throughput, *numbers)
        if error is not None:
            return stopped(f"your function, at {name},", error)
        answers[name] = settled(found)
    if all(found == ("compute", 0) for found in answers.values()):
        return unwritten("nothing goes through.")
    for name, numbers in ASKED.items():
        found, times = answers[name], times_of(*numbers)
        if not (isinstance(found, tuple) and len(found) == 2):
            return not_yet(f"for {name} you give {found!r:.60}. It is two things: a word, and examples per second.")
        right = max(times, key=lambda each: times[each])
        if found[0] not in RESOURCES:
            words = 'the first is a word, "loader", "transfer" or "compute".'
            return not_yet(f"{words} For {name} you say {found[0]!r:.20}.")
        if found[0] != right:
            return not_yet(f"{wrong_word(found[0], right, *numbers)} {seconds_of(name, times)}")
        rate = numbers[0] / times[right]
        if (mine := amount(found[1])) is None or not isclose(mine, rate, rel_tol=1e-6):
            return not_yet(f"{wrong_rate(found[1], rate, right, *numbers)} {seconds_of(name, times)}")
    return done("the slowest of the three sets the pace of all, and to mend another one changes nothing.")


def seconds_of(name: str, times: dict[str, float]) -> str:
    """What each resource needs for a batch, in words."""
    each = ", ".join(f"{resource} {1e3 * seconds:.3g} ms" for resource, seconds in times.items())
    return f"For {name} a batch takes: {each}."


def wrong_word(
    found: str, right: str, batch: int, load: float, workers: int, nbytes: int, link: float, compute: float
) -> str:
    """The thought behind the wrong resource."""
    times = times_of(batch, load, workers, nbytes, link, compute)
    if found == min(times, key=lambda each: times[each]):
        return "you name the fastest of the three. The others wait for the slowest."
    if found == "loader" and batch * load > times[right]:
        return "workers load at the same time: with several, a batch takes that much less."
    if found == "compute" and max(load / workers, nbytes / link) < compute:
        return "load and bytes are those of one example, and the model takes a batch at a time."
    return f"the {right} needs longer for a batch than the {found}."


def wrong_rate(
    found: Any, rate: float, right: str, batch: int, load: float, workers: int, nbytes: int, link: float, compute: float
) -> str:
    """The thought behind another number of examples per second."""
    if amount(found) is None:
        return f"you say {found!r:.20} for the examples per second. The second of the two is a number."
    total = sum(times_of(batch, load, workers, nbytes, link, compute).values())
    thoughts = [
        (batch / total, "you add the three times. They overlap: while one batch is computed, the next is on its way."),
        (rate / batch, "those are batches per second: each has many examples."),
        (batch / rate, "those are the seconds of a batch. Examples per second are asked for."),
        (rate * batch, "you multiply by the batch once too often."),
        (rate * 1e-3, "those are examples per millisecond."),
    ]
    for number, text in thoughts:
        if isclose(found, number, rel_tol=1e-6):
            return text
    return f"a batch comes out as often as the slowest, the {right}, delivers one: {rate:,.0f} examples a second."
