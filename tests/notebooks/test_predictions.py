"""What a reader does in 00 and 01 besides the exercises: guess right, and change a line."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest

from tests.notebooks.inject import injected
from tests.notebooks.rerun import ROOT, rerun
from tests.notebooks.second_runs import changed_verdicts, run_twice

GUESSES = {
    "guess-transpose": "numbers_moved = 0",
    "guess-bytes": "how_many_bytes = 4_194_304",
    "guess-strides": "strides_3_5 = (5, 1)\nstrides_1_2_3_4 = (24, 12, 4, 1)",
    "guess-t": "strides_t = (1, 3)",
    "guess-permute": "strides_permuted = (24, 4, 1, 12)",
    "guess-broadcast": "bytes_expanded = 12",
    "guess-view": 'view_works = "no"',
    "guess-write": "changed = (1, 0)",
}


def read(name: str) -> Any:
    return nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)


def cell_of(notebook: Any, name: str) -> Any:
    return next(cell for cell in notebook.cells if cell.id == name)


def shown(cell: Any) -> str:
    return "".join(output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)


def test_right_guesses_about_strides_are_told_so() -> None:
    notebook = read("01_tensors_and_strides")
    for name, guess in GUESSES.items():
        cell_of(notebook, name).source = injected(cell_of(notebook, name).source, guess)
    rerun(notebook)
    answers = [shown(cell) for cell in notebook.cells if cell.id.startswith("reveal-")]
    assert len(answers) == 9
    assert [answer for answer in answers if "right: " not in answer] == []


def test_the_tour_learns_the_digits_and_follows_a_changed_line() -> None:
    notebook = read("00_tour")
    cell_of(notebook, "parts").source = 'w_grad_holds = "the sum"'
    change = cell_of(notebook, "change")
    change.source = change.source.replace("miss_1**2  #", "miss_1**2 + 0.1 * w**2  #")
    run_twice(notebook)
    rerun(notebook)
    assert changed_verdicts(notebook) == {}
    assert shown(cell_of(notebook, "accuracy")).endswith("reads at least 97 of 100 held-out digits: True\n")
    assert shown(cell_of(notebook, "parts-answer")).startswith("right: the sum.")
    assert shown(cell_of(notebook, "change-grad")) == "w.grad is -0.7795\n"
    assert "What is dloss/dw at w = 0.5?" in str(change.outputs)


@pytest.mark.parametrize("name", ["00_tour", "01_tensors_and_strides"])
def test_as_committed_nothing_is_given_away(name: str) -> None:
    cells = [cell for cell in read(name).cells if cell.cell_type == "code" and "\npredicted(" in f"\n{cell.source}"]
    strict = [shown(cell) for cell in cells if "nbval-ignore-output" not in cell.metadata.get("tags", [])]
    assert len(strict) >= 2
    assert [answer for answer in strict if not answer.split("\n")[-1].startswith("no prediction yet")] == []
