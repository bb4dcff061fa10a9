"""Every exercise can be solved, every prediction can be right: each notebook runs with the solutions in its cells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.notebooks.inject import injected, parts_of
from tests.notebooks.rerun import ROOT, rerun
from tests.notebooks.second_runs import changed_verdicts, repeat_each, run_twice

SOLUTIONS = sorted((ROOT / "tests/notebooks/solutions").glob("s*.py"))
UNASKED = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")} - {path.stem[1:] for path in SOLUTIONS}


def notebook_of(solutions: Path) -> Any:
    return nbformat.read(ROOT / "notebooks" / f"{solutions.stem[1:]}.ipynb", as_version=4)


def tagged(notebook: Any, tag: str) -> dict[str, Any]:
    return {cell.id: cell for cell in notebook.cells if tag in cell.metadata.get("tags", [])}


def called(notebook: Any, prefix: str) -> dict[str, Any]:
    return {cell.id: cell for cell in notebook.cells if cell.id.startswith(prefix)}


def answers(notebook: Any) -> set[str]:
    """How the cells after the predictions begin what they answer."""
    lines: list[str] = []
    for cell in called(notebook, "reveal-").values():
        for output in cell.outputs:
            lines += output.get("data", {}).get("text/plain", output.get("text", "")).splitlines()
    known = ("right", "not quite", "no prediction yet")
    return {word for word in known for line in lines if line.startswith(f"{word}: ")}


def verdicts(notebook: Any) -> dict[str, str]:
    """The first words of each check."""
    shown = {name: cell.outputs[-1].data["text/plain"] for name, cell in tagged(notebook, "check").items()}
    return {name: text.partition(":")[0] for name, text in shown.items()}


@pytest.mark.family(3)
@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_with_the_solutions_every_cell_runs_twice_and_every_check_says_done(path: Path) -> None:
    notebook, solutions = notebook_of(path), parts_of(path.read_text("utf-8"))
    exercises, guesses = tagged(notebook, "exercise"), called(notebook, "guess-")
    assert solutions.keys() - guesses.keys() == exercises.keys()
    assert len(exercises) >= 3
    for name, solution in solutions.items():
        cell = (exercises | guesses)[name]
        cell.source = injected(cell.source, solution)
    run_twice(notebook)
    repeat_each(notebook)
    rerun(notebook)
    assert changed_verdicts(notebook) == {}
    assert verdicts(notebook) == dict.fromkeys(tagged(notebook, "check"), "done")
    assert "not quite" not in answers(notebook)
    assert answers(notebook) == {"right"} or not guesses.keys() <= solutions.keys()


@pytest.mark.parametrize("name", sorted(UNASKED))
def test_every_cell_of_a_notebook_without_exercises_runs_twice(name: str) -> None:
    notebook: Any = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    repeat_each(notebook)
    rerun(notebook)
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == [*range(1, len(counts) + 1)]


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_as_committed_every_check_waits_for_the_reader(path: Path) -> None:
    notebook = notebook_of(path)
    assert len(tagged(notebook, "check")) == len(tagged(notebook, "exercise"))
    assert set(verdicts(notebook).values()) == {"not written yet"}
    assert answers(notebook) == {"no prediction yet"}


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_no_state_of_widgets_is_committed(path: Path) -> None:
    notebook = notebook_of(path)
    kinds = {kind for cell in notebook.cells for output in cell.get("outputs", []) for kind in output.get("data", {})}
    assert "widgets" not in notebook.metadata
    assert kinds <= {"text/plain", "text/html"}


def test_a_solution_takes_the_place_of_the_starter() -> None:
    cell = "guess = None\n\n\ndef f(x):\n    return x\n\n\nprint(f(guess))"
    assert injected(cell, "guess = 2\n\n\ndef f(x):\n    return -x\n") == (
        "guess = 2\n\n\ndef f(x):\n    return -x\n\n\nprint(f(guess))"
    )
