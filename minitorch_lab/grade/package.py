"""The students' view of the package: what their cells import when they are graded."""

from __future__ import annotations

import compileall
import shutil
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]

# What is not for students' processes. Of the grader, only what runs inside the sandbox is there.
LEFT_OUT = {"cli.py", "notebooks", "judges", "grade", ".ipynb_checkpoints"}
INSIDE = "inside"


def student_package(folder: Path) -> Path:
    """Copy the package into `folder`, without the grader's own side, the command line and the notebooks.

    The modules are compiled, since the sandbox may write nothing there.

    Args:
        folder: A new folder; the package goes into `folder/minitorch_lab`.

    Returns:
        `folder/minitorch_lab`.
    """
    target = folder / HERE.name
    shutil.copytree(HERE, target, ignore=lambda place, names: left_out(Path(place), names))
    (target / "grade").mkdir()
    shutil.copytree(HERE / "grade" / INSIDE, target / "grade" / INSIDE)
    (target / "grade" / "__init__.py").write_text('"""What of the grader runs beside the student\'s cells."""\n')
    compileall.compile_dir(target, quiet=2)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    return target


def left_out(place: Path, names: list[str]) -> set[str]:
    """Return what is not copied: some things at the top. What Python has compiled goes along, and is still good."""
    return LEFT_OUT & set(names) if place == HERE else set()
