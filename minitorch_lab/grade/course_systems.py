"""The commands for other course systems: export to Canvas, Moodle and Gradescope; an nbgrader course in one go."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from ..core.words import plural
from ..errors import ArgumentError

if TYPE_CHECKING:
    from .kept import Graded

FILE = click.Path(path_type=Path)
READ = click.Path(path_type=Path, exists=True, dir_okay=False)
LISTED = ("canvas", "moodle-worksheet")  # forms that are made of the course system's own export
FORMS = (*LISTED, "moodle-csv", "moodle-xml", "gradescope")


@click.command()
@click.argument("results", type=READ)
@click.option("--form", type=click.Choice(FORMS), required=True, help="For which course system.")
@click.option("--lesson", required=True, help="The lesson.")
@click.option("--settled", type=READ, help="The settled.csv of minitorch-lab settle: what is lost there is lost.")
@click.option("--students", type=READ, help="What Canvas or Moodle has exported: it says who the students are.")
@click.option("--column", "called", multiple=True, metavar="NAME=ITS NAME", help="What a column of it is called there.")
@click.option("--assignment", default="", help="What the assignment is called there. Without it: as the lesson.")
@click.option("--to", "target", type=FILE, required=True, help="The file to write.")
def export(results: Path, form: str, lesson: str, settled: Path | None, target: Path, **options: Any) -> None:
    """Write the scores in RESULTS, a results.json, in the form that a course system takes.

    A score is as it was graded, or as overrides.csv beside RESULTS sets it.
    """
    from . import exports
    from .gradebook import lesson_called
    from .overrides import read_entries
    from .put import put
    from .tables import text_of
    from .terms import with_settled

    _, entries = read_entries(results)
    entries = with_settled(entries, settled) if settled else entries
    lesson = lesson_called(lesson, (e.result.lesson for e in entries))
    if form == "gradescope":
        put(target, exports.autograder(entries, lesson))
        count = sum(bool(score) for score, _ in exports.scored(entries, lesson))
        click.echo(f"{plural(count, 'score')} in {target}.")
        return
    students, assignment = options["students"], options["assignment"]
    if form in LISTED and students is None:
        raise ArgumentError(
            f"minitorch-lab export got --form {form} and no --students.",
            "The scores go into the rows of the file that the course system has exported.",
            "Export it there, and give it with --students.",
        )
    listed, said = text_of(students) if students else "", pairs(options["called"])
    made = {
        "canvas": lambda: exports.canvas(entries, lesson, listed, assignment, said),
        "moodle-worksheet": lambda: exports.moodle_worksheet(entries, lesson, listed, said),
        "moodle-csv": lambda: exports.moodle_csv(entries, lesson, listed, said),
        "moodle-xml": lambda: exports.moodle_xml(entries, lesson, assignment, listed, said),
    }[form]()
    put(target, made.text)
    for line in [*(f"Not in the list, and left out: {student!r}." for student in made.missing), *made.notes]:
        click.echo(line, err=True)
    click.echo(f"{plural(made.written, 'score')} in {target}.")


def pairs(called: Sequence[str]) -> dict[str, str]:
    """What --column says: names of columns, and what these are called in a list.

    Raises:
        ArgumentError: It says something else.

    Example:
        >>> pairs(["Grade=Bewertung"])
        {'Grade': 'Bewertung'}
    """
    odd = next((each for each in called if not all(each.partition("="))), None)
    if odd is not None:
        raise ArgumentError(
            f"minitorch-lab export got --column {odd!r}.",
            "It names a column as it is called in English, and then what it is called in the list.",
            "Did you mean something like --column 'Grade=Bewertung'?",
        )
    return {name.strip(): its.strip() for name, _, its in (each.partition("=") for each in called)}


def accounted(graded: Graded, out: Path, level: str) -> int:
    """Say what became of everything that was handed in, and return on how many the grader failed."""
    from .analysis import summary
    from .pages import accounts

    for line in [*accounts(graded.pieces, graded.now), *graded.told]:
        click.echo(line)
    said = summary(graded.entries)
    count = plural(len(graded.entries), "submission")
    click.echo(f"{count}, median {said['median']:.0%}, isolation {level}.")
    click.echo(f"The report is {out / 'report' / 'index.html'}.")
    if failed := int(summary(graded.now)["faults"]):
        have = plural(failed, "submission has", "submissions have")
        click.echo(f"{have} no score: the grader failed. Run this again.", err=True)
    return failed


@click.command()
@click.argument("folder", type=FILE)
@click.argument("assignment")
@click.option("--course", type=FILE, default=Path("course"), show_default=True, help="What release has made.")
@click.option("--lesson", required=True, help="The lesson that the assignment is.")
@click.option("--out", type=FILE, default=Path("results"), show_default=True, help="Where the results go.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="How many at once.")
def nbgrader(folder: Path, assignment: str, course: Path, lesson: str, out: Path, workers: int) -> None:
    """Grade an ASSIGNMENT of the nbgrader course in FOLDER, and write OUT/nbgrader.csv as nbgrader exports grades."""
    from functools import partial

    from .bundle import Course
    from .class_run import grade_class
    from .cluster import local
    from .gradebook import lesson_called
    from .nbgrader import gather, known, nbgrader_csv
    from .put import put
    from .trial import probe

    about, isolation, released = known(folder, assignment), probe(), Course.load(course)
    lesson = lesson_called(lesson, released.lessons)
    with TemporaryDirectory(prefix="nbgrader-") as scratch:
        inputs = [gather(folder, assignment, Path(scratch, "submitted"))]
        graded = grade_class(inputs, released, lesson, out, isolation, partial(local, workers))
    entries = [e for e in graded.entries if e.result.lesson == lesson]
    put(out / "nbgrader.csv", nbgrader_csv(entries, assignment, about))
    failed = accounted(graded, out, isolation.level)
    click.echo(f"The grades are in {out / 'nbgrader.csv'}.")
    sys.exit(1 if failed else 0)
