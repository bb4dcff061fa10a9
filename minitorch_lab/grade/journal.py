"""The journal of a batch: one line per graded submission, written once, so that a killed run can go on."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any

from ..errors import ArgumentError

Record = dict[str, Any]
NOT_THROUGH = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # no link is followed, and no pipe waited for
FAULT = "fault"  # the status of a submission on which the grader itself failed


def key_of(submission: bytes, bundle: str, grader: str) -> str:
    """The key of a grading: the same bytes under the same judges and the same grader are never graded again.

    Example:
        >>> one = key_of(b"{}", "b1", "g1")
        >>> one == key_of(b"{}", "b1", "g1"), one == key_of(b"{}", "b2", "g1")
        (True, False)
    """
    parts = (sha256(submission).hexdigest(), bundle, grader)
    return sha256("\n".join(parts).encode()).hexdigest()


class Journal:
    """A file of records that only grows. One run may have it open at a time.

    A line is written whole and reaches the disk before the record counts as done. If a run is killed in the middle of
    a line, that line is no JSON, and is passed over when the file is read again.

    Args:
        path: The file, made if it is missing.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     with Journal(Path(place, "journal.jsonl")) as journal:
        ...         journal.append("k1", {"status": "graded", "score": 3})
        ...     with Journal(Path(place, "journal.jsonl")) as journal:
        ...         "k1" in journal, journal["k1"]["score"]
        (True, 3)
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: dict[str, Record] = {}

    def __enter__(self) -> Journal:
        self.file = opened(self.path)
        lock(self.file, self.path)
        with open(self.file, "rb", closefd=False) as file:
            text = file.read()
        self.records = dict(lines_of(text))
        if text and not text.endswith(b"\n"):
            self.write(b"\n")  # what a killed run left of its last line stays alone on it
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self.file)

    def __contains__(self, key: str) -> bool:
        return key in self.records

    def __getitem__(self, key: str) -> Record:
        return self.records[key]

    def append(self, key: str, record: Record) -> None:
        """Write a record down for good.

        Raises:
            ArgumentError: The key has a record already, or the disk has no room for this one.
        """
        if key in self.records:
            raise ArgumentError(
                f"The journal {self.path.name} has a record for {key[:12]}… already.",
                "A submission is graded once by the same judges and the same grader.",
                "Ask `key in journal` first.",
            )
        line = json.dumps({"key": key, "record": record}, ensure_ascii=False, sort_keys=True).encode() + b"\n"
        self.write(line)
        self.records[key] = record

    def write(self, line: bytes) -> None:
        """Write a line at the end, whole or not at all.

        Raises:
            ArgumentError: The disk is full, or the like.
        """
        end = os.fstat(self.file).st_size
        try:
            while line:
                line = line[os.write(self.file, line) :]
            os.fsync(self.file)
        except OSError as cause:
            with suppress(OSError):
                os.ftruncate(self.file, end)
            raise unwritten(self.path, cause) from cause


def opened(path: Path) -> int:
    """The descriptor of a journal's file.

    Raises:
        ArgumentError: There is none to be had: a link stands there, or a folder, or it may not be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | NOT_THROUGH, 0o600)
    except OSError as cause:
        raise unwritten(path, cause) from cause
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise unwritten(path, OSError(errno.EINVAL, "not a regular file"))
    return file


def unwritten(path: Path, cause: OSError) -> ArgumentError:
    """The error for a journal that cannot be written."""
    return ArgumentError(
        f"The journal {path} could not be written ({cause.strerror}).",
        "What is graded counts when it is in the journal, and what was in it before is still there.",
        "Make room, or choose another folder with --out; the same command goes on where it stopped.",
    )


def lines_of(text: bytes) -> Iterator[tuple[str, Record]]:
    """The keys and records of a journal. A fault of the grader is no result: that submission is graded again."""
    for line in text.split(b"\n"):
        try:
            entry = json.loads(line)
            key, record = entry["key"], entry["record"]
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
        if isinstance(key, str) and isinstance(record, dict) and record.get("status", FAULT) != FAULT:
            yield key, record


def lock(file: int, path: Path) -> None:
    """Hold the journal for this run alone, until its file is closed.

    Raises:
        ArgumentError: Another run holds it.
    """
    if os.name == "nt":
        return  # Windows has no flock; there an open journal cannot be deleted, and two runs are the user's affair
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as cause:
        os.close(file)
        raise ArgumentError(
            f"Another run is writing to {path}.",
            "A journal has one writer, so that nothing is graded twice.",
            "Wait for that run to end, or give this one another folder with --out.",
        ) from cause
