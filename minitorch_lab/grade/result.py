"""What grading one submission gives: a record for the teacher, and the part of it that the student may see."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ..errors import ArgumentError
from .reading import PROBLEMS

SCHEMA = "minitorch-lab/result/1"

# What may have stopped an exercise. A student sees the word; no text of the student's process is ever shown.
LIMITS = {
    "time": "The exercise took longer than it may.",
    "grown": "The exercise took longer than it may, and had filled much memory by then.",
    "call": "One call took longer than it may.",
    "memory": "More memory was used than there is for an exercise.",
    "processes": "More processes were started than an exercise may have.",
    "output": "More was printed than an exercise may print.",
    "files": "More was written to files than an exercise may write.",
    "message": "An answer was too large, too deep, or not in the form of one.",
    "ended": "The process of the submission ended before it had answered.",
    "missing": "The exercise's cell is missing.",
    "error": "The exercise's cell ended with an error.",
    "undefined": "The exercise's cell does not define what is asked for.",
}


@dataclass(frozen=True, slots=True)
class Isolation:
    """What stood between the submission and the machine, as a trial run found it.

    Args:
        level: "strong" when the trial run could reach nothing outside its box, else "weak".
        layers: Out of "process", "user", "landlock", "seccomp" and "bubblewrap".
        reached: What the trial run could reach all the same, such as "files" or "network".
    """

    level: str
    layers: tuple[str, ...]
    reached: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the isolation as JSON."""
        return {"level": self.level, "layers": list(self.layers), "reached": list(self.reached)}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check: "passed", "failed", "unreached" (the judge stopped before it) or "fault" (the judge's own).

    `named` is the sentence of the judge that the hint was made of, where it names a wrong answer: what many students
    have in common. A hint that stands for everything else names none.
    """

    title: str
    points: float
    verdict: str
    hint: str = ""
    named: str = ""

    @property
    def score(self) -> float:
        """The points it earned."""
        return self.points if self.verdict == "passed" else 0.0


@dataclass(frozen=True, slots=True)
class ExerciseResult:
    """One exercise: its checks, what limit was hit, and the class of the error that its cell ended with, if any.

    `found`: how its cells were found, where that is not by their ids alone. `raised` and `line` are what the student is
    told of an error in their code: its class, or the nearest that is not their own, and the line of their cell.
    `means`: what a right answer calls that may be the exercise itself, for the teacher to look at. `seconds`: what its
    answers took; no part of the record.
    """

    name: str
    checks: tuple[CheckResult, ...]
    limit: str | None = None
    ended: str | None = None
    found: str = ""
    raised: str | None = None
    line: int | None = None
    means: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)

    @property
    def points(self) -> float:
        """What its checks are worth together."""
        return sum(check.points for check in self.checks)

    @property
    def score(self) -> float:
        """What its checks earned together."""
        return sum(check.score for check in self.checks)


@dataclass(frozen=True, slots=True)
class Result:
    """What grading one submission gives.

    Args:
        lesson: The name of the lesson, empty when the file shows none.
        status: "graded", "unreadable" (the file is no notebook of the course; it scores 0, but where no notebook or no
            exercise was found there is no score) or "fault" (the grader's: there is no score, and it must not be
            published as zero).
        exercises: One result per exercise of the lesson, in its order.
        isolation: What stood between the submission and the machine.
        submission: SHA-256 of the file's bytes, as hex.
        course: The digest of the course.
        grader: The digest of the grader's own code.
        problem: A key of `PROBLEMS` when the file is unreadable.
        fault: What went wrong in the grader, for the teacher.
        seconds: How long it took. Not part of the record: grading twice gives the same record.

    Example:
        >>> check = CheckResult("the rule is right", 2.0, "passed")
        >>> isolation = Isolation("strong", ("process", "landlock"))
        >>> result = Result("03_backward", "graded", (ExerciseResult("cube", (check,)),), isolation, "ab", "cd", "ef")
        >>> result.score, result.points
        (2.0, 2.0)
        >>> Result.from_record(result.record()) == result
        True
    """

    lesson: str
    status: str
    exercises: tuple[ExerciseResult, ...]
    isolation: Isolation
    submission: str
    course: str
    grader: str
    problem: str | None = None
    fault: str | None = None
    seconds: float = field(default=0.0, compare=False)

    @property
    def points(self) -> float:
        """What there is to earn."""
        return sum(exercise.points for exercise in self.exercises)

    @property
    def score(self) -> float | None:
        """What was earned; None where nobody has seen the work: the grader is at fault, or could not read the file."""
        return sum(exercise.score for exercise in self.exercises) if self.status == "graded" else None

    def record(self) -> dict[str, Any]:
        """Return the result as JSON. It holds no times: the same submission gives the same record."""
        exercises = [record_of(each) for each in self.exercises]
        own = {name: getattr(self, name) for name in ("lesson", "status", "problem", "fault", "score", "points")}
        keys = {name: getattr(self, name) for name in ("submission", "course", "grader")}
        return {"schema": SCHEMA, **own, **keys, "isolation": self.isolation.record(), "exercises": exercises}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Result:
        """Return the result that a record was made from.

        Raises:
            ArgumentError: The record has another schema.
        """
        if record.get("schema") != SCHEMA:
            raise ArgumentError(
                f"A result was read with the schema {record.get('schema')!r}.",
                f"This version reads {SCHEMA!r}.",
                "Grade the submissions again.",
            )
        exercises = tuple(exercise_from(each) for each in record["exercises"])
        stood = record["isolation"]
        isolation = Isolation(stood["level"], tuple(stood["layers"]), tuple(stood["reached"]))
        names = ("submission", "course", "grader", "problem", "fault")
        return cls(record["lesson"], record["status"], exercises, isolation, **{name: record[name] for name in names})

    def feedback(self) -> dict[str, Any]:
        """Return what the student may see: titles, points, hints of failed checks, and the limit that was hit."""
        problem = None if self.problem is None else PROBLEMS[self.problem]
        head = {"lesson": self.lesson, "status": self.status, "score": self.score, "points": self.points}
        shown = [shown_of(each) for each in self.exercises] if self.status == "graded" else []
        return {**head, "problem": problem, "exercises": shown}


EXERCISE = ("name", "limit", "ended", "found", "raised", "line", "score", "points")


def record_of(exercise: ExerciseResult) -> dict[str, Any]:
    """Return an exercise as JSON."""
    checks = [asdict(check) for check in exercise.checks]
    own = {name: getattr(exercise, name) for name in EXERCISE}
    return {**own, "means": list(exercise.means), "checks": checks}


def exercise_from(record: dict[str, Any]) -> ExerciseResult:
    """Return the exercise that a record was made from."""
    fields = ("title", "points", "verdict", "hint", "named")
    checks = tuple(CheckResult(**{name: check.get(name, "") for name in fields}) for check in record["checks"])
    about = (record.get("found", ""), record.get("raised"), record.get("line"), tuple(record.get("means", ())))
    return ExerciseResult(record["name"], checks, record["limit"], record["ended"], *about)


def shown_of(exercise: ExerciseResult) -> dict[str, Any]:
    """Return what the student may see of one exercise."""
    checks = [
        {"title": check.title, "points": check.points, "score": check.score, "hint": check.hint}
        for check in exercise.checks
    ]
    limit = None if exercise.limit is None else LIMITS[exercise.limit]
    head = {"name": exercise.name, "score": exercise.score, "points": exercise.points, "found": exercise.found}
    return {**head, "limit": limit, "error": error_of(exercise), "checks": checks}


def error_of(exercise: ExerciseResult) -> str | None:
    """What the student may see of an error in their code."""
    if exercise.raised is None:
        return None
    place = "" if exercise.line is None else f" in line {exercise.line} of the exercise's cell"
    return f"Your code stops with {exercise.raised}{place}."
