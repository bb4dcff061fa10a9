"""What lies in a folder or an archive that was handed over: every file, link and empty folder, none left out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..core.words import plural
from ..errors import ArgumentError
from .archives import DEEPEST, SUFFIXES, is_archive, unpack
from .extract import bytes_of
from .reading import Unreadable, cells_in

LARGEST = 8 << 20  # bytes of one notebook: 8 MiB
LARGEST_PACKED = 64 << 20  # bytes of what one student has packed, before and after
NESTED = 2  # archives in archives
LEFT_BEHIND = {"__MACOSX", "__pycache__", "node_modules", "Thumbs.db", "desktop.ini"}
FOREIGN = (".rar", ".7z", ".gz", ".bz2", ".xz", ".zst", ".lz4", ".z", ".cab", ".iso", ".dmg")
ENDINGS = (*SUFFIXES, ".ipynb", ".txt", ".json", *FOREIGN)  # what a name may have behind that of a student
REFUSED = {"not a file": "a link or a device, and not a notebook", "too large": "a file of more than {} MiB"}


class Piece(NamedTuple):
    """One thing that was handed over.

    Args:
        path: Where it lies, from the folder or archive that was given; an archive is passed through like a folder.
        kind: A key of `KINDS`.
        why: What is to be said of it.
        content: The bytes of a notebook.
        changed: When it was changed last, in seconds since 1970.
        problem: Of a piece that was refused, the key of `PROBLEMS`.
        of: Whose it is, where the name of what lies at the top does not say it.
        account: What a course system has for them, such as "Canvas 12345".
    """

    path: str
    kind: str
    why: str = ""
    content: bytes = b""
    changed: float = 0.0
    problem: str = "no notebook"
    of: tuple[str, ...] = ()
    account: str = ""


KINDS = {  # one of them, and several
    "graded": ("notebook that was graded", "notebooks that were graded"),
    "unreadable": ("notebook in which there was nothing to grade", "notebooks in which there was nothing to grade"),
    "passed over": (
        "notebook in whose place another one of the student was graded",
        "notebooks in whose place another one of the student was graded",
    ),
    "refused": ("file that could not be taken", "files that could not be taken"),
    "fault": (
        "file that this machine could not read or grade",
        "files that this machine could not read or grade",
    ),
    "other": ("file that is no notebook", "files that are no notebooks"),
    "empty": ("folder or archive with nothing in it", "folders and archives with nothing in them"),
    "left behind": ("file or folder that systems and tools leave", "files and folders that systems and tools leave"),
}


class Room:
    """How many bytes the archives of one student may still unpack to, those in other archives included."""

    def __init__(self, left: int) -> None:
        self.left = left


def pieces(path: Path, name: str, room: Room, deep: int = 0, packed: int = 0) -> Iterator[Piece]:
    """Everything that a path holds, each thing once. Folders and archives with something in them are passed through.

    Args:
        path: A file, link, folder or archive.
        name: What it is called in the records.
        room: What its archives may unpack to.
        deep: In how many folders it lies.
        packed: In how many archives it lies.

    Example:
        >>> with TemporaryDirectory() as place:
        ...     Path(place, "empty").mkdir()
        ...     _ = Path(place, "work.IPYNB").write_bytes(b"{}")
        ...     [(piece.path, piece.kind) for piece in pieces(Path(place), "ada", Room(0))]
        [('ada/empty', 'empty'), ('ada/work.IPYNB', 'notebook')]
    """
    try:
        if is_left_behind(path.name):
            yield Piece(name, "left behind", "left by a system or a tool")
        elif path.is_symlink() or not path.exists():
            yield Piece(name, "refused", REFUSED["not a file"], problem="not a file")
        elif path.is_dir():
            yield from of_folder(path, name, room, deep, packed)
        elif path.is_file() and (is_zip(path) if path.suffix.lower() in (".ipynb", ".zip") else is_archive(path)):
            yield from unpacked(path, name, room, packed)
        else:
            yield of_file(path, name)
    except OSError as error:
        yield Piece(name, "fault", f"The file could not be read here ({error.strerror}).")


def is_zip(path: Path) -> bool:
    """Whether a file is a zip, called so or .ipynb: by what is in it, as far as that is of one of these two."""
    with path.open("rb") as file:
        first = file.read(64).lstrip(b"\xef\xbb\xbf \r\n\t")
    return first.startswith(b"PK\x03\x04") or (is_archive(path) and not first.startswith(b"{"))


def is_left_behind(name: str) -> bool:
    """Whether a name is one that systems and tools give: nobody has handed that in.

    Example:
        >>> is_left_behind(".DS_Store"), is_left_behind("__MACOSX"), is_left_behind("work.ipynb")
        (True, True, False)
    """
    return name.startswith(".") or name in LEFT_BEHIND


def of_folder(folder: Path, name: str, room: Room, deep: int, packed: int) -> Iterator[Piece]:
    """Everything in a folder."""
    if deep >= DEEPEST:
        yield Piece(name, "refused", f"a folder in more than {plural(DEEPEST, 'other')}")
        return
    inside = sorted(folder.iterdir())
    for path in inside:
        yield from pieces(path, f"{name}/{called(path.name)}", room, deep + 1, packed)
    if not inside:
        yield Piece(name, "empty", "an empty folder")


def unpacked(archive: Path, name: str, room: Room, packed: int) -> list[Piece]:
    """Everything in an archive. What comes out of it is gone before anything else is looked at."""
    if packed >= NESTED:
        return [Piece(name, "refused", f"an archive in {plural(NESTED, 'other')}")]
    if archive.stat().st_size > LARGEST_PACKED:
        return [Piece(name, "refused", f"an archive of more than {LARGEST_PACKED >> 20} MiB")]
    with TemporaryDirectory(prefix="handed-in-") as scratch:
        try:
            room.left -= sum(path.stat().st_size for path in unpack(archive, Path(scratch), room.left))
        except ArgumentError as error:
            return [Piece(name, "refused", str(error).partition("\n")[0])]
        except OSError as error:
            return [Piece(name, "fault", f"The archive could not be unpacked here ({error.strerror}).")]
        found = list(of_folder(Path(scratch), name, room, 0, packed + 1))
    return [Piece(name, "empty", "an archive without a notebook")] if [p.path for p in found] == [name] else found


def of_file(path: Path, name: str) -> Piece:
    """A file: a notebook, by its name or by what is in it, or something else."""
    suffix = path.suffix.lower()
    if path.name.lower().endswith(FOREIGN):
        return Piece(name, "refused", f"an archive of a kind that is not opened here ({suffix}): ask for a .zip")
    named = suffix == ".ipynb"
    if not named and ".ipynb" not in path.name.lower() and suffix not in ("", ".txt", ".json", ".zip"):
        return Piece(name, "other", "no notebook")
    try:
        content, changed = bytes_of(path, LARGEST), path.stat().st_mtime
    except Unreadable as error:
        problem = str(error).partition("\n")[0]
        return Piece(name, "refused", REFUSED[problem].format(LARGEST >> 20), problem=problem)
    if named or is_notebook(content):
        return Piece(name, "notebook", "" if named else "its name is not that of a notebook", content, changed)
    return Piece(name, "other", "no notebook")


def is_notebook(content: bytes) -> bool:
    """Whether a file is a notebook by what is in it, whatever its name is.

    Example:
        >>> is_notebook(b'{"nbformat": 4, "cells": []}'), is_notebook(b'{"name": "ada"}')
        (True, False)
    """
    try:
        cells_in(content)
    except Unreadable as error:
        return str(error).endswith("format")
    return True


def owner(path: Path) -> str:
    """Whose a file or folder is that lies at the top of what was given: it is called after them.

    Example:
        >>> [owner(Path(name)) for name in ("ada.lovelace.zip", "bob.ipynb.txt", "eve.RAR", "kim.pdf")]
        ['ada.lovelace', 'bob', 'eve', 'kim']
    """
    if path.is_dir() and not path.is_symlink():
        return called(path.name)
    name, bare = path.name, False
    while not bare:
        ending = max((each for each in ENDINGS if name.lower().endswith(each)), key=len, default="")
        bare = not ending or len(ending) == len(name)
        name = name if bare else name[: -len(ending)]
    return called(name if name != path.name else path.stem)


def called(name: str) -> str:
    r"""A name as a text that can be written: file systems hold names that no alphabet knows.

    Example:
        >>> called("ad\udcffa"), called("Zoë")
        ('ad\\xffa', 'Zoë')
    """
    return os.fsencode(name).decode("utf-8", "backslashreplace")
