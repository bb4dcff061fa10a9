"""What a sandbox is made of: its folders, its environment, its walls, and the command that starts it."""

from __future__ import annotations

import functools
import json
import math
import os
import shutil
from dataclasses import asdict, dataclass
from typing import Any

from .inside.confine import Walls
from .limits import MIB, Limits
from .start import PACKAGE, full, interpreter

WORKER = "minitorch_lab.grade.inside.worker"
SYSTEM = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime"]
THREADS = 32  # per core: of the graders that start beside this one, for the same user
DEVICES = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"]


@dataclass(frozen=True, slots=True)
class Sandbox:
    """One sandbox, before it is started.

    Args:
        layers: Out of "process", "user", "landlock", "seccomp" and "bubblewrap".
        package: The folder that holds the students' package.
        box: The folder that the submission may write.
        user: The user it becomes, for the layer "user".
        limits: What an exercise may use.
        imports: Statements: what the lesson imports before the students' cells run.
        wanted: Statements: what the students' cells import, behind the walls and once for all exercises.
    """

    layers: tuple[str, ...]
    package: str
    box: str
    user: int
    limits: Limits
    imports: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the sandbox as JSON."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Sandbox:
        """Return the sandbox that a record was made from."""
        layers, imports, wanted = (tuple(record[name]) for name in ("layers", "imports", "wanted"))
        limits = Limits(**record["limits"])
        return cls(layers, record["package"], record["box"], record["user"], limits, imports, wanted)

    def environment(self) -> dict[str, str]:
        """Return the environment of the submission: all of it is here, and nothing of the grader's."""
        one_thread = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")}
        places = dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR", "XDG_CACHE_HOME"), self.box)
        return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", **one_thread, **places}

    def readable(self) -> list[str]:
        """Return what the submission may read: Python, the system's libraries and the students' package."""
        return [*open_to_all(), os.path.realpath(self.package)]

    def hidden(self) -> str:
        """Return the grader's own package, which may lie among what is readable. A trial run has no other."""
        return "" if os.path.realpath(self.package) == str(PACKAGE.parent) else str(PACKAGE)

    def walls(self, others: int) -> Walls:
        """Return the walls to raise inside. `others` is how many threads the same user has elsewhere."""
        limits = self.limits
        read, enter = around(self.readable(), self.hidden())
        inside = ["/proc"] if "bubblewrap" in self.layers else []
        beside = THREADS * (os.cpu_count() or 1)
        return Walls(
            layers=[layer for layer in self.layers if layer != "bubblewrap"],
            user=self.user,
            read=[*read, *DEVICES, *inside],
            write=self.box,
            enter=enter,
            shared="user" not in self.layers and "bubblewrap" not in self.layers,
            seconds=math.ceil(limits.wall) + 5,
            memory=2 * limits.memory + 1024 * MIB,
            disk=limits.disk,
            processes=others + 2 * limits.processes + beside,
        )


@functools.cache
def open_to_all() -> tuple[str, ...]:
    """Return what every submission may read: Python and the system's libraries."""
    return tuple(folder for folder in [*interpreter(), *SYSTEM] if os.path.exists(folder))


def command(sandbox: Sandbox, walls: Walls) -> list[str]:
    """Return the command that starts a sandbox."""
    given = json.dumps({"walls": asdict(walls), "imports": sandbox.imports, "wanted": sandbox.wanted})
    worker = [*full(WORKER, os.path.realpath(sandbox.package)), given]
    return [*bubble(sandbox), *worker] if "bubblewrap" in sandbox.layers else worker


def bubble(sandbox: Sandbox) -> list[str]:
    """Return the bubblewrap command: new namespaces, and a file system that holds what is readable and the box."""
    namespaces = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    if os.getuid() != 0:
        namespaces.append("--unshare-user")
    bound = [["--ro-bind", folder, folder] for folder in sorted(sandbox.readable())]
    bound += [["--bind", sandbox.box, sandbox.box]]
    made = [["--perms", "0755", "--dir", folder] for folder in folders_above(place[1] for place in bound)]
    hidden = ["--tmpfs", sandbox.hidden()] if around(sandbox.readable(), sandbox.hidden())[1] else []
    last = [*hidden, "--remount-ro", "/", "--chdir", sandbox.box]
    flat = [word for words in [*made, *bound] for word in words]
    system = ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    return [find_bubblewrap(), *namespaces, "--die-with-parent", "--new-session", *system, *flat, *last, "--"]


def around(folders: list[str], hidden: str) -> tuple[list[str], list[str]]:
    """Return what is in folders but not in a hidden one, and the folders on the way to that.

    The grader's own package may lie among the installed ones. Students have theirs, without judges.

    Example:
        >>> around(["/opt/python", "/usr"], "/srv/lab/minitorch_lab")
        (['/opt/python', '/usr'], [])
    """
    seen: list[str] = []
    way: list[str] = []
    waiting = folders[::-1]
    while waiting:
        folder = waiting.pop()
        if hidden.startswith(folder.rstrip("/") + "/"):
            way.append(folder)
            waiting += [os.path.join(folder, name) for name in sorted(os.listdir(folder), reverse=True)]
        elif folder != hidden:
            seen.append(folder)
    return seen, way


def find_bubblewrap() -> str:
    """Return the path of bubblewrap, or its bare name when it is not installed."""
    return shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin") or "bwrap"


def folders_above(paths: Any) -> list[str]:
    """Return the folders on the way to paths, from the top down, without those that the system's own paths are."""
    above = {folder for path in paths for folder in ancestors(path)}
    return sorted(above - set(SYSTEM), key=len)


def ancestors(path: str) -> list[str]:
    """Return the folders above a path, without the root.

    Example:
        >>> ancestors("/opt/python/lib")
        ['/opt/python', '/opt']
    """
    above = os.path.dirname(path)
    return [] if above in ("/", "") else [above, *ancestors(above)]
