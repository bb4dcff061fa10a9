"""The judges of the course through the real grader: right answers earn everything, wrong ones are caught and named."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from minitorch_lab.grade import Course, Isolation, Result, grade_one, probe
from minitorch_lab.grade.release import judged_lessons, release
from minitorch_lab.grade.sentences import HOLE
from tests.grade.answers import Answers, empty, hand_in, passed_through, right, rounds, starters

LESSONS = judged_lessons()


@cache
def isolation() -> Isolation:
    return probe()


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return release(LESSONS, tmp_path_factory.mktemp("course") / "course")


def graded(course: Course, name: str, answers: Answers, folder: Path) -> Result:
    result = grade_one(hand_in(name, answers, folder / "s.ipynb"), course, lesson=name, isolation=isolation())
    assert result.status == "graded", result.fault
    return result


def hints(result: Result) -> dict[str, str]:
    """By exercise, what those checks say that failed."""
    return {e.name: check.hint for e in result.exercises for check in e.checks if check.verdict != "passed"}


@pytest.mark.parametrize("name", LESSONS)
def test_every_exercise_has_a_judge(course: Course, name: str) -> None:
    assert {f"{e.name}-exercise" for e in course.lessons[name].exercises} == starters(name).keys()


@pytest.mark.family(4)
@pytest.mark.parametrize("name", LESSONS)
def test_the_right_answers_earn_everything(course: Course, name: str, tmp_path: Path) -> None:
    result = graded(course, name, right(name), tmp_path)
    assert hints(result) == {}
    assert result.score == result.points == course.lessons[name].points


@pytest.mark.family(6)
@pytest.mark.parametrize("answers", [starters, empty, passed_through])
@pytest.mark.parametrize("name", LESSONS)
def test_nothing_and_the_input_itself_earn_nothing(course: Course, name: str, answers, tmp_path: Path) -> None:
    assert graded(course, name, answers(name), tmp_path).score == 0


@pytest.mark.family(4)
@pytest.mark.parametrize("name", LESSONS)
def test_typical_wrong_answers_are_caught_and_named(course: Course, name: str, tmp_path: Path) -> None:
    generic = {check.exercise: check.hints[0] for check in course.lessons[name].checks}
    caught: dict[str, set[str]] = {exercise: set() for exercise in generic}
    for wrong in rounds("wrong", name):
        result = graded(course, name, right(name) | wrong, tmp_path)
        said = hints(result)
        assert {f"{exercise}-exercise" for exercise in said} == wrong.keys()
        for exercise, hint in said.items():
            assert hint != generic[exercise], f"{exercise} was caught and not named"
            assert HOLE not in hint
            assert len(hint) >= 18
            caught[exercise].add(hint)
    assert [exercise for exercise, names in caught.items() if len(names) < 3] == []


@pytest.mark.family(4)
@pytest.mark.parametrize("name", sorted(path.stem[1:] for path in Path(__file__).parent.glob("other/o*.py")))
def test_other_right_ways_earn_everything(course: Course, name: str, tmp_path: Path) -> None:
    for other in rounds("other", name):
        assert hints(graded(course, name, right(name) | other, tmp_path)) == {}
