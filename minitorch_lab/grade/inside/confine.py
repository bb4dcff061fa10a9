"""The walls around a student's process, raised from inside it before any of the student's code runs."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass

from . import landlock, seccomp
from .mounts import open_way

DIE_WITH_PARENT, BE_DUMPABLE = 1, 4


@dataclass(frozen=True, slots=True)
class Walls:
    """What the process keeps.

    Args:
        layers: Out of "process", "user", "landlock" and "seccomp"; those that are named are raised.
        user: The id of the user to become, for the layer "user".
        read: The folders and files that it may read.
        write: The folder that it may write.
        enter: The folders of which it may see the names in them, and nothing else.
        shared: Whether files outside are in sight that belong to the same user.
        seconds: Of processor time, for each of its processes.
        memory: Bytes of address space, for each.
        disk: Bytes in one file.
        processes: Of this user, at once, this process and the rest of the user's included.
    """

    layers: list[str]
    user: int
    read: list[str]
    write: str
    enter: list[str]
    shared: bool
    seconds: int
    memory: int
    disk: int
    processes: int


def confine(walls: Walls) -> None:
    """Raise the walls, in the order in which each can still be raised.

    Raises:
        OSError: A layer that was asked for cannot be had here.
    """
    volunteer_to_be_killed()
    lower_limits(walls)
    if "user" in walls.layers:
        open_way([*walls.read, walls.write])
        become(walls.user)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        ctypes.CDLL(None).prctl(BE_DUMPABLE, 0, 0, 0, 0)  # no other process of this user may look into its memory
        landlock.keep_privileges()
    os.chdir(walls.write)
    if "landlock" in walls.layers:
        landlock.restrict(walls.read, [walls.write], walls.enter)
    if "seccomp" in walls.layers:
        seccomp.restrict(walls.shared)


def volunteer_to_be_killed() -> None:
    """Should the machine run out of memory, the kernel ends this process first."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def lower_limits(walls: Walls) -> None:
    """Set the limits that the kernel keeps for each process."""
    import resource  # only here: Windows does not have it, and says so in words

    wanted = {
        resource.RLIMIT_AS: walls.memory,
        resource.RLIMIT_CPU: walls.seconds,
        resource.RLIMIT_FSIZE: walls.disk,
        resource.RLIMIT_NPROC: walls.processes,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in wanted.items():
        _, most = resource.getrlimit(limit)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        with suppress(ValueError, OSError):  # macOS refuses some; the watcher counts them all the same
            resource.setrlimit(limit, (value, value))


def become(user: int) -> None:
    """Stop being root, for good."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
