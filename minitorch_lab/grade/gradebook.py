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
    `account` is what a course system has for the student, such as "Canvas 12345". `given` is the score that the teacher
    has set in the place of the graded one, and `why` what they say of it.
    """

    student: str
    result: Result
    refused: str = ""
    file: str = ""
    note: str = ""
    lost: float = 0.0
    account: str = ""
    given: float | None = None
    why: str = ""

    @property
    def earned(self) -> float | None:
        """The score before what being late costs: as it was graded, or as the teacher has set it; None without one."""
        return self.result.score if self.given is None else self.given

    @property
    def score(self) -> float | None:
        """The score that counts; None where there is none."""
        return None if self.earned is None else self.earned - self.lost

    @property
    def by_hand(self) -> str:
        """What is said of a score that the teacher has set, "" where it is as it was graded."""
        return "" if self.given is None else f"set by hand{': ' * bool(self.why)}{self.why}"

    @property
    def key(self) -> tuple[str, str]:
        """What it is known by: the student and the lesson."""
        return self.student, self.result.lesson


def results_json(course: str, entries: Sequence[Entry], pieces: Sequence[Piece] = ()) -> str:
    """The results as JSON, with the schema "minitorch-lab/results/1". No times: grading again gives the same text."""
    submissions = [
        {"student": e.student, "account": e.account, "file": e.file, "note": e.note, "refused": e.refused}
        | {"result": e.result.record()}
        for e in entries
    ]
    handed_in = [
        {"path": piece.path, "became": piece.kind, "why": piece.why} | ({"of": piece.of} if piece.of else {})
        for piece in pieces
    ]
    said = {"schema": SCHEMA, "course": course, "submissions": submissions, "handed in": handed_in}
    return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def read_results(path: Path) -> tuple[str, list[Entry]]:
    """The course and the entries of a results.json, as they were graded.

    Raises:
        ArgumentError: It is none, one of another version, or one in which somebody has written.
    """
    said = said_in(path)
    found = [
        Entry(e["student"], as_graded(e, path), e["refused"], e.get("file", ""), e.get("note", ""),
              account=e.get("account", ""))
        for e in said["submissions"]
    ]  # fmt: skip
    return said["course"], found


def as_graded(submission: dict[str, Any], path: Path) -> Result:
    """The result of a submission.

    Raises:
        ArgumentError: Its score is another than what its checks have earned together.
    """
    record = submission["result"]
    result = Result.from_record(record)
    scores = [(result.score, record.get("score"))]
    scores += [(one.score, two.get("score")) for one, two in zip(result.exercises, record["exercises"], strict=True)]
    if odd := next(((made, said) for made, said in scores if made != said), None):
        raise ArgumentError(
            f"{path} says score {odd[1]} of {submission['student']} in {result.lesson}, and the checks make {odd[0]}.",
            "It holds what was graded: a score is the sum of what checks have earned, and none is to be set there.",
            "Undo that, and set the score in overrides.csv beside it: student,lesson,score,why.",
        )
    return result


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
    own = ["student", "lesson", "status", "score", "points"]
    rows.writerow([*own, *map(plain, names), "isolation", "refused", "file", "note", "by hand"])
    for e in entries:
        r = e.result
        scores = {each.name: number(each.score) for each in r.exercises} if r.score is not None else {}
        score = "" if e.earned is None else number(e.earned)
        own = [plain(e.student), plain(r.lesson), r.status, score, number(r.points)]
        last = [r.isolation.level, *map(plain, (e.refused, e.file, e.note, e.by_hand))]
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
    """The lesson that a number means, or the rest of its name, as `release` takes it too; else the name as it is.

    Example:
        >>> lessons = ["01_tensors", "03_backward", "03_backward"]
        >>> [lesson_called(name, lessons) for name in ("03", "3", "backward", "04")]
        ['03_backward', '03_backward', '03_backward', '04']
    """
    lessons = {*lessons}
    wanted = name.strip().removesuffix(".ipynb")
    meant = [each for each in lessons if wanted and wanted in names_of(each)]
    return meant[0] if name not in lessons and len(meant) == 1 else name


def names_of(lesson: str) -> set[str]:
    """What a lesson is called for short: "03", "3" and "backward" mean 03_backward.

    Example:
        >>> sorted(names_of("03_backward")), sorted(names_of("my lesson"))
        (['03', '03_backward', '3', 'backward'], ['my lesson'])
    """
    number, _, rest = lesson.partition("_")
    return {lesson, *((number, number.lstrip("0"), rest) if number.isdigit() and rest else ())}


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
        if e.earned is None:
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


def gradescope(result: Result, lost: float = 0.0, given: float | None = None, by_hand: str = "") -> str:
    """One student's results.json for Gradescope, made of the feedback alone, and of what it costs to be late.

    `given` is the score that the teacher has set, and `by_hand` what is said of it.

    Raises:
        ArgumentError: There is no score to hand over: the grader failed, or found no exercise in the notebook.
    """
    earned = result.score if given is None else given
    if earned is None:
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
    said = {"score": earned - lost, "visibility": "visible", "tests": list(tests_of(shown))}
    late = f"Being late costs {points_of(lost)}." if lost else ""
    output = " ".join(filter(None, [shown["problem"], f"The score is {by_hand}." if by_hand else "", late]))
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
