"""A way to the interpreter for a process that is about to stop being root.

Root's Python may lie under a folder that nobody else may enter (a home, often). In a mount namespace of its own, the
process covers that folder with an empty one that all may enter, and binds into it just what it reads.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

from .landlock import checked, library

NEW_NAMESPACE = 0x20000
NO_SETUID, NO_DEVICES, BIND, RECURSIVE, PRIVATE = 2, 4, 4096, 16384, 1 << 18
ENTER = 0o001


def closed_above(path: str) -> Path | None:
    """Return the topmost folder on the way to `path` that others may not enter."""
    above = list(Path(path).parents)[::-1]
    return next((folder for folder in above if not folder.stat().st_mode & ENTER), None)


def open_way(paths: Iterable[str]) -> None:
    """Let everybody reach `paths` in this process and its children; nothing changes for other processes.

    Raises:
        OSError: The process may not make a mount namespace.
    """
    covered: dict[Path, list[str]] = {}
    for path in paths:
        folder = closed_above(path) if os.path.exists(path) else None
        if folder is not None:
            covered.setdefault(folder, []).append(path)
    if not covered or sys.platform != "linux":
        return
    checked(library().unshare(NEW_NAMESPACE))
    mount("none", "/", None, RECURSIVE | PRIVATE)
    for folder, inside in covered.items():
        held = {path: os.open(path, os.O_PATH) for path in inside}
        mount("tmpfs", str(folder), "tmpfs", NO_SETUID | NO_DEVICES, "mode=755,size=1m")
        for path, descriptor in sorted(held.items()):
            make_like(descriptor, path)
            mount(f"/proc/self/fd/{descriptor}", path, None, BIND | RECURSIVE)
            os.close(descriptor)


def make_like(descriptor: int, path: str) -> None:
    """Make a folder or an empty file for what a descriptor stands for to be mounted on: it must be of the same kind."""
    is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
    os.makedirs(path if is_folder else os.path.dirname(path), exist_ok=True)
    if not is_folder:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))


def mount(source: str, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    """Call the kernel's mount."""
    texts = [None if text is None else os.fsencode(text) for text in (source, target, kind, options)]
    checked(library().mount(*texts[:3], ctypes.c_ulong(flags), texts[3]))
