"""A score that the teacher sets counts everywhere, or is refused in words; none is ignored."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade.class_run import write_results
from minitorch_lab.grade.exports import canvas
from minitorch_lab.grade.forget import forget
from minitorch_lab.grade.gradebook import gradescope, read_results, results_csv, results_json
from minitorch_lab.grade.nbgrader import Known, nbgrader_csv
from minitorch_lab.grade.overrides import read_entries
from minitorch_lab.grade.terms import Terms, settle, settled_csv, with_settled
from tests.grade.test_report_exports import CANVAS
from tests.grade.test_report_gradebook import ADA, BOB, ILL

LESSON, DUE = "03_backward", datetime(2026, 11, 1, tzinfo=UTC)
TABLE = "student;lesson;score;why\nADA;3;1,5;not her own\nill;03_backward;4;read by hand\n"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "results.json").write_text(results_json("autumn", [ADA, BOB, ILL]), "utf-8")
    (tmp_path / "overrides.csv").write_text(TABLE, "utf-8-sig")
    return tmp_path


def test_a_score_that_is_set_stands_on_every_page_and_in_every_export(out: Path) -> None:
    course, entries = read_entries(out / "results.json")
    assert [(e.student, e.score) for e in entries] == [("ada", 1.5), ("bob", 3.0), ("ill", 4.0)]
    write_results(course, entries, out)
    told = {row["student"]: (row["score"], row["by hand"]) for row in csv.DictReader(io.StringIO(results_csv(entries)))}
    assert told["ada"] == ("1.5", "set by hand: not her own")
    pages = {path.stem: path.read_text("utf-8") for path in (out / "report").rglob("*.html")}
    assert "<b>1.5 of 5 points</b> (set by hand: not her own)" in pages["001-ada"]
    assert "1.5 of 5" in pages["index"]
    assert "4 of 5" in pages["003-ill"]
    assert json.loads((out / "gradescope/001-ada.json").read_text())["score"] == 1.5
    assert "read by hand" in gradescope(ILL.result, given=4.0, by_hand=entries[2].by_hand)
    upload = list(csv.reader(io.StringIO(canvas(entries, LESSON, CANVAS).text)))
    assert [row[-1] for row in upload[2:]] == ["1.5", "4"]
    assert nbgrader_csv(entries[:1], "ps1", Known()).splitlines()[1].endswith(",1.5,0,1.5,5")
    assert read_results(out / "results.json") == ("autumn", [ADA, BOB, ILL])  # as it was graded
    settled = settle(entries, Terms({LESSON: DUE}, 0, 0.1), {ADA.key: DUE.replace(day=2)})
    assert [each.score for each in settled] == [1.0, 3.0, 4.0]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("eve,3,1", "there is no result of 'eve' in '3'"), ("ada,4,1", "there is no result of 'ada' in '4'"),
        ("ada,3,50", "the score of ada in 03_backward is 50 of 5"), ("ada,3,x", "the score of ada is 'x'"),
        ("ada,3,1\nAda,03_backward,2", "it sets two scores of ada in 03_backward"),
    ],
)  # fmt: skip
def test_a_score_that_nobody_can_have_is_refused(out: Path, row: str, told: str) -> None:
    (out / "overrides.csv").write_text(f"student,lesson,score\n{row}\n")
    with pytest.raises(ArgumentError) as caught:
        read_entries(out / "results.json")
    assert told in str(caught.value)
    assert "student, lesson, score from 0" in str(caught.value)


def test_a_score_that_was_written_into_the_results_is_refused(out: Path) -> None:
    said = json.loads((out / "results.json").read_text())
    said["submissions"][1]["result"]["score"] = 5.0
    (out / "results.json").write_text(json.dumps(said))
    with pytest.raises(ArgumentError) as caught:
        read_entries(out / "results.json")
    assert str(caught.value) == (
        f"{out / 'results.json'} says score 5.0 of bob in {LESSON}, and the checks make 3.0.\n"
        "  It holds what was graded: a score is the sum of what checks have earned, and none is to be set there.\n"
        "  Undo that, and set the score in overrides.csv beside it: student,lesson,score,why."
    )


def test_a_settled_score_that_does_not_follow_is_refused_and_a_waived_day_is_not(out: Path) -> None:
    path = out / "settled.csv"
    text = settled_csv(settle([ADA], Terms({LESSON: DUE}, 0, 0.2), {ADA.key: DUE.replace(day=2)}))
    assert "5,1,0,1,4,5" in text
    edited = {"5,1,0,1,5,5": "lost 1, score 5 of ada", "5,1,0,-2,7,5": "lost -2", "5,1,0,x,4,5": "lost x"}
    for row, told in edited.items():
        path.write_text(text.replace("5,1,0,1,4,5", row))
        with pytest.raises(ArgumentError, match=told):
            with_settled([ADA], path)
    path.write_text(text.replace("5,1,0,1,4,5", "5,1,0,0.5,4.5,5"))
    assert [e.score for e in with_settled([ADA], path)] == [4.5]


def test_who_is_forgotten_has_no_score_by_hand_either(out: Path) -> None:
    forget("ada", out)
    assert (out / "overrides.csv").read_text().splitlines() == [
        "student;lesson;score;why", "ill;03_backward;4;read by hand",
    ]  # fmt: skip
