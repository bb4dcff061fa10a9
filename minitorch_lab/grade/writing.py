"""Writes judge notebooks: one short section per exercise, beside the lesson, its solutions and its checks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import ArgumentError
from .context import context
from .sentences import sentences

Cell = dict[str, Any]

IMPORTS = """\
from copy import deepcopy

import numpy as np

from minitorch_lab.grade.judge import check, close, draw, submission
from minitorch_lab.grade.judging import SAID, agreed, alike, asked_rows, programs, reference, says"""


class Section(NamedTuple):
    """What a judge's source says of one exercise.

    The name is that of the exercise: its cell is NAME-exercise, its check NAME-check. `probe` runs twice, over the
    student's cells and over the reference, on what `draws` draws; what is before the slash in its parameters are
    names that the cells define. `draws` returns, by the name of each corner class, what is drawn of it: always all of
    them, so that no score depends on luck. `agree(found, wanted, *drawn)` compares; without it the two must be alike.
    """

    name: str
    title: str
    points: float
    hint: str
    parts: dict[str, str]  # the functions: probe, draws, agree, and whatever these call
    takes: list[str]


def judge_notebook(source: str, lesson: dict[str, Any], solutions: str) -> dict[str, Any]:
    """The judge notebook of a lesson.

    Args:
        source: The judge's sections, each under a line `# %% NAME`.
        lesson: The lesson's notebook, as JSON.
        solutions: The lesson's solutions, each under a line `# %% CELL-ID`.

    Raises:
        ArgumentError: A section says nothing that can be judged, or has no exercise in the lesson.
    """
    cells = [code("imports", IMPORTS), *map(judged_by(lesson, solutions), sections(source))]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def code(name: str, source: str) -> Cell:
    """A code cell that has been run and showed nothing."""
    return {
        "cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [], "execution_count": 1,
    }  # fmt: skip


def split(text: str) -> dict[str, str]:
    r"""The parts of a file in the percent format, by name. What stands above the first one belongs to none.

    Example:
        >>> split("'''About.'''\n# %% a\nx = 1\n# %% b\ny = 2\n")
        {'a': 'x = 1\n', 'b': 'y = 2\n'}
    """
    pieces = re.split(r"^# %% (\S+)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def sections(source: str) -> Iterator[Section]:
    """The sections of a judge.

    Raises:
        ArgumentError: One has no title, points, hint or probe.
    """
    for name, text in split(source).items():
        said: dict[str, Any] = {}
        parts: dict[str, str] = {}
        takes: list[str] = []
        for statement in ast.parse(text).body:
            match statement:
                case ast.Assign([ast.Tuple([ast.Name(first), ast.Name(second)])], value):
                    said |= zip((first, second), ast.literal_eval(value), strict=True)
                case ast.Assign([ast.Name(word)], value):
                    said[word] = ast.literal_eval(value)
                case ast.FunctionDef(part, parameters):
                    parts[part] = ast.get_source_segment(text, statement) or ""
                    if part == "probe":
                        takes = [parameter.arg for parameter in parameters.posonlyargs]
                case _:
                    pass
        if missing := [word for word in ("title", "points", "hint") if word not in said] or "probe" not in parts:
            raise ArgumentError(
                f"The judge's section {name!r} has no {missing if missing is not True else 'probe'}.",
                "A section sets title, points and hint, and defines probe(names, /, drawn) and draws(rng).",
                "See any file in judges/ for one that is whole.",
            )
        yield Section(name, said["title"], said["points"], said["hint"], parts, takes)


def judged_by(lesson: dict[str, Any], solutions: str) -> Any:
    """The function from a section to its cell of the judge notebook."""
    cells = {cell["id"]: "".join(cell["source"]) for cell in lesson["cells"] if cell["cell_type"] == "code"}
    solved = split(solutions)

    def written(section: Section) -> Cell:
        exercise, asks = f"{section.name}-exercise", f"{section.name}-check"
        if exercise not in cells or asks not in cells or exercise not in solved:
            raise ArgumentError(
                f"The judge has a section {section.name!r}, and the lesson has no such exercise.",
                f"It belongs to the cells {exercise} and {asks}, and to a solution of {exercise}.",
                f"The lesson's exercises are {', '.join(name for name in cells if name.endswith('-exercise'))}.",
            )
        names = list(cells)
        skipped = ("-check", "reveal-", "guess-")
        above = [cells[n] for n in names[: names.index(exercise)] if not any(part in n for part in skipped)]
        around = context(above, f"{cells[exercise]}\n{cells[asks]}\n{solved[exercise]}")
        return code(section.name, judge_cell(section, around, injected(cells[exercise], solved[exercise]), cells))

    return written


def judge_cell(section: Section, around: str, solved: str, cells: dict[str, str]) -> str:
    """The source of the cell that judges one exercise."""
    name, takes = section.name, section.takes
    module, function, arguments = check_of(cells, f"{name}-check")
    probe = "\n\n\n".join(text for part, text in section.parts.items() if part not in ("draws", "agree"))
    ours = "\n\n\n".join(text for part, text in section.parts.items() if part in ("draws", "agree"))
    given = "found" if "draws" in section.parts else "asked_rows(found, wanted)"  # a table, and no function
    compared = "agreed(agree, found, wanted, drawn)" if "agree" in section.parts else f"alike({given}, wanted)"
    asked_with = f"draws(draw({name!r})).values()" if "draws" in section.parts else "[()]"
    lines = [
        f"s = submission({name!r}, cells=[{name + '-exercise'!r}], context={quoted(around)})",
        f"PROBE = {quoted(probe)}",
        f"SOLVED = {quoted(context([around, solved], ', '.join(takes)))}",
        f"{ours}\n",
        "s.expect()",
        f"with check({section.title!r}, points={section.points!r}, hint={section.hint!r}) as this:",
        "    there = s.code(SAID + PROBE)",
        f"    said = there.said({', '.join([repr(module), repr(function), *arguments])})",
        *(f"    this.wrong_if(says(said, {text!r}), {text!r}, said)" for text in sentences(module, function)),
        "    here = reference(SOLVED, SAID + PROBE)",
        f"    for drawn in {asked_with}:",
        f"        wanted = here.answer({', '.join([*(f'here.{a}' for a in takes), '*deepcopy(drawn)'])})",
        "        s.expect(wanted)",
        f"        found = there.answer({', '.join([*(f's.{a}' for a in takes), '*drawn'])})",
        f"        assert {compared}",
    ]
    return "\n".join(lines)


def check_of(cells: dict[str, str], name: str) -> tuple[str, str, list[str]]:
    """The check that a lesson's cell calls: its module, its name, and what it is given, as a judge has it."""
    call = ast.parse(cells[name]).body[-1]
    match call:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(alias), function), arguments)):
            given = [asked(argument) for argument in arguments]
        case _:
            raise ArgumentError(
                f"The cell {name} is {cells[name][:60]!r}.",
                "A cell that checks an exercise is one call of a check on names: lesson.check_order(order).",
                "Move everything else out of it.",
            )
    for source in cells.values():
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Import(names):
                    found = [n.name for n in names if n.asname == alias]
                case ast.ImportFrom(module, names):
                    found = [f"{module}.{n.name}" for n in names if (n.asname or n.name) == alias]
                case _:
                    continue
            if found:
                return found[0].removeprefix("minitorch_lab.lessons."), function, given
    raise ArgumentError(
        f"No cell of the lesson imports {alias!r}, which {name} uses.",
        "The checks of a lesson stand in a module of minitorch_lab.lessons, and a cell imports it.",
        f"Did you mean from minitorch_lab.lessons import … as {alias}?",
    )


def asked(argument: ast.expr) -> str:
    """An argument of a check as the judge writes it: names are the submission's.

    Example:
        >>> asked(ast.parse("[f, g]", mode="eval").body)
        '[s.f, s.g]'
    """

    class Theirs(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return ast.Attribute(ast.Name("s", ast.Load()), node.id, ast.Load())

    return ast.unparse(Theirs().visit(argument))


def quoted(text: str) -> str:
    r"""A literal of a text that may have many lines: as they are, where Python allows it.

    Example:
        >>> print(quoted("x = 1\ny = 2"))
        '''
        x = 1
        y = 2
        '''
    """
    return repr(text) if "\\" in text or "'''" in text else f"'''\n{text}\n'''"


def injected(cell: str, solution: str) -> str:
    r"""The source of an exercise cell with the solution's definitions in place of its own.

    Example:
        >>> injected("def f(x):\n    return x\n\nprint(f(1))", "def f(x):\n    return -x\n")
        'def f(x):\n    return -x\n\nprint(f(1))'
    """
    lines = cell.splitlines()
    mine = {defined(s): ast.get_source_segment(solution, s) or "" for s in ast.parse(solution).body}
    for statement in reversed(ast.parse(cell).body):
        if (name := defined(statement)) in mine and name is not None:
            lines[statement.lineno - 1 : statement.end_lineno] = [mine[name]]
    return "\n".join(lines)


def defined(statement: ast.stmt) -> str | None:
    """The name that a statement defines, if it is one that a solution replaces."""
    match statement:
        case ast.FunctionDef(name) | ast.ClassDef(name) | ast.Assign([ast.Name(name)]):
            return name
        case _:
            return None


def read_notebook(path: Path) -> dict[str, Any]:
    """A notebook of ours, as JSON."""
    import json

    return json.loads(path.read_text("utf-8"))
