"""One student is deleted: from every file of the results, and nobody else is changed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade.class_run import write_results
from minitorch_lab.grade.forget import forget
from minitorch_lab.grade.gradebook import Entry, read_pieces, read_results
from minitorch_lab.grade.journal import Journal
from minitorch_lab.grade.pieces import Piece
from tests.grade.test_report_gradebook import ADA, BOB, EVE

NAME = "zaphod-b"


def results(out: Path, *entries: Entry) -> dict[str, bytes]:
    """A folder of results with a journal, and what is in its files."""
    pieces = [Piece(e.file, "graded") for e in entries] + [Piece(f"{NAME}.zip/notes.pdf", "other", "no notebook")]
    with Journal(out / "journal.jsonl") as journal:
        for submission in dict.fromkeys(e.result.submission for e in entries):
            journal.append(f"key of {submission}", {"status": "graded", "submission": submission})
    write_results("autumn", entries, out, pieces)
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def entry(of: Entry, student: str, submission: str) -> Entry:
    return replace(of, student=student, file=f"{student}/w.ipynb", result=replace(of.result, submission=submission))


def test_nothing_is_left_of_a_student_and_the_others_are_as_they_were(tmp_path: Path) -> None:
    others = [entry(ADA, "ada", "a1"), entry(EVE, "eve", "e1")]
    before = results(tmp_path, *others, entry(BOB, NAME, "b1"))
    assert sum(NAME.encode() in content for content in before.values()) >= 5
    (tmp_path / "nbgrader.csv").write_text(f"assignment,duedate,timestamp,student_id\nps1,,,ada\nps1,,,{NAME}\n")
    assert forget(NAME, tmp_path) == ([], [])
    for path in tmp_path.rglob("*"):
        assert NAME not in path.name
        assert path.is_dir() or (NAME.encode() not in path.read_bytes() and b'"b1"' not in path.read_bytes())
    assert read_results(tmp_path / "results.json") == ("autumn", others)
    assert (tmp_path / "nbgrader.csv").read_text().splitlines()[1:] == ["ps1,,,ada"]
    keys = [json.loads(line)["key"] for line in (tmp_path / "journal.jsonl").read_text().splitlines()]
    assert keys == ["key of a1", "key of e1"]
    assert (tmp_path / "journal.jsonl").stat().st_mode & 0o777 == 0o600


def test_a_record_that_is_somebody_elses_too_stays_and_no_other_notes_are_touched(tmp_path: Path) -> None:
    results(tmp_path, entry(ADA, "ada", "same"), entry(ADA, NAME, "same"))
    (tmp_path / "my-notes.txt").write_text(f"talk to {NAME}")
    assert forget(NAME, tmp_path) == ([], ["my-notes.txt"])
    assert "same" in (tmp_path / "journal.jsonl").read_text()


def test_a_longer_name_that_begins_alike_is_somebody_elses(tmp_path: Path) -> None:
    results(tmp_path, entry(ADA, "ada", "a1"), entry(BOB, "ada.byron", "b1"))
    assert forget("ada", tmp_path) == ([], [])
    assert [piece.path for piece in read_pieces(tmp_path / "results.json")] == [
        "ada.byron/w.ipynb",
        f"{NAME}.zip/notes.pdf",
    ]


def test_who_may_be_the_same_person_is_named_and_says_no_more_of_the_one_who_is_gone(tmp_path: Path) -> None:
    twin = replace(entry(ADA, "Ada", "a2"), note="2 notebooks; w counts: it is first; may be the same person as 'ada'")
    results(tmp_path, entry(ADA, "ada", "a1"), twin, entry(BOB, "bob", "b1"))
    assert forget("ada", tmp_path) == (["Ada"], [])
    assert [e.note for e in read_results(tmp_path / "results.json")[1]] == ["2 notebooks; w counts: it is first", ""]


def test_a_name_that_nobody_has_is_refused(tmp_path: Path) -> None:
    results(tmp_path, entry(ADA, "ada", "a1"))
    with pytest.raises(ArgumentError, match="has no results of 'Ada'"):
        forget("Ada", tmp_path)
