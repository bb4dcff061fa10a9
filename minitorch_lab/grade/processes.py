"""The process tree of a sandbox: who is in it, what it uses, and how it is ended."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import psutil

DIE_WITH_PARENT, BECOME_SUBREAPER = 1, 36


def adopt_orphans() -> None:
    """Make processes that lose their parent this process's own children, so that none leaves the tree (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(BECOME_SUBREAPER, 1, 0, 0, 0)


def die_with_parent() -> None:
    """Have this process killed when its parent ends (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


class Tree:
    """Every process that ever stood below this one, and is still there."""

    def __init__(self) -> None:
        self.me = psutil.Process()
        self.seen: set[psutil.Process] = set()

    def alive(self) -> set[psutil.Process]:
        """Return the processes of the tree. One that was in it once stays in it, wherever it went."""
        bury_the_dead()
        with suppress(psutil.Error):
            self.seen |= set(self.me.children(recursive=True))
        self.seen = {process for process in self.seen if running(process)}
        return self.seen

    def end(self, spared: Iterable[psutil.Process] = (), seconds: float = 2.0) -> bool:
        """End every process but those spared, and say whether none is left.

        All are stopped first: what is stopped starts nothing more.
        """
        spared, until = set(spared), time.monotonic() + seconds
        while left := self.alive() - spared:
            for process in left:
                with suppress(psutil.Error):
                    process.suspend()
            for process in left:
                with suppress(psutil.Error):
                    process.kill()
            if time.monotonic() > until:
                return False
            time.sleep(0.002)
        return True


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


def free_user(first: int = 20_000, last: int = 60_000) -> int:
    """Return a user id that no process of this machine has, to be a submission's own.

    Each submission has another one: it can neither signal its neighbours nor use up their share of processes.
    """
    taken: set[int] = set()
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            taken.add(process.uids().real)
    start = int.from_bytes(os.urandom(4), "big") % (last - first)
    ids = (first + (start + step) % (last - first) for step in range(last - first))
    return next(each for each in ids if each not in taken)
