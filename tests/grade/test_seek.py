"""Exercises are found in a notebook whose cells have lost their ids, in every lesson of the course."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from minitorch_lab.grade.extract import cells_in
from minitorch_lab.grade.release import judged_lessons
from minitorch_lab.grade.seek import Sought, handed_out, sought
from minitorch_lab.grade.writing import injected, split

HERE = Path(__file__).parents[2]


def lesson(name: str) -> tuple[dict[str, Any], dict[str, str]]:
    """A lesson's notebook, and its solutions by the id of their cell."""
    notebook = json.loads((HERE / "notebooks" / f"{name}.ipynb").read_text("utf-8"))
    solutions = split((HERE / "tests" / "notebooks" / "solutions" / f"s{name}.py").read_text("utf-8"))
    return notebook, {key: text for key, text in solutions.items() if key.endswith("-exercise")}


def found(notebook: dict[str, Any], cells: list[dict[str, Any]], names: list[str]) -> Sought:
    raw = json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).encode()
    return sought(cells_in(raw), handed_out(notebook, names))


@pytest.mark.parametrize("name", judged_lessons())
def test_without_ids_the_solved_cells_are_found(name: str) -> None:
    notebook, solutions = lesson(name)
    cells: list[dict[str, Any]] = []
    for cell in notebook["cells"]:
        solved = solutions.get(cell["id"])
        source = "".join(cell["source"])
        cells.append({**cell, "source": injected(source, solved) if solved else source})
    right = {cell["id"]: [cell["source"]] for cell in cells if cell["id"] in solutions}
    assert found(notebook, cells, list(right)) == (right, frozenset())
    without = [{k: v for k, v in cell.items() if k != "id"} for cell in cells]
    assert found(notebook, without, list(right)) == (right, frozenset(right))
    in_colab = [{**cell, "metadata": {"id": old["id"]}} for cell, old in zip(without, notebook["cells"], strict=True)]
    assert found(notebook, in_colab, list(right)) == (right, frozenset())


def test_a_notebook_of_something_else_has_none() -> None:
    notebook, solutions = lesson("03_backward")
    other = [
        {"cell_type": "code", "source": "import os\nprint(1)\nx = 3"},
        {"cell_type": "markdown", "source": "order"},
    ]
    assert not any(found(notebook, other, list(solutions)).sources.values())


def test_two_exercises_that_define_the_same_are_not_guessed() -> None:
    cells = cells_in(
        json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": "def f(): return 2"}]}).encode()
    )
    assert sought(cells, {"a": "def f(): ...", "b": "def f(): pass"}).sources == {"a": [], "b": []}
