"""A grader that is killed leaves no process and no folder behind."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from minitorch_lab.grade import Limits, probe
from tests.grade.adversary.trials import processes_of
from tests.grade.course import answered, small_course
from tests.grade.notebooks import write

LINGERING = "import os, time\nfor _ in range(3):\n    if os.fork() == 0: os.setsid()\ntime.sleep(1000)"
GRADER = """
import sys, tempfile
from minitorch_lab.grade import Isolation, grade_one
folder, course, submission, *layers = sys.argv[1:]
tempfile.tempdir = folder
grade_one(submission, course, isolation=Isolation("weak", tuple(layers)))
"""


def waited(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether `condition()` becomes true in time."""
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.05)
    return condition()


def test_a_grader_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    course = small_course(tmp_path, Limits(wall=200.0))
    submission = write(tmp_path / "submission.ipynb", answered(softmax=LINGERING))
    folder = tmp_path / "runs"
    folder.mkdir()
    told = [str(folder), str(course.path), str(submission), *probe().layers]
    grader = subprocess.Popen([sys.executable, "-c", GRADER, *told])
    assert waited(lambda: len(list(processes_of(folder))) > 6, 60)
    assert list(folder.iterdir()) != []
    grader.kill()
    grader.wait()
    assert waited(lambda: not list(processes_of(folder)) and not list(folder.iterdir()), 20)
