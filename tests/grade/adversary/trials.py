"""The lesson in which the cases are tried: eight of them in one submission, each followed by an honest exercise."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from minitorch_lab.grade import Course, Isolation, LessonFiles, Limits, Result, grade_one
from tests.grade.adversary.case import RIGHT, Case
from tests.grade.notebooks import code, notebook, write

SLOTS = 8
CANARIES = ("canary-3f9c", "canary3f9c")  # stand in the judge, the solution and the environment; must never come out
MIB = 1 << 20
LIMITS = Limits(
    wall=2.0, call=1.2, memory=256 * MIB, processes=32, output=MIB // 4, files=200, disk=16 * MIB, message=8 * MIB
)

HEAD = """
import time

import numpy as np

from minitorch_lab.grade.judge import check, close, draw, submission

HIDDEN = "canary-3f9c"
"""
TRIAL = """
start = time.monotonic()
s, rng = submission("aN"), draw("aN")

with check("drawn numbers", points=2, hint="Three times the square."):
    x = rng.normal(size=(2, 4))
    assert close(s.f(x), 3 * x**2), HIDDEN

with check("one number", points=1, hint="Three times the square of 2 is 12."):
    assert s.f(2.0) == 12.0, HIDDEN

with check("on the tape", points=1, hint="It takes tensors, too."):
    t = s.ml.tensor(x, requires_grad=True)
    s.f(t).sum().backward()
    assert close(t.grad.numpy(), 6 * x), HIDDEN

with check("nothing was found", points=1, hint="-"):
    assert "loot" not in s.names() or s.loot == [], HIDDEN
"""
AFTER = """
s, rng = submission("hN"), draw("hN")

with check("in time", points=1, hint="-"):
    assert time.monotonic() - start <= WALL + 3, HIDDEN

with check("drawn numbers", points=1, hint="Three times the square."):
    x = rng.normal(size=(2, 4))
    assert close(s.f(x), 3 * x**2), HIDDEN
"""
IMPORTS = code("imports", "import numpy as np\n\nimport minitorch_lab as ml")
ANSWER = ("drawn numbers", "one number", "on the tape")


def judge() -> dict[str, Any]:
    """The judge of the trials."""
    pairs = [(TRIAL.replace("N", str(n)), AFTER.replace("hN", f"h{n}")) for n in range(SLOTS)]
    sources = [HEAD, *(part for pair in pairs for part in pair)]
    found = [source.strip().replace("WALL", str(LIMITS.wall)) for source in sources]
    return notebook(*(code(f"judge-{n}", source) for n, source in enumerate(found)))


def submission(cells: dict[int, str]) -> dict[str, Any]:
    """A submission with these cells in its slots, and honest answers everywhere else."""
    answers = [code(f"a{n}-exercise", cells.get(n, RIGHT)) for n in range(SLOTS)]
    return notebook(IMPORTS, *answers, *(code(f"h{n}-exercise", RIGHT) for n in range(SLOTS)))


@dataclass
class World:
    """What the cases are let loose upon."""

    folder: Path
    course: Course
    home: Path
    grader: subprocess.Popen[bytes]
    port: int
    mark: str

    def knows(self) -> str:
        """The first line of every hostile cell: a student who knows where everything is."""
        told = {
            "COURSE": str(self.course.path),
            "SECRET": str(self.course.path / "secret"),
            "JUDGE": str(self.course.path / "judges" / "trials.ipynb"),
            "HOME": str(self.home),
            "GRADER": self.grader.pid,
            "PORT": self.port,
            "MARK": self.mark,
        }
        return "; ".join(f"{name} = {value!r}" for name, value in told.items()) + "\n"

    def outside(self) -> dict[str, Any]:
        """Every file that a submission must not change, and every file that bears its mark."""
        found: dict[str, Any] = {}
        for top in (self.course.path, self.home):
            for path in [top, *top.rglob("*")]:
                about = path.lstat()
                found[str(path)] = (about.st_mode, about.st_uid, about.st_size, about.st_mtime_ns, xattrs(path))
        with suppress(psutil.Error):
            found["the grader's priority"] = psutil.Process(self.grader.pid).nice()
        places = ["/tmp", "/var/tmp", "/dev/shm", sys.prefix, *(p for p in sys.path if p.endswith("-packages"))]
        for place in filter(os.path.isdir, places):
            found |= {entry: None for entry in os.listdir(place) if self.mark in entry}
        return found

    def left(self) -> list[str]:
        """The processes and folders that submissions have left, after at most two seconds."""
        until = time.monotonic() + 2
        while True:
            found = [*processes_of(self.folder), *self.folder.glob("box-*"), *self.folder.glob("judge-*")]
            if not found or time.monotonic() > until:
                return [str(each) for each in found]
            time.sleep(0.05)


def xattrs(path: Path) -> list[str]:
    """The names of a file's extended attributes."""
    return os.listxattr(path, follow_symlinks=False) if sys.platform == "linux" else []


def processes_of(folder: Path) -> Iterator[str]:
    """The processes of graders and sandboxes whose homes and boxes are in a folder.

    Those that keep to themselves show their environment to root alone, and their command to everybody.
    """
    for process in psutil.process_iter():
        try:
            words = process.cmdline()
            if any(f"{folder}/{kind}-" in word for kind in ("box", "judge") for word in words) or in_environment(
                process, folder
            ):
                yield f"{process.pid} {words}"
        except psutil.Error:
            continue


def in_environment(process: psutil.Process, folder: Path) -> bool:
    """Whether a process has its home in a folder, as far as that can be seen."""
    with suppress(psutil.AccessDenied):
        return process.environ().get("HOME", "").startswith(f"{folder}/")
    return False


@contextmanager
def world() -> Iterator[World]:
    """Make a world, and end it."""
    folder = Path(tempfile.mkdtemp(prefix="trials-"))
    folder.chmod(0o755)
    home = folder / "home"
    home.mkdir(mode=0o700)
    (home / "neighbour.ipynb").write_text("canary-3f9c")
    files = [write(folder / f"{name}.ipynb", book) for name, book in books().items()]
    course = Course.create(folder / "course", "trials", {"trials": LessonFiles(*files)}, LIMITS)
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    server = socket.create_server(("127.0.0.1", 0))
    command = [sys.executable, "-ISc", "input()"]
    grader = subprocess.Popen(command, stdin=subprocess.PIPE, env={"CANARY": CANARIES[0], "HOME": "-"})
    os.environ["CANARY"] = CANARIES[0]
    try:
        yield World(folder, course, home, grader, server.getsockname()[1], f"mark{secrets.token_hex(4)}")
    finally:
        del os.environ["CANARY"]
        tempfile.tempdir = before
        server.close()
        grader.kill()
        grader.communicate()
        subprocess.run(["rm", "-rf", str(folder)], check=False)


def books() -> dict[str, dict[str, Any]]:
    """The three notebooks of the lesson: what students get, the judge, the solution."""
    starter = submission(dict.fromkeys(range(SLOTS), "def f(x):\n    ..."))
    return {"lesson": starter, "judge": judge(), "solved": submission({0: f"{RIGHT}\n# {CANARIES[0]}"})}


def tried(world: World, group: list[Case], isolation: Isolation) -> Result:
    """Grade a submission that holds a group of cases."""
    cells = {n: f"{world.knows()}EXERCISE = 'a{n}'\n{case.source}" for n, case in enumerate(group)}
    return grade_one(write(world.folder / "tried.ipynb", submission(cells)), world.course, isolation=isolation)


def verdicts(result: Result, exercise: str) -> dict[str, str]:
    """The verdicts on an exercise, by the titles of its checks."""
    found = next(each for each in result.exercises if each.name == exercise)
    return {check.title: check.verdict for check in found.checks}


def limit(result: Result, exercise: str) -> str | None:
    """The limit that an exercise hit."""
    return next(each.limit for each in result.exercises if each.name == exercise)


def complaints(case: Case, slot: int, result: Result, strong: bool) -> list[str]:
    """What went otherwise than it must in one slot."""
    found: list[str] = []
    if result.status != "graded":
        return [f"{case.name}: {result.status}: {result.fault}"]
    mine, after = verdicts(result, f"a{slot}"), verdicts(result, f"h{slot}")
    answers = {mine[title] for title in ANSWER}
    if case.earns == "all" and answers != {"passed"}:
        found.append(f"a false zero: {mine}, {limit(result, f'a{slot}')}")
    if case.earns == "none" and "passed" in answers:
        found.append(f"forged: {mine}")
    hit = limit(result, f"a{slot}")
    if case.limit and ("time" if hit == "grown" else hit) not in case.limit:  # it is over, while memory was filled
        found.append(f"the limit was {limit(result, f'a{slot}')}, and not one of {case.limit}")
    if case.family == "reading" and strong and mine["nothing was found"] != "passed" and case.earns == "all":
        found.append("something was found")
    if set(after.values()) != {"passed"}:
        found.append(f"the honest exercise after it: {after}, {limit(result, f'h{slot}')}")
    return [f"{case.name}: {each}" for each in found]


def leaks(result: Result, strong: bool) -> list[str]:
    """The canaries in what students see; in a strong isolation, in what the teacher sees too."""
    texts = [json.dumps(result.feedback())] + ([json.dumps(result.record())] if strong else [])
    return [canary for canary in CANARIES for text in texts if canary in text]
