"""The keeper: a trusted process between the judge and the sandbox. It starts the sandbox, watches it, and ends it.

The judge speaks to it over a socket, in lines of JSON: {"do": "open"} gives two pipes to a fresh process for one
exercise; {"do": "spent"} says how long its processes have run, and waited for a processor; {"do": "allow"} says for how
long they may run from now on; {"do": "interrupt"} does what Jupyter's Interrupt does; {"do": "close"} ends that process
with everything it started, and says what limit was hit. When the judge goes, the socket closes and the keeper ends
everything.
"""

from __future__ import annotations

import json
import math
import os
import resource
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil

from .box import empty, used
from .inside.confine import Walls
from .prctl import adopt_orphans, keep_to_itself
from .processes import Tree, cpu_of, memory_of, stopped, threads_of, threads_of_user, waited_of
from .sandbox import Sandbox, command

TICK, IDLE = 0.04, 0.5  # seconds between two looks at the tree, and without an exercise
START, FORK = 30.0, 10.0  # seconds that the sandbox may take to be ready, and to fork a process
SIPS = 16  # reads of what is printed between two looks at everything else; a pipe holds one or two
MUCH = 1 / 8  # of the memory there is, above what was held at the start: it is told of who is stopped for time
KEPT = 2000  # bytes of what the sandbox prints, for the words of a fault


def main() -> None:
    """Serve the judge, whose socket is standard input."""
    grader = os.getppid()
    adopt_orphans()
    keep_to_itself()
    for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(each, signal.SIG_IGN)  # the judge's going ends it, and it has to clean up first
    limit = 4096
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    judge = socket.socket(fileno=os.dup(0))
    Keeper(judge, Sandbox.from_record(json.loads(sys.argv[1])), grader).serve()
    if os.getppid() != grader:  # the grader was killed: nobody else will clean up
        for folder in map(Path, sys.argv[2:]):
            empty(folder)
            folder.rmdir()


class Keeper:
    """Keeps one sandbox at a time, with one exercise at a time in it, as long as the judge and the grader live."""

    def __init__(self, judge: socket.socket, sandbox: Sandbox, grader: int) -> None:
        self.judge, self.sandbox, self.limits, self.grader = judge, sandbox, sandbox.limits, grader
        self.tree = Tree()
        self.process: subprocess.Popen[bytes] | None = None
        self.own: set[psutil.Process] = set()  # the processes of the sandbox itself, which no student started
        self.nursery: socket.socket | None = None
        self.limit: str | None = None
        self.printed, self.tail = 0, b""
        self.busy = False
        self.allowed = math.inf  # seconds of processors, for all processes of the exercise together
        self.held, self.grown = 0, False  # bytes before the student's cells, and whether it was much more at the end

    def serve(self) -> None:
        """Answer the judge, and look after the sandbox in between."""
        try:
            self.start()
            while os.getppid() == self.grader:
                for source in self.ready():
                    if source is self.judge and not self.answer():
                        return
                    if source is not self.judge:
                        self.drain()
                if self.busy:
                    self.watch()
        finally:
            self.stop()

    def ready(self) -> list[Any]:
        """Wait for the judge, for something printed, or for the next look at the tree."""
        sources: list[Any] = [self.judge]
        if self.process is not None and self.process.stdout is not None:
            sources.append(self.process.stdout)
        return select.select(sources, [], [], TICK if self.busy else IDLE)[0]

    def answer(self) -> bool:
        """Do what the judge asks. False when it has gone."""
        said = self.judge.recv(1 << 16)
        if not said:
            return False
        doing = {"open": self.open, "spent": self.tell_spent, "allow": self.allow}
        doing |= {"interrupt": self.interrupt, "close": self.close}
        question = json.loads(said)
        doing[question.pop("do")](**question)
        return True

    # ---- the sandbox ------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the sandbox, and wait until it is ready for exercises."""
        self.tail = b""
        mine, theirs = socket.socketpair()
        start = command(self.sandbox, self.walls())
        self.sandbox = replace(self.sandbox, wanted=())  # only once: an import may have ended the sandbox
        self.process = subprocess.Popen(
            start,
            env=self.sandbox.environment(),
            stdin=theirs.fileno(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        theirs.close()
        self.nursery = mine
        if select.select([mine], [], [], START)[0] and mine.recv(1) == b"r":
            self.own = set(self.tree.alive())
            return
        self.drain()
        self.stop()

    def walls(self) -> Walls:
        """Return the walls of this sandbox. The kernel counts a user's processes; others of the same user count too."""
        apart = "user" in self.sandbox.layers
        others = 0 if apart else threads_of_user(os.getuid())
        return self.sandbox.walls(others)

    def stop(self) -> None:
        """End the sandbox and everything in it."""
        self.tree.end()
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()
        if self.nursery is not None:
            self.nursery.close()
        self.process, self.nursery, self.own = None, None, set()

    # ---- an exercise ------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Give the judge two pipes to a fresh process."""
        if self.nursery is None or not self.own <= self.tree.alive() or any(map(stopped, self.own)):
            self.stop()
            self.start()
        pipes = self.fork() or self.again()
        if pipes is None:
            text = self.tail.decode("utf-8", "replace")
            self.judge.send(json.dumps({"fault": f"the sandbox did not start: {text}"}).encode())
            return
        self.limit, self.printed, self.busy, self.allowed = None, 0, True, math.inf
        self.held, self.grown = self.limits.memory, False
        socket.send_fds(self.judge, [b"{}"], pipes)
        for pipe in pipes:
            os.close(pipe)

    def fork(self) -> list[int] | None:
        """Have the nursery fork a process, and return the judge's pipes to it; None when the nursery does not."""
        if self.nursery is None:
            return None
        asked, asks = os.pipe()
        answers, answered = os.pipe()
        try:
            socket.send_fds(self.nursery, [b"o"], [asked, answered])
            forked = bool(select.select([self.nursery], [], [], FORK)[0]) and self.nursery.recv(1) == b"f"
        except OSError:
            forked = False
        for pipe in (asked, answered) if forked else (asked, answered, asks, answers):
            os.close(pipe)
        return [asks, answers] if forked else None

    def again(self) -> list[int] | None:
        """The same, in a new sandbox: a submission may have stopped the nursery, or ended it."""
        self.stop()
        self.start()
        return self.fork()

    def tell_spent(self) -> None:
        """Tell the judge what the exercise's processes have had of the processors."""
        processes = self.tree.alive() - self.own
        spent = {"cpu": cpu_of(processes), "waited": waited_of(processes)}
        self.judge.send(json.dumps(spent).encode())

    def allow(self, seconds: float) -> None:
        """Take note of how long the exercise's processes may run from now on, all together."""
        processes = self.tree.alive() - self.own
        self.allowed, self.held = cpu_of(processes) + seconds, memory_of(processes, 0)
        self.judge.send(b"{}")

    def interrupt(self) -> None:
        """Interrupt the exercise's cells, as in Jupyter: their process goes on, and what it has made stays."""
        sandbox = {process.pid for process in self.own}
        with suppress(psutil.Error, ValueError):  # of those below the sandbox the first is the exercise's own
            first = min((each for each in self.tree.alive() - self.own if each.ppid() in sandbox), key=by_age)
            first.send_signal(signal.SIGINT)
        self.judge.send(json.dumps({"limit": self.late(self.tree.alive() - self.own)}).encode())

    def late(self, processes: Iterable[psutil.Process]) -> str:
        """What is said when the time is over: that it is, or that much memory had been taken by then."""
        self.grown = memory_of(processes, 0) > self.held + MUCH * self.limits.memory
        return "grown" if self.grown else "time"

    def close(self) -> None:
        """End what the exercise left, and tell the judge which limit was hit. The sandbox stays when all is well."""
        if self.busy and self.limit is None:
            self.watch()
            self.late(self.tree.alive() - self.own)
        self.end()
        self.printed = 0
        self.drain()
        empty(Path(self.sandbox.box))
        self.busy = False
        self.judge.send(json.dumps({"limit": self.limit, "grown": self.grown}).encode())

    def end(self) -> None:
        """End what the exercise has started. The sandbox stays, for it takes a while to start, unless that fails."""
        if not self.tree.end(self.own, seconds=0.5):
            self.stop()

    def watch(self) -> None:
        """Look at what the exercise uses, and end it when it is too much."""
        processes = self.tree.alive() - self.own
        files, size = used(Path(self.sandbox.box), self.limits.files, self.limits.disk)
        over = {
            "processes": threads_of(processes) > self.limits.processes,
            "memory": memory_of(processes, self.limits.memory) > self.limits.memory,
            "files": files > self.limits.files or size > self.limits.disk,
            "output": self.printed > self.limits.output,
            "time": cpu_of(processes) > self.allowed,
        }
        if self.limit is None and any(over.values()):
            name = next(name for name, is_over in over.items() if is_over)
            self.limit = self.late(processes) if name == "time" else name
            self.end()

    def drain(self) -> None:
        """Read what was printed, count it, and keep its end."""
        stream = None if self.process is None else self.process.stdout
        for _ in range(SIPS):
            if stream is None or not select.select([stream], [], [], 0)[0]:
                return
            part = os.read(stream.fileno(), 1 << 16)
            self.printed += len(part)
            self.tail = (self.tail + part)[-KEPT:]
            if not part:
                stream.close()
                if self.process is not None:
                    self.process.stdout = None
                return


def by_age(process: psutil.Process) -> tuple[float, int]:
    """What is less for the older of two processes."""
    return process.create_time(), process.pid
