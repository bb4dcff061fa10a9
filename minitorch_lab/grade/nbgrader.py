"""An nbgrader course: its submissions are taken in, and its gradebook's CSV is given back. nbgrader is not needed."""

from __future__ import annotations

import csv
import io
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import ArgumentError
from .gradebook import Entry, number, plain

COLUMNS = ("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score",
           "late_submission_penalty", "score", "max_score")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Known:
    """What nbgrader's gradebook.db says of an assignment: when it is due, who the students are, who handed in when."""

    due: str = ""
    students: dict[str, tuple[str, str, str]] = field(default_factory=dict[str, tuple[str, str, str]])
    times: dict[str, str] = field(default_factory=dict[str, str])


def gather(course: Path, assignment: str, into: Path) -> Path:
    """Copy an assignment out of `submitted/STUDENT/ASSIGNMENT/`, so that the student is the folder at the top.

    Raises:
        ArgumentError: Nobody has handed it in there.
    """
    submitted = course / "submitted"
    found = sorted(path for path in submitted.glob(f"*/{assignment}") if path.is_dir() and not path.parent.is_symlink())
    if not found:
        there = sorted({path.name for path in submitted.glob("*/*") if path.is_dir()})
        raise ArgumentError(
            f"{submitted} has no submission of {assignment!r}; it has {', '.join(there[:8]) or 'none'}.",
            "An nbgrader course collects into submitted/STUDENT/ASSIGNMENT.",
            "Run nbgrader collect first, or name another assignment.",
        )
    for path in found:
        shutil.copytree(path, into / path.parent.name, symlinks=True)  # a link stays one, and is refused as one
    return into


def known(course: Path, assignment: str) -> Known:
    """What the gradebook says, as far as there is one.

    Raises:
        ArgumentError: It is none of nbgrader's.
    """
    path = course / "gradebook.db"
    written = {
        each.parent.parent.name: each.read_text("utf-8", "replace").strip()[:100]
        for each in sorted(course.glob(f"submitted/*/{assignment}/timestamp.txt"))
        if each.is_file() and not each.is_symlink()
    }
    if not path.is_file():
        return Known(times=written)
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as book:
            due = book.execute("SELECT duedate FROM assignment WHERE name = ?", (assignment,)).fetchone()
            people = book.execute("SELECT id, last_name, first_name, email FROM student").fetchall()
            handed = book.execute(
                "SELECT s.student_id, s.timestamp FROM submitted_assignment s JOIN assignment a"
                " ON s.assignment_id = a.id WHERE a.name = ?",
                (assignment,),
            ).fetchall()
    except sqlite3.Error as cause:
        raise ArgumentError(
            f"{path} is no gradebook of nbgrader's ({cause}).",
            "It is an SQLite file with the tables student, assignment and submitted_assignment.",
            "Take it away to go on without names and times.",
        ) from cause
    students = {str(name): (text(last), text(first), text(mail)) for name, last, first, mail in people}
    times = written | {str(name): text(when) for name, when in handed if when}
    return Known(text(due and due[0]), students, times)


def text(value: object) -> str:
    """A value of the gradebook as text."""
    return "" if value is None else str(value)


def nbgrader_csv(entries: Sequence[Entry], assignment: str, about: Known) -> str:
    """The scores in the form of nbgrader's own export: a row per student, those who handed in nothing with zero.

    A student who has no score here, because the grader failed or nobody has seen the work, has an empty one.
    """
    most = max((e.result.points for e in entries), default=0.0)
    graded = {e.student: e for e in entries}
    lines: list[Sequence[str]] = [COLUMNS]
    for student in sorted({*about.students, *graded}):
        names = about.students.get(student, ("", "", ""))
        entry = graded.get(student)
        score = "0" if entry is None else "" if entry.earned is None else number(entry.earned)
        head = [assignment, about.due, about.times.get(student, "") if entry else "", plain(student)]
        lines.append([*head, *map(plain, names), score, "0", score, number(most)])
    held = io.StringIO()
    csv.writer(held, lineterminator="\n").writerows(lines)
    return held.getvalue()
