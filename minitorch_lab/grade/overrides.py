"""Scores that the teacher sets by hand: a table beside the results, which grading anew leaves alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ..errors import ArgumentError
from .gradebook import Entry, lesson_called, number, plain, read_results
from .rosters import who_is
from .tables import read_table, text_of

FILE = "overrides.csv"
NEEDED = ("student", "lesson", "score")


class Override(NamedTuple):
    """A score that is set by hand, as the table says it."""

    student: str
    lesson: str
    score: float
    why: str


def read_entries(path: Path) -> tuple[str, list[Entry]]:
    """The course and the entries of a results.json, with the scores that overrides.csv beside it sets.

    Raises:
        ArgumentError: One of the two is none, or a score is set for which there is no result.
    """
    course, entries = read_results(path)
    entries, idle = overridden(entries, read_overrides(path.parent))
    if idle:
        raise bad(path.with_name(FILE), idle[0])
    return course, entries


def read_overrides(folder: Path) -> list[Override]:
    """The scores that are set by hand in a folder of results: a CSV with student, lesson, score and, if you like, why.

    Raises:
        ArgumentError: The table is none, or a score is no number.
    """
    path = folder / FILE
    if not path.is_file():
        return []
    heads, rows, _ = read_table(text_of(path))
    if lacking := [name for name in NEEDED if name not in heads]:
        raise bad(path, f"it has no column {lacking[0]!r}, but {', '.join(heads) or 'none'}")
    found: list[Override] = []
    for row in rows:
        said = {head: cell.strip() for head, cell in zip(heads, row, strict=False)}
        try:
            score = float(said["score"].replace(",", "."))
        except ValueError as cause:
            raise bad(path, f"the score of {said['student']} is {said['score']!r}") from cause
        found.append(Override(said["student"], said["lesson"], score, said.get("why", "")))
    return found


def overridden(entries: Sequence[Entry], overrides: Sequence[Override]) -> tuple[list[Entry], list[str]]:
    """The entries with the scores that are set by hand, and in words which of these are of no entry.

    Raises:
        ArgumentError: A score is none that one can have, or one student has two in a lesson.

    Example:
        >>> from .result import Isolation, Result
        >>> ada = Entry("ada", Result("03_backward", "graded", (), Isolation("weak", ()), "", "", ""))
        >>> (ada,), idle = overridden([ada], [Override("Ada", "3", 0.0, "spoke to her")])
        >>> ada.score, ada.by_hand, idle
        (0.0, 'set by hand: spoke to her', [])
    """
    set_by_hand: dict[tuple[str, str], Override] = {}
    idle: list[str] = []
    for each in overrides:
        lesson = lesson_called(each.lesson, (e.result.lesson for e in entries))
        here = {name: e.account for e in entries if e.result.lesson == lesson for name in (e.student, plain(e.student))}
        student = who_is(each.student, here)
        e = next((e for e in entries if e.result.lesson == lesson and student in (e.student, plain(e.student))), None)
        if student is None or e is None:
            idle.append(f"there is no result of {each.student!r} in {each.lesson!r}")
            continue
        require_score(each, e)
        if set_by_hand.setdefault(e.key, each) != each:
            raise bad(Path(FILE), f"it sets two scores of {e.student} in {lesson}")
    return [*applied(entries, set_by_hand)], idle


def applied(entries: Sequence[Entry], by_key: dict[tuple[str, str], Override]) -> Iterator[Entry]:
    """The entries with these scores."""
    for e in entries:
        each = by_key.get(e.key)
        yield replace(e, given=each.score, why=each.why) if each else replace(e, given=None, why="")


def require_score(override: Override, entry: Entry) -> None:
    """Refuse a score that nobody can have, such as 110 for 11."""
    most = entry.result.points
    if not 0 <= override.score <= (most or override.score):
        raise bad(
            Path(FILE),
            f"the score of {entry.student} in {entry.result.lesson} is {number(override.score)} of {number(most)}",
        )


def bad(path: Path, why: str) -> ArgumentError:
    """The error for a table of scores that cannot be used."""
    return ArgumentError(
        f"{path} cannot be used ({why}).",
        "It sets scores by hand: a CSV with student, lesson, score from 0 to the lesson's points, and why.",
        "Students and lessons are called as in results.csv.",
    )
