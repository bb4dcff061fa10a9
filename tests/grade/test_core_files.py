"""What is handed in may be any file: the broken are named, and the odd get what they earned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from minitorch_lab.grade import Course, Isolation, Limits, grade_one, probe
from tests.grade.broken import TAGGED, UNREADABLE, WHOLE_BUT_ODD, no_files
from tests.grade.course import answered, small_course

WEAK = Isolation("weak", ("process",))  # no process is started for a file that cannot be read


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return small_course(tmp_path_factory.mktemp("files"), Limits())


@pytest.fixture(scope="module")
def isolation() -> Isolation:
    return probe()


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_broken_file_is_named(name: str, course: Course, tmp_path: Path) -> None:
    raw, problem = UNREADABLE[name]
    path = tmp_path / "broken.ipynb"
    path.write_bytes(raw)
    result = grade_one(path, course, isolation=WEAK)
    assert (result.status, result.problem, result.score) == ("unreadable", problem, None)  # nobody's zero


def test_what_is_no_file_is_not_followed(course: Course, tmp_path: Path) -> None:
    found = {name: grade_one(path, course, isolation=WEAK) for name, path in no_files(tmp_path).items()}
    assert {name: result.problem for name, result in found.items()} == dict.fromkeys(found, "not a file")


def test_with_the_lesson_named_a_broken_file_shows_what_was_lost(course: Course, tmp_path: Path) -> None:
    path = tmp_path / "broken.ipynb"
    path.write_bytes(b"{")
    result = grade_one(path, course, lesson="small", isolation=WEAK)
    assert (result.lesson, result.score, result.points) == ("small", None, 10)


@pytest.mark.family(4)
@pytest.mark.parametrize("name", WHOLE_BUT_ODD)
def test_a_whole_file_in_odd_clothes_earns_everything(
    name: str, course: Course, isolation: Isolation, tmp_path: Path
) -> None:
    path = tmp_path / "odd.ipynb"
    path.write_bytes(WHOLE_BUT_ODD[name])
    result = grade_one(path, course, isolation=isolation)
    assert (result.status, result.score, result.fault) == ("graded", 10, None)


@pytest.mark.parametrize("source", ["x = '\ud800'", "x = 1\0", "x = (" + "(" * 3000, "x = " + "-" * 70_000 + "1"])
def test_a_cell_that_no_compiler_takes_costs_its_exercise(
    source: str, course: Course, isolation: Isolation, tmp_path: Path
) -> None:
    path = tmp_path / "odd.ipynb"
    path.write_text(json.dumps(answered(cube=source)))
    result = grade_one(path, course, isolation=isolation)
    assert (result.status, result.score, result.fault) == ("graded", 6, None)


def test_on_a_full_disk_there_is_no_score(course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "good.ipynb"
    path.write_bytes(WHOLE_BUT_ODD["UTF-16"])
    monkeypatch.setattr("minitorch_lab.grade.run.ROOM", 1 << 40)
    result = grade_one(path, course, isolation=WEAK)
    assert (result.status, result.score) == ("fault", None)
    assert "ArgumentError: The disk of" in (result.fault or "")


@pytest.mark.parametrize("tag", TAGGED)
def test_no_tag_earns_points(tag: str, course: Course, isolation: Isolation, tmp_path: Path) -> None:
    path = tmp_path / "tagged.ipynb"
    path.write_bytes(TAGGED[tag])
    result = grade_one(path, course, isolation=isolation)
    assert (result.status, result.score, result.points) == ("graded", 6, 10)
