"""Today's code beside another revision's, row by row: `python -m bench.paired REVISION [ROW ...]`.

A process for each of the two runs our program of every row; they take turns in short rounds, on one core, and the ratio
is taken within a round. The interval says where the median of the ratios lies with 95 % confidence (a bootstrap over
rounds). `REVISION` beside itself says what this machine cannot tell apart.
"""

from __future__ import annotations

from bench import one_thread  # first

# isort: split
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

HERE = Path(__file__).parent.parent
ROUNDS, WARM_UP, PROCESSES = 41, 5, 41
ROUND = 8e-3  # seconds that one turn is timed for, if its calls are shorter
BAR = 1.03
START = "from bench.paired import answer; answer()"
FRESH = {
    "import minitorch_lab": "import minitorch_lab",
    "compile the MLP step, cold": """
import tempfile
from bench import compile_time
with tempfile.TemporaryDirectory() as folder:
    print(compile_time.first_steps("ours, loaded, cold", folder))
""",
}  # what a fresh process does in each turn
HEAD = "| work | before | after | after ÷ before | 95 % of the median | bar | |\n|---|--:|--:|--:|--:|--:|---|"


def answer() -> None:
    """Be one of the two processes: for each row that is asked for, the seconds of a call in this turn."""
    one_thread.pin()
    from bench import compiled, eager

    programs = {row.work: next(iter(row.programs.values())) for row in (*eager.rows(), *compiled.rows())}
    print(json.dumps(list(programs)), flush=True)
    ready = dict[str, tuple[Callable[[], Any], int]]()
    for line in sys.stdin:
        name = json.loads(line)
        if name not in ready:
            ready = {name: prepared(programs[name]())}
        print(json.dumps(timed(*ready[name])), flush=True)


def prepared(program: Callable[[], Any]) -> tuple[Callable[[], Any], int]:
    """A program that has run, and how many calls a turn has."""
    for _ in range(3):
        program()
    start = perf_counter()
    program()
    return program, max(1, round(ROUND / max(perf_counter() - start, 1e-9)))


def timed(program: Callable[[], Any], calls: int) -> float:
    """Seconds of a call. As many go before, until the data are in the caches; no garbage is collected meanwhile."""
    gc.collect()
    gc.disable()
    start = 0.0
    for _ in range(2):
        start = perf_counter()
        for _ in range(calls):
            program()
    gc.enable()
    return (perf_counter() - start) / calls


@contextmanager
def trees(revision: str) -> Generator[dict[str, dict[str, str]]]:
    """The environments in which `minitorch_lab` is that of the revision, and that of the working tree."""
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder, "old")
        subprocess.run(["git", "worktree", "add", "-q", "--detach", old, revision], cwd=HERE, check=True)
        found = dict[str, dict[str, str]]()
        for name, tree in (("before", old), ("after", HERE)):
            (place := Path(folder, name)).mkdir()
            (place / "minitorch_lab").symlink_to(tree / "minitorch_lab", target_is_directory=True)
            found[name] = os.environ | {"PYTHONPATH": f"{place}{os.pathsep}{HERE}", "PYTHONSAFEPATH": "1",
                                        "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{folder}/code {name}",
                                        "MINITORCH_LAB_CACHE": f"{folder}/cache of {name}"}  # fmt: skip
        try:
            yield found
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", old], cwd=HERE, check=True)


class Side:
    """One of the two processes."""

    def __init__(self, environment: dict[str, str]) -> None:
        pipe = subprocess.PIPE
        python = [sys.executable, "-c", START]
        self.process = subprocess.Popen(python, env=environment, stdin=pipe, stdout=pipe, text=True)
        self.names: list[str] = self.read()

    def read(self) -> Any:
        """What it says next."""
        assert self.process.stdout is not None
        if not (line := self.process.stdout.readline()):
            raise RuntimeError("a side of the comparison ended; its error stands above")
        return json.loads(line)

    def ask(self, name: str) -> float:
        """Seconds of a call of this row."""
        assert self.process.stdin is not None
        print(json.dumps(name), file=self.process.stdin, flush=True)
        return self.read()

    def close(self) -> None:
        """End it."""
        self.process.communicate()


def in_turn(before: Callable[[], float], after: Callable[[], float], rounds: int, warm_up: int) -> Any:
    """The seconds of both in every round, as [rounds, 2]; odd rounds begin with the other."""
    found = list[tuple[float, float]]()
    for k in range(warm_up + rounds):
        if k % 2:
            late = after()
            found.append((before(), late))
        else:
            found.append((before(), after()))
    return np.asarray(found[warm_up:])


def interval(ratios: Any) -> tuple[float, float]:
    """Where the median lies with 95 % confidence: a bootstrap of 10,000 (Efron, 1979)."""
    drawn = np.random.default_rng(0).choice(ratios, (10_000, len(ratios)))
    low, high = np.quantile(np.median(drawn, 1), (0.025, 0.975))
    return float(low), float(high)


def line(work: str, seconds: Any) -> str:
    """A line of the table."""
    from minitorch_lab.costmodel.measure import format_time

    ratios = seconds[:, 1] / seconds[:, 0]
    low, high = interval(ratios)
    before, after = (format_time(float(s)) for s in np.median(seconds, 0))
    verdict = "held" if high <= BAR else "**slower**" if low > BAR else "not told apart"
    return f"| {work} | {before} | {after} | {np.median(ratios):.3f} | {low:.3f} – {high:.3f} | {BAR} | {verdict} |"


def fresh(environment: dict[str, str], program: str) -> float:
    """Seconds that a fresh process prints, or those of its whole life."""
    start = perf_counter()
    done = subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout) if done.stdout else perf_counter() - start


def processes(sides: dict[str, dict[str, str]], wanted: list[str]) -> Iterator[str]:
    """The rows of which each turn is a process of its own."""
    for work, program in FRESH.items():
        if not wanted or work in wanted:
            before, after = (lambda s=side, p=program: fresh(s, p) for side in sides.values())
            yield line(work, in_turn(before, after, PROCESSES, 1))


def lines(revision: str, wanted: list[str]) -> Iterator[str]:
    """The table."""
    with trees(revision) as sides:
        yield HEAD
        yield from processes(sides, wanted)
        before, after = (Side(environment) for environment in sides.values())
        for name in before.names:
            if not wanted or name in wanted:
                yield line(name, in_turn(lambda n=name: before.ask(n), lambda n=name: after.ask(n), ROUNDS, WARM_UP))
        before.close(), after.close()


if __name__ == "__main__":
    one_thread.pin()
    for text in lines(sys.argv[1], sys.argv[2:]):
        print(text, flush=True)
