"""Answers of people who have seen neither judges nor solutions: `r…` right ones in their own styles, `w…` wrong ones.

`python -m tests.grade.strangers [LESSON …]` asks judge and check about each, and prints those that they take wrongly.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.grade.answers import placed, starters, variants
from tests.grade.in_process import checked, judged
from tests.grade.mutants import apart

SECONDS = 60.0


class Stranger(NamedTuple):
    """One answer: the source of the exercise's whole cell."""

    lesson: str
    exercise: str
    number: int
    right: bool
    cell: str


def strangers(lesson: str) -> list[Stranger]:
    """The answers to the exercises of a lesson."""
    cells = starters(lesson)
    return [
        Stranger(lesson, exercise, number, kind == "r", placed(cells[f"{exercise}-exercise"], source))
        for kind in "rw"
        for number, (exercise, source) in enumerate(variants("strangers", lesson, kind))
    ]


def mistaken(stranger: Stranger) -> str:
    """What judge and check say of an answer, if one of them is mistaken; "" if both are right."""
    lesson, exercise, _, right, cell = stranger
    answer = apart(lambda: judged(lesson, exercise, cell, seconds=SECONDS), 2 * SECONDS)
    says = apart(lambda: checked(lesson, exercise, cell, seconds=SECONDS), 2 * SECONDS)
    well = (answer == "", says.startswith("done")) == (right, right) and not answer.startswith("fault")
    return "" if well else f"{answer or 'EARNS'} | {says[:200]}"
