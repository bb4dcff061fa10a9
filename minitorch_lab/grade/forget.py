"""Deletes what is stored of one student in a folder of results: in every file, and in the journal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ..errors import ArgumentError
from .class_run import write_results
from .gradebook import Entry, plain, read_pieces
from .journal import Journal
from .overrides import FILE, read_entries
from .pieces import Piece, owner
from .put import put
from .rosters import who_is
from .submission import copy_note, group_note, twin_note, twins
from .tables import read_table, text_of, written

OURS = ("results.json", "results.csv", "results.xml", "handed-in.csv", "report", "gradescope", "journal.jsonl",
        "nbgrader.csv", "settled.csv", FILE)  # fmt: skip
TABLES = {"nbgrader.csv": 3, "settled.csv": 0, FILE: 0}  # that are not made anew, and where the student stands


class Left(NamedTuple):
    """What may still be there of a student: under other names, and in the files of others."""

    twins: list[str]
    files: list[str]


def forget(student: str, out: Path) -> Left:
    """Delete a student from a folder of results, and say who is left that may be them, and which files name them.

    Tables and pages are written anew without them, and the records of their notebooks leave the journal; those of
    a notebook that somebody else has handed in byte by byte stay, without a name as all are.

    Args:
        student: The student's name, as in results.csv.
        out: The folder that `minitorch-lab grade --out` has named.

    Returns:
        The students who are still there and may be the same person; and the files in the folder that somebody else has
        put there and that hold the name: they are left as they are.

    Raises:
        ArgumentError: There are no results of the student there.
    """
    course, entries = read_entries(out / "results.json")
    student = next((e.student for e in entries if student in (e.student, plain(e.student))), student)
    gone = [e for e in entries if e.student == student]
    if not gone:
        raise ArgumentError(
            f"{out} has no results of {student!r}.",
            "A student is named as in the first column of results.csv.",
            "Is it another folder of results, or another spelling?",
        )
    left = [without_notes(e, student) for e in entries if e.student != student]
    with Journal(out / "journal.jsonl") as journal:  # while no other run may write there
        drop(journal, {e.result.submission for e in gone} - {e.result.submission for e in left})
        write_results(
            course,
            left,
            out,
            [p for p in read_pieces(out / "results.json") if not is_of(p, student, {e.student for e in left})],
        )
    people = {e.student: e.account for e in entries}
    for name, column in TABLES.items():
        if (out / name).is_file():
            put(out / name, without_rows(text_of(out / name), student, column, people))
    names = list(dict.fromkeys(e.student for e in left))
    return Left(twins(student, names), sorted(naming(student, out, any(student in name for name in names))))


def without_notes(entry: Entry, student: str) -> Entry:
    """The entry, without what its note says of the student: they may have been taken for one person."""
    gone = {twin_note(student), copy_note(student), group_note(student)}
    return replace(entry, note="; ".join(part for part in entry.note.split("; ") if part not in gone))


def drop(journal: Journal, submissions: set[str]) -> None:
    """Write the journal anew without the records of these submissions."""
    lines = [
        json.dumps({"key": key, "record": record}, ensure_ascii=False, sort_keys=True) + "\n"
        for key, record in journal.records.items()
        if record.get("submission") not in submissions
    ]
    put(journal.path, "".join(lines))
    journal.path.chmod(0o600)


def is_of(piece: Piece, student: str, others: set[str]) -> bool:
    """Whether something that was handed in is a student's alone: it says so, or what lies at the top is called so."""
    if piece.of:
        return student in piece.of and not others.intersection(piece.of)
    top = piece.path.partition("/")[0]
    return student == top or (top not in others and student == owner(Path(top)))


def without_rows(table: str, student: str, column: int, people: Mapping[str, str]) -> str:
    """A table without the rows of a student.

    Args:
        table: The table.
        student: The student.
        column: Where students stand in it, if no column is called so.
        people: Everybody, with their accounts: in a table of the teacher's the student may be written otherwise.
    """
    heads, rows, mark = read_table(table)
    at = heads.index("student") if "student" in heads else column
    own = {student, plain(student)}
    return written([heads, *(r for r in rows if r[at] not in own and who_is(r[at].strip(), people) != student)], mark)


def naming(student: str, out: Path, alike: bool) -> Iterator[str]:
    """The files of a folder that hold a student's name; `alike`: not the grader's, as somebody else's name holds it."""
    for path in out.rglob("*"):
        name = path.relative_to(out)
        ours = name.parts[0] in OURS and alike
        if path.is_file() and not ours and student.encode() in path.read_bytes():
            yield name.as_posix()
