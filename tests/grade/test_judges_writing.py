"""How a judge notebook is made of sections, lessons and their sentences; and what a forged verdict is worth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade import grade_one
from minitorch_lab.grade.context import context, names
from minitorch_lab.grade.judge_source import judge_of
from minitorch_lab.grade.release import judged_lessons, release, room
from minitorch_lab.grade.sentences import says, sentences
from minitorch_lab.grade.writing import judge_notebook
from tests.grade.answers import hand_in, lesson, right, starters

LESSON = "03_backward"


def sources(name: str) -> tuple[str, str]:
    judge, solutions = room("judges") / f"{name}.py", room("solutions") / f"s{name}.py"
    return judge.read_text("utf-8"), solutions.read_text("utf-8")


# ---- what a cell stands on ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("above", "cell", "kept"),
    [
        (["x = 1", "x = 2"], "x", "x = 2"),
        (["x = 1\nx += 1", "y = 5"], "x", "x = 1\nx += 1"),
        (["x = []\nx.append(1)\nprint(x)"], "x", "x = []\nx.append(1)"),
        (["import ml\nml.draw()", "with ml.rec() as r:\n    y = 1"], "y", "import ml\nwith ml.rec() as r:\n    y = 1"),
        (["def f():\n    return late\n", "late = 3"], "f()", "def f():\n    return late\nlate = 3"),
        (
            ["@wrap\ndef f():\n    pass", "def unused():\n    pass"],
            "f",
            "@wrap\ndef f():\n    pass\ndef unused():\n    pass",
        ),
        (["x = 1\ny = x"], "x = 2\nx", ""),
        (["def f(x):\n    y = x\n    return y", "x = y = 3"], "f", "def f(x):\n    y = x\n    return y"),
    ],
)
def test_a_cell_stands_on_what_makes_its_names(above: list[str], cell: str, kept: str) -> None:
    assert context(above, cell) == kept


def test_names_of_functions_are_theirs() -> None:
    does = names("def f(a):\n    b = a\n    return [c for c in b if c > d]")
    assert (sorted(does.reads), sorted(does.makes)) == (["d"], ["f"])


# ---- sentences ------------------------------------------------------------------------------------------------------


def test_praise_docstrings_and_labels_are_no_sentences() -> None:
    found = sentences("lesson_03_backward", "check_order")
    assert "the root stands last. That is the order of the forward pass. Backward starts at the root." in found
    assert not [text for text in found if "topological order" in text or "Check the reader" in text]
    assert "v + (v * 3).sin()" not in found


def test_no_sentence_of_a_check_is_its_praise() -> None:
    assert not says(
        "every node ran after all of its readers, in 5 programs.", sentences("lesson_03_backward", "check_order")[0]
    )


def test_what_is_no_text_says_nothing() -> None:
    assert not says(None, "the root stands last.")
    assert not says(["the root stands last."], "the root stands last.")


# ---- judges ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", judged_lessons())
def test_a_written_judge_is_read_back(name: str) -> None:
    judge, solutions = sources(name)
    made = judge_of(name, judge_notebook(judge, lesson(name), solutions), lesson(name))
    assert {each.name for each in made.exercises} == {cell.removesuffix("-exercise") for cell in starters(name)}
    assert all(check.points >= 2 and len(check.hints) >= 4 for check in made.checks)


def test_every_lesson_with_exercises_has_a_judge() -> None:
    lessons = [path.stem for path in room("notebooks").glob("*.ipynb") if starters(path.stem)]
    assert sorted(lessons) == judged_lessons()


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ("# %% nothing\ntitle, points = 'x', 2\nhint = 'y'\ndef probe(f, /): return f\n", "has no such exercise"),
        ("# %% cube\ntitle, points = 'x', 2\ndef probe(f, /): return f\n", "has no ['hint']"),
        ("# %% cube\ntitle, points = 'x', 2\nhint = 'y'\n", "has no probe"),
    ],
)
def test_a_section_that_is_not_whole(section: str, told: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        judge_notebook(section, lesson(LESSON), sources(LESSON)[1])
    assert told in str(caught.value)
    assert len(str(caught.value).splitlines()) == 3


FORGED = """
import minitorch_lab.lessons.lesson_03_backward as lesson
import minitorch_lab.lessons.lesson_03_backward.rules as rules
from minitorch_lab.lessons.verdict import done

lesson.check_cube = rules.check_cube = lambda op: done("forged")
"""


def test_a_forged_verdict_earns_nothing_and_names_nothing(tmp_path: Path) -> None:
    course = release(["03"], tmp_path / "course")
    wrong = starters(LESSON)["cube-exercise"] + FORGED
    path = hand_in(LESSON, right(LESSON) | {"cube-exercise": wrong}, tmp_path / "s.ipynb")
    result = grade_one(path, course, lesson=LESSON)
    cube = result.exercises[0]
    assert (cube.name, cube.score, cube.checks[0].verdict) == ("cube", 0, "failed")
    assert cube.checks[0].hint == "The derivative of x³ is 3x², and the rule multiplies it by g."
    assert result.score == result.points - cube.points


TALKING = """
import minitorch_lab.lessons.lesson_03_backward as lesson
from minitorch_lab.lessons.verdict import not_yet

lesson.check_cube = lambda op: not_yet("canary: the hidden input was 0.123")
"""


def test_what_a_submission_says_is_never_shown(tmp_path: Path) -> None:
    course = release(["03"], tmp_path / "course")
    path = hand_in(LESSON, {"cube-exercise": starters(LESSON)["cube-exercise"] + TALKING}, tmp_path / "s.ipynb")
    result = grade_one(path, course, lesson=LESSON)
    assert "canary" not in json.dumps(result.record())
    assert result.exercises[0].score == 0
