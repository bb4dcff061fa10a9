"""What a judge's source says of itself, what a course must have, and what is refused with which words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade import Course, LessonFiles, Limits, probe
from minitorch_lab.grade.allowance import Times
from minitorch_lab.grade.bundle import time_of, write_times
from minitorch_lab.grade.judge_source import Check, Exercise, judge_of
from tests.grade.course import IMPORTS, small_course
from tests.grade.notebooks import code, notebook, write

LESSON = notebook(IMPORTS, code("cube-exercise", ""), code("bare", ""), code("extra", ""))
CHECK = 'with check("right", points=2, hint="Look."):\n    pass\n'


def read(*sources: str):
    return judge_of("small", notebook(*(code(f"j{n}", source) for n, source in enumerate(sources))), LESSON)


def test_exercises_checks_and_hints_are_read_from_the_source() -> None:
    judge = read(
        "x = 1",
        's = submission("cube")\nwith check("right", 2, "Look.") as this:\n    this.wrong_if(x == 1, "Named.")',
        's = submission("bare", setup=["imports", "extra"])\n' + CHECK.replace("2", "0.5"),
    )
    assert judge.exercises == (
        Exercise("cube", ("cube-exercise",), ("imports",)),
        Exercise("bare", ("bare",), ("imports", "extra")),
    )
    assert judge.checks == (
        Check("cube", "right", 2.0, "Look.", ("Look.", "Named."), 1),
        Check("bare", "right", 0.5, "Look.", ("Look.",), 2),
    )


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("if:", "is no Python"),
        ("%time 1", "Write it without magics"),
        (CHECK, "before any submission"),
        ('s = submission("cube")', "gives no points"),
        ('s = submission("cube")\n' + CHECK + CHECK, "has two checks 'right'"),
        ('s = submission("other")\n' + CHECK, "names the cell 'other-exercise'"),
        ('s = submission("cube", setup=["nowhere"])\n' + CHECK, "names the cell 'nowhere'"),
        ('s = submission("cube")\n' + CHECK.replace('"right"', 'f"{x}"'), "must be literals"),
        ('s = submission("cube")\n' + CHECK.replace("points=2", "points=n"), "must be literals"),
        ('s = submission("cube")\n' + CHECK.replace("points=2", "points=-1"), "not below 0"),
        ('s = submission("cube")\n' + CHECK.replace("points=2", "points='2'"), "points that are a number"),
        ('s = submission("cube")\n' + CHECK.replace(', hint="Look."', ""), "with points=2 and hint=None"),
    ],
)
def test_a_judge_that_does_not_say_what_it_must_is_refused(source: str, words: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        read(source)
    assert words in str(caught.value)


@pytest.mark.parametrize("name", ["course.json", "secret", "judges/small.ipynb", "reference/small.ipynb"])
def test_a_course_that_lacks_a_file_is_refused(name: str, tmp_path: Path) -> None:
    course = small_course(tmp_path, Limits())
    (course.path / name).unlink()
    with pytest.raises(ArgumentError, match=name):
        Course.load(course.path)


def test_a_course_has_a_secret_of_its_own_that_no_digest_tells(tmp_path: Path) -> None:
    course = small_course(tmp_path, Limits())
    digest = course.digest
    assert len(course.secret) == 32
    assert (course.path / "secret").stat().st_mode & 0o077 == 0
    (course.path / "secret").write_text("00" * 32)
    assert Course.load(course.path).digest == digest
    write(
        course.path / "judges" / "small.ipynb", json.loads((course.path / "judges/small.ipynb").read_text()) | {"x": 1}
    )
    assert Course.load(course.path).digest != digest


def test_the_students_package_has_no_judge_and_no_command_line(tmp_path: Path) -> None:
    names = {path.name for path in (small_course(tmp_path, Limits()).package / "minitorch_lab" / "grade").iterdir()}
    assert names <= {"__init__.py", "__pycache__", "inside"}
    assert not (tmp_path / "course/package/minitorch_lab/cli.py").exists()


def test_limits_come_from_the_course_and_its_lessons(tmp_path: Path) -> None:
    course = small_course(tmp_path, Limits(wall=7.0))
    said = json.loads((course.path / "course.json").read_text())
    said["lessons"]["small"] = {"limits": {"call": 2}}
    (course.path / "course.json").write_text(json.dumps(said))
    limits = Course.load(course.path).lessons["small"].limits
    assert (limits.wall, limits.call, limits.memory) == (7.0, 2, Limits().memory)


def test_a_teacher_enlarges_the_time_of_a_course_or_a_lesson(tmp_path: Path) -> None:
    course = write_times(small_course(tmp_path, Limits()), "small", Times(1.5, {"softmax": 0.2, "cube": 0.01}))
    path = course.path / "course.json"
    said = json.loads(path.read_text())
    assert said["time"] == 1.0
    assert not {"wall", "call"} & said["limits"].keys()  # they are not what applies: the times of the solved lesson are
    for where in (said, said["lessons"]["small"]):
        where["time"] = 3 * where.get("time", 1.0)
        path.write_text(json.dumps(said))
        lesson = Course.load(course.path).lessons["small"]
        usual = course.lessons["small"].purse
        assert lesson.purse.seconds == pytest.approx(3 * usual.seconds)
        assert lesson.purse.sure == pytest.approx({name: 3 * seconds for name, seconds in usual.sure.items()})
        assert (lesson.limits.wall, lesson.limits.call) == (3 * Limits().wall, 3 * Limits().call)


@pytest.mark.parametrize("value", [0, -1, True, "2", float("nan"), float("inf")])
def test_a_time_that_is_none_is_refused(value: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        time_of(value)
    assert str(caught.value) == (
        f"The time of the course is {value!r}.\n"
        "  It says how many times as long as usual a submission may take, so it is a number above 0.\n"
        '  Did you mean "time": 2?'
    )


@pytest.mark.parametrize(
    ("name", "value"), [("wal", 1), ("wall", 0), ("wall", "1"), ("wall", True), ("wall", float("nan"))]
)
def test_a_limit_that_is_none_is_refused(name: str, value: object) -> None:
    with pytest.raises(ArgumentError):
        Limits().changed({name: value})


def test_a_course_is_not_written_over_another(tmp_path: Path) -> None:
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "file").touch()
    nothing = LessonFiles(tmp_path, tmp_path, tmp_path)
    with pytest.raises(ArgumentError, match="which is not empty"):
        Course.create(tmp_path / "course", "x", {"small": nothing}, Limits())


def test_layers_and_levels_that_are_none_are_refused() -> None:
    with pytest.raises(ArgumentError, match="The layer 'jail' was asked for"):
        probe(["jail"])
    with pytest.raises(ArgumentError, match="The isolation 'iron' was required"):
        probe(require="iron")


def test_a_weak_machine_is_refused_where_a_strong_one_is_required() -> None:
    with pytest.raises(ArgumentError, match="The isolation of this machine is weak: a submission reaches files"):
        probe([], require="strong")
