"""The results of a batch: one entry per student, and the forms in which course systems take them."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ..errors import ArgumentError
from .pieces import Piece
from .result import Result

SCHEMA = "minitorch-lab/results/1"
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that a spreadsheet would compute


@dataclass(frozen=True, slots=True)
class Entry:
    """One student's result in one lesson.

    `refused` says why their file was not taken, where it was not; `file` is the notebook that counts, and `note` what
    the teacher should know of how it was found. `lost` are points that it costs to be late, once that is settled.
    """

    student: str
    result: Result
    refused: str = ""
    file: str = ""
    note: str = ""
    lost: float = 0.0

    @property
    def score(self) -> float | None:
        """The score that counts; None where there is none."""
        return None if self.result.score is None else self.result.score - self.lost

    @property
    def key(self) -> tuple[str, str]:
        """What it is known by: the student and the lesson."""
        return self.student, self.result.lesson


def results_json(course: str, entries: Sequence[Entry], pieces: Sequence[Piece] = ()) -> str:
    """The results as JSON, with the schema "minitorch-lab/results/1". No times: grading again gives the same text."""
    submissions = [
        {"student": e.student, "file": e.file, "note": e.note, "refused": e.refused, "result": e.result.record()}
        for e in entries
    ]
    handed_in = [
        {"path": piece.path, "became": piece.kind, "why": piece.why} | ({"of": piece.of} if piece.of else {})
        for piece in pieces
    ]
    said = {"schema": SCHEMA, "course": course, "submissions": submissions, "handed in": handed_in}
    return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def read_results(path: Path) -> tuple[str, list[Entry]]:
    """The course and the entries of a results.json.

    Raises:
        ArgumentError: It is none, or one of another version.
    """
    said = said_in(path)
    found = [
        Entry(e["student"], Result.from_record(e["result"]), e["refused"], e.get("file", ""), e.get("note", ""))
        for e in said["submissions"]
    ]
    return said["course"], found


def read_pieces(path: Path) -> list[Piece]:
    """Everything that was handed in, as a results.json has it.

    Raises:
        ArgumentError: It is none, or one of another version.
    """
    return [
        Piece(p["path"], p["became"], p["why"], of=tuple(p.get("of", ()))) for p in said_in(path).get("handed in", [])
    ]


def said_in(path: Path) -> dict[str, Any]:
    """What a results.json says.

    Raises:
        ArgumentError: It is none, or one of another version.
    """
    try:
        said = json.loads(path.read_text("utf-8"))
        schema = said["schema"]
    except (OSError, ValueError, KeyError, TypeError) as cause:
        raise ArgumentError(
            f"{path} holds no results ({type(cause).__name__}).",
            "A report is made from the results.json that minitorch-lab grade writes.",
            "Did you mean the file results.json in the folder that --out named?",
        ) from cause
    if schema != SCHEMA:
        raise ArgumentError(
            f"{path} has the schema {schema!r}.",
            f"This version reads {SCHEMA!r}.",
            "Grade the submissions again with this version.",
        )
    return said


def results_csv(entries: Sequence[Entry]) -> str:
    """One row per student and lesson: status, score, and that of each exercise. Without a score these are empty."""
    names = list(dict.fromkeys(each.name for e in entries for each in e.result.exercises))
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(
        ["student", "lesson", "status", "score", "points", *map(plain, names), "isolation", "refused", "file", "note"]
    )
    for e in entries:
        r = e.result
        scores = {each.name: number(each.score) for each in r.exercises} if r.score is not None else {}
        score = "" if r.score is None else number(r.score)
        own = [plain(e.student), plain(r.lesson), r.status, score, number(r.points)]
        last = [r.isolation.level, *map(plain, (e.refused, e.file, e.note))]
        rows.writerow([*own, *(scores.get(name, "") for name in names), *last])
    return text.getvalue()


def handed_in_csv(pieces: Sequence[Piece]) -> str:
    """One row for every single thing that was handed in: where it lay, what became of it, and why."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["path", "became", "why"])
    rows.writerows([plain(piece.path), piece.kind, plain(piece.why)] for piece in pieces)
    return text.getvalue()


def lesson_called(name: str, lessons: Iterable[str]) -> str:
    """The lesson that a number means, as `release` takes it too; else the name as it is.

    Example:
        >>> lesson_called("03", ["01_tensors", "03_backward", "03_backward"]), lesson_called("04", ["03_backward"])
        ('03_backward', '04')
    """
    lessons = {*lessons}
    meant = [each for each in lessons if each.startswith(f"{name}_")]
    return meant[0] if name not in lessons and len(meant) == 1 else name


def plain(text: str) -> str:
    """A text that no spreadsheet takes for a formula: names come from students.

    Example:
        >>> plain("=1+1"), plain("ada")
        ("'=1+1", 'ada')
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def number(score: float) -> str:
    """A score as one writes it.

    Example:
        >>> number(2.0), number(2.5)
        ('2', '2.5')
    """
    return f"{score:g}"


def points_of(points: float) -> str:
    """Points with their noun.

    Example:
        >>> points_of(1.0), points_of(2.5)
        ('1 point', '2.5 points')
    """
    return f"{number(points)} point{'s' * (points != 1)}"


def junit(entries: Sequence[Entry]) -> str:
    """The results as JUnit XML: a suite per student, a case per check; a fault of the grader is an error."""
    root = ElementTree.Element("testsuites")
    for e in entries:
        suite = ElementTree.SubElement(root, "testsuite", name=clean(e.student))
        if e.result.score is None:
            case = ElementTree.SubElement(suite, "testcase", name="grading", classname=e.result.lesson)
            why = "The grader failed" if e.result.status == "fault" else "The file could not be read"
            ElementTree.SubElement(case, "error", message=f"{why}; there is no score.")
        for exercise in e.result.exercises if e.result.score is not None else ():
            for check in exercise.checks:
                place = f"{e.result.lesson}.{exercise.name}"
                case = ElementTree.SubElement(suite, "testcase", name=check.title, classname=place)
                if check.verdict != "passed":
                    ElementTree.SubElement(case, "failure", message=check.hint or check.verdict)
        suite.set("tests", str(len(suite)))
    return ElementTree.tostring(root, "unicode", xml_declaration=True) + "\n"


def clean(text: str) -> str:
    """A text without the characters that XML does not allow."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "�", text)


def gradescope(result: Result, lost: float = 0.0) -> str:
    """One student's results.json for Gradescope, made of the feedback alone, and of what it costs to be late.

    Raises:
        ArgumentError: There is no score to hand over: the grader failed, or found no exercise in the notebook.
    """
    if result.score is None:
        failed = result.status == "fault"
        raise ArgumentError(
            f"A submission {'on which the grader failed' if failed else 'that could not be read'} has no results for "
            "Gradescope.",
            "Where nobody has seen the work there is no score, which is no zero.",
            "Run minitorch-lab grade once more: it grades what has no result."
            if failed
            else "Look at it, ask for the notebook of this lesson, and run minitorch-lab grade once more.",
        )
    shown = result.feedback()
    said = {"score": result.score - lost, "visibility": "visible", "tests": list(tests_of(shown))}
    output = " ".join(filter(None, [shown["problem"], f"Being late costs {points_of(lost)}." if lost else ""]))
    return json.dumps(said | ({"output": output} if output else {}), ensure_ascii=False) + "\n"


def tests_of(feedback: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The checks of a feedback, as Gradescope lists them."""
    for exercise in feedback["exercises"]:
        for check in exercise["checks"]:
            passed = check["score"] == check["points"]
            yield {
                "name": f"{exercise['name']}: {check['title']}",
                "score": check["score"],
                "max_score": check["points"],
                "status": "passed" if passed else "failed",
                "output": "\n".join(filter(None, [exercise["limit"], exercise["error"], check["hint"]]))
                if not passed
                else "",
                "output_format": "text",
            }


def file_names(entries: Sequence[Entry]) -> dict[tuple[str, str], str]:
    """A file name for each entry: what students are called, as far as every file system takes it, and a number.

    Example:
        >>> from .result import Isolation
        >>> r = Result("03", "graded", (), Isolation("weak", ()), "", "", "")
        >>> file_names([Entry("../Ada L.", r), Entry("ada", r)])
        {('../Ada L.', '03'): '001-Ada-L', ('ada', '03'): '002-ada'}
    """
    names = {e.key: re.sub(r"[^A-Za-z0-9]+", "-", e.student).strip("-")[:60] for e in entries}
    return {key: f"{k:03}-{name}".rstrip("-") for k, (key, name) in enumerate(names.items(), 1)}
