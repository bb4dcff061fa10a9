"""Late days, penalties and extra time: cases that one can work out by hand."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade.gradebook import Entry
from minitorch_lab.grade.release import files_of
from minitorch_lab.grade.terms import (
    DAY,
    Terms,
    for_results,
    read_terms,
    read_times,
    settle,
    settled_csv,
    unmatched,
    with_names,
    with_settled,
)
from tests.grade.test_report_gradebook import ADA, BOB, ILL

DUE = datetime(2026, 11, 1, 12, tzinfo=UTC)
LESSON = "03_backward"  # 5 points, of which Ada has all and Bob has 3


def settled(terms: Terms, over: Mapping[Entry, timedelta]) -> list[tuple[int, int, float, float | None]]:
    found = settle([*over], terms, {e.key: terms.due[e.result.lesson] + each for e, each in over.items()})
    return [(each.late, each.used, each.lost, each.score) for each in found]


@pytest.mark.parametrize(
    ("over", "wanted"),
    [
        (timedelta(hours=-1), (0, 0, 0.0, 5.0)),
        (timedelta(0), (0, 0, 0.0, 5.0)),
        (timedelta(seconds=1), (1, 1, 0.0, 5.0)),
        (2 * DAY, (2, 2, 0.0, 5.0)),
        (2 * DAY + timedelta(seconds=1), (3, 2, 0.5, 4.5)),
        (5 * DAY, (5, 2, 1.5, 3.5)),
        (40 * DAY, (40, 2, 5.0, 0.0)),
    ],
)
def test_a_begun_day_counts_and_free_days_go_first(over: timedelta, wanted: tuple[int, int, float, float]) -> None:
    assert settled(Terms({LESSON: DUE}, 2, 0.1), {ADA: over}) == [pytest.approx(wanted)]


def test_extra_time_moves_the_deadline_of_one_student() -> None:
    terms = Terms({LESSON: DUE}, 0, 0.2, {"ada": 36.0})
    assert settled(terms, {ADA: timedelta(hours=36), BOB: timedelta(hours=36)}) == [(0, 0, 0.0, 5.0), (2, 0, 2.0, 1.0)]
    assert settled(terms, {ADA: timedelta(hours=37)}) == [(1, 0, 1.0, 4.0)]


def test_the_budget_is_one_for_the_course_and_goes_in_the_order_of_the_deadlines() -> None:
    first = replace(ADA, result=replace(ADA.result, lesson="01"))
    terms = Terms({LESSON: DUE, "01": DUE - 7 * DAY}, 3, 0.1)
    for order in ({ADA: 2 * DAY, first: 2 * DAY}, {first: 2 * DAY, ADA: 2 * DAY}):
        found = dict(zip([e.result.lesson for e in order], settled(terms, order), strict=True))
        assert found == {"01": (2, 2, 0.0, 5.0), LESSON: (2, 1, 0.5, 4.5)}


def test_nobody_falls_below_zero_and_who_has_no_score_gets_none() -> None:
    terms = Terms({LESSON: DUE}, 0, 0.9)
    assert settled(terms, {BOB: DAY, ILL: DAY}) == [(1, 0, 3.0, 0.0), (1, 0, 0.0, None)]
    assert [each.score for each in settle([ADA, BOB], terms, {})] == [5.0, 3.0]  # no time is not late


def test_the_table_says_what_counts() -> None:
    terms = Terms({LESSON: DUE}, 1, 0.1)
    text = settled_csv(settle([ADA, ILL], terms, {ADA.key: DUE + 2 * DAY}))
    assert list(csv.reader(io.StringIO(text)))[1:] == [
        ["ada", LESSON, "5", "2", "1", "0.5", "4.5", "5"],
        ["ill", LESSON, "", "0", "0", "0", "", "5"],
    ]


def test_terms_and_times_are_read_and_what_is_odd_is_refused(tmp_path: Path) -> None:
    path, times = tmp_path / "terms.toml", tmp_path / "times.csv"
    path.write_text(
        '[due]\n"03_backward" = 2026-11-01T13:00:00+01:00\n[late]\ndays = 3\npenalty = 0.25\n[extra]\n"ada" = 24\n'
    )
    assert read_terms(path) == Terms({LESSON: DUE}, 3, 0.25, {"ada": 24})
    times.write_text("student,lesson,handed_in\nada,03_backward,2026-11-01T12:00:00Z\n")
    assert read_times(times) == {("ada", LESSON): DUE}
    for text in ("[due]\nx = 2026-11-01T13:00:00\n", "[late]\npenalty = 2\n", "[lat]\n", "[extra]\nada = -1\n", "x"):
        path.write_text(text)
        with pytest.raises(ArgumentError, match="cannot be used"):
            read_terms(path)
    times.write_text("student,lesson,handed_in\nada,03_backward,2026-11-01T12:00:00\n")
    with pytest.raises(ArgumentError, match="the time of ada has no zone"):
        read_times(times)


def test_whom_terms_and_times_name_and_nobody_has_is_said() -> None:
    terms = Terms({LESSON: DUE, "04": DUE}, extra={"Ada ": 24.0, "bobb": 1.0, "new": 2.0})
    assert [*unmatched([ADA, BOB], terms, {("ada", LESSON): DUE, ("eve@x", LESSON): DUE})] == [
        "[extra] names the student 'Ada ', of which there is no result. Did you mean 'ada'?",
        "[extra] names the student 'bobb', of which there is no result. Did you mean 'bob'?",
        "[extra] names the student 'new', of which there is no result.",
        "[due] names the lesson '04', of which there is no result.",
        "The times name the student 'eve@x', of which there is no result.",
        "bob has a result of 03_backward and no time: it counts as in time.",
    ]
    assert not [*unmatched([ADA], Terms({LESSON: DUE}), {ADA.key: DUE})]


def test_times_are_read_as_a_spreadsheet_of_any_country_writes_them(tmp_path: Path) -> None:
    path = tmp_path / "times.csv"
    for mark in ",;\t":
        path.write_text(f"student{mark}lesson{mark}handed_in\n Ada {mark}{LESSON}{mark}2026-11-01T12:00:00Z\n")
        assert with_names([ADA, BOB], read_times(path)) == {ADA.key: DUE}
    row = f"ada,{LESSON},2026-11-01T12:00:00Z\n"
    for text, told in (
        (f"student,lesson,handed_in\n{row}{row}", "it has two times of ada for 03_backward"),
        ("name,lesson,handed_in\n", "it has no column 'student', but name, lesson, handed_in"),
    ):
        path.write_text(text)
        with pytest.raises(ArgumentError, match=told):
            read_times(path)


def test_who_has_no_time_is_one_line() -> None:
    many = [replace(ADA, student=f"s{k}") for k in range(37)]
    said = [*unmatched(many, Terms({LESSON: DUE}), {})]
    assert said == [f"s0, s1, s2 and 34 more have a result of {LESSON} and no time: they count as in time."]


def test_what_is_settled_can_be_handed_over(tmp_path: Path) -> None:
    path = tmp_path / "settled.csv"
    path.write_text(settled_csv(settle([ADA, ILL], Terms({LESSON: DUE}, 0, 0.2), {ADA.key: DUE + DAY})))
    assert [e.score for e in with_settled([ADA, ILL], path)] == [4.0, None]
    with pytest.raises(ArgumentError, match="does not settle the result of bob"):
        with_settled([BOB], path)


def test_lessons_are_meant_by_number_and_students_by_name_login_or_number(tmp_path: Path) -> None:
    ada = replace(ADA, student="lovelaceada", account="Canvas 11345")
    terms = for_results(Terms({"3": DUE}, 0, 0.2, {"Ada Lovelace": 24.0}), [ada, BOB])
    assert terms == Terms({LESSON: DUE}, 0, 0.2, {"lovelaceada": 24.0})
    for name in ("Ada Lovelace", "Lovelace, Ada", "11345", "lovelaceada@uni.example"):
        times = with_names([ada, BOB], {(name, "03"): DUE + 2 * DAY, ("bob", LESSON): DUE})
        assert times == {ada.key: DUE + 2 * DAY, BOB.key: DUE}
        assert [each.score for each in settle([ada], terms, times)] == [4.0]
    both = {("Ada Lovelace", LESSON): DUE, ("11345", LESSON): DUE}
    assert with_names([ada], both) == both  # which of the two counts is asked
    with pytest.raises(ArgumentError, match=r"The terms cannot be used \(3 and 03 mean 03_backward"):
        for_results(Terms({"3": DUE, "03": DUE}), [ada])


@pytest.mark.parametrize("name", ["3", "03", "backward", LESSON])
def test_release_takes_every_name_of_a_lesson(tmp_path: Path, name: str) -> None:
    assert files_of(name, tmp_path)[0] == LESSON
