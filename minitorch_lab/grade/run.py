"""One run of a judge: the keeper with its sandbox, nbval with its kernel, and the pipes between them."""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

import psutil

from ..errors import ArgumentError
from . import box
from .bundle import Course, Lesson
from .extract import Submitted
from .imported import wanted
from .judge_source import imports_in, source_of
from .processes import free_user
from .result import Isolation
from .sandbox import Sandbox
from .start import PACKAGE, PIPES, site_folders, thin

ROOM, FILES = 4, 10_000  # times what an exercise may write, and files, that must be free on the disk of the boxes
BUSY = 3  # times: on a machine that is busy with something else
LAST_WORDS = 20.0  # seconds between the end of the kernel and that of pytest
START, REST = 40.0, 20.0  # seconds: for two kernels' start on a busy machine, and for the judge's own work


@dataclass
class Run:
    """What came out of a run.

    Args:
        verdicts: What the judge's kernel said, in order.
        cells: For each code cell of the judge whether nbval passed it.
        ended: Whether pytest came to its end.
        words: What pytest said of the last cell that failed, for the teacher.
    """

    verdicts: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    cells: dict[int, bool] = field(default_factory=dict[int, bool])
    ended: bool = False
    words: str = ""

    @property
    def broken(self) -> bool:
        """Whether the grader broke: the judge did not begin, pytest did not end, or an exercise could not be begun."""
        begun = any("begun" in verdict for verdict in self.verdicts)
        return not begun or not self.ended or any("fault" in verdict for verdict in self.verdicts)


@dataclass(frozen=True, slots=True)
class Place:
    """The folders of a run: the judge's home, and the submission's box, which is its user's."""

    home: Path
    box: Path
    user: int


@contextmanager
def place(isolation: Isolation) -> Generator[Place]:
    """Make the folders of a run, and take them away."""
    apart = "user" in isolation.layers
    with free_user() if apart else nullcontext(os.getuid()) as user, ExitStack() as stack:
        home = Path(tempfile.mkdtemp(prefix="judge-"))
        stack.callback(shutil.rmtree, home, ignore_errors=True)
        inside = Path(tempfile.mkdtemp(prefix="box-"))
        stack.callback(box.remove, inside)
        if apart:
            os.chown(inside, user, user)
        yield Place(home, inside.resolve(), user)


@contextmanager
def keeper(sandbox: Sandbox, place: Place) -> Generator[socket.socket]:
    """Start a keeper, give its socket, and end it: it ends everything in the sandbox before it goes."""
    mine, theirs = socket.socketpair()
    folders = [str(place.box), str(place.home)]
    command = [*thin("minitorch_lab.grade.keeper"), json.dumps(sandbox.record()), *folders]
    env, null = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}, subprocess.DEVNULL
    with theirs:
        process = subprocess.Popen(command, stdin=theirs.fileno(), stdout=null, env=env, start_new_session=True)
    try:
        yield mine
    finally:
        mine.close()
        end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Give a keeper the time to clean up; should it be stuck, end it and everything below it."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)
    end_tree(process)


def end_tree(process: subprocess.Popen[bytes]) -> None:
    """End a process and everything below it."""
    with suppress(psutil.Error):
        for each in psutil.Process(process.pid).children(recursive=True):
            with suppress(psutil.Error):
                each.kill()
    process.kill()
    process.wait()


def run_judge(course: Course, submitted: Submitted, key: bytes, isolation: Isolation) -> Run:
    """Run a lesson's judge on the cells of a submission.

    Args:
        course: The course.
        submitted: The lesson, and the cells.
        key: What the judge's drawn numbers are derived from.
        isolation: The layers of the sandbox.
    """
    lesson = submitted.lesson
    with ExitStack() as stack:
        here = stack.enter_context(place(isolation))
        require_room(here.box, ROOM * lesson.limits.disk)
        given = job_of(submitted, key)
        imports = imports_in(source for cells in given["setup"].values() for _, source in cells)
        folders = (str(course.package), str(here.box))
        ready = wanted_by(submitted)
        sandbox = Sandbox(isolation.layers, *folders, here.user, lesson.limits, imports, ready)
        kept = stack.enter_context(keeper(sandbox, here))
        job = stack.enter_context(tempfile.TemporaryFile())
        job.write(json.dumps(given).encode())
        job.seek(0)
        shutil.copyfile(lesson.judge_path, here.home / "judge.ipynb")
        return follow(lesson, here.home, kept, job)


def wanted_by(submitted: Submitted) -> tuple[str, ...]:
    """What the cells of a submission import, and what is to be ready for them."""
    answers = {source: None for each in submitted.cells.values() for _, source in each or ()}
    others = [each for each in submitted.sources if each not in answers and not submitted.is_handed_out(each)]
    return wanted([*answers], others)


def require_room(folder: Path, need: int) -> None:
    """Refuse to run an honest program on a disk that is full: it would fail, and be nobody's fault but this machine's.

    Raises:
        ArgumentError: There is too little room, or too few files may be made.
    """
    about = os.statvfs(folder)
    if about.f_bavail * about.f_frsize < need or (about.f_files > 0 and about.f_favail < FILES):
        raise ArgumentError(
            f"The disk of {folder.parent} has less than {need >> 20} MiB or {FILES:,} files left.",
            "An honest submission could fail on it, and that would not be the student's fault.",
            "Make room there, or set TMPDIR to a folder on another disk.",
        )


def job_of(submitted: Submitted, key: bytes) -> dict[str, Any]:
    """Return what the judge's kernel is told."""
    sources = {cell["id"]: source_of(cell) for cell in submitted.lesson.notebook["cells"] if "id" in cell}
    exercises = submitted.lesson.exercises
    setup = {
        each.name: [*((name, sources[name]) for name in each.setup), *[("context", each.context)][: bool(each.context)]]
        for each in exercises
    }
    limits = asdict(submitted.lesson.limits)
    purse = submitted.lesson.purse
    return {
        "key": key.hex(),
        "cells": submitted.cells,
        "setup": setup,
        "others": {each.name: submitted.others_of(each.name) for each in exercises},
        "limits": limits,
        "seconds": purse.seconds,
        "sure": purse.sure,
    }


def follow(lesson: Lesson, home: Path, kept: socket.socket, job: IO[bytes]) -> Run:
    """Start nbval, and read what it and the judge say until both have ended."""
    heard, verdicts = os.pipe()
    seen, outcomes = os.pipe()
    inherited = [job.fileno(), kept.fileno(), verdicts]
    seconds = BUSY * (START + REST + lesson.limits.wall * len(lesson.exercises))
    notebook = str(home / "judge.ipynb")
    given = {"notebook": notebook, "inherited": inherited, "outcomes": outcomes, "seconds": seconds}
    command = [*thin("minitorch_lab.grade.nbval_run"), json.dumps(given)]
    null = subprocess.DEVNULL
    env = environment(home) | {PIPES: " ".join(map(str, inherited))}
    process = subprocess.Popen(
        command,
        cwd=home,
        env=env,
        pass_fds=(*inherited, outcomes),
        stdin=null,
        stdout=null,
        stderr=null,
        start_new_session=True,
    )
    os.close(verdicts)
    os.close(outcomes)
    try:
        return told(heard, seen, time.monotonic() + seconds)
    finally:
        end_tree(process)
        os.close(heard)
        os.close(seen)


def environment(home: Path) -> dict[str, str]:
    """Return the environment of nbval and the judge's kernel: a home of their own, and no plugins."""
    folders = {"HOME": "", "IPYTHONDIR": "ipython", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data"}
    folders |= {"JUPYTER_RUNTIME_DIR": "runtime", "TMPDIR": ""}
    found = os.pathsep.join([str(PACKAGE.parent), *site_folders()])
    python = {"PYTHONPATH": found, "PYTHONSAFEPATH": "1", "PYTHONNOUSERSITE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "OPENBLAS_NUM_THREADS": "1", "LANG": "C.UTF-8"}
    return {"PATH": "/usr/bin:/bin", **{name: str(home / at) for name, at in folders.items()}, **python, **alone}


def told(heard: int, seen: int, until: float) -> Run:
    """Read both pipes until they close, or the time is over. nbval does not notice when its kernel dies; this does."""
    texts = {heard: b"", seen: b""}
    waiting = {heard, seen}
    while waiting and time.monotonic() < until:
        for pipe in select.select(list(waiting), [], [], 0.5)[0]:
            part = os.read(pipe, 1 << 16)
            texts[pipe] += part
            if not part:
                waiting.discard(pipe)
                until = min(until, time.monotonic() + LAST_WORDS)
    run = Run(verdicts=lines_of(texts[heard]))
    for line in lines_of(texts[seen]):
        if "end" in line:
            run.ended = True
        else:
            run.cells[line["cell"]] = line["passed"] and run.cells.get(line["cell"], True)
            run.words = run.words if line["passed"] else line["words"]
    return run


def lines_of(text: bytes) -> list[dict[str, Any]]:
    """Return the whole lines of a pipe, as JSON."""
    return [json.loads(line) for line in text.split(b"\n")[:-1]]
