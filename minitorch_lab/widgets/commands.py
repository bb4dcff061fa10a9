"""The commands of the views: `minitorch-lab widgets export`."""

from __future__ import annotations

from pathlib import Path

import click

FILE = click.Path(path_type=Path)


@click.group()
def widgets() -> None:
    """Views of recordings, for web pages."""


@widgets.command()
@click.argument("recordings", nargs=-1, type=FILE)
@click.option("--view", "views", multiple=True, help="A view, or tape|memory for both on one scrubber. [default: lab]")
@click.option("-o", "--out", type=FILE, default=Path("page"), show_default=True, help="The folder to write.")
@click.option("--step", type=int, default=0, show_default=True, help="The step to open at, counted from 0.")
def export(recordings: tuple[Path, ...], views: tuple[str, ...], out: Path, step: int) -> None:
    """Write a page of views of RECORDINGS (rec.save(path) makes one), with the parts for pages of your own.

    Repeat --view for several views below each other. Without a recording, a view opens on its worked example.
    """
    from .export import export as write
    from .export import make_view, read_recording

    seen = [read_recording(path) for path in recordings]
    page = write([make_view(name, seen, step) for name in views or ["lab"]], out)
    click.echo(f"Open {page}, or put {out} on any web server.")
