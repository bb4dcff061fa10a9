"""What a judge notebook says of itself before it runs: its exercises, checks, points, titles and hints.

They are read from the source, so that a lesson's points are known when a judge was stopped half-way, and so that the
texts a student sees are the judge's own words and nothing that was put together while the student's code ran.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from ..errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise: the cells of it that are the student's, and what runs before them.

    That is cells of the lesson, `setup`, and a source of the judge's own, `context`.
    """

    name: str
    cells: tuple[str, ...]
    setup: tuple[str, ...]
    context: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One check of an exercise, the hint for those who fail it, and every hint that it may give."""

    exercise: str
    title: str
    points: float
    hint: str
    hints: tuple[str, ...]
    cell: int


@dataclass(frozen=True, slots=True)
class Judge:
    """The exercises and checks of a judge notebook, in its order."""

    exercises: tuple[Exercise, ...]
    checks: tuple[Check, ...]


def imports_in(sources: Iterable[str]) -> tuple[str, ...]:
    r"""The import statements of cells, each once. A cell with magics in it has none that could be told.

    Example:
        >>> imports_in(["import os\nx = 3\nfrom math import e as f, pi", "import os", "%matplotlib inline"])
        ('import os', 'from math import e as f, pi')
    """
    found: dict[str, None] = {}
    for source in sources:
        with suppress(SyntaxError):
            body = ast.parse(source).body
            found |= dict.fromkeys(ast.unparse(each) for each in body if isinstance(each, ast.Import | ast.ImportFrom))
    return tuple(found)


def judge_of(name: str, judge: dict[str, Any], lesson: dict[str, Any]) -> Judge:
    """Return what the source of a judge notebook says of its exercises and checks.

    Args:
        name: The lesson, for the errors.
        judge: The judge notebook, as JSON.
        lesson: The notebook that students get: the cells named must be in it.

    Raises:
        ArgumentError: A call that is not written with literals, a check before any submission, a title that stands
            twice, a cell that the lesson does not have.
    """
    known = {cell.get("id") for cell in lesson["cells"] if cell["cell_type"] == "code"}
    exercises: dict[str, Exercise] = {}
    checks: list[Check] = []
    for number, source in enumerate(code_of(judge)):
        for call in calls_of(name, source):
            words = words_of(name, call)
            if called(call) == "submission":
                exercise = exercise_of(name, words, known)
                exercises[exercise.name] = exercise
            elif called(call) == "check":
                checks.append(check_of(name, words, list(exercises), number))
            else:
                checks[-1:] = [replace(each, hints=(*each.hints, words["hint"])) for each in checks[-1:]]
    refuse_twice(name, checks)
    refuse_worthless(name, checks)
    return Judge(tuple(exercises.values()), tuple(checks))


def code_of(notebook: dict[str, Any]) -> list[str]:
    """Return the sources of the code cells of a notebook, in order."""
    return [source_of(cell) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def source_of(cell: dict[str, Any]) -> str:
    """Return the source of a cell, which the format allows as one text or as lines."""
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


# ---- calls ----------------------------------------------------------------------------------------------------------

PARAMETERS = {
    "submission": ("exercise", "cells", "setup", "context"),
    "check": ("title", "points", "hint"),
    "wrong_if": ("", "hint"),
}


def called(call: ast.Call) -> str:
    """Return the last name of what is called."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def calls_of(name: str, source: str) -> Iterator[ast.Call]:
    """Yield the calls of a cell that say something of the judge, in the order of the source."""
    try:
        tree = ast.parse(source)
    except SyntaxError as cause:
        raise ArgumentError(
            f"A cell of the judge of {name} is no Python: {cause.msg} in line {cause.lineno}.",
            "A judge is read before it runs.",
            "Write it without magics.",
        ) from cause
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and called(node) in PARAMETERS]
    yield from sorted(found, key=lambda call: (call.lineno, call.col_offset))


def words_of(name: str, call: ast.Call) -> dict[str, Any]:
    """Return the arguments of a call by their names; all of them must be literals."""
    named = list(zip(PARAMETERS[called(call)], call.args, strict=False))
    given = {key: value for key, value in [*named, *((each.arg, each.value) for each in call.keywords)] if key}
    try:
        return {str(key): ast.literal_eval(value) for key, value in given.items()}
    except ValueError as cause:
        raise ArgumentError(
            f"The judge of {name} calls {ast.unparse(call)[:80]}.",
            "What a student sees is read from the judge's source, so these arguments must be literals.",
            f"Write the text itself: {called(call)}('...').",
        ) from cause


def exercise_of(name: str, words: dict[str, Any], known: set[Any]) -> Exercise:
    """Return the exercise that a `submission(...)` names."""
    exercise = words["exercise"]
    usual = next((cell for cell in (f"{exercise}-exercise", exercise) if cell in known), f"{exercise}-exercise")
    context = words.get("context", "")
    cells, setup = words.get("cells", (usual,)), words.get("setup", () if context else tuple({"imports"} & known))
    missing = [cell for cell in (*cells, *setup) if cell not in known]
    if missing:
        raise ArgumentError(
            f"The judge of {name} names the cell {missing[0]!r} for the exercise {exercise!r}.",
            "Every cell of an exercise, and of its setup, is a code cell of the lesson, named by its id.",
            f"Did you mean submission({exercise!r}, cells=[...], setup=[...])?",
        )
    return Exercise(exercise, tuple(cells), tuple(setup), context)


def check_of(name: str, words: dict[str, Any], exercises: list[str], cell: int) -> Check:
    """Return the check that a `check(...)` states. It belongs to the submission that was named last."""
    if not exercises:
        raise ArgumentError(
            f"The judge of {name} has the check {words.get('title')!r} before any submission.",
            "A check belongs to the exercise whose submission was asked for last.",
            "Begin with s = submission('...').",
        )
    title, points, hint = words.get("title"), words.get("points"), words.get("hint")
    if not isinstance(title, str) or not isinstance(hint, str) or not isinstance(points, int | float) or points < 0:
        raise ArgumentError(
            f"The judge of {name} has the check {title!r} with points={points!r} and hint={hint!r}.",
            "A check has a title, points that are a number, not below 0, and a hint.",
            "Did you mean check('what is right', points=2, hint='what to look at')?",
        )
    return Check(exercises[-1], title, float(points), hint, (hint,), cell)


def refuse_twice(name: str, checks: list[Check]) -> None:
    """Refuse two checks of one exercise with the same title: their verdicts could not be told apart."""
    keys = [(check.exercise, check.title) for check in checks]
    for exercise, title in keys:
        if keys.count((exercise, title)) > 1:
            raise ArgumentError(
                f"The judge of {name} has two checks {title!r} in the exercise {exercise!r}.",
                "A check is known by its title.",
                "Give one of the two another title, or put both into one check.",
            )


def refuse_worthless(name: str, checks: list[Check]) -> None:
    """Refuse a judge that gives no points."""
    if not sum(check.points for check in checks):
        raise ArgumentError(
            f"The judge of {name} gives no points.",
            "A judge has at least one check with points.",
            "Did you mean check('what is right', points=2, hint='what to look at')?",
        )
