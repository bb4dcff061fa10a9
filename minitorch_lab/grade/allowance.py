"""What a submission may cost: a purse of time for all of its exercises, out of which each is sure of its share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

TIMES, LEAST = 10.0, 0.5  # times the reference's time, and seconds: what no other exercise can take from one


@dataclass(frozen=True, slots=True)
class Times:
    """What the solved lesson took when it was released.

    Args:
        whole: Seconds of processors for its grading: the judge's start and work, and all answers.
        exercises: Seconds for the answers to each exercise.

    Example:
        >>> times = Times(2.0, {"a": 0.01, "b": 0.2})
        >>> times.purse.seconds, times.purse.sure
        (2.21, {'a': 0.442, 'b': 1.768})
    """

    whole: float
    exercises: Mapping[str, float]

    @property
    def purse(self) -> Purse:
        """What any submission has, where the teacher has not enlarged it.

        It costs no more than two solved lessons, and a third to look at the judge itself.

        Each exercise is sure of ten times what its reference takes, and of half a second at least. Where there is not
        so much, all have as much less: what is left of one is there for the next.
        """
        wanted = {name: max(LEAST, TIMES * seconds) for name, seconds in self.exercises.items()}
        seconds = self.whole + sum(self.exercises.values())
        part = min(1.0, seconds / sum(wanted.values())) if wanted else 1.0
        return Purse(seconds, {name: part * each for name, each in wanted.items()})

    def record(self) -> dict[str, Any]:
        """Return the times as JSON."""
        return asdict(self)


@dataclass
class Purse:
    """The time that the exercises of one submission have together.

    Args:
        seconds: What is left.
        sure: What each of them has, whatever the others take.

    Example:
        >>> purse = Purse(3.0, {"a": 1.0, "b": 1.0})
        >>> purse.open("a")
        2.0
        >>> purse.pay(2.0), purse.open("b")
        (None, 1.0)
    """

    seconds: float
    sure: Mapping[str, float]
    begun: set[str] = field(default_factory=set[str])
    most: float = 0.0

    def enlarged(self, times: float) -> Purse:
        """Return a purse with so many times the time.

        Example:
            >>> Purse(3.0, {"a": 1.0}).enlarged(2.0).seconds
            6.0
        """
        return Purse(times * self.seconds, {name: times * seconds for name, seconds in self.sure.items()})

    def open(self, exercise: str) -> float:
        """Return what an exercise may take: all but what those are sure of that come after it."""
        self.begun.add(exercise)
        aside = sum(seconds for name, seconds in self.sure.items() if name not in self.begun)
        self.most = max(self.seconds - aside, self.sure.get(exercise, 0.0))
        return self.most

    def kept(self, exercise: str, budget: float) -> float:
        """Return what an exercise's cells leave of its budget for the questions: half of what it is sure of.

        Example:
            >>> Purse(3.0, {"a": 1.0}).kept("a", 3.0), Purse(3.0, {}).kept("a", 3.0)
            (0.5, 0.75)
        """
        return min(self.sure.get(exercise, budget / 2), budget) / 2

    def pay(self, seconds: float) -> None:
        """Take out what the exercise that was opened last has taken."""
        self.seconds -= min(seconds, self.most)
