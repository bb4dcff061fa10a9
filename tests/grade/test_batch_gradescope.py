"""What Gradescope exports: its folders have numbers, and a list beside them says who is who."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest

from minitorch_lab.grade.class_run import write_results
from minitorch_lab.grade.exports import canvas
from minitorch_lab.grade.forget import forget
from minitorch_lab.grade.gradebook import read_pieces
from minitorch_lab.grade.inputs import collect
from minitorch_lab.grade.journal import Journal
from tests.grade.test_batch_downloads import LESSON, ROSTER, look, put, scores

LIST = """---
submission_98761:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0101'
    :email: ada@uni.example
  :created_at: 2026-11-01 12:00:00.000000000 Z
  :score: 3.0
  :results: !ruby/hash:ActiveSupport::HashWithIndifferentAccess
    tests:
    - name: "x: y"
submission_98762:
  :submitters:
  - :name: "Bj\\xF6rn \\u738B"
    :sid: ''
    :email: bjorn@uni.example
  - :name: Kim
    :sid: 0102
    :email:
submission_98763:
  :submitters:
  - :name: Kim
    :sid: '0103'
    :email: kim@uni.example
submission_98764:
  :submitters: []
"""
NUMBERS = range(98761, 98765)
CANVAS_LIST = ROSTER.replace("12345,S1,ada", "101,0101,ada") + "Björn 王,104,0104,bjorn@uni.example,A,\n"


def exported(folder: Path, listed: str = LIST) -> Path:
    """An assignment as Gradescope exports it."""
    files = {f"submission_{number}/{LESSON}.ipynb": f"{LESSON} {number % 10}" for number in NUMBERS}
    return put(folder, **files, **{"submission_metadata.yml": listed})


def test_gradescope_s_list_names_the_students(tmp_path: Path) -> None:
    found = collect([exported(tmp_path / "assignment_5_export")], f"{LESSON}.ipynb", look)
    assert {each.student: (each.file.partition("/")[0], each.note) for each in found.submissions} == {
        "Ada Lovelace": ("submission_98761", ""),
        "Björn 王": ("submission_98762", "handed in together with '0102'"),
        "0102": ("submission_98762", "handed in together with 'Björn 王'"),
        "kim@uni.example": ("submission_98763", ""),
        "submission_98764": ("submission_98764", ""),
    }
    assert sorted(piece.path for piece in found.pieces) == sorted(
        [*(f"submission_{number}/{LESSON}.ipynb" for number in NUMBERS), "submission_metadata.yml"]
    )
    made = canvas(scores(found), LESSON, CANVAS_LIST, "Lesson 3")
    assert [row[1] for row in csv.reader(io.StringIO(made.text))][2:] == ["101", "104"]


def test_a_class_as_gradescope_packs_it(tmp_path: Path) -> None:
    exported(tmp_path / "assignment_5_export")
    with zipfile.ZipFile(tmp_path / "submissions.zip", "w") as made:
        for path in (tmp_path / "assignment_5_export").rglob("*"):
            made.write(path, path.relative_to(tmp_path))
    found = collect([tmp_path / "submissions.zip"], f"{LESSON}.ipynb", look)
    assert "Ada Lovelace" in {each.student for each in found.submissions}


@pytest.mark.parametrize("listed", ["", "- a\n", "a: [", "submission_98761: 3", "submission_98761:\n  :submitters: 5"])
def test_a_list_that_is_none_names_nobody_and_that_is_said(tmp_path: Path, listed: str) -> None:
    found = collect([exported(tmp_path, listed)], f"{LESSON}.ipynb", look)
    assert [each.student for each in found.submissions] == [f"submission_{number}" for number in NUMBERS]
    (why,) = [piece.why for piece in found.pieces if piece.path == "submission_metadata.yml"]
    assert why.startswith("submission_metadata.yml is no list of Gradescope's (")
    assert why.endswith(" Students are called after their folders.")


def test_who_has_been_named_by_a_list_is_forgotten_too(tmp_path: Path) -> None:
    found = collect([exported(tmp_path / "in")], f"{LESSON}.ipynb", look)
    with Journal(tmp_path / "out/journal.jsonl"):
        write_results("autumn", scores(found), tmp_path / "out", found.pieces)
    forget("Ada Lovelace", tmp_path / "out")
    forget("Björn 王", tmp_path / "out")
    left = [piece.path.partition("/")[0] for piece in read_pieces(tmp_path / "out/results.json")]
    assert left == ["submission_98762", "submission_98763", "submission_98764", "submission_metadata.yml"] or left == [
        "submission_metadata.yml", "submission_98762", "submission_98763", "submission_98764",
    ]  # fmt: skip
    for path in (tmp_path / "out").rglob("*"):
        assert path.is_dir() or not {"Ada", "Björn"} & {*path.read_text("utf-8").replace("'", " ").split()}
