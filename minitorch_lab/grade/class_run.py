"""Grading a class: inputs, journal, workers, and the files that come out."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tqdm import tqdm

from ..errors import ArgumentError
from .batch import Connect, grade_all
from .bundle import Course, Lesson
from .extract import Submitted, answered, submitted
from .gradebook import Entry, file_names, gradescope, handed_in_csv, junit, results_csv, results_json
from .inputs import Look, Looking, collect
from .journal import Journal, Record, key_of
from .kept import Before, Graded, kept, results_before, together, told_of_kept, with_known_names
from .one import grade_one, grader_digest, ungraded
from .overrides import overridden, read_overrides
from .pages import write_report
from .pieces import Piece
from .put import clear, put
from .reading import PROBLEMS, Unreadable
from .result import Isolation, Result
from .seek import weight
from .submission import Submission
from .trial import probe


@dataclass(frozen=True, slots=True)
class Marking:
    """What a worker does with the bytes of a submission. The course lies where every worker can read it.

    Args:
        course: The folder of the course.
        digest: Its digest: a worker that finds another course there grades nothing.
        lesson: The lesson; None where each notebook shows it.
        isolation: What stands between submissions and the machine.
        grader: The digest of the grader: a worker of another version grades nothing.
        machine: Where the isolation was found; a worker elsewhere makes a trial run of its own.
    """

    course: str
    digest: str
    lesson: str | None
    isolation: Isolation
    grader: str
    machine: str

    def __call__(self, content: bytes) -> Record:
        """The record of a submission, with the seconds that it took."""
        require_alike(self.grader, self.isolation, self.machine)
        course = course_at(self.course, self.digest)
        with TemporaryDirectory(prefix="submission-") as folder:
            path = Path(folder, "submission.ipynb")
            path.write_bytes(content)
            result = grade_one(path, course, lesson=self.lesson, isolation=self.isolation)
        return result.record() | {"seconds": round(result.seconds, 3)}

    def fault(self, content: bytes, error: BaseException | None) -> Record:
        """The record of a submission on which the grader failed."""
        said = f"{type(error).__name__}: {error}"[:500]
        hashed = hashlib.sha256(content).hexdigest()
        keys = (hashed, self.digest, self.grader)
        result = Result(self.lesson or "", "fault", (), self.isolation, *keys, fault=said)
        return result.record() | {"seconds": 0.0}


@cache
def course_at(path: str, digest: str) -> Course:
    """The course, read once in each worker.

    Raises:
        ArgumentError: It is another one.
    """
    course = Course.load(path)
    if course.digest != digest:
        raise ArgumentError(
            f"A worker found another course in {path}.",
            "All of a batch is graded by one course, and nothing in its folder changes meanwhile.",
            "Is the folder the same for every worker? Run this again when it is.",
        )
    return course


@cache
def require_alike(grader: str, isolation: Isolation, machine: str) -> None:
    """Refuse to grade in a worker that would do it otherwise than was said.

    Raises:
        ArgumentError: It has another version of the grader, or another isolation.
    """
    if grader_digest() != grader:
        raise ArgumentError(
            f"The worker on {platform.node()} has another version of the grader.",
            "All of a batch is graded by one version, so that it is the same for everybody.",
            "Install the same version of this package there.",
        )
    here = isolation if machine == this_machine() else probe(isolation.layers)
    if here != isolation:
        raise ArgumentError(
            f"The worker on {platform.node()} isolates submissions otherwise: it is {here.level}.",
            f"The results of this batch say that it is {isolation.level}.",
            "Take that worker out of the cluster, or start the batch on a machine that is like it.",
        )


def this_machine() -> str:
    """What tells this machine, and this user of it, from others."""
    started = Path("/proc/sys/kernel/random/boot_id")
    return f"{platform.node()} {started.read_text().strip() if started.exists() else ''} {os.getuid()}"


def grade_class(
    inputs: Sequence[Path],
    course: Course,
    lesson: str | None,
    out: Path,
    isolation: Isolation,
    connect: Connect,
    *,
    anew: bool = False,
) -> Graded:
    """Grade what was handed in, and write every file of the results.

    What the folder holds already stays there, but for what is graded anew: one student, or another lesson, can be
    graded into it. A run that was killed goes on from its journal when the same command is given again.

    Args:
        inputs: Notebooks, folders of them, archives of folders.
        course: The course, as `release` made it.
        lesson: The lesson; None where each notebook shows it.
        out: The folder of the results and of the journal.
        isolation: What stands between submissions and the machine.
        connect: Gives a scheduler with workers.
        anew: Give up what the folder holds already.

    Raises:
        ArgumentError: There is nothing to grade, no such lesson, the folder holds what would be lost, or the journal
            belongs to another run.
    """
    require_lesson(course, lesson)
    before = Before() if anew else results_before(out, course.name)
    by_hand = read_overrides(out)
    notebook = f"{lesson}.ipynb" if lesson else ""
    found, pieces = collect(inputs, notebook, looking(course, lesson), course.lessons, before.students)
    marking = Marking(str(course.path), course.digest, lesson, isolation, grader_digest(), this_machine())
    with Journal(out / "journal.jsonl") as journal:
        graded = results_of(found, course, marking, journal, connect)
        made = [
            Entry(each.student, result, each.refused, each.file, each.note, account=each.account)
            for each, result in zip(found, graded, strict=True)
        ]
        became = with_results(pieces, made)
        now = with_known_names(made, before)
        entries, everything = together(before, now, became)
        entries, idle = overridden(entries, by_hand)
        write_results(course.name, entries, out, everything)  # while no other run may write there
    told = [*told_of_kept(kept(before, now), course.digest), *(f"overrides.csv: {each}." for each in idle)]
    keys = {e.key for e in now}
    return Graded(entries, [e for e in entries if e.key in keys], became, told)


def results_of(
    found: Sequence[Submission], course: Course, marking: Marking, journal: Journal, connect: Connect
) -> list[Result]:
    """The results of submissions: what the journal does not have is graded, a notebook of several lessons in each."""
    isolation, lesson = marking.isolation, marking.lesson
    works: dict[str | None, dict[str, bytes]] = {lesson: {}}
    for each in found:
        if not each.fault and not each.problem:
            works.setdefault(each.lesson or lesson, {})[key_in(course, marking, each)] = each.content
    with tqdm(total=sum(map(len, works.values())), unit="submission") as progress:
        for name, work in works.items():
            grade_all(work, replace(marking, lesson=name), journal, connect, progress.update)

    def result_of(each: Submission) -> Result:
        if each.fault:
            return Result.from_record(marking.fault(b"", OSError(each.fault)))
        if each.problem:
            return ungraded(course, lesson, isolation, each.problem)
        return Result.from_record(journal[key_in(course, marking, each)])

    return [result_of(each) for each in found]


def key_in(course: Course, marking: Marking, submission: Submission) -> str:
    """The key of a submission in the journal."""
    isolation = marking.isolation
    lesson = submission.lesson or marking.lesson or ""
    judged_by = f"{marking.grader} {lesson} {isolation.level} {' '.join(isolation.layers)}"
    return key_of(submission.content, course.digest, judged_by)


def looking(course: Course, lesson: str | None) -> Looking:
    """What says of a notebook which lesson it is, and how much of it is answered."""
    lessons = [course.lessons[lesson]] if lesson else list(course.lessons.values())

    def look(content: bytes) -> Look:
        try:
            taken = submitted(content, lessons)
        except Unreadable:
            return Look("", 0)
        others = tuple((each.lesson.name, answered(each)) for each in further(content, taken.lesson, lessons))
        return Look(taken.lesson.name, answered(taken), others)

    return look


def further(content: bytes, first: Lesson, lessons: Sequence[Lesson]) -> Iterator[Submitted]:
    """What a notebook holds of other lessons than the first: exercises that are known by their ids, and answered."""
    for lesson in lessons:
        if lesson is not first:
            with suppress(Unreadable):
                taken = submitted(content, [lesson])
                if weight(taken.found)[0] and answered(taken):
                    yield taken


def with_results(pieces: Sequence[Piece], entries: Sequence[Entry]) -> list[Piece]:
    """The pieces, where those that were given to the grader have become what it made of them."""
    results = {e.file: e.result for e in entries}

    def became(piece: Piece, result: Result) -> Piece:
        said = PROBLEMS.get(result.problem or "", "") or (f"The grader failed: {result.fault}" if result.fault else "")
        return piece._replace(kind=result.status, why="; ".join(filter(None, [piece.why, said])))

    return [became(p, results[p.path]) if p.kind == "graded" and p.path in results else p for p in pieces]


def require_lesson(course: Course, lesson: str | None) -> None:
    """Refuse a lesson that the course does not have."""
    if lesson is not None and lesson not in course.lessons:
        raise ArgumentError(
            f"The course {course.name!r} has no lesson {lesson!r}.",
            f"It has {', '.join(course.lessons)}.",
            "Leave --lesson out, and each notebook shows by its cells which lesson it is.",
        )


def write_results(course: str, entries: Sequence[Entry], out: Path, pieces: Sequence[Piece] = ()) -> None:
    """Write the results in every form that somebody may ask for."""
    put(out / "results.json", results_json(course, entries, pieces))
    put(out / "results.csv", results_csv(entries))
    if pieces:
        put(out / "handed-in.csv", handed_in_csv(pieces))
    put(out / "results.xml", junit(entries))
    names = file_names(entries)
    clear(out / "gradescope", ".json")
    for e in entries:
        if e.earned is not None:
            put(out / "gradescope" / f"{names[e.key]}.json", gradescope(e.result, given=e.given, by_hand=e.by_hand))
    write_report(course, entries, out / "report", pieces)
