"""What a cell reads that gives a verdict is made in one place, so that coming back to it finds the same as before."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import nbformat
import pytest

from minitorch_lab.grade.context import is_import, names, statements
from tests.notebooks.rerun import ROOT
from tests.notebooks.second_runs import gives_verdict

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def reads(source: str) -> set[str]:
    """The names that a cell takes from other cells."""
    wanted: set[str] = set()
    for statement in reversed(statements(source)):
        does = names(statement)
        wanted = wanted - does.makes | does.reads | does.changes
    return wanted


def makers(cells: dict[str, str]) -> dict[str, set[str]]:
    """By name, the cells that make it or change its value. Modules are used by many and changed by none."""
    found: dict[str, set[str]] = defaultdict(set)
    modules: set[str] = set()
    for cell, source in cells.items():
        for statement in statements(source):
            does = names(statement)
            modules |= does.makes if is_import(statement) else set()
            for name in does.makes | does.changes:
                found[name].add(cell)
    return {name: found[name] for name in found.keys() - modules}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_a_verdict_reads_is_made_in_one_cell(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    cells = {cell.id: cell.source for cell in notebook.cells if cell.cell_type == "code"}
    made = makers(cells)
    asking = [cell for cell in notebook.cells if gives_verdict(cell)]
    several = {
        (cell.id, name): sorted(made[name])
        for cell in asking
        for name in reads(cell.source)
        if len(made.get(name, ())) > 1
    }
    assert len(asking) >= 3
    assert several == {}
