"""As a teacher would: release a lesson, grade a folder, look at the report, grade again. As a student: check."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from minitorch_lab.cli import commands
from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade import grade_one, probe
from minitorch_lab.grade.selfcheck import self_check
from tests.grade.answers import hand_in, right, rounds, starters
from tests.grade.notebooks import code, write
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
        "kim": ("unreadable", None),
        "zoe": ("unreadable", None),
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
        (
            ("check", tmp_path / "none.ipynb"),
            "none.ipynb.",
        ),
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
        "not yet  cube",
        "         not yet: your rule returns the derivative without g: it is right only when g is 1. "
        "Multiply by what comes from above.",
        "done     ratio",
        "done     order",
        "done     walk",
    ]
    assert path.read_bytes() == before


def test_an_exercise_without_its_id_is_called_as_it_is(tmp_path: Path) -> None:
    path = hand_in(LESSON, right(LESSON), tmp_path / f"{LESSON}.ipynb")
    rebuilt = json.loads(path.read_text("utf-8"))
    rebuilt["cells"] = [{**cell, "id": f"c{k}", "metadata": {}} for k, cell in enumerate(rebuilt["cells"])]
    path.write_text(json.dumps(rebuilt), "utf-8")
    done = call("check", path)
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        line
        for name in ("cube", "ratio", "order", "walk")
        for line in (f"done     {name}", "         its cell had lost its id, and was found by what it defines")
    ]


def test_check_and_grade_say_the_same_of_answers_in_odd_places(course: Path, tmp_path: Path) -> None:
    answers = right(LESSON)
    path = hand_in(LESSON, starters(LESSON) | {"ratio-exercise": answers["ratio-exercise"]}, tmp_path / "odd.ipynb")
    book = json.loads(path.read_text("utf-8"))
    cells: list[dict[str, Any]] = []
    for cell in book["cells"]:
        name = cell["id"]
        cells.append(cell)
        if name == "cube-exercise":  # the answer is in a new cell above its check, and no line of it begins with def
            indented = answers[name].replace("\n", "\n    ")
            cells.append(code("new-1", f"if True:\n    {indented}"))
        elif name == "ratio-exercise":  # the cell has lost its id
            cell["id"] = "4f1c"
        elif name == "order-check":  # the answer is below its check, and its own cell is untouched
            cells.append(code("new-2", answers["order-exercise"]))
        elif name == "walk-exercise":  # the own cell is wrong, and another answer stands where nothing checks it
            cell["source"] += "\n# my first try"
        elif name == "walk-check":
            cells.append(code("new-3", answers["walk-exercise"]))
    write(path, {**book, "cells": cells})
    told = {each.cell: (each.good, each.said) for each in self_check(path)}
    result = grade_one(path, course, lesson=LESSON)
    graded = {each.name: (each.score == each.points, each.found) for each in result.exercises}
    assert {name: good for name, (good, _) in told.items()} == {name: good for name, (good, _) in graded.items()}
    assert {name for name, (good, _) in told.items() if good} == {"cube", "ratio", "order"}
    both = [(said, graded[name][1]) for name, (_, said) in told.items()]
    assert all(found and said.endswith(found) for said, found in both)
    assert "is none of its answer" in told["walk"][1]
