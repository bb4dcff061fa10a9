"""What comes out of a batch, and what must not: hostile names, formulas, markup, scores of the grader's own faults."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade import CheckResult, ExerciseResult, Isolation, Result
from minitorch_lab.grade.analysis import histogram, items, misconceptions, summary
from minitorch_lab.grade.class_run import write_results
from minitorch_lab.grade.gradebook import (
    Entry,
    file_names,
    gradescope,
    junit,
    read_results,
    results_csv,
    results_json,
)
from minitorch_lab.grade.judge_source import Check
from minitorch_lab.grade.one import hint_of
from minitorch_lab.grade.pages import accounts, by_need, class_page, doubts, notes, student_page

BOX = Isolation("strong", ("process", "landlock"))
CANARY = "canary-of-the-teacher"


def result(*verdicts: str, status: str = "graded", limit: str | None = None, problem: str | None = None) -> Result:
    """Two exercises, with one check of 2 and one of 3 points."""
    hints = {"passed": "", "failed": "you overwrote instead of adding", "unreached": "generic"}
    named = {"failed": hints["failed"]}
    first, second = (
        CheckResult(f"check {k}", k + 2.0, v, hints.get(v, ""), named.get(v, "")) for k, v in enumerate(verdicts)
    )
    exercises = (ExerciseResult("walk", (first,), limit, CANARY), ExerciseResult("order", (second,)))
    fault = CANARY if status == "fault" else None
    return Result("03_backward", status, exercises, BOX, "ab", "cd", "ef", problem, fault)


ADA = Entry("ada", result("passed", "passed"))
BOB = Entry("bob", result("failed", "passed", limit="time"))
EVE = Entry("eve", result("failed", "failed"))
ODD = Entry('<script>alert(1)</script>"&', result("failed", "failed"))
SUM = Entry("=HYPERLINK(1)", result("passed", "failed"))
ILL = Entry("ill", result("fault", "fault", status="fault"))
CUT = Entry("cut", result("unreached", "unreached", status="unreadable", problem="not a notebook"), "a link")
CLASS = [ADA, BOB, EVE, ODD, SUM, ILL, CUT]


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text(results_json("autumn", CLASS), "utf-8")
    assert read_results(tmp_path / "results.json") == ("autumn", CLASS)


def test_results_of_another_version_or_none_at_all(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('{"schema": "minitorch-lab/results/9"}')
    with pytest.raises(ArgumentError) as caught:
        read_results(tmp_path / "r.json")
    assert str(caught.value) == (
        f"{tmp_path / 'r.json'} has the schema 'minitorch-lab/results/9'.\n"
        "  This version reads 'minitorch-lab/results/1'.\n"
        "  Grade the submissions again with this version."
    )
    for text in ("[]", "{", '"x"'):
        (tmp_path / "r.json").write_text(text)
        with pytest.raises(ArgumentError, match="holds no results"):
            read_results(tmp_path / "r.json")


def test_csv_has_no_formulas_and_no_score_where_the_grader_failed() -> None:
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(results_csv(CLASS)))}
    assert rows["ada"]["score"] == "5"
    assert (rows["bob"]["walk"], rows["bob"]["order"]) == ("0", "3")
    assert (rows["ill"]["score"], rows["ill"]["walk"], rows["ill"]["status"]) == ("", "", "fault")
    assert "'=HYPERLINK(1)" in rows
    assert (rows["cut"]["refused"], rows["cut"]["score"], rows["cut"]["walk"]) == ("a link", "", "")


def test_junit_counts_checks_and_calls_a_fault_an_error() -> None:
    root = ElementTree.fromstring(junit([*CLASS, Entry("bell\x07", result("passed", "failed"))]))
    suites = {suite.get("name"): suite for suite in root}
    assert len(suites) == 8
    assert [case.get("name") for case in suites["bob"].iter("testcase")] == ["check 0", "check 1"]
    assert [f.get("message") for f in suites["bob"].iter("failure")] == ["you overwrote instead of adding"]
    assert len(list(suites["ill"].iter("error"))) == 1
    assert len(list(suites["cut"].iter("error"))) == 1
    assert not [*suites["ill"].iter("failure"), *suites["cut"].iter("failure")]


def test_gradescope_gets_the_feedback_and_no_fault() -> None:
    said = json.loads(gradescope(BOB.result))
    assert said["score"] == 3
    first, second = said["tests"]
    assert first["output"] == "The exercise took longer than it may.\nyou overwrote instead of adding"
    assert (first["score"], first["max_score"], first["status"]) == (0, 2, "failed")
    assert (second["status"], second["output"]) == ("passed", "")
    with pytest.raises(ArgumentError, match="no score, which is no zero"):
        gradescope(ILL.result)


def test_what_a_class_got_wrong() -> None:
    walk, order = items(CLASS)
    assert (walk.exercise, walk.asked, walk.passed, round(walk.share, 2)) == ("walk", 5, 2, 0.4)
    assert (order.asked, order.passed) == (5, 2)
    top, at, count = misconceptions(CLASS)[0]
    assert (top, at.exercise, count) == ("you overwrote instead of adding", "walk", 3)
    assert summary(CLASS) == {"submissions": 7, "faults": 1, "mean": pytest.approx(10 / 25), "median": 0.4}
    assert histogram(CLASS) == [2, 0, 0, 0, 1, 0, 1, 0, 0, 1]


def test_pages_escape_what_comes_from_students_and_load_nothing() -> None:
    names = file_names(CLASS)
    pages = [class_page("<b>autumn</b>", CLASS, names), *(student_page(e.student, e.result.feedback()) for e in CLASS)]
    for text in pages:
        assert "<script" not in text
        assert "<b>autumn" not in text
        assert "default-src 'none'" in text
        assert "src=" not in text.replace("default-src", "").replace("style-src", "")
        assert "http" not in text.replace("http-equiv", "")


def test_a_students_page_is_the_allow_list_and_nothing_else() -> None:
    for entry in CLASS:
        text = student_page(entry.student, entry.result.feedback())
        assert CANARY not in text
        assert "landlock" not in text
    assert "no score yet" in student_page("ill", ILL.result.feedback())
    assert "0 of" not in student_page("ill", ILL.result.feedback())
    assert "The exercise took longer than it may." in student_page("bob", BOB.result.feedback())
    assert "The file is not a notebook" in student_page("cut", CUT.result.feedback())


def test_file_names_stay_in_their_folder() -> None:
    names = file_names([Entry(name, ADA.result) for name in ("../../etc/x", "a b", "a-b", "con", "é", "x" * 300)])
    assert list(names.values()) == ["001-etc-x", "002-a-b", "003-a-b", "004-con", "005", f"006-{'x' * 60}"]


def test_every_file_of_the_results_is_written_and_faults_leave_none_behind(tmp_path: Path) -> None:
    write_results("autumn", CLASS, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "gradescope", "report", "results.csv", "results.json", "results.xml",
    ]  # fmt: skip
    assert len(list((tmp_path / "report/students").iterdir())) == 7
    assert len(list((tmp_path / "gradescope").iterdir())) == 5
    assert "1 without a score" in (tmp_path / "report/index.html").read_text()
    for path in [*(tmp_path / "report/students").iterdir(), *(tmp_path / "gradescope").iterdir()]:
        assert CANARY not in path.read_text("utf-8")


def test_nothing_is_left_of_a_class_before(tmp_path: Path) -> None:
    (tmp_path / "gradescope").mkdir()
    (tmp_path / "gradescope" / "notes.json").write_text("mine")
    write_results("autumn", CLASS, tmp_path)
    write_results("autumn", [BOB, ILL], tmp_path)
    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {
        "results.json", "results.csv", "results.xml", "gradescope/001-bob.json", "gradescope/notes.json",
        "report/index.html", "report/students/001-bob.html", "report/students/002-ill.html",
    }  # fmt: skip


def test_who_needs_a_look_is_one_line_and_lost_points_stand_first() -> None:
    lost = tuple(replace(each, found="its cell had lost its id") for each in ADA.result.exercises)
    moved = replace(ADA, result=replace(ADA.result, exercises=lost))
    names = [each.name for each in lost]
    assert [*notes(moved)] == [f"{', '.join(names)}: its cell had lost its id."]
    odd = replace(ADA, student="odd", result=replace(ADA.result, exercises=(replace(lost[0], means=("order_of",)),)))
    undefined = tuple(replace(each, found="nothing called 'f' is defined here") for each in EVE.result.exercises)
    eve = replace(EVE, result=replace(EVE.result, exercises=undefined))
    all_of_them = [odd, moved, eve, BOB, ILL]
    assert [e.student for e in by_need(all_of_them)] == ["ill", "eve", "bob", "odd"]
    told = [*accounts([], all_of_them)]
    assert not any("ada" in line or "lost its id" in line for line in told)
    assert told[-1] == "Notes of what has cost no points: 2, in the report."
    names = file_names(all_of_them)
    needed, folded = doubts(all_of_them, names).split("<details>")
    assert "lost its id" not in needed
    assert "2 notes of what has cost no points" in folded
    assert folded.count("lost its id") == 2


def test_what_was_stopped_or_failed_with_an_error_is_no_misconception_and_gets_no_hint() -> None:
    check = Check("cube", "the rule", 2.0, "The derivative is 3x².", ("The derivative is 3x².", "the 3 is missing."), 0)
    verdict: dict[str, Any] = {"state": "failed", "hint": check.hint}
    assert hint_of(check, [verdict | {"unheard": True}], set()) == ("", "")
    assert hint_of(check, [verdict], set()) == (check.hint, "")
    assert hint_of(check, [verdict | {"hint": "the 3 is missing."}], set()) == ("the 3 is missing.",) * 2
    general = CheckResult("the rule", 2.0, "failed", check.hint)
    wrong = replace(ADA, result=replace(ADA.result, exercises=(ExerciseResult("cube", (general,)),)))
    assert misconceptions([wrong] * 12) == []


def test_a_misconception_stands_as_it_was_read() -> None:
    def read(k: int, hint: str) -> Entry:
        check = CheckResult("walk", 2.0, "failed", hint, "… of … answers are open.")
        return replace(ADA, student=f"s{k}", result=replace(ADA.result, exercises=(ExerciseResult("walk", (check,)),)))

    said = [read(k, f"{n} of 8 answers are open.") for k, n in enumerate((8, 8, 3))]
    assert [(text, count) for text, _, count in misconceptions(said)] == [("8 of 8 answers are open.", 3)]
