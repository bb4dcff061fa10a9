"""Exercises are found whatever became of their cells, and check and grade find the same, in every lesson."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from minitorch_lab.grade import Limits
from minitorch_lab.grade.bundle import Lesson, LessonFiles, read_lesson
from minitorch_lab.grade.extract import submitted
from minitorch_lab.grade.reading import Unreadable, cells_in
from minitorch_lab.grade.release import judged_lessons, room, written
from minitorch_lab.grade.seek import LOST, Answer, Cell, Wanted, answers
from minitorch_lab.grade.selfcheck import lesson_of
from minitorch_lab.grade.writing import split
from tests.grade.answers import lesson, right, starters

Book = list[dict[str, Any]]


def rooms(files: LessonFiles) -> dict[str, Path]:
    return {"lessons": files.lesson, "judges": files.judge, "reference": files.reference}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Lesson]:
    """The lessons as a course has them, and nothing else of one."""
    folder = tmp_path_factory.mktemp("seek")
    for name in judged_lessons():
        for place, path in rooms(written(name, folder)).items():
            (folder / place).mkdir(exist_ok=True)
            path.rename(folder / place / f"{name}.ipynb")
    return {name: read_lesson(folder, name, Limits()) for name in judged_lessons()}


def raw(cells: Book) -> bytes:
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).encode()


def code(source: str) -> dict[str, Any]:
    return {"cell_type": "code", "id": f"new-{hash(source)}", "metadata": {}, "source": source}


def solved(name: str) -> Book:
    return [{**cell, "source": right(name).get(cell["id"], "".join(cell["source"]))} for cell in lesson(name)["cells"]]


def bare(name: str) -> dict[str, str]:
    """The solutions alone, as somebody writes them who has thrown away what showed them."""
    return {n: text for n, text in split((room("solutions") / f"s{name}.py").read_text("utf-8")).items()
            if n.endswith("-exercise")}  # fmt: skip


def found(course: dict[str, Lesson], cells: Book, name: str) -> dict[str, Answer]:
    """What grade takes from a notebook, whose lesson it has to see; it is what check takes."""
    taken = submitted(raw(cells), list(course.values()))
    wanted, checked = lesson_of(cells_in(raw(cells)))
    assert taken.lesson.name == name
    assert wanted == taken.lesson.wanted
    assert checked == taken.found
    return checked


def sources(answer: Answer) -> list[str]:
    return [source for _, source in answer.cells or ()]


def without_ids(cells: Book) -> Book:
    return [{key: value for key, value in cell.items() if key != "id"} for cell in cells]


def without_tags(cells: Book) -> Book:
    return [{**cell, "metadata": {}} for cell in without_ids(cells)]


def without_checks(cells: Book) -> Book:
    return without_ids([cell for cell in cells if not cell["id"].endswith("-check")])


def turned(cells: Book) -> Book:
    return without_ids(cells)[::-1]


LOSSES: list[Callable[[Book], Book]] = [without_ids, without_tags, without_checks, turned]


@pytest.mark.parametrize("name", judged_lessons())
def test_solved_cells_are_found_by_their_ids_and_without_them(course: dict[str, Lesson], name: str) -> None:
    wanted = {each.removesuffix("-exercise"): [source] for each, source in right(name).items()}
    by_id = found(course, solved(name), name)
    assert {n: (sources(a), a.said, a.apart) for n, a in by_id.items()} == {n: (s, "", "") for n, s in wanted.items()}
    in_colab = [{**cell, "id": "", "metadata": {"id": cell["id"]}} for cell in solved(name)]
    assert {n: (sources(a), a.said) for n, a in found(course, in_colab, name).items()} == {
        n: (s, "") for n, s in wanted.items()
    }
    for lose in LOSSES:
        lost = found(course, lose(solved(name)), name)
        assert {n: (sources(a), a.said) for n, a in lost.items()} == {n: (s, LOST) for n, s in wanted.items()}


@pytest.mark.parametrize("lose", [without_ids, without_tags, without_checks])
@pytest.mark.parametrize("name", judged_lessons())
def test_so_are_answers_of_which_only_what_is_asked_for_is_left(
    course: dict[str, Lesson], name: str, lose: Callable[[Book], Book]
) -> None:
    cells = [{**cell, "source": bare(name).get(cell["id"], cell["source"])} for cell in solved(name)]
    lost = found(course, lose(cells), name)
    assert {n: sources(a) for n, a in lost.items()} == {n.removesuffix("-exercise"): [s] for n, s in bare(name).items()}


@pytest.mark.parametrize("where", ["below the cell", "below the check", "at the end", "at the top"])
@pytest.mark.parametrize("name", judged_lessons())
def test_an_answer_in_a_new_cell_counts_where_its_own_cell_is_untouched(
    course: dict[str, Lesson], name: str, where: str
) -> None:
    cells: Book = []
    for cell in lesson(name)["cells"]:
        part = {"below the cell": "-exercise", "below the check": "-check"}.get(where, " ")
        answer = bare(name).get(cell["id"].removesuffix(part) + "-exercise") if cell["id"].endswith(part) else None
        cells += [cell, code(answer)] if answer else [cell]
    rest = [*map(code, bare(name).values())]
    cells = {"at the end": [*cells, *rest], "at the top": [*rest, *cells]}.get(where, cells)
    taken = found(course, cells, name)
    both = {n.removesuffix("-exercise"): [starters(name)[n], s] for n, s in bare(name).items()}
    assert {n: sources(a) for n, a in taken.items()} == both
    how = "its answer goes on in" if where == "below the cell" else "its own cell holds no answer, and this was taken"
    assert all(a.said.startswith(how) and "the cell that begins" in a.said for a in taken.values())


STARTER, HANDED = "def f(x): ...", frozenset({"def f(x): ...", "lesson.check_f(f)", "import math"})
WANTED = {"f": Wanted({"f-exercise": STARTER}, "lesson.check_f(f)")}
OWN, CHECK = Cell(("f-exercise",), "def f(x): return 1"), Cell(("f-check",), "lesson.check_f(f)")
OTHER, STATED = Cell(("new",), "def f(x): return 2"), Cell(("new",), "f = abs\nlesson.check_f(f)")


@pytest.mark.parametrize(
    ("cells", "runs", "apart"),
    [
        ([OWN, OTHER, CHECK], [0, 1], ""),
        ([OWN, CHECK, OTHER], [0], "def f(x): return 2"),
        ([OTHER, OWN, CHECK], [0], "def f(x): return 2"),
        ([OWN, CHECK, OTHER, CHECK], [0, 2], ""),
        ([OWN, CHECK, STATED], [0, 2], ""),
        ([OWN, Cell((), "import math"), Cell((), "y = f(2)"), CHECK], [0], ""),
        *(([OWN, Cell((), source), CHECK], [0, 1], "") for source in (
            "if True:\n    def f(x): return x", "from math import sqrt as f", "f, g = abs, 2", "f.way = 3",
            "f['a'] = 1", "f.update(a=1)", "f |= {}",
            "%time\nfor f in [abs]: pass", "with open('a') as f: pass", "f: object = abs",
            "try:\n    f = abs\nexcept E: pass", "def f(x:\n    return",
        )),
        ([OWN._replace(source="def f(x:"), OTHER, CHECK], [0, 1], ""),
        ([OWN, OWN._replace(source="def f(x): return 3"), CHECK], [0, 1], ""),
        ([OWN, OTHER], [0, 1], ""),
        ([OWN._replace(ids=("?",)), OTHER, CHECK], [0, 1], ""),
        ([OWN._replace(ids=("?",), tagged=True), Cell((), "z = 1")], [0], ""),
    ],
)  # fmt: skip
def test_what_a_run_from_top_to_bottom_has_made_at_the_check_counts(
    cells: list[Cell], runs: list[int], apart: str
) -> None:
    answer = answers(cells, WANTED, HANDED)["f"]
    first = min(answer.places)
    assert sorted(answer.places) == [first + k - runs[0] for k in runs]
    assert sources(answer) == [cells[k].source for k in answer.places]
    assert (apart in answer.apart) if apart else not answer.apart


def test_a_notebook_of_something_else_has_none(course: dict[str, Lesson]) -> None:
    other = [code("import os\nprint(1)\nx = 3"), {"cell_type": "markdown", "source": "order"}, code("def order(r): 0")]
    assert lesson_of(cells_in(raw(other))) == ({}, {})


@pytest.mark.parametrize("name", judged_lessons())
def test_another_lesson_s_notebook_answers_nothing_by_what_is_alike_in_it(course: dict[str, Lesson], name: str) -> None:
    there = solved(name)
    as_colab = [{**cell, "id": "", "metadata": {"id": cell["id"]}} for cell in there]
    for other in course.values():
        for cells in (there, as_colab) if other.name != name else ():
            with pytest.raises(Unreadable, match="no exercise"):
                submitted(raw(cells), [other])


def test_two_exercises_that_define_the_same_are_not_guessed() -> None:
    wanted = {"a": Wanted({"a": "def f(): ..."}), "b": Wanted({"b": "def f(): pass"})}
    found = answers([Cell((), "def f(): return 2")], wanted, frozenset())
    assert [each.cells for each in found.values()] == [None, None]


TWO = {
    "f": Wanted({"f-exercise": STARTER}, "lesson.check_f(f)"),
    "g": Wanted({"g-exercise": "def g(): ..."}, "lesson.check_g(g)"),
}
BOTH, EMPTY = "def f(x): return 1\ndef g(): return 2", Cell(("f-exercise",), "# see below")
ASKED = Cell(("g-check",), "lesson.check_g(g)")


@pytest.mark.parametrize(
    ("cells", "f", "g"),
    [
        ([Cell(("f-exercise",), BOTH), CHECK, Cell(("g-exercise",), "def g(): ..."), ASKED], [0], [2, 0]),
        ([Cell(("f-exercise",), BOTH), CHECK, Cell(("g-exercise",), ""), ASKED], [0], [2, 0]),
        ([EMPTY, CHECK, Cell(("g-exercise",), BOTH), ASKED], [0, 2], [2]),
        ([Cell(("f-exercise",), STARTER), CHECK, Cell(("g-exercise",), BOTH), ASKED], [0, 2], [2]),
        ([Cell(("f-exercise",), "def F(x): return x"), CHECK, Cell(("g-exercise",), BOTH), ASKED], [0, 2], [2]),
        ([OWN, CHECK, Cell(("g-exercise",), BOTH), ASKED], [0], [2]),
        ([Cell((), BOTH), CHECK, ASKED], [0], [0]),
    ],
)  # fmt: skip
def test_an_answer_may_stand_in_another_exercise_s_cell(cells: list[Cell], f: list[int], g: list[int]) -> None:
    found = answers(cells, TWO, HANDED | {"def g(): ...", "lesson.check_g(g)"})
    assert {name: [*each.places] for name, each in found.items()} == {"f": f, "g": g}
    moved = {name for name, each in found.items() if "holds no answer, and this was taken from" in each.said}
    assert moved == {name for name, places in (("f", f), ("g", g)) if len(places) > 1}


def test_what_a_starter_makes_itself_is_no_answer_to_another_exercise() -> None:
    again = "def f(x): ...\ndef g(): return f(1)"  # the second exercise begins with the first one's function
    wanted = TWO | {"g": Wanted({"g-exercise": again}, "lesson.check_g(g)")}
    cells = [Cell(("f-exercise",), STARTER), CHECK, Cell(("g-exercise",), again.replace("...", "return 2")), ASKED]
    assert answers(cells, wanted, HANDED | {again})["f"].places == (0,)


def test_a_lesson_in_one_cell_is_not_taken_apart() -> None:
    whole = "\n".join([BOTH, "lesson.check_f(f)", "lesson.check_g(g)"])
    assert [each.cells for each in answers([Cell((), whole)], TWO, HANDED).values()] == [None, None]
