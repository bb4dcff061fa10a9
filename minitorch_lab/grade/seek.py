"""Finds the cells of exercises in a notebook: by their ids, and where these were lost, by what the cells define.

Colab keeps the id of a cell among its metadata, Jupytext and old formats keep none, and "duplicate" gives new ones.
What an exercise's cell defines is in the answer whoever wrote the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

DEFINED = re.compile(r"^(?:async +)?(?:def|class) +(\w+)|^(\w+) *(?::[^=\n]+)?=(?!=)", re.MULTILINE)


class Cell(NamedTuple):
    """A code cell: what it is known by, its id first, and its source."""

    ids: tuple[str, ...]
    source: str


class Sought(NamedTuple):
    """The cells of a lesson's exercises: the sources found for each id, and which were told by their content."""

    sources: dict[str, list[str]]
    guessed: frozenset[str]


def sought(cells: Sequence[Cell], wanted: Mapping[str, str]) -> Sought:
    r"""Find cells.

    Args:
        cells: The code cells of a notebook.
        wanted: For the id of each cell of an exercise the source with which it was handed out.

    Example:
        >>> cells = [Cell(("a",), "x = 1"), Cell((), "import os"), Cell((), "def f(x):\n    return 2 * x")]
        >>> sought(cells, {"a": "x = None", "b": "def f(x):\n    return x"})
        Sought(sources={'a': ['x = 1'], 'b': ['def f(x):\n    return 2 * x']}, guessed=frozenset({'b'}))
    """
    for place in range(2):
        sources = {name: [c.source for c in cells if c.ids[place : place + 1] == (name,)] for name in wanted}
        if any(sources.values()):
            break
    else:
        sources = {name: list[str]() for name in wanted}
    taken = {source for found in sources.values() for source in found}
    left = [cell.source for cell in cells if cell.source not in taken]
    guessed = by_content(left, {name: text for name, text in wanted.items() if not sources[name]})
    return Sought(sources | {name: [source] for name, source in guessed.items()}, frozenset(guessed))


def by_content(sources: Sequence[str], wanted: Mapping[str, str]) -> dict[str, str]:
    """The cells that define what the wanted ones define. Of several the last: it is the one whose names remain.

    Where two wanted cells define the same, nobody could tell theirs apart, and neither is found.
    """
    keys = {name: defined(text) for name, text in wanted.items()}
    often = Counter(keys.values())
    there = [(defined(source), source) for source in sources] if keys else []
    found = {name: [s for names, s in there if key <= names] for name, key in keys.items() if key and often[key] == 1}
    return {name: hits[-1] for name, hits in found.items() if hits}


def defined(source: str) -> frozenset[str]:
    r"""The names that a source defines at its top, whether or not Python can read the rest.

    Example:
        >>> sorted(defined("%time\ndef f(x):\n    y = x\nanswer: int = 3\nclass A: pass\nx == 2"))
        ['A', 'answer', 'f']
    """
    return frozenset(first or second for first, second in DEFINED.findall(source))


def handed_out(notebook: Mapping[str, object], names: Iterable[str]) -> dict[str, str]:
    """The sources of the cells with these ids in a lesson as students get it."""
    cells = notebook["cells"]
    assert isinstance(cells, list)
    sources = {cell.get("id"): "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}
    return {name: sources.get(name, "") for name in names}
