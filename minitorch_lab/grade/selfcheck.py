"""The student's own check: their notebook is run by pytest --nbval-lax, and what the lesson's checks say is told."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from xml.etree import ElementTree

from ..errors import ArgumentError

CHECK = re.compile(r"\w+\.check_\w+\(.*\)", re.DOTALL)
COLOUR = re.compile(r"(?:#x1B|\x1b)\[[0-9;]*m")  # as pytest writes it into XML


class Told(NamedTuple):
    """What one cell of the notebook came to: whether it is in order, and what is to be said where it is not."""

    cell: str
    good: bool
    said: str


def self_check(path: Path) -> list[Told]:
    """Run a notebook from top to bottom in a fresh kernel, and say for each exercise whether its check is content.

    This is for the student's own machine: the cells run as they would in Jupyter, with all that they may do there.

    Args:
        path: The notebook.

    Returns:
        One line per check of the notebook, and one per other cell that ended with an error.

    Raises:
        ArgumentError: It is no notebook, checks no exercise, or pytest did not get through it.
    """
    notebook = read(path)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    if not any(map(is_check, cells)):
        raise ArgumentError(
            f"{path} checks no exercise.",
            "minitorch-lab check runs a lesson of the course, whose cells call lesson.check_….",
            "Did you mean another notebook? Of this one nothing would be graded.",
        )
    with TemporaryDirectory() as scratch:
        strict = Path(scratch, path.name)
        strict.write_text(json.dumps({**notebook, "cells": list(asserted(notebook["cells"]))}), "utf-8")
        failures = run(strict, path.resolve().parent)
    return [
        Told(called(cell, k), k not in failures, failures.get(k, ""))
        for k, cell in enumerate(cells)
        if is_check(cell) or k in failures
    ]


def read(path: Path) -> dict[str, Any]:
    """The notebook as JSON.

    Raises:
        ArgumentError: It is none.
    """
    try:
        notebook = json.loads(path.read_text("utf-8-sig"))
        notebook["cells"]
    except (OSError, ValueError, KeyError, TypeError) as cause:
        raise ArgumentError(
            f"{path} is no notebook ({type(cause).__name__}).",
            "minitorch-lab check runs one notebook of the course.",
            "Did you mean the file that ends in .ipynb?",
        ) from cause
    return notebook


def is_check(cell: dict[str, Any]) -> bool:
    """Whether a cell of a lesson checks an exercise: also where another program took its tags away."""
    return cell["cell_type"] == "code" and CHECK.fullmatch("".join(cell["source"]).strip()) is not None


def called(cell: dict[str, Any], number: int) -> str:
    """What a cell is called: by its id or its number; a check that another program gave an id, by what it checks.

    Example:
        >>> called({"cell_type": "code", "source": "lesson.check_order(order)", "id": "17248926"}, 3)
        'check_order(order)'
    """
    name: str = cell.get("id", f"cell {number}")
    return "".join(cell["source"]).strip().partition(".")[2] if is_check(cell) and "-check" not in name else name


def asserted(cells: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The cells, with every check turned into an assertion, so that pytest fails where the lesson is not content."""
    for cell in cells:
        if is_check(cell):
            source = "".join(cell["source"])
            yield {**cell, "source": f"_verdict = {source}\nassert _verdict.done, repr(_verdict)"}
        else:
            yield cell


def run(notebook: Path, folder: Path) -> dict[int, str]:
    """The cells that fail under pytest --nbval-lax, by number, with the first line of why.

    Raises:
        ArgumentError: pytest did not get through the notebook.
    """
    report = notebook.with_suffix(".xml")
    options = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(notebook.parent)]
    options += ["--nbval-lax", "--nbval-current-env", "--nbval-cell-timeout", "300", f"--junitxml={report}"]
    command = [sys.executable, "-m", "pytest", *options, str(notebook)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not report.exists():
        last = (done.stdout + done.stderr).strip().splitlines()[-1:] or ["no output"]
        raise ArgumentError(
            f"pytest did not get through {notebook.name}: {last[0][:200]}",
            "The check runs every cell of the notebook in a fresh kernel.",
            "Does it run in JupyterLab with Restart Kernel and Run All Cells?",
        )
    cases = ElementTree.parse(report).iter("testcase")
    return {
        number(case): why(case) for case in cases if case.find("failure") is not None or case.find("error") is not None
    }


def number(case: ElementTree.Element) -> int:
    """The number of the cell, which nbval has put into the name of the case."""
    return int(case.get("name", "Cell -1").rpartition(" ")[2])


def why(case: ElementTree.Element) -> str:
    """The last line of what went wrong in a cell: the error, or the verdict of the check."""
    text = COLOUR.sub("", "".join((part.text or "") for part in case))
    lines = [line.strip() for line in text.splitlines() if "Error:" in line]
    return lines[-1].partition("AssertionError: ")[2] or lines[-1] if lines else "this cell did not run to its end."
