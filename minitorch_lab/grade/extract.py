"""Takes the student's cells out of a file that may be anything.

What of a notebook is believed, and which of its cells are whose, say `reading.py` and `seek.py`: as for students.
"""

from __future__ import annotations

import ast
import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .bundle import Lesson
from .reading import Unreadable, cells_in
from .seek import Answer, answers, others, weight

CHARACTERS = 80_000  # of source in one exercise
BESIDE = 600_000  # the same in the cells beside it, as JSON
NO_FILE = {errno.ELOOP, errno.ENOENT, errno.ENOTDIR, errno.ENXIO, errno.ENODEV, errno.ENAMETOOLONG}


@dataclass(frozen=True, slots=True)
class Submitted:
    """What was taken out of a file: the lesson, and for each exercise its cells (None when one is missing).

    `found` says of each exercise how its cells were found. `sources` are those of all code cells, in their order: an
    answer may ask for what the others define.
    """

    lesson: Lesson
    cells: dict[str, list[tuple[str, str]] | None]
    found: Mapping[str, Answer] = field(default_factory=dict[str, Answer])
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
            if source in mine or not source.strip():
                continue
            other = source, not self.is_handed_out(source), k < last
            room -= len(json.dumps(other))
            if room > 0:
                found.append(other)
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
        Unreadable: The bytes are no notebook, or one without a cell of these lessons; what a notebook of another lesson
            has that is alike is none.
    """
    cells = cells_in(raw)
    found = {lesson.name: answers(cells, lesson.wanted, lesson.handed_out) for lesson in lessons}
    lesson = max(lessons, key=lambda lesson: weight(found[lesson.name]))
    taken = found[lesson.name]
    known, _ = weight(taken)
    if not any(weight(taken)) or others(cells, lesson.wanted) > known < len(taken):
        raise Unreadable("no exercise")
    if any(sum(len(source) for _, source in each.cells or ()) > CHARACTERS for each in taken.values()):
        raise Unreadable("too large")
    sources = tuple(cell.source for cell in cells)
    return Submitted(lesson, {name: each.cells for name, each in taken.items()}, taken, sources)


def answered(submitted: Submitted) -> int:
    """How many cells of exercises hold something else than what was handed out, and more than functions of nothing."""
    handed = {name: source.strip() for each in submitted.lesson.wanted.values() for name, source in each.cells.items()}
    cells = {pair for each in submitted.cells.values() for pair in each or ()}
    return sum(source.strip() not in ("", handed.get(name, "")) and not is_stub(source) for name, source in cells)


def is_stub(source: str) -> bool:
    r"""Whether a cell defines functions of which none does anything.

    Example:
        >>> is_stub("def f(x):\n    'To do.'\n    pass"), is_stub("def f(x):\n    return x"), is_stub("x = 1")
        (True, False, False)
    """
    try:
        parts = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    made = [part for part in parts if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]
    return bool(made) and all(does_nothing(part) for each in made for part in each.body)


def does_nothing(statement: ast.stmt) -> bool:
    """Whether a statement is one that stands where nothing is written yet."""
    match statement:
        case ast.Pass() | ast.Expr(ast.Constant()) | ast.Return(None) | ast.Return(ast.Constant(None)):
            return True
        case ast.Raise(ast.Name("NotImplementedError") | ast.Call(ast.Name("NotImplementedError"))):
            return True
        case _:
            return False
