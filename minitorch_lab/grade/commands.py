"""The commands of a course: the student's `check`, and the teacher's, which are there when the teacher's part is."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .installed import require_teacher, taught

FILE = click.Path(path_type=Path)
TEACHING = ("release", "grade", "report", "export", "nbgrader", "forget", "settle", "similar")  # of teaching.py


def register(group: click.Group) -> None:
    """Add the commands to the command line."""
    group.add_command(check)
    if taught():
        from .teaching import COMMANDS

        teaching = list(COMMANDS)
    else:
        teaching = [missing(name) for name in TEACHING]
    for command in teaching:
        group.add_command(command)


def missing(name: str) -> click.Command:
    """A command of the teacher's where their part is not installed: it says what to install."""

    @click.command(name, context_settings={"ignore_unknown_options": True, "help_option_names": []})
    @click.argument("words", nargs=-1, type=click.UNPROCESSED)
    def command(words: tuple[str, ...]) -> None:
        require_teacher(f"minitorch-lab {name}")

    command.help = "Of the teacher's part: pip install 'minitorch-lab[teacher]'."
    return command


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
