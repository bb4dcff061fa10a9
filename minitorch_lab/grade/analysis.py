"""What a class's results say: how hard each check was, and what its students believed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median

from .gradebook import Entry


@dataclass(frozen=True, slots=True)
class Item:
    """One check over a class: how many it was put to, how many passed, and which wrong answers the others gave.

    These are the hints that name one; who was stopped, or is told the general hint, has said nothing of what they
    believe. A sentence with holes counts once; it stands here as most of them have read it.
    """

    lesson: str
    exercise: str
    title: str
    points: float
    asked: int
    passed: int
    hints: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        """The part that passed: what test theory calls the difficulty, 1 for a check that everybody passes."""
        return self.passed / self.asked if self.asked else 0.0


def scored(entries: Sequence[Entry]) -> list[Entry]:
    """The entries that have a score: all but those on which the grader failed and whose score nobody has set."""
    return [e for e in entries if e.earned is not None]


def items(entries: Sequence[Entry]) -> list[Item]:
    """Every check of the class, in the order of the judge, each with the wrong answers named, the commonest first."""
    asked: Counter[tuple[str, str, str, float]] = Counter()
    passed: Counter[tuple[str, str, str, float]] = Counter()
    hints: dict[tuple[str, str, str, float], Counter[str]] = {}
    read: dict[str, Counter[str]] = {}
    for e in entries:
        for exercise in e.result.exercises if e.result.score is not None else ():
            for check in exercise.checks:
                key = (e.result.lesson, exercise.name, check.title, check.points)
                asked[key] += 1
                passed[key] += check.verdict == "passed"
                if check.verdict == "failed" and check.named:
                    hints.setdefault(key, Counter())[check.named] += 1
                    read.setdefault(check.named, Counter())[check.hint] += 1
    example = {sentence: filled.most_common(1)[0][0] for sentence, filled in read.items()}
    told = {key: tuple((example[said], n) for said, n in each.most_common()) for key, each in hints.items()}
    return [Item(*key, asked[key], passed[key], told.get(key, ())) for key in asked]


def misconceptions(entries: Sequence[Entry], most: int = 10) -> list[tuple[str, Item, int]]:
    """The commonest wrong answers with a name: the sentence, the check it belongs to, and how many got it."""
    found = [(hint, item, count) for item in items(entries) for hint, count in item.hints]
    return sorted(found, key=lambda each: -each[2])[:most]


def summary(entries: Sequence[Entry]) -> dict[str, float]:
    """How many there are, on how many the grader failed, and the middle of the scores as parts of what was to earn.

    Example:
        >>> summary([])
        {'submissions': 0, 'faults': 0, 'mean': 0.0, 'median': 0.0}
    """
    parts = [part(e) for e in scored(entries)]
    faults = sum(e.result.status == "fault" for e in entries)
    middle = {"mean": mean(parts) if parts else 0.0, "median": median(parts) if parts else 0.0}
    return {"submissions": len(entries), "faults": faults, **middle}


def part(entry: Entry) -> float:
    """What a student earned of what there was to earn, from 0 to 1."""
    return (entry.earned or 0.0) / entry.result.points if entry.result.points else 0.0


def histogram(entries: Sequence[Entry], bins: int = 10) -> list[int]:
    """How many students lie in each tenth of the points; who has them all is in the last one.

    Example:
        >>> histogram([])
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    """
    counts = [0] * bins
    for e in scored(entries):
        counts[min(int(part(e) * bins), bins - 1)] += 1
    return counts
