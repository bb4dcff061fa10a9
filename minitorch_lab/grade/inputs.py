"""What a teacher hands over: notebooks, folders of them, archives of folders; and whose each notebook is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..core.words import plural
from ..errors import ArgumentError
from . import pieces as handed_over
from .archives import is_archive, names_in, unpack
from .downloads import is_download, own_name, split, unnumbered
from .pieces import Piece, Room, called, is_left_behind, owner, pieces
from .rosters import person
from .submitters import LISTED, submitters

LISTS = (".csv", ".tsv", ".xlsx", ".ods")  # at the top, beside the students: a list of them, and nobody's work
MANY = 3  # notebooks, or folders of them, with names of their own: that may be a class
COPY = re.compile(r"(.+?)(?: ?\(\d+\)| - Copy(?: \(\d+\))?|[-_ ]copy ?\d*)", re.IGNORECASE)  # how copies are called


class Submission(NamedTuple):
    """One student's notebook of one lesson. Where there is none, `content` is empty.

    Then `refused` says why it was not taken and `problem` which one of `PROBLEMS` that is, or `fault` says why this
    machine could not read it: that is not the student's. `file` is the notebook that counts, and `note` what the
    teacher should know of how it was found.
    """

    student: str
    content: bytes
    refused: str = ""
    fault: str = ""
    problem: str = ""
    file: str = ""
    note: str = ""


class Collected(NamedTuple):
    """The submissions, and every single thing that was handed over with what became of it."""

    submissions: list[Submission]
    pieces: list[Piece]


class Look(NamedTuple):
    """What a notebook is, at a glance: the lesson, "" when it shows none, and how many exercises are answered."""

    lesson: str
    answered: int


Looking = Callable[[bytes], Look]


def collect(inputs: Sequence[Path], notebook: str, look: Looking, lessons: Iterable[str] = ()) -> Collected:
    """Find the students' notebooks in files, folders and archives, and account for everything else there.

    What lies at the top is called after its student: a folder, a notebook, an archive. What Moodle or Canvas has split
    is put together, and a list of Gradescope's says whose its folders are. Where a student has several notebooks of a
    lesson, the one counts that answers the most exercises; of those the newest where they are called "a.ipynb",
    "a (1).ipynb" and so on, or by Canvas, the one with the lesson's name, and then the one that was changed last.

    Args:
        inputs: What was given on the command line.
        notebook: The file name of the lesson, such as "03_backward.ipynb".
        look: Says what a notebook is; asked only where there are several.
        lessons: What the lessons of the course are called, besides this one.

    Returns:
        The submissions by name, at least one for whatever lies at the top and was not left there by a tool; and the
        pieces, one for everything.

    Raises:
        ArgumentError: A path does not exist, or is neither a notebook nor a folder nor an archive; an archive that
            was given is no good; two inputs hold the same student; there is nothing to grade.

    Example:
        >>> with TemporaryDirectory() as place:
        ...     Path(place, "ada").mkdir()
        ...     _ = Path(place, "bob.ipynb").write_bytes(b"{}")
        ...     found = collect([Path(place)], "03_backward.ipynb", lambda content: Look("", 0))
        >>> [(each.student, each.refused) for each in found.submissions], [piece.kind for piece in found.pieces]
        ([('ada', 'an empty folder'), ('bob', '')], ['empty', 'graded'])
    """
    found: dict[str, list[Submission]] = {}
    everything: list[Piece] = []
    named = {PurePosixPath(notebook).stem, *lessons}
    for path in inputs:
        for student, held in sorted(handed_in(path, named).items()):
            counts, told = decided(student, held, notebook, look)
            counts = [with_group_told(each, held[0].of) for each in counts]
            everything += [piece for piece in told if student == (piece.of or (student,))[0]]  # of a group once
            if student in found and counts:
                raise twice(student)
            found |= {student: counts} if counts else {}
    if not found:
        raise ArgumentError(
            f"There is no notebook in {', '.join(map(str, inputs))}.",
            "A submission is a file that ends in .ipynb, in a folder of its student or named after them.",
            f"Did you mean the folder that holds one {notebook or 'notebook'} per student?",
        )
    return Collected([with_twins_told(each, found) for student in sorted(found) for each in found[student]], everything)


def handed_in(path: Path, lessons: Collection[str] = ()) -> dict[str, list[Piece]]:
    """What one input holds, by student; what tools have left at the top is nobody's, "".

    Raises:
        ArgumentError: There is no such file, or one of another kind.
    """
    if path.is_dir():
        return by_owner(path.iterdir(), lessons)
    if path.is_file() and is_archive(path):
        with TemporaryDirectory(prefix="class-") as scratch:
            unpack(path, Path(scratch))
            return by_owner(tops(Path(scratch)), lessons)
    if path.is_file() and ".ipynb" in path.name.lower():
        return by_owner([path], lessons)
    what = "is neither a notebook nor an archive" if path.exists() else "does not exist"
    raise ArgumentError(
        f"minitorch-lab grade got {path}, which {what}.",
        "It grades notebooks (.ipynb), folders of them, and archives of folders (.zip, .tar.gz and others).",
        "Give the folder in which your course system has put what was handed in.",
    )


def by_owner(paths: Iterable[Path], lessons: Collection[str], under: str = "") -> dict[str, list[Piece]]:
    """The pieces of what lies at the top, by the student that each is called after; those of a group by each of it.

    Args:
        paths: What lies at the top.
        lessons: What the lessons of the course are called.
        under: Where it lies, ending in "/", if that is not the top of the input.
    """
    found: dict[str, list[Piece]] = defaultdict(list)
    rooms: dict[str, Room] = {}
    tops = {path.name: path for path in sorted(paths)}
    parts = split(tops, lessons)
    people, unread = listed(tops.get(LISTED))
    inside = {} if under else downloaded(tops.values(), lessons)
    for name, path in tops.items():
        if name in inside:
            for student, held in inside[name].items():
                found[student] += held
            continue
        own = "" if is_nobodys(path) else owner(tops[parts.get(name, name)])
        group = people.get(name, (own,)) if own else (own,)
        of = () if not own or (group == (owner(path),) and not under) else group
        held = pieces(path, under + called(name), rooms.setdefault(group[0], Room(handed_over.LARGEST_PACKED)))
        told = [each._replace(of=of, why=unread if name == LISTED and unread else each.why) for each in held]
        for student in group:
            found[student] += told
    return dict(found)


def downloaded(tops: Iterable[Path], lessons: Collection[str]) -> dict[str, dict[str, list[Piece]]]:
    """What lies in folders and archives that course systems have handed over, by their names and by student.

    All that is somebody's has to be of that kind: else it is a student's, who might hand in work in others' names.
    """
    found: dict[str, dict[str, list[Piece]]] = {}
    for path in tops:
        if not is_nobodys(path):
            found[path.name] = download(path, lessons)
            if not found[path.name]:
                return {}
    return found


def download(path: Path, lessons: Collection[str]) -> dict[str, list[Piece]]:
    """What a folder or an archive holds, by student, if a course system has handed it over; else nothing."""
    under = f"{called(path.name)}/"
    try:
        if path.is_dir() and not path.is_symlink():
            below = [*path.iterdir()]
            return by_owner(below, lessons, under) if is_download(each.name for each in below) else {}
        if not path.is_file() or not is_archive(path) or not is_download(names_in(path)):
            return {}
        with TemporaryDirectory(prefix="class-") as scratch:
            unpack(path, Path(scratch))
            return by_owner(tops(Path(scratch)), lessons, under)
    except (ArgumentError, OSError):  # what is wrong with it is said where it is one student's
        return {}


def is_nobodys(path: Path) -> bool:
    """Whether something at the top is no student's: a list of them, or what tools leave."""
    listing = path.name == LISTED or path.suffix.lower() in LISTS
    return is_left_behind(path.name) or (listing and not path.is_dir())


def listed(path: Path | None) -> tuple[dict[str, tuple[str, ...]], str]:
    """Who has handed in which folder, as Gradescope's list says it where there is one; and what is wrong with it."""
    try:
        return ({}, "") if path is None or not path.is_file() or path.is_symlink() else (submitters(path), "")
    except ArgumentError as error:
        why = str(error).partition("\n")[0]
        return {}, f"{why} Students are called after their folders."


def tops(folder: Path) -> list[Path]:
    """What lies at the top of an archive: in the folder that it was made of, where all of a class lies in that one."""
    inside = list(folder.iterdir())
    meant = [path for path in inside if not is_left_behind(path.name)]
    if len(meant) == 1 and meant[0].is_dir():
        below = list(meant[0].iterdir())
        work = [path for path in below if path.suffix.lower() == ".ipynb" or is_archive(path)]
        if any(path.is_dir() and not is_left_behind(path.name) for path in below) or len(work) > 1:
            return [*below, *(path for path in inside if path != meant[0])]
    return inside


# ---- what counts ----------------------------------------------------------------------------------------------------


def decided(student: str, held: list[Piece], notebook: str, look: Looking) -> tuple[list[Submission], list[Piece]]:
    """What counts of all that a student has handed in, and what becomes of each piece. Nobody's pieces count for none.

    A notebook that shows none of the lessons counts only where there is no other.
    """
    books = [piece for piece in held if piece.kind == "notebook"]
    rest = [piece for piece in held if piece.kind != "notebook"]
    if not student:
        return [], held
    if not books:
        return [without_notebook(student, held)], held
    looks = {piece.path: look(piece.content) if len(books) > 1 else Look("", 0) for piece in books}
    lessons = sorted({each.lesson for each in looks.values()} - {""}) or [""]
    counts: list[Submission] = []
    became: list[Piece] = []
    for lesson in lessons:
        group = [piece for piece in books if looks[piece.path].lesson in (lesson, "")]
        ranks = {piece.path: rank(piece, looks[piece.path], notebook, group) for piece in group}
        ranked = sorted(group, key=lambda piece: ranks[piece.path])
        counts.append(counted(student, ranked, ranks, rest))
        became.append(ranked[0]._replace(kind="graded", content=b""))
    taken = {piece.path for piece in became}
    instead = ", ".join(piece.path for piece in became)
    became += [
        piece._replace(kind="passed over", why=f"{instead} counts", content=b"")
        for piece in books
        if piece.path not in taken
    ]
    return counts, [*became, *rest]


Rank = tuple[bool, int, int, bool, float, int, str]


def rank(piece: Piece, look: Look, notebook: str, others: Sequence[Piece]) -> Rank:
    """What notebooks of a student are ordered by: the first one counts."""
    path = PurePosixPath(piece.path)
    last = own_name(path.name) != notebook, -piece.changed, len(path.parts), piece.path
    return not look.lesson, -look.answered, -version(path, others), *last


def version(path: PurePosixPath, others: Sequence[Piece]) -> int:
    """The number in the name of a file that lies beside one of the same name without it, or with another; else 0.

    Example:
        >>> beside = [Piece("ada/a.ipynb", "notebook"), Piece("ada/a (2).ipynb", "notebook")]
        >>> [version(PurePosixPath(f"ada/{name}.ipynb"), beside) for name in ("a", "a (2)", "b (2)")]
        [0, 2, 0]
    """
    named = [PurePosixPath(piece.path) for piece in others]
    stem, number = unnumbered(path.name)
    beside = [each for each in named if each.parent == path.parent and each != path]
    return number if any(unnumbered(each.name)[0] == stem for each in beside) else 0


def counted(student: str, ranked: list[Piece], ranks: dict[str, Rank], rest: list[Piece]) -> Submission:
    """The submission that the first of these notebooks is, with what the teacher should know of it."""
    first = ranked[0]
    notes = [first.why, *(f"{piece.path}: {piece.why}" for piece in rest if piece.kind in ("refused", "fault"))]
    if len(ranked) > 1:
        reasons = ("it is of the lesson", "it answers the most exercises", "by its number it is the newest",
                   "it has the name of the lesson", "it was changed last", "it lies on top",
                   "it is the first by name")  # fmt: skip
        best, next_best = (ranks[piece.path] for piece in ranked[:2])
        why = next(said for said, one, two in zip(reasons, best, next_best, strict=True) if one != two)
        notes.insert(0, f"{plural(len(ranked), 'notebook')}; {first.path} counts: {why}")
    beside = {unnumbered(parts[1])[0] for parts in (PurePosixPath(piece.path).parts for piece in ranked) if parts[1:]}
    if len(beside) >= MANY:
        notes.insert(1, f"{len(beside)} of them have names of their own: if that is a class, give this folder itself")
    return Submission(student, first.content, file=first.path, note="; ".join(filter(None, notes)))


def without_notebook(student: str, held: list[Piece]) -> Submission:
    """The submission of a student who has handed in no notebook: it says what there is instead."""
    fault = next((piece.why for piece in held if piece.kind == "fault"), "")
    refused = [piece for piece in held if piece.kind == "refused"]
    if fault:
        return Submission(student, b"", fault=fault)
    if refused:
        others = f"; and {len(held) - 1} more" if len(held) > 1 else ""
        return Submission(student, b"", refused[0].why + others, problem=refused[0].problem, file=refused[0].path)
    if len(held) == 1 and held[0].kind == "empty":
        return Submission(student, b"", held[0].why, problem="no notebook", file=held[0].path)
    names = ", ".join(piece.path for piece in held[:3]) + (f" and {len(held) - 3} more" if len(held) > 3 else "")
    return Submission(student, b"", f"no notebook, but {names}", problem="no notebook", file=held[0].path)


def with_group_told(submission: Submission, group: Iterable[str]) -> Submission:
    """The same, with a note for each of those who have handed it in together."""
    said = [group_note(each) for each in group if each != submission.student]
    return submission._replace(note="; ".join(filter(None, [submission.note, *said])))


def with_twins_told(submission: Submission, students: Iterable[str]) -> Submission:
    """The same, with a note where another student may be the same person, or this is called like a copy of theirs."""
    said = [twin_note(each) for each in twins(submission.student, students)]
    copied = COPY.fullmatch(submission.student)
    if copied is not None and copied[1] in students:
        said.append(copy_note(copied[1]))
    return submission._replace(note="; ".join(filter(None, [submission.note, *said])))


def twins(student: str, students: Iterable[str]) -> list[str]:
    """Those of these students who may be the same person, written otherwise.

    Example:
        >>> twins("ada", ["ada", "Ada", "bob", "ada@uni.example"])
        ['Ada', 'ada@uni.example']
    """
    who = person(student)
    return [each for each in students if each != student and who and person(each) == who]


def twin_note(student: str) -> str:
    """What is said of somebody who may be this student too."""
    return f"may be the same person as {student!r}"


def group_note(student: str) -> str:
    """What is said of somebody who has handed in together with this student."""
    return f"handed in together with {student!r}"


def copy_note(student: str) -> str:
    """What is said of something that is called like a copy of this student's."""
    return f"called like a copy of {student}: was this handed in twice?"


def twice(student: str) -> ArgumentError:
    """The error for a student who is there in two inputs."""
    return ArgumentError(
        f"There are two submissions of {student}.",
        "A student has one submission in a batch: the folder, or the name of the notebook, says whose it is.",
        "Leave one out, or grade the two inputs in two runs.",
    )
