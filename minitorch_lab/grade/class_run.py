"""Grading a class: inputs, journal, workers, and the files that come out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tqdm import tqdm

from ..errors import ArgumentError
from .batch import Connect, grade_all
from .bundle import Course
from .gradebook import Entry, file_names, gradescope, junit, results_csv, results_json
from .inputs import submissions
from .journal import Journal, Record, key_of
from .one import grade_one, grader_digest
from .pages import write_report
from .result import Isolation, Result


@dataclass(frozen=True, slots=True)
class Marking:
    """What a worker does with the bytes of a submission. The course lies where every worker can read it."""

    course: str
    digest: str
    lesson: str | None
    isolation: Isolation

    def __call__(self, content: bytes) -> Record:
        """The record of a submission, with the seconds that it took."""
        with TemporaryDirectory(prefix="submission-") as folder:
            path = Path(folder, "submission.ipynb")
            path.write_bytes(content)
            result = grade_one(path, self.course, lesson=self.lesson, isolation=self.isolation)
        return result.record() | {"seconds": round(result.seconds, 3)}

    def fault(self, content: bytes, error: BaseException | None) -> Record:
        """The record of a submission on which the grader failed."""
        said = f"{type(error).__name__}: {error}"[:500]
        hashed = hashlib.sha256(content).hexdigest()
        keys = (hashed, self.digest, grader_digest())
        result = Result(self.lesson or "", "fault", (), self.isolation, *keys, fault=said)
        return result.record() | {"seconds": 0.0}


def grade_class(
    inputs: Sequence[Path], course: Course, lesson: str | None, out: Path, isolation: Isolation, connect: Connect
) -> list[Entry]:
    """Grade what was handed in, write every file of the results, and return the entries.

    A run that was killed goes on from its journal when the same command is given again.

    Args:
        inputs: Notebooks, folders of them, archives of folders.
        course: The course, as `release` made it.
        lesson: The lesson; None where each notebook shows it.
        out: The folder of the results and of the journal.
        isolation: What stands between submissions and the machine.
        connect: Gives a scheduler with workers.

    Raises:
        ArgumentError: There is nothing to grade, no such lesson, or the journal belongs to another run.
    """
    require_lesson(course, lesson)
    with TemporaryDirectory(prefix="class-") as scratch:
        found = submissions(inputs, f"{lesson}.ipynb" if lesson else "", Path(scratch))
    marking = Marking(str(course.path), course.digest, lesson, isolation)
    judged_by = f"{grader_digest()} {lesson or ''} {isolation.level} {' '.join(isolation.layers)}"
    keys = {each.student: key_of(each.content, course.digest, judged_by) for each in found}
    work = {keys[each.student]: each.content for each in found}
    with Journal(out / "journal.jsonl") as journal, tqdm(total=len(work), unit="submission") as progress:
        grade_all(work, marking, journal, connect, progress.update)
        entries = [Entry(each.student, Result.from_record(journal[keys[each.student]]), each.refused) for each in found]
    write_results(course.name, entries, out)
    return entries


def require_lesson(course: Course, lesson: str | None) -> None:
    """Refuse a lesson that the course does not have."""
    if lesson is not None and lesson not in course.lessons:
        raise ArgumentError(
            f"The course {course.name!r} has no lesson {lesson!r}.",
            f"It has {', '.join(course.lessons)}.",
            "Leave --lesson out, and each notebook shows by its cells which lesson it is.",
        )


def write_results(course: str, entries: Sequence[Entry], out: Path) -> None:
    """Write the results in every form that somebody may ask for."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "results.json").write_text(results_json(course, entries), "utf-8")
    (out / "results.csv").write_text(results_csv(entries), "utf-8")
    (out / "results.xml").write_text(junit(entries), "utf-8")
    names = file_names(entries)
    (out / "gradescope").mkdir(exist_ok=True)
    for e in entries:
        path = out / "gradescope" / f"{names[e.student]}.json"
        path.unlink(missing_ok=True)
        if e.result.score is not None:
            path.write_text(gradescope(e.result), "utf-8")
    write_report(course, entries, out / "report")
