"""Finds the answers in a notebook: which of its cells are an exercise's. `check` and `grade` both ask here.

A cell is known by its id, and where that was lost, by what it defines: Colab keeps the id among the metadata, Jupytext
and old formats keep none, "duplicate" gives new ones. And an answer need not stand in the cell that was handed out:
what counts is what a run from top to bottom has made when the exercise is checked. So cells that define its names
anew, below its own cell and above its check, belong to it and run after it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from .inside.names import names

DEFINED = re.compile(r"^(?:async +)?(?:def|class) +(\w+)|^(\w+) *(?::[^=\n]+)?=(?!=)", re.MULTILINE)
MADE = re.compile(r"^(?:async +)?(?:def|class) +(\w+)", re.MULTILINE)
LOST = "its cell had lost its id, and was found by what it defines"
APART = "it does not stand between the exercise's own cell and its check"


class Cell(NamedTuple):
    """A code cell: what it is known by, its id first, its source, and whether it is tagged as an exercise."""

    ids: tuple[str, ...]
    source: str
    tagged: bool = False


class Wanted(NamedTuple):
    """An exercise as it was handed out: its cells by their ids, and the source of the cell that checks it, if any."""

    cells: Mapping[str, str]
    check: str = ""

    @property
    def asks(self) -> str:
        """How the call of its check begins, such as "check_order("."""
        return self.check.strip().partition("(")[0].rpartition(".")[2] + "(" if self.check else ""

    def names(self, cell: str) -> frozenset[str]:
        """The names by which a cell's answer is known: its functions and classes, and what its check is given."""
        source = self.cells[cell]
        return frozenset(MADE.findall(source)) | self.key(cell)

    def key(self, cell: str) -> frozenset[str]:
        """Those of them that its check is given; where it is given none, its functions and classes."""
        source = self.cells[cell]
        given = defined(source) & {*re.findall(r"\w+", self.check.partition("(")[2])}
        return given or frozenset(MADE.findall(source)) or defined(source)


class Answer(NamedTuple):
    """What was taken as the answer to an exercise.

    Args:
        cells: Names and sources, in the order in which they run; None where a cell of the exercise is missing.
        places: Where these stand among the notebook's code cells.
        said: How they were found, where that is not by their ids alone: for student and teacher to read.
        apart: Which cells might be meant as an answer and are none.
        lost: Whether a cell was found by what it defines.
        last: The place of the exercise's last check, -1 where there is none below the cells.
    """

    cells: list[tuple[str, str]] | None
    places: tuple[int, ...] = ()
    said: str = ""
    apart: str = ""
    lost: bool = False
    last: int = -1


def answers(cells: Sequence[Cell], wanted: Mapping[str, Wanted], handed_out: frozenset[str]) -> dict[str, Answer]:
    r"""Find the answer to each exercise.

    Args:
        cells: The code cells of a notebook.
        wanted: The exercises of the lesson.
        handed_out: The sources of all its code cells, without the blanks around them.

    Example:
        >>> cells = [Cell(("a",), "def f(x): ..."), Cell((), "def f(x):\n    return x"), Cell((), "lesson.check_f(f)")]
        >>> wanted = {"f": Wanted({"a": "def f(x): ..."}, "lesson.check_f(f)")}
        >>> found = answers(cells, wanted, frozenset({"def f(x): ..."}))["f"]
        >>> found.places, found.said
        ((0, 1), 'its answer goes on in the cell that begins "def f(x):"')
    """
    places = {name: own_places(cells, each, handed_out) for name, each in wanted.items()}
    often = Counter(
        (k, made)
        for each, (found, _) in places.items()
        for cell, k in found.items()
        for made in wanted[each].names(cell)
    )
    shared = Counter(k for found, _ in places.values() for k in {*found.values()})
    asking = {
        k for each in wanted.values() for k in checks_in(cells, each)
    }  # with checks in it a cell is no answer alone
    for each, (found, lost) in places.items():  # where two may be meant nobody could tell whose a cell is
        for cell, k in [*found.items()] if lost else ():
            if any(often[k, made] > 1 for made in wanted[each].names(cell)) or (shared[k] > 1 and k in asking):
                del found[cell]
    makes = {k: touched(cell.source) for k, cell in enumerate(cells) if cell.source.strip() not in handed_out}
    taken = {name: places[name][0] for name in wanted}
    return {
        name: answer(cells, each, *places[name], makes | besides(makes, wanted, taken, name))
        for name, each in wanted.items()
    }


def besides(
    makes: Mapping[int, frozenset[str]],
    wanted: Mapping[str, Wanted],
    taken: Mapping[str, Mapping[str, int]],
    exercise: str,
) -> dict[int, frozenset[str]]:
    """What the cells of the exercises make for this one: its own nothing, another's what its starter does not make."""
    found: dict[int, frozenset[str]] = {}
    for name, each in wanted.items():
        for cell, k in taken[name].items():
            mine = frozenset[str]() if name == exercise else makes.get(k, frozenset()) - touched(each.cells[cell])
            found[k] = mine & found.get(k, mine)
    return found


def answer(
    cells: Sequence[Cell], wanted: Wanted, own: dict[str, int], lost: bool, makes: Mapping[int, frozenset[str]]
) -> Answer:
    """The answer to one exercise, given the places of its own cells and what the other cells make for it."""
    if len(own) < len(wanted.cells):
        return Answer(None)
    meant = frozenset[str]().union(*map(wanted.names, wanted.cells))
    anew = [k for k in sorted(makes) if meant & makes[k]]
    first = max(own.values())
    last = max((k for k in checks_in(cells, wanted) if k > first), default=-1)
    more = [k for k in anew if first < k and (k <= last or last < 0)]
    untouched = all(
        cells[k].source.strip() == wanted.cells[name].strip() or not meant & touched(cells[k].source)
        for name, k in own.items()
    )
    elsewhere = untouched and not more
    taken = anew if elsewhere else more
    how = "its own cell holds no answer, and this was taken from" if elsewhere else "its answer goes on in"
    said = [LOST] * lost + [f"{how} {head(cells[k].source)}" for k in taken]
    apart = [f"{head(cells[k].source)} is none of its answer: {APART}" for k in anew if k not in taken]
    runs = [(name, cells[k].source) for name, k in own.items()]
    runs += [(f"{[*own][-1]}, and cell {k + 1}", cells[k].source) for k in taken]
    words = "; ".join(said), "; ".join(apart)
    return Answer(runs, (*own.values(), *taken), *words, lost, -1 if elsewhere and anew else last)


def own_places(cells: Sequence[Cell], wanted: Wanted, handed_out: frozenset[str]) -> tuple[dict[str, int], bool]:
    """Where the cells of an exercise stand, and whether one was found by what it defines. Of several the first."""
    found: dict[str, int] = {}
    for place in (1, 0):
        found |= {
            n: k for k, cell in reversed([*enumerate(cells)]) for n in cell.ids[place : place + 1] if n in wanted.cells
        }
    lost = {name: k for name in wanted.cells if name not in found for k in by_content(cells, wanted, name, handed_out)}
    return {name: (found | lost)[name] for name in wanted.cells if name in found or name in lost}, bool(lost)


def by_content(cells: Sequence[Cell], wanted: Wanted, name: str, handed_out: frozenset[str]) -> list[int]:
    """Where a cell stands that has lost its id: what defines all that it defined, or what its check or its tag says.

    The check asks for some of these names only; they will do where its call is there, or the cell is tagged: all of
    them if they are there, and else one.
    """
    starter = wanted.cells[name].strip()
    given, checked = handed_out - {starter}, bool(checks_in(cells, wanted))
    there = [(k, defined(cell.source)) for k, cell in enumerate(cells) if cell.source.strip() not in given]
    sure = [k for k, makes in there if makes and makes >= defined(starter)]
    likely = [(k, makes) for k, makes in there if checked or cells[k].tagged]
    known = [k for k, makes in likely if makes >= wanted.key(name)]
    return (sure or known or [k for k, makes in likely if makes & wanted.names(name)])[:1]


def checks_in(cells: Sequence[Cell], wanted: Wanted) -> list[int]:
    """Where the check of an exercise is called."""
    return [k for k, cell in enumerate(cells) if wanted.asks and wanted.asks in cell.source]


def head(source: str) -> str:
    """How a sentence names a cell: by how it begins."""
    line = source.strip().partition("\n")[0]
    return f'the cell that begins "{line[:60]}"'


@lru_cache(1024)
def defined(source: str) -> frozenset[str]:
    r"""The names that a source defines at its top, whether or not Python can read the rest.

    Example:
        >>> sorted(defined("%time\ndef f(x):\n    y = x\nanswer: int = 3\nclass A: pass\nx == 2"))
        ['A', 'answer', 'f']
    """
    return frozenset(first or second for first, second in DEFINED.findall(source))


@lru_cache(1024)
def touched(source: str) -> frozenset[str]:
    r"""The names that a source makes or changes at its top, in whatever way, as far as Python can read it.

    Example:
        >>> sorted(touched("if True:\n    def f(): pass\nfrom a import g\nh, i = 1, 2\nd['k'] = 3\ne.update(f)"))
        ['d', 'e', 'f', 'g', 'h', 'i']
    """
    try:
        does = names.__wrapped__("\n".join(line for line in source.splitlines() if line[:1] not in ("%", "!")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return defined(source)
    return defined(source) | does.makes | does.changes


def wanted_of(notebook: Mapping[str, Any], exercises: Mapping[str, Sequence[str]] | None = None) -> dict[str, Wanted]:
    """The exercises of a lesson as students get it.

    Args:
        notebook: The lesson, as JSON.
        exercises: The ids of each exercise's cells, as its judge names them. Without them an exercise is a pair of
            cells, NAME-exercise and NAME-check, as in the lessons of this course.
    """
    sources = {cell.get("id"): "".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"}
    if exercises is None:
        names = [name.removesuffix("-exercise") for name in sources if name and name.endswith("-exercise")]
        exercises = {name: [f"{name}-exercise"] for name in names if f"{name}-check" in sources}
    return {
        name: Wanted({cell: sources.get(cell, "") for cell in cells}, sources.get(f"{name}-check", ""))
        for name, cells in exercises.items()
    }


def others(cells: Sequence[Cell], wanted: Mapping[str, Wanted]) -> int:
    """How many exercises of other lessons a notebook has, by the ids that lessons are handed out with.

    Example:
        >>> others([Cell(("f-exercise",), ""), Cell(("", "g-exercise"), "")], {"f": Wanted({"f-exercise": ""})})
        1
    """
    own = {name for each in wanted.values() for name in each.cells}
    return len({name for cell in cells for name in cell.ids if name.endswith("-exercise")} - own)


def weight(found: Mapping[str, Answer]) -> tuple[int, int]:
    """How much of a lesson was found: exercises by their ids, and then those by what they define."""
    there = [each for each in found.values() if each.cells is not None]
    return sum(not each.lost for each in there), sum(each.lost for each in there)
