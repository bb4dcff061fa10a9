"""Takes the student's cells out of a file that may be anything.

Of the notebook only this is believed: which code cell has which id, and what its source is. Tags, outputs, points and
the kernel that it names are never looked at.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import MinitorchError
from .bundle import Lesson
from .judge_source import Exercise
from .seek import Cell, Sought, handed_out, sought

CHARACTERS = 80_000  # of source in one exercise
BESIDE = 600_000  # the same in the cells beside it, as JSON
NO_FILE = {errno.ELOOP, errno.ENOENT, errno.ENOTDIR, errno.ENXIO, errno.ENODEV, errno.ENAMETOOLONG}


class Unreadable(MinitorchError):  # noqa: N818 - it says what happened
    """A file that is no submission. Its first sentence is a key of `PROBLEMS`."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """What was taken out of a file: the lesson, and for each exercise its cells (None when one is missing).

    `guessed` are the exercises of which a cell had lost its id, and was found by what it defines. `sources` are those
    of all code cells, in their order: an answer may ask for what the others define.
    """

    lesson: Lesson
    cells: dict[str, list[tuple[str, str]] | None]
    guessed: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 over what the student has written: what else a notebook holds changes no drawn number."""
        mine = {source for each in self.cells.values() for _, source in each or ()}
        own = [source for source in self.sources if source not in mine and not self.is_handed_out(source)]
        return hashlib.sha256(json.dumps([self.cells, *own], sort_keys=True).encode()).hexdigest()

    def is_handed_out(self, source: str) -> bool:
        """Whether a cell is the lesson's, as students got it."""
        return source.strip() in self.lesson.handed_out

    def others_of(self, exercise: str) -> list[tuple[str, bool, bool]]:
        """The other cells: their sources, whether the student has written them, and whether they stand above.

        Of more than an answer could need, those at the end of the notebook are given.
        """
        mine = {source for _, source in self.cells[exercise] or ()}
        last = max((k for k, source in enumerate(self.sources) if source in mine), default=0)
        found: list[tuple[str, bool, bool]] = []
        room = BESIDE
        for k, source in reversed([*enumerate(self.sources)]):
            room -= len(json.dumps(source)) if source not in mine else 0
            if source not in mine and room > 0:
                found.append((source, not self.is_handed_out(source), k < last))
        return found[::-1]


def bytes_of(path: Path, most: int) -> bytes:
    """Return the bytes of a regular file, and follow no link.

    Raises:
        Unreadable: It is something else, or too large.
        OSError: This machine may not read it, or cannot.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as cause:
        if cause.errno not in NO_FILE:
            raise
        raise Unreadable("not a file") from cause
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Unreadable("not a file")
        with open(descriptor, "rb", closefd=False) as file:
            raw = file.read(most + 1)
    finally:
        os.close(descriptor)
    if len(raw) > most:
        raise Unreadable("too large")
    return raw


def submitted(raw: bytes, lessons: Iterable[Lesson]) -> Submitted:
    """Return the cells of a submission.

    Args:
        raw: The bytes of the file.
        lessons: The lessons that it may be of. It is the one of which it has the most cells.

    Raises:
        Unreadable: The bytes are no notebook, or one without a cell of these lessons.
    """
    cells = cells_in(raw)
    found = {lesson.name: sought(cells, handed_out(lesson.notebook, names_of(lesson))) for lesson in lessons}
    lesson = max(lessons, key=lambda lesson: weight(found[lesson.name]))
    sources, guessed = found[lesson.name]
    if not any(sources.values()):
        raise Unreadable("no exercise")
    if any(len(each) > 1 for each in sources.values()):
        raise Unreadable("twice")
    taken = {exercise.name: cells_of(exercise, sources) for exercise in lesson.exercises}
    if any(sum(len(source) for _, source in cells or ()) > CHARACTERS for cells in taken.values()):
        raise Unreadable("too large")
    lost = tuple(e.name for e in lesson.exercises if guessed & {*e.cells})
    return Submitted(lesson, taken, lost, tuple(cell.source for cell in cells))


def answered(submitted: Submitted) -> int:
    """How many cells of exercises hold something else than what was handed out."""
    handed = handed_out(submitted.lesson.notebook, names_of(submitted.lesson))
    cells = {pair for each in submitted.cells.values() for pair in each or ()}
    return sum(source.strip() not in ("", handed[name].strip()) for name, source in cells)


def weight(found: Sought) -> tuple[int, int]:
    """How much of a lesson was found: cells by their ids, and then those by what they define."""
    return sum(map(bool, found.sources.values())) - len(found.guessed), len(found.guessed)


def names_of(lesson: Lesson) -> list[str]:
    """Return the ids of the cells of a lesson's exercises."""
    return [name for exercise in lesson.exercises for name in exercise.cells]


def cells_of(exercise: Exercise, sources: dict[str, list[str]]) -> list[tuple[str, str]] | None:
    """Return the cells of an exercise, in the instructor's order; None when one is missing."""
    if not all(sources[name] for name in exercise.cells):
        return None
    return [(name, sources[name][0]) for name in exercise.cells]


def cells_in(raw: bytes) -> list[Cell]:
    """Return the code cells: what each is known by, its own id and the one that Colab keeps of it, and its source."""
    notebook = json_of(raw)
    if type(notebook) is not dict or type(notebook.get("nbformat")) is not int:
        raise Unreadable("not a notebook")
    if notebook["nbformat"] != 4:
        raise Unreadable("old format" if notebook["nbformat"] < 4 else "future format")
    if type(notebook.get("cells")) is not list:
        raise Unreadable("not a notebook")
    found: list[Cell] = []
    for cell in notebook["cells"]:
        if type(cell) is not dict:
            raise Unreadable("not a notebook")
        metadata, source = cell.get("metadata"), text_of(cell.get("source"))
        ids = cell.get("id"), metadata.get("id") if type(metadata) is dict else None
        if cell.get("cell_type") == "code" and source is not None:
            found.append(Cell(tuple(name if type(name) is str else "" for name in ids), source))
    return found


def json_of(raw: bytes) -> Any:
    """Return what the bytes say as JSON: in UTF-8 or UTF-16, with or without a byte order mark."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError, MemoryError) as cause:
        raise Unreadable("not a notebook") from cause


def text_of(source: Any) -> str | None:
    """Return the source of a cell with plain line ends, None when it is no text."""
    if type(source) is list and all(type(line) is str for line in source):
        source = "".join(source)
    return source.replace("\r\n", "\n").replace("\r", "\n") if type(source) is str else None
