"""What a folder of results holds from before, and what is kept of it beside what a new run has graded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..core.words import plural
from ..errors import ArgumentError
from .gradebook import Entry, read_pieces, read_results
from .inputs import numbered
from .pieces import Piece
from .submission import twin_note, twins

FEW = 3  # results that are named one by one


@dataclass(frozen=True, slots=True)
class Before:
    """The results of earlier runs in one folder, and everything that was handed in to these."""

    entries: Sequence[Entry] = ()
    pieces: Sequence[Piece] = ()

    @property
    def students(self) -> set[str]:
        """Who has results."""
        return {e.student for e in self.entries}


@dataclass(frozen=True, slots=True)
class Graded:
    """What a run has made of a folder of results.

    Args:
        entries: All results that are there now.
        now: Those that this run has graded.
        pieces: What was handed in to this run.
        told: What is to be said of it besides, in sentences.
    """

    entries: Sequence[Entry]
    now: Sequence[Entry]
    pieces: Sequence[Piece]
    told: Sequence[str] = ()


def results_before(out: Path, course: str) -> Before:
    """What a folder of results holds already.

    Raises:
        ArgumentError: It is of another course, or cannot be read: nothing of it would be kept.
    """
    path = out / "results.json"
    if not path.exists():
        return Before()
    try:
        name, entries = read_results(path)
        before = Before(entries, read_pieces(path))
    except ArgumentError as error:
        raise refused(out, str(error).partition("\n")[0]) from error
    if name != course:
        raise refused(out, f"These are of the course {name!r}, and this is {course!r}.")
    return before


def refused(out: Path, why: str) -> ArgumentError:
    """The error for results that a run could not keep."""
    return ArgumentError(
        f"{out} holds results that would be lost. {why}",
        "A folder of results is of one course: what is graded is added, or takes the place of what is graded anew.",
        "Name another folder with --out, or say --replace, and what it holds is given up.",
    )


def with_known_names(entries: Sequence[Entry], before: Before) -> list[Entry]:
    """The entries under the names that the students have in the results from before.

    Who has the same account in the same lesson is the same person, and who has another account is not, whatever they
    are called.
    """
    by_account = {(e.account, e.result.lesson): e.student for e in before.entries if e.account}
    accounts: Mapping[tuple[str, str], str] = {e.key: e.account for e in before.entries}
    found: list[Entry] = []
    for e in entries:
        known = by_account.get((e.account, e.result.lesson)) if e.account else None
        held = accounts.get(e.key, "")
        if known is not None:
            e = replace(e, student=known)
        elif held and e.account and held != e.account:
            e = replace(e, student=numbered(e.student, e.account))
        elif e.student not in before.students:
            told = [twin_note(each) for each in twins(e.student, before.students) if twin_note(each) not in e.note]
            e = replace(e, note="; ".join(filter(None, [e.note, *told])))
        found.append(e)
    return found


def kept(before: Before, now: Sequence[Entry]) -> list[Entry]:
    """What is kept: all that is not graded anew, and of nobody who was handed in without a lesson and has one now."""
    anew = {e.key for e in now}
    students = {e.student for e in now}
    return [e for e in before.entries if e.key not in anew and (e.result.lesson or e.student not in students)]


def kept_pieces(before: Before, now: Sequence[Entry], pieces: Sequence[Piece]) -> list[Piece]:
    """What was handed in before, with what has become of it now.

    A notebook in whose place another one was graded is passed over; of what lies where something else lay before, one
    piece stays for each result that stays.
    """
    there = {piece.path for piece in pieces}
    counts = {e.key: e.file for e in now}
    instead = {e.file: counts[e.key] for e in before.entries if e.key in counts}
    files = Counter(e.file for e in kept(before, now))
    found: list[Piece] = []
    for piece in before.pieces:
        if files[piece.path] > 0 and piece.kind in ("graded", "unreadable"):
            files[piece.path] -= 1
            found.append(piece)
        elif piece.path not in there:
            over = piece.path in instead and piece.kind == "graded"
            found.append(piece._replace(kind="passed over", why=f"{instead[piece.path]} counts") if over else piece)
    return found


def together(before: Before, now: Sequence[Entry], pieces: Sequence[Piece]) -> tuple[list[Entry], list[Piece]]:
    """All results and everything that was handed in, from before and now, by student and lesson."""
    entries = sorted([*kept(before, now), *now], key=lambda e: e.key)
    return entries, [*kept_pieces(before, now, pieces), *pieces]


def told_of_kept(entries: Sequence[Entry], digest: str) -> list[str]:
    """What a console says of the results that are kept.

    Args:
        entries: These results.
        digest: The digest of the course.
    """
    if not entries:
        return []
    lessons = ", ".join(sorted({e.result.lesson or "no lesson" for e in entries}))
    names = ", ".join(f"{e.student} in {e.result.lesson or 'no lesson'}" for e in entries)
    said = [f"Kept from before: {plural(len(entries), 'result')} ({names if len(entries) <= FEW else lessons})."]
    old = sum(e.result.course != digest for e in entries)
    if old:
        was = plural(old, "was", "were")
        said.append(f"Of these {was} graded by another release of the course: grade them again.")
    return said
