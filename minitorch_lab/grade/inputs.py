"""What a teacher hands over: notebooks, folders of them, archives of folders; and whose each notebook is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..errors import ArgumentError
from .archives import DEEPEST, SUFFIXES, is_archive, unpack
from .extract import Unreadable, bytes_of

LARGEST = 8 << 20  # bytes of one notebook: 8 MiB
LARGEST_PACKED = 64 << 20  # bytes of what one student has packed, before and after
REFUSED = {"not a file": "a link or a device, and not a notebook", "too large": "a file of more than {} MiB"}
LEFT_BEHIND = {"__MACOSX", "__pycache__", "node_modules"}  # what systems and tools put beside what was meant


class Submission(NamedTuple):
    """One student's notebook. Where there is none, `content` is empty.

    Then `refused` says why it was not taken, or `fault` why this machine could not read it: that is not the student's.
    """

    student: str
    content: bytes
    refused: str = ""
    fault: str = ""


def submissions(inputs: Sequence[Path], notebook: str) -> list[Submission]:
    """Find the students' notebooks in files, folders and archives.

    A notebook belongs to the student whose folder it is in: the first folder below the one that was given. A notebook
    that lies in no folder of its own belongs to whom it is named after. Where a student has several notebooks, the one
    with the name of the lesson counts.

    Args:
        inputs: What was given on the command line.
        notebook: The file name of the lesson, such as "03_backward.ipynb".

    Returns:
        One submission per student and input, by name.

    Raises:
        ArgumentError: A path does not exist, or is neither a notebook nor a folder nor an archive; an archive that
            was given is no good; two inputs hold the same student; there is nothing to grade.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     Path(place, "ada").mkdir()
        ...     _ = Path(place, "ada", "03_backward.ipynb").write_bytes(b"{}")
        ...     _ = Path(place, "bob.ipynb").write_bytes(b"{}")
        ...     [found.student for found in submissions([Path(place)], "03_backward.ipynb")]
        ['ada', 'bob']
    """
    found: dict[str, Submission] = {}
    for path in inputs:
        for submission in of_input(path, notebook):
            if submission.student in found:
                raise twice(submission.student)
            found[submission.student] = submission
    if not found:
        raise ArgumentError(
            f"There is no notebook in {', '.join(map(str, inputs))}.",
            "A submission is a file that ends in .ipynb, in a folder of its student or named after them.",
            f"Did you mean the folder that holds one {notebook} per student?",
        )
    return [found[student] for student in sorted(found)]


def of_input(path: Path, notebook: str) -> Iterator[Submission]:
    """The submissions of one input.

    Raises:
        ArgumentError: There is no such file, or one of another kind.
    """
    if path.is_dir():
        yield from of_folder(path, notebook)
    elif path.is_file() and path.suffix == ".ipynb":
        yield read(path.stem, path)
    elif path.is_file() and is_archive(path):
        with TemporaryDirectory(prefix="class-") as scratch:
            unpack(path, Path(scratch))
            yield from of_folder(sole(Path(scratch)), notebook)
    else:
        what = "is neither a notebook nor an archive" if path.exists() else "does not exist"
        raise ArgumentError(
            f"minitorch-lab grade got {path}, which {what}.",
            "It grades notebooks (.ipynb), folders of them, and archives of folders (.zip, .tar.gz and others).",
            "Give the folder in which your course system has put what was handed in.",
        )


def sole(folder: Path) -> Path:
    """The folder that an archive was made of, where everything in it lies in that one."""
    inside = [path for path in folder.iterdir() if path.name not in LEFT_BEHIND]
    if len(inside) == 1 and inside[0].is_dir() and any(path.is_dir() for path in inside[0].iterdir()):
        return inside[0]
    return folder


def of_folder(folder: Path, notebook: str) -> Iterator[Submission]:
    """The submissions in a folder: one per folder in it, and one per notebook or archive that lies there itself."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in LEFT_BEHIND:
            continue
        if path.is_symlink():
            yield Submission(called(path.name.removesuffix(".ipynb")), b"", "a link, and not a notebook")
        elif path.is_dir():
            if mine := chosen(path, notebook):
                yield read(path.name, mine)
        elif path.suffix == ".ipynb":
            yield read(path.stem, path)
        elif is_archive(path):
            yield handed_in_packed(path, notebook)


def handed_in_packed(path: Path, notebook: str) -> Submission:
    """The submission of a student who has handed in an archive. A bad one is their record, and stops nobody else.

    What comes out of it is gone before the next one is looked at: many archives must not fill the disk together.
    """
    ending = max((suffix for suffix in SUFFIXES if path.name.lower().endswith(suffix)), key=len)
    student = called(path.name[: -len(ending)])
    with TemporaryDirectory(prefix="handed-in-") as scratch:
        try:
            if path.stat().st_size > LARGEST_PACKED:
                return Submission(student, b"", f"an archive of more than {LARGEST_PACKED >> 20} MiB")
            unpack(path, Path(scratch), LARGEST_PACKED)
        except ArgumentError as error:
            return Submission(student, b"", str(error).partition("\n")[0])
        except OSError as error:
            return Submission(student, b"", fault=f"The archive could not be unpacked here ({error.strerror}).")
        mine = chosen(Path(scratch), notebook)
        return read(student, mine) if mine else Submission(student, b"", "an archive without a notebook")


def called(name: str) -> str:
    r"""A name as a text that can be written: file systems hold names that no alphabet knows.

    Example:
        >>> called("ad\udcffa"), called("Zoë")
        ('ad\\xffa', 'Zoë')
    """
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def chosen(folder: Path, notebook: str) -> Path | None:
    """The notebook that counts in a student's folder: the one with the lesson's name, else the first of all."""
    mine = sorted(notebooks(folder), key=lambda path: (path.name != notebook, len(path.parts), path))
    return mine[0] if mine else None


def notebooks(folder: Path) -> Iterable[Path]:
    """The notebooks in a folder and below, without checkpoints, and without what a link leads to or lies too deep."""
    for root, folders, files in os.walk(folder):
        deep = len(Path(root).parts) - len(folder.parts) >= DEEPEST
        folders[:] = [n for n in folders if not deep and not n.startswith(".") and n not in LEFT_BEHIND]
        yield from (Path(root, name) for name in files if name.endswith(".ipynb") and not name.startswith("."))


def read(student: str, path: Path) -> Submission:
    """The bytes of a notebook, if it is a plain file of a size that a notebook can have."""
    try:
        return Submission(called(student), bytes_of(path, LARGEST))
    except Unreadable as error:
        why = REFUSED[str(error).partition("\n")[0]].format(LARGEST >> 20)
        return Submission(called(student), b"", why)
    except OSError as error:
        return Submission(called(student), b"", fault=f"The file could not be read here ({error.strerror}).")


def twice(student: str) -> ArgumentError:
    """The error for a student who is there two times."""
    return ArgumentError(
        f"There are two submissions of {student}.",
        "A student has one submission in a batch: the folder, or the name of the notebook, says whose it is.",
        "Leave one out, or grade the two inputs in two runs.",
    )
