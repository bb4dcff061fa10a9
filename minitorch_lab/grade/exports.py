"""The scores in the forms that Canvas, Moodle and Gradescope take."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from xml.etree import ElementTree
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ..errors import ArgumentError
from .gradebook import Entry, clean, gradescope, number, plain, points_of
from .rosters import MOODLE, Roster, read_roster
from .tables import NO, same, written

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
NUMBERED = re.compile(r".+ \(\d+\)")  # how Canvas calls an assignment's column
MOST, LOCKED, LINE_END = "Maximum Grade", "Grade can be changed", "\n"
WORKSHEET = ("Identifier", "Grade")  # what is looked for in a worksheet; Moodle itself looks for more

SETUP = "#!/usr/bin/env bash\n# Nothing to install: what was graded at home is handed over as it is.\n"
RUN = '''#!/usr/bin/env python3
"""Hands over what was graded at the teacher's: found by the SHA-256 of the notebook, and nothing of it is run here."""
import hashlib, pathlib, shutil, sys

home = pathlib.Path("/autograder")
for path in sorted((home / "submission").rglob("*")):
    if path.is_file() and not path.is_symlink():
        graded = home / "source" / "graded" / (hashlib.sha256(path.read_bytes()).hexdigest() + ".json")
        if graded.is_file():
            shutil.copyfile(graded, home / "results" / "results.json")
            sys.exit(0)
sys.exit("This notebook is not graded yet. It has no score, which is no zero.")
'''


class Exported(NamedTuple):
    """A file for a course system.

    Args:
        text: The file.
        written: How many scores are in it.
        missing: The students whom the course system does not have.
        notes: What the teacher should know besides, in sentences.
    """

    text: str
    written: int
    missing: list[str]
    notes: list[str]


def scored(entries: Sequence[Entry], lesson: str) -> Iterator[tuple[str, Entry]]:
    """The entries of a lesson with their scores as text, "" where there is none."""
    found = [e for e in entries if e.result.lesson == lesson]
    if not found:
        raise ArgumentError(
            f"There are no results of a lesson {lesson!r}.",
            f"There are results of {', '.join(sorted({e.result.lesson for e in entries})) or 'none'}.",
            "Name one of these with --lesson.",
        )
    return (("" if e.score is None else number(e.score), e) for e in found)


Said = Mapping[str, str]  # columns of a list, with what they are called there


def canvas(
    entries: Sequence[Entry], lesson: str, listed: str, assignment: str = "", said: Said | None = None
) -> Exported:
    """The CSV that Canvas's gradebook imports, made of the one that it has exported; without a score no row.

    To Canvas an empty score is a new one, and takes the place of what a student had.

    Args:
        entries: The results.
        lesson: The lesson.
        listed: The text of Canvas's own export: it says who the students are.
        assignment: The column: as in the export ("Lesson 3 (4711)"), or without the number. Without it: the lesson.
        said: Columns of the list with what they are called there, if not as in Canvas's own export.

    Raises:
        ArgumentError: The list is none of Canvas's.
    """
    roster = read_roster(listed, ("Student", "ID", "Section"), said)
    wanted = assignment or lesson
    column = next((head for head in roster.heads if wanted in (head, head.rpartition(" (")[0])), wanted)
    kept = [head for head in CANVAS if roster.called(head)]
    rows, missing, notes = matched(entries, lesson, roster)
    points = max(e.result.points for _, e in scored(entries, lesson))
    if column in roster.heads:
        most = as_number(roster.cell(roster.points, column) if roster.points else "") or points
        notes += scaling(points, {most})
    else:
        most = points
        there = [head for head in roster.heads if NUMBERED.fullmatch(head)]
        notes.append(
            f"Canvas has no assignment {wanted!r} and will make a new one; it has {', '.join(there) or 'none'}."
        )
    lines = [[*kept, column], ["    Points Possible", *[""] * (len(kept) - 1), number(most)]]
    lines += [
        [*(roster.cell(row, head) for head in kept), as_written(e.score * most / points, roster.points)]
        for row, e in rows
        if e.score is not None
    ]
    return Exported(written(lines, roster.mark), len(lines) - 2, missing, notes)


def moodle_worksheet(entries: Sequence[Entry], lesson: str, listed: str, said: Said | None = None) -> Exported:
    """Moodle's offline grading worksheet with the grades filled in; every other column stays as it came.

    Raises:
        ArgumentError: `listed` is no such worksheet.
    """
    roster = read_roster(listed, WORKSHEET, said)
    at = roster.heads.index(roster.called("Grade") or "")
    rows, missing, notes = matched(entries, lesson, roster)
    scores: dict[int, str] = {}
    scales: set[float] = set()
    points = max(e.result.points for _, e in scored(entries, lesson))
    for row, e in rows:
        if same(roster.cell(row, LOCKED)) in NO:
            notes.append(f"Moodle lets nobody change the grade of {e.student!r}: it is left as it is.")
        elif e.score is not None:
            most = as_number(roster.cell(row, MOST)) or points
            scales.add(most)
            scores[id(row)] = as_written(e.score * most / points, [roster.cell(row, MOST)])
    notes += scaling(points, scales)
    lines = [[*row[:at], scores.get(id(row), row[at]), *row[at + 1 :]] for row in roster.rows]
    return Exported(written([roster.heads, *lines], roster.mark), len(scores), missing, notes)


def as_written(score: float, beside: Sequence[str]) -> str:
    """A score as the numbers beside it are written: with a comma where these have one.

    Example:
        >>> as_written(2.5, ["100,00"]), as_written(2.5, ["100.00"])
        ('2,5', '2.5')
    """
    text = number(score)
    return text.replace(".", ",") if any(re.fullmatch(r"\s*\d+,\d+\s*", each) for each in beside) else text


def as_number(text: str) -> float:
    """A number as a course system writes it, 0 where it is none.

    Example:
        >>> as_number("100.00"), as_number(" 11,5"), as_number("(read only)"), as_number("-")
        (100.0, 11.5, 0.0, 0.0)
    """
    found = re.fullmatch(r"\d+(?:[.,]\d+)?", text.strip())
    return float(found[0].replace(",", ".")) if found else 0.0


def scaling(points: float, scales: set[float]) -> list[str]:
    """What is to be said where the course system counts to another number than the lesson."""
    others = sorted(scales - {points})
    to = " and ".join(map(number, others))
    return (
        [f"The lesson has {points_of(points)}, the course system counts to {to}: scores are scaled."] if others else []
    )


def moodle_csv(entries: Sequence[Entry], lesson: str, listed: str = "", said: Said | None = None) -> Exported:
    """A CSV for Moodle's "Import grades", in which one maps the first column and the lesson's; without a score no row.

    Students are called as in the list, by what tells them apart there; without one, as they are called here.

    Raises:
        ArgumentError: Without a list nobody has a name that Moodle takes, or the list has no such column.
    """
    if not listed:
        require_logins(entries, lesson, "moodle-csv")
        rows = [[plain(e.student), score] for score, e in scored(entries, lesson) if score]
        return Exported(written([["username", lesson], *rows]), len(rows), [], [])
    roster = read_roster(listed, (), said)
    column = identifying(roster, ("Username", "Email address", "ID number"), "moodle-csv")
    found, missing, notes = matched(entries, lesson, roster)
    name_in = partial(roster.cell, column=column)
    notes += [f"Without {column!r} in the list, and left out: {e.student!r}." for row, e in found if not name_in(row)]
    rows = [[name_in(row), number(e.score)] for row, e in found if e.score is not None and name_in(row)]
    return Exported(written([[roster.called(column) or column, lesson], *rows]), len(rows), missing, notes)


def moodle_xml(
    entries: Sequence[Entry], lesson: str, assignment: str = "", listed: str = "", said: Said | None = None
) -> Exported:
    """The XML that Moodle's grade import reads: students and the assignment by their ID numbers.

    Raises:
        ArgumentError: Without a list nobody has a name that Moodle takes, or the list has no ID numbers.
    """
    missing, notes = list[str](), list[str]()
    if listed:
        roster = read_roster(listed, (), said)
        column = identifying(roster, ("ID number",), "moodle-xml")
        found, missing, notes = matched(entries, lesson, roster)
        people = [(roster.cell(row, column), e) for row, e in found]
        notes += [f"Without {column!r} in the list, and left out: {e.student!r}." for name, e in people if not name]
    else:
        require_logins(entries, lesson, "moodle-xml")
        people = [(e.student, e) for _, e in scored(entries, lesson)]
    root = ElementTree.Element("results")
    for student, e in people:
        if student and e.score is not None:
            result = ElementTree.SubElement(root, "result")
            for name, text in (("assignment", assignment or lesson), ("student", student), ("score", number(e.score))):
                ElementTree.SubElement(result, name).text = clean(text)
    return Exported(ElementTree.tostring(root, "unicode", xml_declaration=True) + "\n", len(root), missing, notes)


def require_logins(entries: Sequence[Entry], lesson: str, form: str) -> None:
    """Refuse to give names of persons, or of a course system's folders, for what Moodle knows students by."""
    named = [e.student for _, e in scored(entries, lesson) if e.account or MOODLE.fullmatch(e.student)]
    if named:
        raise ArgumentError(
            f"minitorch-lab export --form {form} got no --students, and students such as {named[0]!r}.",
            "Moodle imports by username, e-mail or ID number, and a download has names instead.",
            "Give a list that has these with --students; or --form moodle-worksheet with the grading worksheet.",
        )


def identifying(roster: Roster, columns: Sequence[str], form: str) -> str:
    """The first of these columns that a list has, with something in it."""
    for column in columns:
        if roster.called(column) and any(roster.cell(row, column) for row in roster.rows):
            return column
    raise ArgumentError(
        f"minitorch-lab export --form {form} got a list without {' or '.join(columns)}; it has "
        f"{', '.join(roster.heads[:12]) or 'no columns'}.",
        "Moodle finds students by what such a column holds.",
        f"Export one that has it, or say which it is: --column '{columns[0]}=NAME'. The grading worksheet needs none: "
        "--form moodle-worksheet.",
    )


Matched = tuple[list[tuple[list[str], Entry]], list[str], list[str]]


def matched(entries: Sequence[Entry], lesson: str, roster: Roster) -> Matched:
    """The entries with their rows of the list, the students who are not in it, and who cannot be told apart."""
    found: dict[int, list[tuple[list[str], Entry]]] = {}
    missing: list[str] = []
    notes: list[str] = []
    for _, e in scored(entries, lesson):
        try:
            row = roster.row_of(e.student, e.account)
        except ArgumentError as error:
            notes.append(f"Left out: {str(error).partition(LINE_END)[0]}")
            continue
        if row is None:
            missing.append(e.student)
        else:
            found.setdefault(id(row), []).append((row, e))
    for several in found.values():
        if len(several) > 1:
            names = " and ".join(repr(e.student) for _, e in several)
            notes.append(f"Left out: {names} are one student of the list, who has one score. Hand it in as one folder.")
    return [each[0] for each in found.values() if len(each) == 1], missing, notes


def autograder(entries: Sequence[Entry], lesson: str) -> bytes:
    """The archive of a Gradescope autograder that hands over what was graded here. It runs nothing of a student's."""
    held = io.BytesIO()
    files = {"setup.sh": SETUP, "run_autograder": RUN}
    files |= {
        f"graded/{e.result.submission}.json": gradescope(e.result, e.lost, e.given, e.by_hand)
        for score, e in scored(entries, lesson)
        if score and e.result.submission
    }
    with ZipFile(held, "w", ZIP_DEFLATED) as archive:
        for name, text in files.items():
            entry = ZipInfo(name)
            entry.external_attr = (0o755 if "/" not in name else 0o644) << 16
            archive.writestr(entry, text)
    return held.getvalue()
