"""By which means an answer was come by: what it calls that would be the exercise itself. It costs nothing, and is told.

A judge sees values. Whether somebody has written `jacrev` or called it, or asked the lesson's own check for what it
knows, shows in the text alone, and a text can be written in many ways: this finds who did not hide it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Set
from functools import cache
from typing import Any

from ..errors import ArgumentError
from ..tensor import Tensor
from .bundle import Lesson
from .extract import Submitted
from .judge_source import source_of
from .sentences import definitions
from .writing import check_of

NAME = r"[^\W\d]\w*"
SILENT = re.compile(r"\"{3}.*?\"{3}|'{3}.*?'{3}|\"[^\"\n]*\"|'[^'\n]*'|#[^\n]*", re.DOTALL)  # texts and comments
ASKED = re.compile(rf"\.\s*({NAME})")
IMPORT = re.compile(r"^\s*(?:from\s+\S+\s+)?import\b([^(\n]*(?:\([^)]*\))?)", re.MULTILINE)
MADE = re.compile(rf"\b(?:def|class)\s+({NAME})|^\s*({NAME})\s*=(?!=)", re.MULTILINE)


def means(taken: Submitted, exercise: str) -> tuple[str, ...]:
    """The names by which an answer may have spared itself the exercise.

    These are what the lesson's own check works with, but for what the lesson shows up to this exercise; and what the
    library has ready made, but for what its solution uses. Lines that were handed out count for nobody.
    """
    cells = {name for name, _ in taken.cells[exercise] or ()}
    above = [*above_and_in(taken.lesson.notebook, cells)]
    solution = [source_of(cell) for cell in taken.lesson.solved["cells"] if cell.get("id") in cells]
    answers = {source for each in taken.cells.values() for _, source in each or ()}
    mine = [source for _, source in taken.cells[exercise] or ()]
    mine += [source for source, own, _ in taken.others_of(exercise) if own and source not in answers and mine]
    given = {line for source in above for line in source.splitlines()}
    written, solved = (
        ["\n".join(x for x in s.splitlines() if x not in given) for s in part] for part in (mine, solution)
    )
    ready = (names_in(written, uses) | names_in(written, brought)) - names_in(solved, uses)
    asked = names_in(written, asked_for) - names_in([*above, *solution], uses)
    return tuple(sorted(ready & library() | asked & helpers(taken.lesson, exercise)))


def names_in(sources: Iterable[str], how: Callable[[str], set[str]]) -> set[str]:
    """The names in several sources."""
    return {name for source in sources for name in how(source)}


def uses(source: str) -> set[str]:
    r"""The names that stand in a source and are not made there, whether or not it is Python; imports use nothing.

    Example:
        >>> sorted(uses("from a import b\ndef f(x):  # c\n    return x.d(f, 'e')"))
        ['d', 'return', 'x']
    """
    source = IMPORT.sub("", SILENT.sub("", source))
    return {*re.findall(NAME, source)} - {first or second for first, second in MADE.findall(source)} - {"def"}


def brought(source: str) -> set[str]:
    r"""The names that a source imports.

    Example:
        >>> sorted(brought("from a.b import (c,\n  d)\nimport e as f"))
        ['c', 'd', 'e', 'f']
    """
    return {name for each in IMPORT.findall(SILENT.sub("", source)) for name in re.findall(NAME, each)} - {"as"}


def asked_for(source: str) -> set[str]:
    """The names that a source imports, or asks other things for: `lesson.order_of`."""
    return brought(source) | {*ASKED.findall(IMPORT.sub("", SILENT.sub("", source)))}


def above_and_in(notebook: dict[str, Any], cells: Set[str]) -> Iterable[str]:
    """The sources of a lesson's cells down to those of an exercise."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    last = max((k for k, cell in enumerate(code) if cell.get("id") in cells), default=-1)
    return map(source_of, code[: last + 1])


def helpers(lesson: Lesson, exercise: str) -> frozenset[str]:
    """The names of the functions in the module of an exercise's check, and in those that this one takes from."""
    cells = {cell["id"]: source_of(cell) for cell in lesson.notebook["cells"] if cell["cell_type"] == "code"}
    try:
        pending = [check_of(cells, f"{exercise}-check")[0]]
    except (ArgumentError, KeyError, SyntaxError):  # a lesson that has no such checks
        return frozenset()
    found: dict[str, set[str]] = {}
    while pending:
        module = pending.pop()
        made, brought = definitions(module)
        found[module] = {name for name, node in made.items() if isinstance(node, ast.FunctionDef)}
        pending += {source for source, _ in brought.values()} - found.keys()
    everybodys = {name for kind in (dict, list, set, str, Tensor) for name in dir(kind)}
    return frozenset(name for names in found.values() for name in names) - everybodys


@cache
def library() -> frozenset[str]:
    """What the library has ready made: transforms, and functions that are more than an op."""
    from .. import factories, func
    from ..nn import functional

    ready = {name for name, each in vars(functional).items() if callable(each) and not name.startswith("_")}
    return frozenset({*func.__all__, *ready} - {*dir(Tensor), *dir(factories)})
