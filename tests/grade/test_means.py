"""Who calls what they were to write is told to the teacher; who uses what the lesson shows is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from minitorch_lab.grade import Course
from minitorch_lab.grade.extract import submitted
from minitorch_lab.grade.means import means
from minitorch_lab.grade.release import judged_lessons, release
from tests.grade.answers import Answers, lesson, right, rounds, starters


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return release(judged_lessons(), tmp_path_factory.mktemp("means") / "course")


def told(course: Course, name: str, answers: Answers, *more: str) -> dict[str, tuple[str, ...]]:
    """By exercise, what an answer uses that may be the exercise itself."""
    book = lesson(name)
    for cell in book["cells"]:
        cell["source"] = answers.get(cell["id"], cell["source"])
    extra = [{"cell_type": "code", "id": f"more-{k}", "source": each} for k, each in enumerate(more)]
    taken = submitted(json.dumps(book | {"cells": [*book["cells"], *extra]}).encode(), [course.lessons[name]])
    found = {each: means(taken, each) for each in taken.cells}
    return {exercise: names for exercise, names in found.items() if names}


READY = {"rows", "columns", "hvp", "loss", "rewrite"}  # wrong answers to these call jacrev, hessian and log_softmax


@pytest.mark.parametrize("name", judged_lessons())
def test_solutions_starters_and_wrong_answers_are_not_suspected(course: Course, name: str) -> None:
    assert told(course, name, right(name)) == {}
    assert told(course, name, starters(name)) == {}
    for wrong in rounds("wrong", name):
        assert told(course, name, right(name) | wrong).keys() <= READY


@pytest.mark.parametrize("name", sorted(path.stem[1:] for path in Path(__file__).parent.glob("other/o*.py")))
def test_nor_are_other_right_ways(course: Course, name: str) -> None:
    for other in rounds("other", name):
        assert told(course, name, right(name) | other) == {}


@pytest.mark.parametrize(
    ("name", "exercise", "source", "named"),
    [
        ("03_backward", "order", "order = lesson.order_of", "order_of"),
        ("03_backward", "order", "from minitorch_lab.lessons.lesson_03_backward import order_of as order", "order_of"),
        ("04_forward_and_reverse", "rows", "rows = ml.func.jacrev(f)", "jacrev"),
        ("04_forward_and_reverse", "columns", "columns = jacfwd", "jacfwd"),
        ("07_function_transforms", "loss", "loss = ml.nn.functional.cross_entropy", "cross_entropy"),
        ("04_forward_and_reverse", "rows", "F = ml.func\nrows = lambda f, x: F.jacrev(f)(x)", "jacrev"),
        ("04_forward_and_reverse", "rows", "rows = getattr(ml.func, 'jacrev')", "jacrev"),
        ("04_forward_and_reverse", "rows", "rows = vars(ml.func)['jacrev']", "jacrev"),
        ("04_forward_and_reverse", "rows", "import operator\nrows = operator.attrgetter('jacrev')(ml.func)", "jacrev"),
        ("04_forward_and_reverse", "rows", "rows = getattr(ml.func, 'jac' + 'rev')", "getattr"),
        ("13_graph_optimisation", "share", "from minitorch_lab.compiler.passes.cse import cse as share", "cse"),
        ("13_graph_optimisation", "share", "share = ml.compiler.passes.cse.cse", "cse"),
        ("07_function_transforms", "loss", "def loss(s, k):\n    return -ml.log_softmax(s, 0)[k]", "log_softmax"),
        ("07_function_transforms", "loss", "def loss(s, k):\n    return -s.log_softmax(0)[k]", "log_softmax"),
        ("07_function_transforms", "loss", "loss = ml.nn.CrossEntropyLoss()", "CrossEntropyLoss"),
        ("02_the_tape", "update", "def update(w, lr): ml.optim.SGD([w], lr=lr).step()", "SGD"),
    ],
)  # fmt: skip
def test_what_was_to_be_written_and_was_called_is_told(
    course: Course, name: str, exercise: str, source: str, named: str
) -> None:
    assert named in told(course, name, right(name) | {f"{exercise}-exercise": source})[exercise]
    if not {"'", "\n"} & {*source}:
        assert told(course, name, right(name) | {f"{exercise}-exercise": f"# {source}\n'{source}'"}) == {}
    assert named in told(course, name, right(name), source)[exercise]


@pytest.mark.parametrize(
    ("exercise", "source"),
    [
        ("hvp", "def hvp(f, x, v):\n    return vjp(grad(f), x)[1](v)[0]"),
        ("rows", "def rows(f, x):\n    y, back = vjp(f, x)\n    return ml.stack([back(e)[0] for e in ml.eye(3)])"),
    ],
)
def test_what_a_cell_of_the_lesson_s_exercises_uses_is_a_tool(course: Course, exercise: str, source: str) -> None:
    name = "04_forward_and_reverse"
    assert told(course, name, right(name) | {f"{exercise}-exercise": source}) == {}


def test_what_the_lesson_gives_makes_nobody_suspect_wherever_it_stands(course: Course) -> None:
    name = "03_backward"
    cells = {cell["id"]: "".join(cell["source"]) for cell in lesson(name)["cells"] if cell["cell_type"] == "code"}
    order, walk, cube = (right(name)[f"{each}-exercise"] for each in ("order", "walk", "cube"))
    into_one = right(name) | {"order-exercise": f"{order}\n\n{walk}", "walk-exercise": ""}
    assert told(course, name, into_one) == {}
    assert told(course, name, right(name) | {"order-exercise": f"{order}\n\n{cells['walk-exercise']}"}) == {}
    check = cells["cube-check"]
    for call in (check, f"print(repr({check}))", "if lesson.check_cube(cube).done: print(1)"):
        assert told(course, name, right(name) | {"cube-exercise": f"{cube}\n\n{call}"}) == {}


@pytest.mark.parametrize(("name", "other"), [("01_tensors_and_strides", "02_the_tape"), ("02_the_tape", "03_backward")])
def test_nor_do_the_answers_to_another_lesson_in_the_same_notebook(course: Course, name: str, other: str) -> None:
    cells = {cell["id"]: "".join(cell["source"]) for cell in lesson(other)["cells"] if cell["cell_type"] == "code"}
    assert told(course, name, right(name), *(cells | right(other)).values()) == {}
