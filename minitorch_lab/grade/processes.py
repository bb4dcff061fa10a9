"""The process tree of a sandbox: who is in it, what it uses, and how it is ended."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from ..errors import ArgumentError


class Tree:
    """Every process that ever stood below this one, and is still there."""

    def __init__(self) -> None:
        self.me = psutil.Process()
        self.seen: set[psutil.Process] = set()

    def alive(self) -> set[psutil.Process]:
        """Return the processes of the tree. One that was in it once stays in it, wherever it went."""
        bury_the_dead()
        known = {process.pid for process in self.seen}
        for pid in below(self.me) - known:
            with suppress(psutil.Error):
                self.seen.add(psutil.Process(pid))
        self.seen = {process for process in self.seen if running(process)}
        return self.seen

    def end(self, spared: Iterable[psutil.Process] = (), seconds: float = 2.0) -> bool:
        """End every process but those spared, and say whether none is left.

        All are stopped first: what is stopped starts nothing more. Two looks must find none: while processes die, the
        kernel may leave out one of their siblings.
        """
        spared, until, calm = set(spared), time.monotonic() + seconds, 0
        while calm < 2:
            left = self.alive() - spared
            calm = 0 if left else calm + 1
            for process in left:
                with suppress(psutil.Error):
                    process.suspend()
            for process in left:
                with suppress(psutil.Error):
                    process.kill()
            if left and time.monotonic() > until:
                return False
            time.sleep(0.002 if left else 0)
        return True


def below(process: psutil.Process) -> set[int]:
    """Return the numbers of all processes below one.

    Linux lists the children of each thread, where it was built to; elsewhere all processes are looked at.
    """
    if not Path(f"/proc/{process.pid}/task/{process.pid}/children").exists():
        with suppress(psutil.Error):
            return {child.pid for child in process.children(recursive=True)}
        return set()
    found: set[int] = set()
    waiting = [process.pid]
    while waiting:
        new = set(children_of(waiting.pop())) - found
        found |= new
        waiting += new
    return found


def children_of(pid: int) -> Iterator[int]:
    """Yield the numbers of the processes that the threads of a process have started, and that are still there."""
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                yield from map(int, file.read().split())


def running(process: psutil.Process) -> bool:
    """Say whether a process runs, and is neither dead nor another one with the same number."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def stopped(process: psutil.Process) -> bool:
    """Say whether a process was stopped by a signal, and waits for another."""
    try:
        return process.status() == psutil.STATUS_STOPPED
    except psutil.Error:
        return False


def bury_the_dead() -> None:
    """Take note of the children that have ended, so that they leave the process table."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def memory_of(processes: Iterable[psutil.Process], most: int) -> int:
    """Return the bytes of memory that processes use. Shared pages are counted once, where that decides."""
    resident = sum(resident_of(process) for process in processes)
    return resident if resident <= most else sum(proportional_of(process) for process in processes)


def resident_of(process: psutil.Process) -> int:
    """Return the bytes that a process has in memory."""
    try:
        return process.memory_info().rss
    except psutil.Error:
        return 0


def proportional_of(process: psutil.Process) -> int:
    """Return the same with each shared page divided among those who share it, on Linux."""
    try:
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return resident_of(process)


def cpu_of(processes: Iterable[psutil.Process]) -> float:
    """Return the seconds of processor time that processes, and those of their children that have ended, have used."""
    total = 0.0
    for process in processes:
        with suppress(psutil.Error):
            total += sum(process.cpu_times()[:4])
    return total


def waited_of(processes: Iterable[psutil.Process]) -> float:
    """Return the seconds for which processes were ready to run and had no processor, for want of others' leave.

    That is the longest of their threads' waits, by how many of them waited as long: who starts a hundred that want to
    run waits for itself. Linux tells it; elsewhere it is 0.
    """
    waits: list[float] = []
    for process in processes:
        with suppress(OSError, IndexError, ValueError):
            for thread in os.listdir(f"/proc/{process.pid}/task"):
                with open(f"/proc/{process.pid}/task/{thread}/schedstat", "rb") as file:
                    waits.append(int(file.read().split()[1]) / 1e9)
    return own_share(waits)


def own_share(waits: Sequence[float]) -> float:
    """Return the longest of several waits, divided by how many there are of that size: (Σw)² / Σw².

    Example:
        >>> own_share([]), own_share([3.0, 0.0, 0.0]), own_share([3.0, 3.0, 3.0])
        (0.0, 3.0, 1.0)
    """
    return max(waits) * sum(w * w for w in waits) / sum(waits) ** 2 if any(waits) else 0.0


def threads_of(processes: Iterable[psutil.Process]) -> int:
    """Return how many threads processes have together; each has at least one."""
    total = 0
    for process in processes:
        try:
            total += process.num_threads()
        except psutil.Error:
            total += 1
    return total


def threads_of_user(user: int) -> int:
    """Return how many threads a user's processes have on this machine: the kernel counts them against a limit."""
    mine: list[psutil.Process] = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.uids().real == user:
                mine.append(process)
    return threads_of(mine)


@contextmanager
def free_user(first: int = 20_000, last: int = 60_000) -> Generator[int]:
    """Give a user id that no process of this machine has, to be a submission's own, and hold it.

    Each submission has another one: it can neither signal its neighbours nor use up their share of processes. Two
    graders never hold the same: each id has a name in the kernel's table of sockets, which one process may have.
    """
    taken: set[int] = set()
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            taken.add(process.uids().real)
    start = int.from_bytes(os.urandom(4), "big") % (last - first)
    ids = (first + (start + step) % (last - first) for step in range(last - first))
    with socket.socket(socket.AF_UNIX) as held:
        user = next((each for each in ids if each not in taken and bound(held, each)), None)
        if user is None:
            raise ArgumentError(
                f"A submission found no user of its own among {first} to {last - 1}.",
                "As root, each submission runs as a user that nobody else is.",
                "Grade as an ordinary user, or with fewer workers.",
            )
        yield user


def bound(held: socket.socket, user: int) -> bool:
    """Whether a user id is now ours. Only root asks, and on Linux; elsewhere the draw alone has to do."""
    try:
        held.bind(f"\0minitorch-lab user {user}" if sys.platform == "linux" else "")
    except OSError:
        return sys.platform != "linux"
    return True
