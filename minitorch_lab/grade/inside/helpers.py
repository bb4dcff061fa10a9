"""What an answer asks of the other cells of its notebook: the statements that make the names it reads, and theirs."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from .cells import WRITING, plain
from .names import is_import, names, read_first, statements

BUILTIN = {*vars(builtins)}
WRITES = tuple(f"%%{name} " for name in WRITING)  # how a cell begins that is written to a file: a module, perhaps


class Other(NamedTuple):
    """A cell beside those of the exercise.

    Args:
        source: Its source.
        own: Whether the student has written in it; else it is the lesson's, as it was handed out.
        above: Whether it stands above the answer.
    """

    source: str
    own: bool
    above: bool


class Statement(NamedTuple):
    """A statement of another cell."""

    text: str
    own: bool


def asked_for(answer: Sequence[str], others: Sequence[Other], space: Mapping[str, Any]) -> list[str]:
    r"""The statements of other cells that an answer stands on, in the order in which they run.

    What the student has made counts before what the lesson gives. Of the lesson's own statements only those are taken
    whose names are not there yet. Cells below the answer are asked for what those above do not have. What is written to
    files comes first: an answer may import it.

    Args:
        answer: The sources of the exercise's cells.
        others: The other cells, in the order of the notebook.
        space: What there is already.

    Example:
        >>> above = [Other("import math\nimport os\ndef half(x):\n    return x / two", True, True)]
        >>> above += [Other("two = 2\nprint(two)", True, True)]
        >>> asked_for(["def f(x):\n    return math.sqrt(half(x))"], above, {})
        ['import math', 'def half(x):\n    return x / two', 'two = 2']
    """
    wanted, late, made = set[str](), set[str](), set[str]()
    for each in parsed(Other(source, True, True) for source in answer):
        does = names(each.text)
        wanted |= read_first(each.text) - made
        late |= does.late
        made |= does.makes
    wanted = (wanted | (late - made)) - BUILTIN
    above, below = ([*parsed(each for each in others if each.above is place)] for place in (True, False))
    first = slice_of(above, wanted, space)
    there = {*space, *made} | {name for each in first for name in names(each.text).makes}
    read = {name for each in first for name in names(each.text).reads}
    second = slice_of(below, (wanted | read) - there - BUILTIN, space)
    written = [plain(each.source) for each in others if each.own and each.source.lstrip().startswith(WRITES)]
    return [*written, *(each.text for each in [*first, *second])]


def parsed(cells: Iterable[Other]) -> Iterable[Statement]:
    """The statements of cells; what is no Python has none."""
    for cell in cells:
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            yield from (Statement(text, cell.own) for text in statements(plain(cell.source)))


def slice_of(given: Sequence[Statement], wanted: set[str], space: Mapping[str, Any]) -> list[Statement]:
    """The statements that make what is wanted, and what they stand on in turn.

    A function reads names when it is called, and what it reads may be made below it: so the search begins anew with
    these among the wanted, until nothing is added.
    """
    wanted = set(wanted)
    while True:
        kept = one_way(given, wanted, space)
        late = {name for each in kept for name in names(each.text).late} - BUILTIN
        if late <= wanted:
            return kept
        wanted |= late


def one_way(given: Sequence[Statement], wanted: set[str], space: Mapping[str, Any]) -> list[Statement]:
    """The statements that make what is wanted, from the last to the first."""
    modules = {name for each in given if is_import(each.text) for name in names(each.text).makes}
    needed, kept = set(wanted), list[Statement]()
    for each in reversed(given):
        does = names(each.text)
        there = set[str]() if each.own else {*space}
        makes, changes = needed & (does.makes - there), needed & (does.changes - modules - there)
        if makes or changes or (each.own and is_star(each.text) and needed - {*space}):
            needed -= does.makes
            needed |= does.reads | does.changes
            kept.append(each)
    return kept[::-1]


def is_star(statement: str) -> bool:
    """Whether a statement imports all there is in a module: nobody can tell which names it makes."""
    match ast.parse(statement).body:
        case [ast.ImportFrom(names=[ast.alias(name="*")])]:
            return True
        case _:
            return False
