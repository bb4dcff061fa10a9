"""What a teacher hands over: notebooks, folders of them, archives of folders; and whose each notebook is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import ArgumentError
from .archives import is_archive, unpack

LARGEST = 8 << 20  # bytes of one notebook: 8 MiB
LEFT_BEHIND = {"__MACOSX", "__pycache__", "node_modules"}  # what systems and tools put beside what was meant


class Submission(NamedTuple):
    """One student's notebook. Where it cannot even be read, `refused` says why, and `content` is empty."""

    student: str
    content: bytes
    refused: str = ""


def submissions(inputs: Sequence[Path], notebook: str, scratch: Path) -> list[Submission]:
    """Find the students' notebooks in files, folders and archives.

    A notebook belongs to the student whose folder it is in: the first folder below the one that was given. A notebook
    that lies in no folder of its own belongs to whom it is named after. Where a student has several notebooks, the one
    with the name of the lesson counts.

    Args:
        inputs: What was given on the command line.
        notebook: The file name of the lesson, such as "03_backward.ipynb".
        scratch: An empty folder, for what comes out of archives.

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
        ...     [found.student for found in submissions([Path(place)], "03_backward.ipynb", Path(place))]
        ['ada', 'bob']
    """
    found: dict[str, Submission] = {}
    for number, path in enumerate(inputs):
        for submission in of_input(path, notebook, scratch / str(number)):
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


def of_input(path: Path, notebook: str, scratch: Path) -> Iterator[Submission]:
    """The submissions of one input.

    Raises:
        ArgumentError: There is no such file, or one of another kind.
    """
    if path.is_dir():
        yield from of_folder(path, notebook, scratch)
    elif path.is_file() and path.suffix == ".ipynb":
        yield read(path.stem, path)
    elif path.is_file() and is_archive(path):
        scratch.mkdir(parents=True)
        unpack(path, scratch)
        yield from of_folder(sole(scratch), notebook, scratch.with_name(f"{scratch.name}-inner"))
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


def of_folder(folder: Path, notebook: str, scratch: Path) -> Iterator[Submission]:
    """The submissions in a folder: one per folder in it, and one per notebook or archive that lies there itself."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in LEFT_BEHIND:
            continue
        if path.is_symlink():
            yield Submission(path.name.removesuffix(".ipynb"), b"", "a link, and not a notebook")
        elif path.is_dir():
            if mine := chosen(path, notebook):
                yield read(path.name, mine)
        elif path.suffix == ".ipynb":
            yield read(path.stem, path)
        elif is_archive(path):
            yield from handed_in_packed(path, notebook, scratch / path.name)


def handed_in_packed(path: Path, notebook: str, scratch: Path) -> Iterator[Submission]:
    """The submission of a student who has handed in an archive. A bad one is their record, and stops nobody else."""
    student = path.name.partition(".")[0]
    scratch.mkdir(parents=True)
    try:
        unpack(path, scratch)
    except ArgumentError as error:
        yield Submission(student, b"", str(error).partition("\n")[0])
        return
    mine = chosen(scratch, notebook)
    yield read(student, mine) if mine else Submission(student, b"", "an archive without a notebook")


def chosen(folder: Path, notebook: str) -> Path | None:
    """The notebook that counts in a student's folder: the one with the lesson's name, else the first of all."""
    mine = sorted(notebooks(folder), key=lambda path: (path.name != notebook, len(path.parts), path))
    return mine[0] if mine else None


def notebooks(folder: Path) -> Iterable[Path]:
    """The notebooks in a folder and below, without checkpoints, and without what a link leads to."""
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in LEFT_BEHIND]
        yield from (Path(root, name) for name in files if name.endswith(".ipynb") and not name.startswith("."))


def read(student: str, path: Path) -> Submission:
    """The bytes of a notebook, if it is a plain file of a size that a notebook can have."""
    if path.is_symlink() or not path.is_file():
        return Submission(student, b"", "a link or a device, and not a notebook")
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        return Submission(student, b"", f"a file that cannot be read ({error.strerror})")
    if len(content) > LARGEST:
        return Submission(student, b"", f"a file of more than {LARGEST >> 20} MiB")
    return Submission(student, content)


def twice(student: str) -> ArgumentError:
    """The error for a student who is there two times."""
    return ArgumentError(
        f"There are two submissions of {student}.",
        "A student has one submission in a batch: the folder, or the name of the notebook, says whose it is.",
        "Leave one out, or grade the two inputs in two runs.",
    )
