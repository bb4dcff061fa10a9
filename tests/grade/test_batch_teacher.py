"""As a teacher would: release a lesson, grade a folder, look at the report, grade again. As a student: check."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from minitorch_lab.cli import commands
from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade import grade_one, probe
from tests.grade.answers import hand_in, right, rounds, starters
from tests.grade.over_dask import OVER_DASK

LESSON = "03_backward"
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
pytestmark = OVER_DASK


def call(*words: object) -> Result:
    return CliRunner().invoke(commands, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("teacher") / "course"
    done = call("release", "03", "--to", folder, "--name", "Autumn")
    assert "03_backward: grading the solved lesson …\n03_backward: it earns 12.0 of 12 points" in done.stderr
    assert done.stdout == (
        "03_backward: 4 exercises, 12 points.\n"
        f"Give your students what is in {folder / 'lessons'}, and keep the rest of {folder} to yourself.\n"
    )
    return folder


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    folder = tmp_path / "submitted"
    hand_in(LESSON, right(LESSON), folder / "ada" / f"{LESSON}.ipynb")
    hand_in(LESSON, right(LESSON) | rounds("wrong", LESSON)[0], folder / "bob" / f"{LESSON}.ipynb")
    hand_in(LESSON, starters(LESSON), folder / "eve" / f"{LESSON}.ipynb")
    (folder / "kim.ipynb").write_text('{"cells": [', "utf-8")
    (folder / "zoe.ipynb").symlink_to("/etc/passwd")
    return folder


def test_a_class_is_graded_once(course: Path, handed_in: Path, tmp_path: Path) -> None:
    words = ("grade", handed_in, "--course", course, "--out", tmp_path / "results", "--workers", 2)
    done = call(*words)
    assert done.exit_code == 0, done.output
    assert f"The report is {tmp_path / 'results/report/index.html'}." in done.output
    said = json.loads((tmp_path / "results/results.json").read_text("utf-8"))
    assert {e["student"]: (e["result"]["status"], e["result"]["score"]) for e in said["submissions"]} == {
        "ada": ("graded", 12.0),
        "bob": ("graded", 0.0),
        "eve": ("graded", 0.0),
        "kim": ("unreadable", 0.0),
        "zoe": ("unreadable", 0.0),
    }
    first = {path: path.read_bytes() for path in (tmp_path / "results").rglob("*") if path.is_file()}
    assert call(*words).exit_code == 0
    assert {path: path.read_bytes() for path in (tmp_path / "results").rglob("*") if path.is_file()} == first
    page = (tmp_path / "results/report/index.html").read_text("utf-8")
    assert "You overwrote instead of adding" in page
    call("report", tmp_path / "results/results.json", "--to", tmp_path / "again")
    assert (tmp_path / "again/index.html").read_text("utf-8") == page


def test_six_gradings_at_three_at_a_time_are_one_record(course: Path, handed_in: Path) -> None:
    grade = partial(grade_one, handed_in / "bob" / f"{LESSON}.ipynb", course, lesson=LESSON, isolation=probe())
    with ThreadPoolExecutor(3) as pool:
        records = [done.record() for done in pool.map(lambda _: grade(), range(6))]
    assert records == [records[0]] * 6
    assert records[0]["status"] == "graded"


def test_what_a_teacher_may_get_wrong(course: Path, handed_in: Path, tmp_path: Path) -> None:
    for words, told in (
        (("release", "99", "--to", tmp_path / "c"), "which is neither a lesson with a judge nor a folder"),
        (("release", tmp_path, "--to", tmp_path / "c"), "has no lesson.ipynb"),
        (("grade", handed_in, "--course", tmp_path), "is no course: it has no course.json"),
        (("grade", handed_in, "--course", course, "--lesson", "04"), "has no lesson '04'"),
        (("grade", tmp_path / "none", "--course", course), "which does not exist"),
        (("grade", handed_in, "--course", course, "--scheduler", "tls://h:1"), "and no certificates"),
        (("check", tmp_path / "none.ipynb"), "is no notebook (FileNotFoundError)"),
        (("check", NOTEBOOKS / "00_tour.ipynb"), "00_tour.ipynb checks no exercise."),
    ):
        with pytest.raises(ArgumentError) as caught:
            call(*words)
        assert told in str(caught.value)
        assert len(str(caught.value).splitlines()) == 3


def test_a_student_checks_a_notebook(tmp_path: Path) -> None:
    answers = right(LESSON) | {"cube-exercise": rounds("wrong", LESSON)[0]["cube-exercise"]}
    path = hand_in(LESSON, answers, tmp_path / f"{LESSON}.ipynb")
    before = path.read_bytes()
    done = call("check", path)
    assert done.exit_code == 1
    assert done.output.splitlines() == [
        "not yet  cube-check",
        "         not yet: your rule returns the derivative without g: it is right only when g is 1. "
        "Multiply by what comes from above.",
        "done     ratio-check",
        "done     order-check",
        "done     walk-check",
    ]
    assert path.read_bytes() == before


def test_a_check_without_its_id_is_called_by_what_it_checks(tmp_path: Path) -> None:
    path = hand_in(LESSON, right(LESSON), tmp_path / f"{LESSON}.ipynb")
    rebuilt = json.loads(path.read_text("utf-8"))
    rebuilt["cells"] = [{**cell, "id": f"c{k}", "metadata": {}} for k, cell in enumerate(rebuilt["cells"])]
    path.write_text(json.dumps(rebuilt), "utf-8")
    done = call("check", path)
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        f"done     {text}"
        for text in ("check_cube(cube)", "check_ratio(ratio)", "check_order(order)", "check_walk(gradients)")
    ]
