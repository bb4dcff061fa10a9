"""Cells, run a second time: a reader presses Shift-Enter twice, and comes back to any verdict after Run All."""

from __future__ import annotations

import re
from typing import Any

import nbformat

VERDICT = re.compile(r"^(print\()?(predicted\(|\w+\.check_\w+\()", re.MULTILINE)
AGAIN, SECOND = "again-", "second-run-of-"


def gives_verdict(cell: Any) -> bool:
    """Whether a cell compares a prediction or checks an exercise."""
    return cell.cell_type == "code" and VERDICT.search(cell.source) is not None


def repeat_each(notebook: Any) -> None:
    """Put every code cell behind itself once more, but for those that are there for the second time."""
    for k, cell in reversed([*enumerate(notebook.cells)]):
        if cell.cell_type == "code" and not cell.id.startswith(SECOND):
            notebook.cells.insert(k + 1, nbformat.v4.new_code_cell(cell.source, id=f"{AGAIN}{cell.id}"))


def run_twice(notebook: Any) -> None:
    """Put every cell that gives a verdict at the end of the notebook once more, the last one first."""
    for cell in reversed([cell for cell in notebook.cells if gives_verdict(cell)]):
        notebook.cells.append(nbformat.v4.new_code_cell(cell.source, id=f"{SECOND}{cell.id}"))


def shown(cell: Any) -> str:
    """What a cell says; of a cell with times in it, how it begins."""
    texts = [output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    said = re.sub(r"tensor\S+ at 0x\w+", "", "".join(texts))
    return said.partition(":")[0] if "nbval-ignore-output" in cell.metadata.get("tags", []) else said


def changed_verdicts(notebook: Any) -> dict[str, tuple[str, str]]:
    """After a run: the cells that answered something else the second time, with both answers."""
    cells = {cell.id: cell for cell in notebook.cells}
    pairs = [(cells[name.removeprefix(SECOND)], cell) for name, cell in cells.items() if name.startswith(SECOND)]
    assert pairs
    for first, second in pairs:
        second.metadata["tags"] = first.metadata.get("tags", [])
    found = {first.id: (shown(first), shown(second)) for first, second in pairs}
    return {name: both for name, both in found.items() if both[0] != both[1]}
