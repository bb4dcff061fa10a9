"""What a teacher hands over: notebooks, folders of them, archives of folders; and whose each notebook is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..core.words import plural
from ..errors import ArgumentError
from . import pieces as handed_over
from .archives import is_archive, names_in, unpack
from .downloads import BLACKBOARD, MOODLE, Named, is_download, own_name, people, unnumbered
from .pieces import Piece, Room, called, is_left_behind, owner, pieces
from .submission import Submission, with_group_told, with_lesson_told, with_more_told, with_twins_told
from .submitters import LISTED, submitters

LISTS = (".csv", ".tsv", ".xlsx", ".ods")  # at the top, beside the students: a list of them, and nobody's work
MANY = 3  # notebooks, or folders of them, with names of their own: that may be a class


class Collected(NamedTuple):
    """The submissions, and every single thing that was handed over with what became of it."""

    submissions: list[Submission]
    pieces: list[Piece]


class Look(NamedTuple):
    """What a notebook is, at a glance: the lesson, "" when it shows none, and how many exercises are answered.

    `others` are further lessons whose exercises it holds, each with how many of them are answered.
    """

    lesson: str
    answered: int
    others: tuple[tuple[str, int], ...] = ()

    def at(self, lesson: str) -> Look:
        """What it is as a notebook of one of its lessons."""
        return Look(lesson, dict(self.others)[lesson]) if lesson in dict(self.others) else self


Looking = Callable[[bytes], Look]


def collect(
    inputs: Sequence[Path], notebook: str, look: Looking, lessons: Iterable[str] = (), known: Collection[str] = ()
) -> Collected:
    """Find the students' notebooks in files, folders and archives, and account for everything else there.

    What lies at the top is called after its student: a folder, a notebook, an archive. What Moodle, Canvas or
    Blackboard has split is put together and called after the person, and a list of Gradescope's says whose its folders
    are. Where a student has several notebooks of a lesson, the one counts that answers the most exercises; of those the
    newest where they are called "a.ipynb", "a (1).ipynb" and so on, or by Canvas, the one with the lesson's name, and
    then the one that was changed last.

    Args:
        inputs: What was given on the command line.
        notebook: The file name of the lesson, such as "03_backward.ipynb"; "" where each notebook shows its lesson.
        look: Says what a notebook is; asked where there are several, or where it may hold several lessons.
        lessons: What the lessons of the course are called, besides this one.
        known: Students who have results already: a folder that is called so may be the folder of this one.

    Returns:
        The submissions by name, at least one for whatever lies at the top and was not left there by a tool; and the
        pieces, one for everything.

    Raises:
        ArgumentError: A path does not exist, or is neither a notebook nor a folder nor an archive; an archive that
            was given is no good; two inputs hold the same lesson of one student; there is nothing to grade.

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
    named = {PurePosixPath(notebook).stem, *lessons} - {""}
    for path in inputs:
        there = {piece.path for piece in everything}
        for name, pieces_of in sorted(handed_in(path, named, known).items()):
            if there & {piece.path for piece in pieces_of}:  # of two inputs in which things are called alike
                pieces_of = [p._replace(path=f"{path.name}/{p.path}", of=p.of or (name,)) for p in pieces_of]
            for student, held in persons(name, pieces_of, look):
                counts, became = decided(student, held, notebook, look)
                counts = [with_group_told(each, held[0].of) for each in counts]
                everything += [piece for piece in became if student == (piece.of or (student,))[0]]  # of a group once
                if counts:
                    found[student] = beside(found.get(student, []), counts, look)
    if not found:
        raise ArgumentError(
            f"There is no notebook in {', '.join(map(str, inputs))}.",
            "A submission is a file that ends in .ipynb, in a folder of its student or named after them.",
            f"Did you mean the folder that holds one {notebook or 'notebook'} per student?",
        )
    told = [with_twins_told(each, found) for student in sorted(found) for each in found[student]]
    return Collected([with_lesson_told(each, named) for each in told], everything)


def beside(before: list[Submission], more: list[Submission], look: Looking) -> list[Submission]:
    """What a student has in one input and in another: it must be of different lessons.

    Raises:
        ArgumentError: It is not, or nothing says so.
    """
    if before:
        one, two = ({each.lesson or look(each.content).lesson for each in some} for some in (before, more))
        if one & two or "" in one | two:
            raise twice(more[0].student)
    return [*before, *more]


def persons(student: str, held: list[Piece], look: Looking) -> list[tuple[str, list[Piece]]]:
    """Who is called by one name in several downloads: one person, or one for each account where that cannot be.

    Moodle has another number for a person in each assignment, so that these are one where their lessons differ.
    """
    accounts = sorted({piece.account for piece in held} - {""})
    if len(accounts) < 2:
        return [(student, held)]
    each_has = [{look(p.content).lesson for p in held if (p.account, p.kind) == (a, "notebook")} for a in accounts]
    shown = [lesson for lessons in each_has for lesson in lessons]
    if all(a.startswith("Moodle ") for a in accounts) and all(each_has) and len({*shown} - {""}) == len(shown):
        return [(student, held)]
    return [
        (full, [piece._replace(of=(full,)) for piece in held if piece.account == a])
        for a in accounts
        for full in [numbered(student, a)]
    ]


def numbered(student: str, account: str) -> str:
    """A student's name with their number in a course system: two may have one name.

    Example:
        >>> numbered("Ada Lovelace", "Moodle 12345")
        'Ada Lovelace (12345)'
    """
    return f"{student} ({account.rpartition(' ')[2]})"


def handed_in(path: Path, lessons: Collection[str] = (), known: Collection[str] = ()) -> dict[str, list[Piece]]:
    """What one input holds, by student; what tools have left at the top is nobody's, "".

    Raises:
        ArgumentError: There is no such file, or one of another kind.
    """
    path = path if path.name not in ("", "..") else path.resolve()
    if path.is_dir():
        below = [*path.iterdir()]
        return alone(path, lessons) if is_one_student(path, below, lessons, known) else by_owner(below, lessons)
    if path.is_file() and is_archive(path):
        with TemporaryDirectory(prefix="class-") as scratch:
            unpack(path, Path(scratch))
            below = tops(Path(scratch))
            return alone(path, lessons) if is_one_student(path, below, lessons, known) else by_owner(below, lessons)
    if path.is_file() and ".ipynb" in path.name.lower():
        found, folder = alone(path, lessons), path.resolve().parent.name
        if owner(path) in lessons and folder in known:
            return {folder: [piece._replace(of=(folder,)) for held in found.values() for piece in held]}
        return found
    what = "is neither a notebook nor an archive" if path.exists() else "does not exist"
    raise ArgumentError(
        f"minitorch-lab grade got {path}, which {what}.",
        "It grades notebooks (.ipynb), folders of them, and archives of folders (.zip, .tar.gz and others).",
        "Give the folder in which your course system has put what was handed in.",
    )


def alone(path: Path, lessons: Collection[str]) -> dict[str, list[Piece]]:
    """The pieces of one student, who is called as in the folder of the class that this lies in."""
    names = [each.name for each in path.resolve().parent.iterdir()]
    return by_owner([path], lessons, called_there=people(names, lessons))


def is_one_student(path: Path, below: Sequence[Path], lessons: Collection[str], known: Collection[str]) -> bool:
    """Whether a folder is a student's, and no class: nobody is called like a lesson.

    Args:
        path: The folder, or an archive.
        below: What lies in it.
        lessons: What the lessons of the course are called.
        known: Students who have results already.
    """
    inside = [each for each in below if not is_nobodys(each)]
    books = [each for each in inside if each.suffix.lower() == ".ipynb" and not each.is_dir()]
    others = [each for each in inside if each not in books]
    rooms = any(is_packed(each) or (each.is_dir() and may_be_a_student_s(each)) for each in others)
    if not books or rooms or any(own_name(each.name) != each.name for each in books):
        return False
    stems = {unnumbered(each.name)[0] for each in books}
    own = MOODLE.fullmatch(path.name) or BLACKBOARD.fullmatch(path.name) or owner(path) in known
    return stems <= {*lessons} or (bool(own) and len(stems) < MANY)


def may_be_a_student_s(folder: Path) -> bool:
    """Whether a folder holds a notebook, or nothing: one of data or pictures is part of somebody's work."""
    return any(folder.glob("*.ipynb")) or not any(folder.iterdir())


def is_packed(path: Path) -> bool:
    """Whether something is an archive, as far as that can be read."""
    return path.is_file() and not path.is_symlink() and is_archive(path)


def by_owner(
    paths: Iterable[Path],
    lessons: Collection[str],
    under: str = "",
    called_there: Mapping[str, Named] | None = None,
) -> dict[str, list[Piece]]:
    """The pieces of what lies at the top, by the student that each is called after; those of a group by each of it.

    Args:
        paths: What lies at the top.
        lessons: What the lessons of the course are called.
        under: Where it lies, ending in "/", if that is not the top of the input.
        called_there: Whom a course system means by the names there, where that is known from more than these.
    """
    found: dict[str, list[Piece]] = defaultdict(list)
    rooms: dict[str, Room] = {}
    tops = {path.name: path for path in sorted(paths)}
    whose = called_there if called_there is not None else named_in(tops, lessons)
    listing, unread = listed(tops.get(LISTED))
    inside = {} if under else downloaded(tops.values(), lessons)
    for name, path in tops.items():
        if name in inside:
            for student, held in inside[name].items():
                found[student] += held
            continue
        by = whose.get(name)
        own = "" if is_nobodys(path) else called(by.student) if by else owner(path)
        group = listing.get(name, (own,)) if own else (own,)
        of = () if not own or (group == (owner(path),) and not under) else group
        held = pieces(path, under + called(name), rooms.setdefault(group[0], Room(handed_over.LARGEST_PACKED)))
        why = unread if name == LISTED else ""
        told = [each._replace(of=of, why=why or each.why, account=by.account if by else "") for each in held]
        for student in group:
            found[student] += told
    return dict(found)


def named_in(tops: Mapping[str, Path], lessons: Collection[str]) -> dict[str, Named]:
    """Whom a course system means by the names there; somebody of the same name beside them is somebody else."""
    theirs = {name: path for name, path in tops.items() if not is_nobodys(path)}
    found = people(theirs, lessons)
    others = {owner(path) for name, path in theirs.items() if name not in found}
    return {n: each._replace(student=each.full) if each.student in others else each for n, each in found.items()}


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
    looks = {p.path: look(p.content) if len(books) > 1 or not notebook else Look("", 0) for p in books}
    shown = [each.lesson for each in looks.values()]
    lessons = sorted({*shown, *(lesson for each in looks.values() for lesson, _ in each.others)} - {""}) or [""]
    counts: list[Submission] = []
    became: dict[str, Piece] = {}
    for lesson in lessons:
        seen = {path: each.at(lesson) for path, each in looks.items()}
        group = [piece for piece in books if seen[piece.path].lesson in (lesson, "")]
        ranks = {piece.path: rank(piece, seen[piece.path], notebook, group) for piece in group}
        ranked = sorted(group, key=lambda piece: ranks[piece.path])
        first = looks[ranked[0].path]
        more = {first.lesson, *(each for each, _ in first.others)} - {lesson, ""} if first.others else set[str]()
        counts.append(with_more_told(counted(student, ranked, ranks, rest), lesson, more))
        became[ranked[0].path] = ranked[0]._replace(kind="graded", content=b"")
    instead = ", ".join(became)
    over = [
        piece._replace(kind="passed over", why=f"{instead} counts", content=b"")
        for piece in books
        if piece.path not in became
    ]
    return counts, [*became.values(), *over, *rest]


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
    note = "; ".join(filter(None, notes))
    return Submission(student, first.content, file=first.path, note=note, account=first.account)


def without_notebook(student: str, held: list[Piece]) -> Submission:
    """The submission of a student who has handed in no notebook: it says what there is instead."""
    fault = next((piece.why for piece in held if piece.kind == "fault"), "")
    nothing = Submission(student, b"", problem="no notebook", file=held[0].path, account=held[0].account)
    refused = [piece for piece in held if piece.kind == "refused"]
    if fault:
        return nothing._replace(fault=fault, problem="", file="")
    if refused:
        others = f"; and {len(held) - 1} more" if len(held) > 1 else ""
        first = refused[0]
        return nothing._replace(refused=first.why + others, problem=first.problem, file=first.path)
    if len(held) == 1 and held[0].kind == "empty":
        return nothing._replace(refused=held[0].why)
    names = ", ".join(piece.path for piece in held[:3]) + (f" and {len(held) - 3} more" if len(held) > 3 else "")
    return nothing._replace(refused=f"no notebook, but {names}")


def twice(student: str) -> ArgumentError:
    """The error for a student who is there in two inputs."""
    return ArgumentError(
        f"There are two submissions of {student}.",
        "A student has one submission in a batch: the folder, or the name of the notebook, says whose it is.",
        "Leave one out, or grade the two inputs in two runs.",
    )
