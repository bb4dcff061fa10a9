"""The teacher's commands: release, grade, report."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from ..core.words import plural
from .course_systems import READ, accounted, export, nbgrader

FILE = click.Path(path_type=Path)


@click.command()
@click.argument("lessons", nargs=-1, required=True)
@click.option("--to", "folder", type=FILE, default=Path("course"), show_default=True, help="The folder of the course.")
@click.option("--name", default="course", show_default=True, help="What the course is called in reports.")
@click.option("--time", default=1.0, show_default=True, help="How many times as long as usual a submission may take.")
@click.option("--trial/--no-trial", default=True, help="Grade the solved lesson and the starter, to try the judge.")
def release(lessons: tuple[str, ...], folder: Path, name: str, time: float, trial: bool) -> None:
    """Make a course of LESSONS: names such as 03_backward (or 03), or folders with a lesson of your own.

    Students get the notebooks in COURSE/lessons; everything else in the folder stays with you.
    """
    from .gradebook import points_of
    from .release import release as make
    from .release import require_fair

    tell = partial(click.echo, err=True)
    tell("Reading the lessons, their judges and solutions, and making the students' package …")
    course = make(lessons, folder, name, time)
    for lesson in course.lessons.values():
        if trial:
            purse = require_fair(course, lesson.name, tell).lessons[lesson.name].purse
            least = min(purse.sure.values())
            told = f"a submission may take {purse.seconds:.1f} s, and each exercise {least:.2g} s or more of that"
            tell(f"{lesson.name}: {told}.")
        click.echo(f"{lesson.name}: {plural(len(lesson.exercises), 'exercise')}, {points_of(lesson.points)}.")
    click.echo(f"Give your students what is in {folder / 'lessons'}, and keep the rest of {folder} to yourself.")


@click.command()
@click.argument("inputs", nargs=-1, required=True, type=FILE)
@click.option("--course", "folder", type=FILE, default=Path("course"), show_default=True, help="What release has made.")
@click.option("--lesson", help="The lesson. Without it, each notebook shows it by its cells.")
@click.option("--out", type=FILE, default=Path("results"), show_default=True, help="Where the results go.")
@click.option("--workers", type=click.IntRange(1), help="How many at once. Without it: one per core.")
@click.option("--scheduler", help="A Dask cluster that runs already: tls://host:8786.")
@click.option("--certificates", nargs=3, metavar="CA CERT KEY", help="The cluster's certificates.")
@click.option("--replace", is_flag=True, help="Give up the results that OUT holds already.")
@click.option("--require-isolation", type=click.Choice(["weak", "strong"]), default="weak", show_default=True)
def grade(inputs: tuple[Path, ...], folder: Path, out: Path, require_isolation: str, **options: Any) -> None:
    """Grade what was handed in: notebooks, folders of them, or archives of folders.

    A run that was stopped goes on where it was when the same command is given again; nothing is graded twice. Results
    that OUT holds already stay there, but for those of the students and lessons that are graded now.
    """
    from .bundle import Course
    from .class_run import grade_class
    from .gradebook import lesson_called
    from .trial import probe

    course, isolation = Course.load(folder), probe(require=require_isolation)
    lesson = lesson_called(options["lesson"] or "", course.lessons) or (
        next(iter(course.lessons)) if len(course.lessons) == 1 else None
    )
    connect = connection(options["workers"], options["scheduler"], options["certificates"])
    graded = grade_class(inputs, course, lesson, out, isolation, connect, anew=options["replace"])
    sys.exit(1 if accounted(graded, out, isolation.level) else 0)


def connection(workers: int | None, scheduler: str | None, certificates: tuple[str, str, str] | None) -> Any:
    """What gives the batch its scheduler."""
    import os

    from ..errors import ArgumentError
    from .cluster import Certificates, joined, local

    if scheduler is None:
        return partial(local, workers or os.cpu_count() or 1)
    if certificates is None:
        raise ArgumentError(
            f"minitorch-lab grade got --scheduler {scheduler} and no certificates.",
            "A cluster is spoken to over TLS, in which both sides show theirs.",
            "Add --certificates ca.pem cert.pem key.pem.",
        )
    return partial(joined, scheduler, Certificates(*certificates))


@click.command()
@click.argument("results", type=FILE)
@click.option("--to", "folder", type=FILE, help="The folder of the pages. Without it: report, beside RESULTS.")
def report(results: Path, folder: Path | None) -> None:
    """Write the pages of a report anew from RESULTS, the results.json of a graded class."""
    from .gradebook import read_pieces
    from .overrides import read_entries
    from .pages import write_report

    course, entries = read_entries(results)
    target = folder or results.parent / "report"
    write_report(course, entries, target, read_pieces(results))
    click.echo(f"The report is {target / 'index.html'}.")


@click.command()
@click.argument("student")
@click.option("--out", type=FILE, default=Path("results"), show_default=True, help="The folder of the results.")
def forget(student: str, out: Path) -> None:
    """Delete what is stored of a STUDENT in a folder of results: tables, pages and the journal."""
    from .forget import forget as delete

    left = delete(student, out)
    click.echo(f"The results of {student!r} are deleted from {out}.")
    for name in left.twins:
        click.echo(f"Still there, and perhaps the same person: {name!r}. To delete them too, name them so.", err=True)
    for name in left.files:
        click.echo(f"Not of the grader, holds the name, and left to you: {out / name}", err=True)


@click.command()
@click.argument("results", type=FILE)
@click.option("--terms", type=READ, required=True, help="TOML: [due], [late] and [extra].")
@click.option("--times", type=READ, required=True, help="CSV: student, lesson, handed_in.")
def settle(results: Path, terms: Path, times: Path) -> None:
    """Apply late days, penalties and extra time to RESULTS, a results.json: settled.csv beside it says what counts."""
    from .overrides import read_entries
    from .put import put
    from .terms import for_results, read_terms, read_times, settled_csv, unmatched, with_names
    from .terms import settle as apply

    _, entries = read_entries(results)
    target, agreed = results.with_name("settled.csv"), for_results(read_terms(terms), entries)
    handed = with_names(entries, read_times(times))
    for line in unmatched(entries, agreed, handed):
        click.echo(line, err=True)
    put(target, settled_csv(apply(entries, agreed, handed)))
    click.echo(f"What counts is in {target}. minitorch-lab export --settled {target} hands it over.")


@click.command()
@click.argument("inputs", nargs=-1, required=True, type=FILE)
@click.option("--course", "folder", type=FILE, default=Path("course"), show_default=True, help="What release has made.")
@click.option("--lesson", required=True, help="The lesson.")
def similar(inputs: tuple[Path, ...], folder: Path, lesson: str) -> None:
    """Name pairs of submissions that are built alike, for you to look at. It changes no points, and writes nothing."""
    from .bundle import Course
    from .class_run import looking, require_lesson
    from .gradebook import lesson_called
    from .inputs import collect
    from .pages import printable
    from .similar import alike, answers_in

    course = Course.load(folder)
    lesson = lesson_called(lesson, course.lessons)
    require_lesson(course, lesson)
    found = collect(inputs, f"{lesson}.ipynb", looking(course, lesson), course.lessons).submissions
    own, given = answers_in({each.student: each.content for each in found}, course.lessons[lesson])
    pairs = alike(own, given)
    for pair in pairs:
        click.echo(f"{pair.share:.0%}  {printable(pair.first)}  {printable(pair.second)}")
    are = plural(len(pairs), "pair is", "pairs are")
    click.echo(f"Of {plural(len(own), 'submission')} {are} built alike. That is a question, and no answer.")


COMMANDS = (release, grade, report, export, nbgrader, forget, settle, similar)
