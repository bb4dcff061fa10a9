"""The commands of a course: release, check, grade, report."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

FILE = click.Path(path_type=Path)


def register(group: click.Group) -> None:
    """Add the commands to the command line."""
    for command in (release, check, grade, report):
        group.add_command(command)


@click.command()
@click.argument("lessons", nargs=-1, required=True)
@click.option("--to", "folder", type=FILE, default=Path("course"), show_default=True, help="The folder of the course.")
@click.option("--name", default="course", show_default=True, help="What the course is called in reports.")
@click.option("--trial/--no-trial", default=True, help="Grade the solved lesson and the starter, to try the judge.")
def release(lessons: tuple[str, ...], folder: Path, name: str, trial: bool) -> None:
    """Make a course of LESSONS: names such as 03_backward (or 03), or folders with a lesson of your own.

    Students get the notebooks in COURSE/lessons; everything else in the folder stays with you.
    """
    from .release import release as make
    from .release import require_fair

    tell = partial(click.echo, err=True)
    tell("Reading the lessons, their judges and solutions, and making the students' package …")
    course = make(lessons, folder, name)
    for lesson in course.lessons.values():
        if trial:
            require_fair(course, lesson.name, tell)
        click.echo(f"{lesson.name}: {len(lesson.exercises)} exercises, {lesson.points:g} points.")
    click.echo(f"Give your students what is in {folder / 'lessons'}, and keep the rest of {folder} to yourself.")


@click.command()
@click.argument("notebook", type=FILE)
def check(notebook: Path) -> None:
    """Run a NOTEBOOK of the course as a student would, and say which exercises are done.

    It runs your own cells on your own machine, with pytest --nbval-lax.
    """
    from .selfcheck import self_check

    told = self_check(notebook)
    for line in told:
        click.echo(f"{'done   ' if line.good else 'not yet'}  {line.cell}")
        if line.said:
            click.echo(f"         {line.said}")
    sys.exit(0 if all(line.good for line in told) else 1)


@click.command()
@click.argument("inputs", nargs=-1, required=True, type=FILE)
@click.option("--course", "folder", type=FILE, default=Path("course"), show_default=True, help="What release has made.")
@click.option("--lesson", help="The lesson. Without it, each notebook shows it by its cells.")
@click.option("--out", type=FILE, default=Path("results"), show_default=True, help="Where the results go.")
@click.option("--workers", type=click.IntRange(1), help="How many at once. Without it: one per core.")
@click.option("--scheduler", help="A Dask cluster that runs already: tls://host:8786.")
@click.option("--certificates", nargs=3, metavar="CA CERT KEY", help="The cluster's certificates.")
@click.option("--require-isolation", type=click.Choice(["weak", "strong"]), default="weak", show_default=True)
def grade(inputs: tuple[Path, ...], folder: Path, out: Path, require_isolation: str, **options: Any) -> None:
    """Grade what was handed in: notebooks, folders of them, or archives of folders.

    A run that was stopped goes on where it was when the same command is given again; nothing is graded twice.
    """
    from . import Course, probe
    from .analysis import summary
    from .class_run import grade_class
    from .gradebook import read_pieces
    from .pages import accounts

    course, isolation = Course.load(folder), probe(require=require_isolation)
    lesson = options["lesson"] or (next(iter(course.lessons)) if len(course.lessons) == 1 else None)
    connect = connection(options["workers"], options["scheduler"], options["certificates"])
    entries = grade_class(inputs, course, lesson, out, isolation, connect)
    said = summary(entries)
    for line in accounts(read_pieces(out / "results.json"), entries):
        click.echo(line)
    click.echo(f"{said['submissions']} submissions, median {said['median']:.0%}, isolation {isolation.level}.")
    click.echo(f"The report is {out / 'report' / 'index.html'}.")
    if said["faults"]:
        click.echo(f"{said['faults']} have no score: the grader failed on them. Run this again.", err=True)
        sys.exit(1)


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
    from .gradebook import read_pieces, read_results
    from .pages import write_report

    course, entries = read_results(results)
    target = folder or results.parent / "report"
    write_report(course, entries, target, read_pieces(results))
    click.echo(f"The report is {target / 'index.html'}.")
