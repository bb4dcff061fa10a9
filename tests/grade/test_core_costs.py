"""What a submission may cost: its exercises share a purse of time, and each is sure of its part of it."""

from __future__ import annotations

import json
import random
from collections.abc import Generator
from pathlib import Path

import pytest

from minitorch_lab.grade import Course, Limits, probe
from minitorch_lab.grade.allowance import LEAST, TIMES, Purse, Times
from minitorch_lab.grade.bundle import write_times
from minitorch_lab.grade.one import grade_one
from tests.grade.answers import hand_in, right
from tests.grade.costs import HOSTILE, MOST, MOST_MIB, answered, cost, released
from tests.grade.course import SOLUTIONS, small_course
from tests.grade.course import answered as small
from tests.grade.notebooks import write

LESSON = "03_backward"
SLACK = 1.0  # a processor that others use beside us counts more seconds for the same work


@pytest.mark.parametrize("seed", range(50))
def test_whatever_others_take_an_exercise_has_its_part_and_all_together_no_more_than_the_purse(seed: int) -> None:
    rng = random.Random(seed)
    times = Times(rng.uniform(0.1, 5), {str(k): rng.uniform(0, 1) for k in range(rng.randint(1, 8))})
    purse, spent = times.purse, 0.0
    whole, sure = purse.seconds, dict(purse.sure)
    assert whole == pytest.approx(times.whole + sum(times.exercises.values()))
    assert sum(sure.values()) <= whole + 1e-9
    wanted = {name: max(LEAST, TIMES * seconds) for name, seconds in times.exercises.items()}
    assert all(sure[name] / wanted[name] == pytest.approx(min(1, whole / sum(wanted.values()))) for name in sure)
    for name in rng.sample([*sure], len(sure)):
        allowed = purse.open(name)
        assert allowed >= sure[name] - 1e-9
        taken = rng.choice([0.0, allowed / 3, allowed, 2 * allowed])  # a stop may come a moment late
        purse.pay(taken)
        spent += min(taken, allowed)
    assert spent <= whole + 1e-9


def test_an_exercise_that_is_begun_again_has_what_is_left() -> None:
    purse = Purse(3.0, {"a": 1.0, "b": 1.0})
    assert purse.open("a") == 2.0
    purse.pay(2.0)
    assert (purse.open("b"), purse.pay(0.25), purse.open("b")) == (1.0, None, 1.0)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A small course whose solved lesson is said to have taken little: a loop has spent its purse soon."""
    made = small_course(tmp_path_factory.mktemp("costs"), Limits())
    return write_times(made, "small", Times(1.5, {"softmax": 0.01, "cube": 0.01, "table": 0.01}))


LOOPS = {
    "in the cell": "def softmax(x):\n    return x\n\nwhile True:\n    pass",
    "in the answer": "def softmax(x):\n    while True:\n        pass",
    "asleep": "import time\n\ndef softmax(x):\n    time.sleep(1000)",
    "in many processes": "import os\nfor _ in range(3):\n    os.fork()\n\nwhile True:\n    pass",
}


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS.keys())
def test_a_loop_takes_what_is_left_over_and_no_later_answers_time(course: Course, tmp_path: Path, loop: str) -> None:
    path = write(tmp_path / "s.ipynb", small(softmax=loop))
    first, *others = grade_one(path, course, isolation=probe()).exercises
    assert (first.limit, first.score) == ("time", 0)
    assert all(each.score == each.points and each.limit is None for each in others)
    purse = course.lessons["small"].purse
    left_over = purse.seconds - sum(purse.sure.values()) + purse.sure["softmax"]
    assert first.seconds <= 1.3 * left_over
    if loop != LOOPS["in many processes"]:  # which spend it together, and are ended sooner
        assert first.seconds >= (0.35 if loop == LOOPS["in the cell"] else 0.7) * left_over  # and half is for answers
    assert all(each.seconds < first.seconds for each in others)


def test_right_answers_whose_cells_run_on_keep_their_points(course: Course, tmp_path: Path) -> None:
    demos = {"softmax": "while True:\n    pass", "cube": "import time\ntime.sleep(1000)", "table": "import no_such"}
    answers = {name: f"{SOLUTIONS[name]}\n\n{demo}" for name, demo in demos.items()}
    result = grade_one(write(tmp_path / "s.ipynb", small(**answers)), course, isolation=probe())
    assert result.score == result.points
    stopped = [each.found.partition(";")[0] for each in result.exercises]
    assert stopped == [f"its cells ran on and were stopped in line {line}" for line in (5, 5)] + [""]


def test_where_nobody_knows_what_the_solved_lesson_takes_the_limits_of_an_exercise_hold(tmp_path: Path) -> None:
    unknown = small_course(tmp_path, Limits(wall=1.0))
    path = write(tmp_path / "s.ipynb", small(softmax=LOOPS["in the cell"]))
    result = grade_one(path, unknown, isolation=probe())
    assert [each.limit for each in result.exercises] == ["time", None, None]
    assert unknown.lessons["small"].times is None


@pytest.fixture(scope="module")
def real() -> Generator[tuple[Course, Path]]:
    with released([LESSON]) as made:
        yield made


def test_release_notes_what_the_solved_lesson_takes(real: tuple[Course, Path]) -> None:
    course, _ = real
    times = course.lessons[LESSON].times
    assert times is not None
    assert times == Course.load(course.path).lessons[LESSON].times
    assert json.loads((course.path / "course.json").read_text())["lessons"][LESSON]["times"] == times.record()
    assert times.exercises.keys() == {each.name for each in course.lessons[LESSON].exercises}
    assert 0 < sum(times.exercises.values()) < times.whole


def test_no_submission_costs_more_than_three_honest_ones(real: tuple[Course, Path], tmp_path: Path) -> None:
    """All lessons, and every way to be costly, are `make costs`."""
    course, _ = real
    isolation = probe()
    honest = cost(course, LESSON, hand_in(LESSON, right(LESSON), tmp_path / "s.ipynb"), isolation)
    assert honest.result.score == honest.result.points
    for kind in ("loops in the cell", "allocates", "ends its parent", "forks that work"):
        path = hand_in(LESSON, answered(LESSON, HOSTILE[kind]), tmp_path / "s.ipynb")
        found = cost(course, LESSON, path, isolation)
        assert found.cpu <= (MOST + SLACK) * honest.cpu, kind
        assert found.mib <= MOST_MIB, kind
