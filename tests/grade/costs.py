"""`python -m tests.grade.costs [LESSON …]` grades the costliest submissions, each beside the honest one.

Every exercise of a lesson is answered in the same hostile way. What is compared is the time of all processors, which
a busy machine does not change, and the time that passes, which it does.
"""

from __future__ import annotations

import ast
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from minitorch_lab.grade import Course, Isolation, Result, grade_one, probe
from minitorch_lab.grade.release import judged_lessons, release, require_fair
from tests.grade.answers import Answers, hand_in, right

MOST, MOST_MIB = 3.0, 300  # times the honest one, and MiB of the judge's kernel
KERNEL = "minitorch_lab.grade.kernel_run"


def beside(text: str) -> Callable[[str], str]:
    """A way to answer: the solution, and something after it in the cell."""
    return lambda solved: f"{solved}\n{text}\n"


def inside(text: str) -> Callable[[str], str]:
    """A way to answer: every function and method does this instead, and cells without any do it themselves."""

    def changed(solved: str) -> str:
        tree = ast.parse(solved)
        found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name != "__init__"]
        for node in found:
            node.body = ast.parse(text).body
        return ast.unparse(tree) if found else f"{solved}\nclass _Empty: pass\ndef _work():\n    {text.splitlines()[0]}"

    return changed


HOSTILE: dict[str, Callable[[str], str]] = {
    "loops in the cell": beside("while True: pass"),
    "loops in every function": inside("while True: pass"),
    "loops in every function, deaf": inside("while True:\n    try:\n        while True: pass\n    except: pass"),
    "sleeps": inside("import time\ntime.sleep(1000)"),
    "allocates": beside("hold = []\nwhile True: hold.append(b'x' * (1 << 24))"),
    "prints": beside("while True: print('x' * 1000)"),
    "recursion": inside("def down(n): return down(n + 1) + 1\ndown(0)"),
    "recursion without end": beside(
        "import sys\nsys.setrecursionlimit(10**9)\ndef down(n): return down(n + 1) + 1\ndown(0)"
    ),
    "large answers": inside("return [0.5] * 300_000"),
    "deep answers": inside("found = []\nfor _ in range(5000): found = [found]\nreturn found"),
    "forks that work": beside(
        "import os\nfor _ in range(20):\n    if os.fork() == 0:\n        while True: pass\nwhile True: pass"
    ),
    "ends its parent": beside("import os\nos.kill(os.getppid(), 9)"),
}


@dataclass(frozen=True)
class Cost:
    """What a grading took: seconds of processors, seconds that passed, and MiB of the judge's kernel."""

    cpu: float
    wall: float
    mib: int
    result: Result


class Watch(threading.Thread):
    """Looks at the memory of the judges' kernels that run below this process."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most, self.over = 0, threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.03):
            for process in psutil.Process().children(recursive=True):
                with suppress(psutil.Error):
                    if any(KERNEL in word for word in process.cmdline()):
                        self.most = max(self.most, process.memory_info().rss)


def cost(course: Course, name: str, path: Path, isolation: Isolation) -> Cost:
    """Grade a submission, and say what it took."""
    before, start, watch = sum(os.times()[2:4]), time.monotonic(), Watch()
    watch.start()
    result = grade_one(path, course, lesson=name, isolation=isolation)
    watch.over.set()
    return Cost(sum(os.times()[2:4]) - before, time.monotonic() - start, watch.most >> 20, result)


@contextmanager
def released(names: Sequence[str]) -> Generator[tuple[Course, Path]]:
    """A course as `release` makes it, with what its solved lessons took, and a folder beside it."""
    with tempfile.TemporaryDirectory(prefix="costs-") as place:
        Path(place).chmod(0o755)
        course = release(names, Path(place, "course"))
        for name in names:
            course = require_fair(course, name)
        yield course, Path(place)


def answered(name: str, how: Callable[[str], str]) -> Answers:
    """The answers to a lesson, all in one way."""
    return {cell: how(source) for cell, source in right(name).items()}


def main(asked: Sequence[str]) -> int:
    """Print the table, and return 1 if something cost more than it may."""
    names = [name for name in judged_lessons() if not asked or {name, name[:2]} & {*asked}]
    isolation, over = probe(), 0
    with released(names) as (course, place):
        for name in names:
            honest = cost(course, name, hand_in(name, right(name), place / "honest.ipynb"), isolation)
            times = course.lessons[name].times
            assert times
            sure = {each: round(seconds, 2) for each, seconds in times.purse.sure.items()}
            took = f"{honest.cpu:.2f} s of processors, {honest.wall:.2f} s, {honest.mib} MiB"
            print(f"{name}: honest {took}", flush=True)
            print(f"  a purse of {times.purse.seconds:.2f} s: {sure}", flush=True)
            for kind, how in HOSTILE.items():
                path = hand_in(name, answered(name, how), place / "hostile.ipynb")
                found = cost(course, name, path, isolation)
                limits = sorted({str(each.limit) for each in found.result.exercises})
                ratio = found.cpu / honest.cpu
                over += ratio > MOST or found.mib > MOST_MIB
                told = f"{ratio:.2f} of processors, {found.wall / honest.wall:.2f} passed, {found.mib} MiB"
                print(f"  {kind:32} {told}  {found.result.status} {found.result.score} {limits}", flush=True)
    print(f"{over} cost more than {MOST:g} times the honest one, or {MOST_MIB} MiB in the judge")
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
