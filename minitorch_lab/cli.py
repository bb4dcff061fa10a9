"""The `minitorch-lab` command: one small group, one function per command."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click

from .core.words import plural
from .errors import ArgumentError, MinitorchError
from .grade.commands import register
from .widgets.commands import widgets

HERE = Path(__file__).resolve().parent
FIRST_LESSON = "00_tour.ipynb"


def main() -> None:
    """Run the command line, and show our own errors as their sentences, without a traceback."""
    try:
        commands()
    except MinitorchError as error:
        sys.exit(str(error))


@click.group(name="minitorch-lab", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="minitorch-lab", message="%(prog)s %(version)s")
def commands() -> None:
    """A small PyTorch that shows its work."""


register(commands)
commands.add_command(widgets)


@commands.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path("minitorch-lab-course"))
@click.option("--no-browser", is_flag=True, help="Serve the course without opening a browser.")
@click.option("--port", type=click.IntRange(1, 65535), help="Serve on this port. Without it: the first free one.")
def lab(folder: Path, no_browser: bool, port: int | None) -> None:
    """Copy the course into FOLDER (./minitorch-lab-course) and open it in JupyterLab.

    Files that are in FOLDER already are left as they are: a second run adds only the lessons that are missing.
    """
    require_jupyterlab()
    if port is not None:
        require_free_port(port)
    added = copy_course(course(), folder)
    click.echo(f"The course is in {folder} ({plural(added, 'new file')}; what was there is as you left it).")
    browser = ["--no-browser"] if no_browser else []
    fixed = [] if port is None else [f"--port={port}", "--ServerApp.port_retries=0"]
    serve(folder, [*browser, *fixed])


def course() -> Path:
    """Return the folder of the lessons: inside the installed package, or beside it in a git checkout."""
    packed = HERE / "notebooks"
    return packed if packed.exists() else HERE.parent / "notebooks"


def copy_course(source: Path, folder: Path) -> int:
    """Copy every file of the course that `folder` does not have yet, and overwrite none.

    Args:
        source: The folder of the lessons as they were shipped.
        folder: The reader's folder: missing, empty, or a course that was opened before.

    Returns:
        How many files were added.

    Raises:
        ArgumentError: `folder` is a file, or holds other things and no lesson.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     lessons, mine = Path(place, "lessons"), Path(place, "mine")
        ...     lessons.mkdir()
        ...     _ = (lessons / "00_tour.ipynb").write_text("the lesson")
        ...     copy_course(lessons, mine), copy_course(lessons, mine)
        (1, 0)
    """
    require_course_folder(source, folder)
    missing = [name for name in files(source) if not (folder / name).exists()]
    for name in missing:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, folder / name)
    return len(missing)


def files(source: Path) -> Iterator[Path]:
    """Yield the files of the course, relative to its folder, without what Jupyter and Python leave behind."""
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source)
        if path.is_file() and not {".ipynb_checkpoints", "__pycache__"} & set(name.parts):
            yield name


def require_course_folder(source: Path, folder: Path) -> None:
    """Refuse a place where the course would mix with files that are not its own."""
    if folder.is_file():
        raise ArgumentError(
            f"minitorch-lab lab got {folder}, which is a file.",
            "The course is copied into a folder.",
            f"Did you mean minitorch-lab lab {folder.with_suffix('')}-course?",
        )
    others = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    if others and not any((folder / name).exists() for name in files(source)):
        shown = ", ".join(others[:3]) + (", …" if len(others) > 3 else "")
        raise ArgumentError(
            f"minitorch-lab lab got {folder}, which holds other files ({shown}) and no lesson.",
            "The course goes into a new folder, an empty one, or one that it is in already.",
            f"Did you mean minitorch-lab lab {folder / 'minitorch-lab-course'}?",
        )


def require_jupyterlab() -> None:
    """Refuse to start without JupyterLab, which is an extra of this package."""
    if find_spec("jupyterlab") is None:
        raise ArgumentError(
            "minitorch-lab lab needs JupyterLab, which is not installed here.",
            "It comes with the extra named lab.",
            "Run pip install 'minitorch-lab[lab]' first.",
        )


def require_free_port(port: int) -> None:
    """Refuse a port that another program has, or that we may not have."""
    with socket.socket() as probe:
        if os.name == "posix":  # a port that was closed a moment ago is free, and Jupyter takes it
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as cause:
            raise ArgumentError(
                f"minitorch-lab lab got --port {port}, which is not free ({cause.strerror}).",
                "A port serves one program at a time, and those under 1024 belong to the administrator.",
                "Leave --port out, and the first free port is taken.",
            ) from cause


def serve(folder: Path, options: list[str]) -> None:
    """Run JupyterLab in `folder`, open at the first lesson, until it is stopped."""
    from jupyterlab.labapp import main as jupyterlab  # only here: it takes a second to import

    # The matrices of the lessons are small: a second BLAS thread gains nothing, and on a busy machine the two wait.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Our defaults for this run (no news, no request to the outside); the reader's own settings win over them.
    paths = [os.environ.get("JUPYTER_CONFIG_PATH", ""), str(HERE / "widgets" / "jupyter")]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, paths))
    here = [f"--ServerApp.root_dir={folder.resolve()}", f"--LabApp.default_url=/lab/tree/{FIRST_LESSON}"]
    as_root = ["--allow-root"] if os.name == "posix" and os.geteuid() == 0 else []
    jupyterlab([*here, *as_root, *options])
