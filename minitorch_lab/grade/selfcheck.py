"""The student's own check: their notebook is run by pytest --nbval-lax, and what the lesson's checks say is told.

Which cells are an exercise's answer is asked where the grader asks it, in `seek.py`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from xml.etree import ElementTree

from ..errors import ArgumentError
from .reading import PROBLEMS, Unreadable, cells_in
from .seek import Answer, Cell, Wanted, answers, checks_in, head, wanted_of, weight

CHECK = re.compile(r"\w+\.check_\w+\(.*\)", re.DOTALL)
PLUGIN = "pytest plugin exception: "
SAYS = re.compile(rf"AssertionError: |{PLUGIN}")  # what stands before a sentence of ours
COLOUR = re.compile(r"(?:#x1B|\x1b)\[[0-9;]*m")  # as pytest writes it into XML
DEAD = "Kernel dead on test start"  # what nbval says of each cell after the last that was run
ALIVE = "minitorch_lab.grade.alive"
SECONDS = 300  # that one cell may take
ENDS = "exit() and os._exit() end the whole program, and so does asking for more memory than there is."
SLOW = 0.5  # seconds for which the cells of an exercise run with every grader, more or less
TOO_SLOW = (
    "its cells ran for {:.1f} s. Imports aside, the grader stops them after a fraction of a second to a few, and what "
    "they have defined by then counts: define first, and wait and try things out below that or in cells of their own"
)
MOST = 3  # files that an error lists
MISSING = "the exercise's cell is missing."
PACKAGE = Path(__file__).resolve().parents[1]


class Told(NamedTuple):
    """What one exercise, or another cell, came to: whether it is in order, and what is to be said of it."""

    cell: str
    good: bool
    said: str


class Asked(NamedTuple):
    """A cell that is run: its source, the name by which it is told of, if any, and what is to be said beside.

    `answer`: of a cell that checks an exercise, the sources that are its answer.
    """

    source: str
    name: str
    told: bool = False
    said: str = ""
    answer: frozenset[str] = frozenset()


def self_check(path: Path) -> list[Told]:
    """Run a notebook from top to bottom in a fresh kernel, and say for each exercise whether its check is content.

    This is for the student's own machine: the cells run as they would in Jupyter, with all that they may do there.

    Args:
        path: The notebook.

    Returns:
        One line per exercise of the notebook, and one per other cell that ended with an error.

    Raises:
        ArgumentError: It is no notebook, checks no exercise, or pytest did not get through it.
    """
    cells = read(path)
    wanted, taken = lesson_of(cells)
    asked = [*asking(cells, wanted, taken)]
    if not any(each.told for each in asked):
        raise ArgumentError(
            f"{path} checks no exercise.",
            "minitorch-lab check runs a lesson of the course, whose cells call lesson.check_….",
            "Did you mean another notebook? Of this one nothing would be graded.",
        )
    with TemporaryDirectory() as scratch:
        strict = Path(scratch, path.name).with_suffix(".ipynb")
        strict.write_text(json.dumps(notebook_of(each.source for each in asked)), "utf-8")
        failures, seconds = run(strict, path.resolve().parent)
    never = {k for k, said in failures.items() if said == DEAD}
    if never:
        stop = f"the kernel stopped in {head(asked[min(never) - 1].source)}."
        failures |= {min(never) - 1: f"{stop} {ENDS}", **dict.fromkeys(never, f"it was not run: {stop}")}
    took = {each.source: seconds.get(k, 0.0) for k, each in reversed([*enumerate(asked)]) if k}  # the first run of each
    told = [
        Told(each.name, k not in failures, "; ".join(filter(None, [failures.get(k, ""), each.said, slow(each, took)])))
        for k, each in enumerate(asked)
        if each.told or (each.name and k in failures.keys() - never and not CHECK.search(each.source))
    ]
    return in_order(told, [*wanted])


def in_order(told: list[Told], exercises: Sequence[str]) -> list[Told]:
    """The same with the exercises in the order of the lesson, wherever in the notebook each could be asked for.

    Example:
        >>> told = [Told(name, True, "") for name in "bxa"]
        >>> [each.cell for each in in_order(told, ["a", "b"])]
        ['a', 'x', 'b']
    """
    own = sorted((each for each in told if each.cell in exercises), key=lambda each: exercises.index(each.cell))
    left = iter(own)
    return [next(left) if each.cell in exercises else each for each in told]


def slow(asked: Asked, took: Mapping[str, float]) -> str:
    """What is to be said of an answer that may be done, and takes longer than a grader waits.

    Example:
        >>> slow(Asked("", "f", answer=frozenset({"def f(): ..."})), {"def f(): ...": 3.2}).partition(".")[0]
        'its cells ran for 3'
    """
    seconds = sum(took.get(source, 0.0) for source in asked.answer)
    return TOO_SLOW.format(seconds) if seconds > SLOW else ""


def read(path: Path) -> list[Cell]:
    """The code cells of a notebook.

    Raises:
        ArgumentError: It is none.
    """
    rule = "minitorch-lab check runs one notebook of the course."
    try:
        return cells_in(path.read_bytes())
    except FileNotFoundError as cause:
        raise ArgumentError(f"There is no file {path}.", rule, near(path)) from cause
    except (OSError, Unreadable) as cause:
        why = PROBLEMS.get(str(cause), f"It could not be read ({type(cause).__name__}).")
        why = "It is a folder." if path.is_dir() else why
        hint = near(path)
        raise ArgumentError(f"{path} is no notebook that can be run. {why}", rule, hint) from cause


def near(path: Path) -> str:
    """Which notebook beside a path was probably meant.

    Example:
        >>> near(Path("no/such/folder/01.ipynb"))
        'There is no folder no/such/folder either: give the path from the folder that you are in.'
    """
    folder = path if path.is_dir() else path.parent
    if not folder.is_dir():
        return f"There is no folder {folder} either: give the path from the folder that you are in."
    stems = sorted(found.stem for found in folder.glob("*.ipynb") if found != path)
    alike = [stem for stem in stems if stem.startswith(path.stem)] or get_close_matches(path.stem, stems, 1)
    if alike and not path.is_dir():
        return f"Did you mean {folder / alike[0]}.ipynb?"
    if not stems:
        return f"No file in {folder.resolve().name} ends in .ipynb: is it the folder of the course?"
    return f"In {folder.resolve().name} are {', '.join(stems[:MOST])}{' and others' if stems[MOST:] else ''}."


@cache
def lessons() -> list[tuple[dict[str, Wanted], frozenset[str]]]:
    """The exercises of each lesson of the course, and the sources of its cells, as students get them."""
    packed = PACKAGE / "notebooks"
    room = packed if packed.exists() else PACKAGE.parent / "notebooks"
    books = [json.loads(path.read_text("utf-8")) for path in sorted(room.glob("[0-9]*.ipynb"))]
    return [(wanted_of(book), handed_out(book)) for book in books]


def handed_out(book: Mapping[str, Any]) -> frozenset[str]:
    """The sources of a lesson's code cells, without the blanks around them."""
    return frozenset("".join(cell["source"]).strip() for cell in book["cells"] if cell["cell_type"] == "code")


def lesson_of(cells: Sequence[Cell]) -> tuple[dict[str, Wanted], dict[str, Answer]]:
    """The exercises of the lesson of which a notebook has the most, and the answers to them; of another course none."""
    found = [(wanted, answers(cells, wanted, given)) for wanted, given in lessons()]
    best = max(found, key=lambda each: weight(each[1]))
    return best if any(weight(best[1])) else ({}, {})


def asking(cells: Sequence[Cell], wanted: Mapping[str, Wanted], taken: Mapping[str, Answer]) -> Iterator[Asked]:
    """The cells as they are run: behind its last check an answer is run and checked once more, by itself.

    So what another cell has done to it in a way that nobody can read does not count here, as it does not for the
    grader. An answer that stands below its check, or that has none, is checked at the end. A check that is of no known
    exercise is of a lesson that somebody else has written, and is asked where it stands.
    """
    of_lesson = {k for each in wanted.values() for k in checks_in(cells, each)}
    for k, cell in enumerate(cells):
        own = k not in of_lesson and CHECK.fullmatch(cell.source.strip()) is not None
        name = cell.ids[0] if cell.ids and cell.ids[0] else f"cell {k}"
        yield Asked(asserted(cell.source) if own else cell.source, called(cell.source) if own else name, own)
        yield from (a for n, each in taken.items() if each.last == k for a in of_exercise(n, wanted[n], each))
    yield from (a for n, each in taken.items() if each.last < 0 for a in of_exercise(n, wanted[n], each))


def of_exercise(name: str, wanted: Wanted, answer: Answer) -> Iterator[Asked]:
    """The answer to an exercise, and the question whether it is done."""
    yield from (Asked(source, "") for _, source in answer.cells or ())
    asks = asserted(wanted.check) if answer.cells is not None else f"raise AssertionError({MISSING!r})"
    said = "; ".join(filter(None, [answer.said, answer.apart]))
    yield Asked(asks, name, True, said, frozenset(source for _, source in answer.cells or ()))


def asserted(check: str) -> str:
    """A check as an assertion, so that pytest fails where the lesson is not content."""
    return f"_verdict = {check.strip()}\nassert _verdict.done, repr(_verdict)"


def called(check: str) -> str:
    """What a check of another lesson is called: by what it checks, whatever id a program gave its cell.

    Example:
        >>> called("lesson.check_order(order)")
        'check_order(order)'
    """
    return check.strip().partition(".")[2]


def notebook_of(sources: Iterator[str]) -> dict[str, Any]:
    """A notebook of code cells that have never been run."""
    cells = [
        {"cell_type": "code", "id": f"cell-{k}", "metadata": {}, "source": s, "outputs": [], "execution_count": None}
        for k, s in enumerate(sources)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def run(notebook: Path, folder: Path) -> tuple[dict[int, str], dict[int, float]]:
    """The cells that fail under pytest --nbval-lax, by number, with the first line of why; and what each has taken.

    Raises:
        ArgumentError: pytest did not get through the notebook.
    """
    report = notebook.with_suffix(".xml")
    options = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(notebook.parent)]
    options += ["--nbval-lax", "--nbval-current-env", "-p", ALIVE, f"--junitxml={report}"]
    options += ["--nbval-cell-timeout", str(SECONDS)]
    command = [sys.executable, "-m", "pytest", *options, str(notebook)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not report.exists():
        last = (done.stdout + done.stderr).strip().splitlines()[-1:] or ["no output"]
        raise ArgumentError(
            f"pytest did not get through {notebook.name}: {last[0][:200]}",
            "The check runs every cell of the notebook in a fresh kernel.",
            "Does it run in JupyterLab with Restart Kernel and Run All Cells?",
        )
    cases = [*ElementTree.parse(report).iter("testcase")]
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    return {number(case): why(case) for case in failed}, {number(c): float(c.get("time", 0.0)) for c in cases}


def number(case: ElementTree.Element) -> int:
    """The number of the cell, which nbval has put into the name of the case."""
    return int(case.get("name", "Cell -1").rpartition(" ")[2])


def why(case: ElementTree.Element) -> str:
    """The last line of what went wrong in a cell: the error, or the verdict of the check."""
    text = COLOUR.sub("", "".join((part.text or "") for part in case))
    lines = [line.strip() for line in text.splitlines() if "Error:" in line or line.startswith(PLUGIN)]
    return SAYS.split(lines[-1])[-1] if lines else "this cell did not run to its end."
