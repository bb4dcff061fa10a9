"""Takes the student's cells out of a file that may be anything.

Of the notebook only this is believed: which code cell has which id, and what its source is. Tags, metadata, outputs,
points and the kernel that it names are never looked at.
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

CHARACTERS = 80_000  # of source in one exercise
NO_FILE = {errno.ELOOP, errno.ENOENT, errno.ENOTDIR, errno.ENXIO, errno.ENODEV, errno.ENAMETOOLONG}


class Unreadable(MinitorchError):  # noqa: N818 - it says what happened
    """A file that is no submission. Its first sentence is a key of `PROBLEMS`."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """What was taken out of a file: the lesson, and for each exercise its cells (None when one is missing)."""

    lesson: Lesson
    cells: dict[str, list[tuple[str, str]] | None]

    @property
    def digest(self) -> str:
        """SHA-256 over the cells: what else a notebook holds changes no drawn number."""
        return hashlib.sha256(json.dumps(self.cells, sort_keys=True).encode()).hexdigest()


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
    sources = sources_of(raw)
    found = {lesson.name: sum(name in sources for name in names_of(lesson)) for lesson in lessons}
    lesson = max(lessons, key=lambda lesson: found[lesson.name])
    if not found[lesson.name]:
        raise Unreadable("no exercise")
    if any(len(sources.get(name, ())) > 1 for name in names_of(lesson)):
        raise Unreadable("twice")
    taken = {exercise.name: cells_of(exercise, sources) for exercise in lesson.exercises}
    if any(sum(len(source) for _, source in cells or ()) > CHARACTERS for cells in taken.values()):
        raise Unreadable("too large")
    return Submitted(lesson, taken)


def names_of(lesson: Lesson) -> list[str]:
    """Return the ids of the cells of a lesson's exercises."""
    return [name for exercise in lesson.exercises for name in exercise.cells]


def cells_of(exercise: Exercise, sources: dict[str, list[str]]) -> list[tuple[str, str]] | None:
    """Return the cells of an exercise, in the instructor's order; None when one is missing."""
    if not all(name in sources for name in exercise.cells):
        return None
    return [(name, sources[name][0]) for name in exercise.cells]


def sources_of(raw: bytes) -> dict[str, list[str]]:
    """Return the sources of the code cells by their ids, each id's in a list: nbformat would rename a second one."""
    notebook = json_of(raw)
    if type(notebook) is not dict or type(notebook.get("nbformat")) is not int:
        raise Unreadable("not a notebook")
    if notebook["nbformat"] != 4:
        raise Unreadable("old format" if notebook["nbformat"] < 4 else "future format")
    if type(notebook.get("cells")) is not list:
        raise Unreadable("not a notebook")
    sources: dict[str, list[str]] = {}
    for cell in notebook["cells"]:
        if type(cell) is not dict:
            raise Unreadable("not a notebook")
        name, source = cell.get("id"), text_of(cell.get("source"))
        if cell.get("cell_type") == "code" and type(name) is str and source is not None:
            sources.setdefault(name, []).append(source)
    return sources


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
