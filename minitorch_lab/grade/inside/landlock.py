"""Landlock: a Linux process gives up, for itself and its children, all files but those it names.

With it go the network by TCP (from ABI 4), and signals and abstract sockets to whatever stands outside (from ABI 6).
Source: the kernel's documentation, "Landlock: unprivileged access control".
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Sequence

CREATE, ADD, RESTRICT = 444, 445, 446  # the same numbers on every architecture
VERSION, BENEATH = 1, 1
NO_NEW_PRIVILEGES = 38

EXECUTE, WRITE, READ, LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REFER, TRUNCATE, DEVICES = 1 << 13, 1 << 14, 1 << 15
FIRST = (1 << 13) - 1  # what the first ABI knows
TCP, SCOPE = 0b11, 0b11


def abi() -> int:
    """Return the version of Landlock that this kernel has, 0 for none."""
    if sys.platform != "linux":
        return 0
    return max(0, library().syscall(CREATE, None, ctypes.c_size_t(0), VERSION))


def library() -> ctypes.CDLL:
    """Return the C library."""
    return ctypes.CDLL(None, use_errno=True)


def handled(version: int) -> int:
    """Return the accesses to files that this version can refuse."""
    later = ((2, REFER), (3, TRUNCATE), (5, DEVICES))
    return FIRST | sum(access for since, access in later if version >= since)


def restrict(read: Sequence[str], write: Sequence[str], enter: Sequence[str]) -> None:
    """Leave this process only `read`, to read and run, `write`, for everything, and the names below `enter`.

    Raises:
        OSError: The kernel has no Landlock, or refuses.
    """
    version = abi()
    files = handled(version)
    network, scope = (TCP if version >= 4 else 0), (SCOPE if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = checked(library().syscall(CREATE, struct.pack("QQQ", files, network, scope), ctypes.c_size_t(size), 0))
    for paths, access in ((read, EXECUTE | READ | LIST), (write, files), (enter, LIST)):
        for path in paths:
            allow(rules, path, access & files)
    keep_privileges()
    checked(library().syscall(RESTRICT, rules, 0))
    os.close(rules)


def keep_privileges() -> None:
    """Have no program that this process runs give it more rights than it has: no sudo, and no file of root's."""
    checked(library().prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0))


def allow(rules: int, path: str, access: int) -> None:
    """Add one path to the rules. A file takes only the accesses that a file can have."""
    if not os.path.exists(path):
        return
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    if not os.path.isdir(path):
        access &= EXECUTE | WRITE | READ | TRUNCATE | DEVICES
    checked(library().syscall(ADD, rules, BENEATH, struct.pack("=Qi", access, place), 0))
    os.close(place)


def checked(answer: int) -> int:
    """Return what a call of the kernel gave, unless it is an error."""
    if answer < 0:
        raise os_error()
    return answer


def os_error() -> OSError:
    """Return the error that the last call left."""
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
