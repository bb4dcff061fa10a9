"""Runs a command as an ordinary user, when this one is root: `python -m tests.grade.adversary.ordinary -m module …`."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

from minitorch_lab.grade.inside.confine import become
from minitorch_lab.grade.inside.mounts import open_way
from minitorch_lab.grade.processes import free_user
from minitorch_lab.grade.start import interpreter

REPOSITORY = Path(__file__).resolve().parents[3]


def main() -> None:
    """Become a user that this machine does not have, with a home of its own, and run Python."""
    with free_user(first=61_000, last=64_000) as user, tempfile.TemporaryDirectory(prefix="ordinary-") as home:
        os.chown(home, user, user)
        child = os.fork()
        if child == 0:
            run_as(user, home)
        _, status = os.waitpid(child, 0)
    sys.exit(os.waitstatus_to_exitcode(status))


def run_as(user: int, home: str) -> NoReturn:
    """Become another user, and run Python with this process's arguments."""
    open_way([*interpreter(), str(REPOSITORY)])
    become(user)
    keep = {name: os.environ[name] for name in ("OPENBLAS_NUM_THREADS", "PYTHONPATH") if name in os.environ}
    env = {"HOME": home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", **keep}
    os.chdir(REPOSITORY)
    os.execve(sys.executable, [sys.executable, *sys.argv[1:]], env)


if __name__ == "__main__":
    main()
