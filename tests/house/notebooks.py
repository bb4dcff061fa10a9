"""What must be true of a committed notebook: nbval passes a code cell that was never run, so a lint looks."""

from __future__ import annotations

from typing import Any


def never_run(notebook: dict[str, Any]) -> list[str]:
    """Return the first line of every code cell that was not run, or was run out of order.

    A notebook that was run from top to bottom in a fresh kernel counts its non-empty code cells 1, 2, 3, …
    """
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code" and "".join(cell["source"]).strip()]
    wrong = [cell for number, cell in enumerate(cells, 1) if cell.get("execution_count") != number]
    return ["".join(cell["source"]).splitlines()[0] for cell in wrong]


def unexpected_errors(notebook: dict[str, Any]) -> list[str]:
    """Return the errors that cells ended with, unless a tag or nbval's comment announces them."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code" and not announced(cell)]
    outputs = [output for cell in cells for output in cell["outputs"]]
    return [output["ename"] for output in outputs if output["output_type"] == "error"]


def announced(cell: dict[str, Any]) -> bool:
    """Say whether a cell is meant to end with an error."""
    return "raises-exception" in cell["metadata"].get("tags", []) or "NBVAL_RAISES_EXCEPTION" in "".join(cell["source"])
