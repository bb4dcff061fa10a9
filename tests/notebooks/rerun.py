"""Runs a notebook from top to bottom and writes it back as it is committed: outputs as text, no state of widgets.

Example: python -m tests.notebooks.rerun notebooks/02_the_tape.ipynb
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat

from book.making.run import execute

ROOT = Path(__file__).resolve().parents[2]
WIDGET = "application/vnd.jupyter.widget-view+json"  # a random id, which means nothing in another kernel
PLOTLY = "application/vnd.plotly.v1+json"  # a chart is drawn when the reader runs its cell


def rerun(notebook: Any) -> Any:
    """Execute every cell in a fresh kernel; keep of each output only what another run would give again."""
    execute(notebook, ROOT)
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            for kind in (WIDGET, PLOTLY):
                output.get("data", {}).pop(kind, None)
    return notebook


def without_passing(notebook: Any) -> Any:
    """Leave out what differs from run to run: times, figures, views under a cell with nbval's tag."""
    for cell in notebook.cells:
        if "nbval-ignore-output" in cell.metadata.get("tags", []):
            cell.outputs = []
    return notebook


def text_of(notebook: Any) -> str:
    """The file, as Jupyter writes it."""
    return nbformat.writes(notebook, version=4) + "\n"


def main(paths: list[str]) -> None:
    for path in map(Path, paths):
        notebook = without_passing(rerun(nbformat.read(path, as_version=4)))
        path.write_text(text_of(notebook), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
