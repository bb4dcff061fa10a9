"""What Sphinx reads, put together in one folder: the pages of book/, the lessons as they ran, and what is generated."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import plotly

from minitorch_lab.widgets.page import asset

from . import coming, gallery, lessons, mini, reference, run, systems


def assemble(root: Path, place: Path, jobs: int) -> None:
    """Write `place / "source"`, and beside it `static`: the renderer and plotly, for the site."""
    source = place / "source"
    shutil.rmtree(source, ignore_errors=True)
    skipped = shutil.ignore_patterns("*.py", "making", "pictures", "_static", "_templates", "__pycache__", ".*")
    shutil.copytree(root / "book", source, ignore=skipped)
    names = sorted((root / "notebooks").glob("[0-9]*.ipynb"))
    ran = run.executed(names, root, place / "executed", jobs)
    for name, notebook in ran.items():
        write(source / "lessons" / f"{name}.ipynb", nbformat.writes(lessons.lesson_page(notebook, name)))
    for name, text in reference.reference_pages().items():
        write(source / "reference" / name, text)
    write(source / "_front.md", gallery.front())
    write(source / "views.md", gallery.gallery())
    write(source / "systems.md", systems.page(root))
    write(source / "coming.md", coming.page())
    for name, text in systems.code_pages(root).items():
        write(source / "code" / name, text)
    for name, text in mini.mini_pages(root).items():
        write(source / name, text)
    for name in ("minitorch-view.js", "minitorch-view.mjs"):
        write(place / "static" / name, asset(name))
    shutil.copy(Path(plotly.__file__).parent / "package_data" / "plotly.min.js", place / "static")


def write(path: Path, text: str) -> None:
    """Write a file, and its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
