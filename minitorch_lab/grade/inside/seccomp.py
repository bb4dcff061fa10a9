"""seccomp: a Linux process gives up, for itself and its children, calls of the kernel that a notebook cell never needs.

What is refused: other processes' memory, limits and scheduling; signals that the kernel sends in one's name; mounts and
namespaces; every new socket (pairs of them stay); memory that no limit counts; and the kernel's larger doors.
Changes of a file's mode, owner, times or attributes are pretended where Landlock alone stands before the user's other
files: it does not know these calls. The filter is a small program in classic BPF.
Source: the kernel's documentation, "Seccomp BPF".
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys
from dataclasses import dataclass

from .landlock import abi, checked, keep_privileges, library

LOAD, EQUAL, ANY_BIT, AT_LEAST, RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
ALLOW, REFUSE, PRETEND = 0x7FFF0000, 0x00050000, 0x00050000  # an error of 0 is a success in which nothing was done
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
FILTER, ALL_THREADS = 1, 1
NAMESPACES = 0x7E020000  # the flags of clone that make one

REFUSED_NAMES = """
ptrace process_vm_readv process_vm_writev mount umount2 unshare setns pivot_root chroot keyctl add_key
request_key bpf perf_event_open userfaultfd kexec_load kexec_file_load open_by_handle_at name_to_handle_at memfd_create
shmget msgget semget mq_open socket init_module finit_module delete_module swapon reboot settimeofday clock_settime
adjtimex syslog acct quotactl personality fanotify_init kcmp migrate_pages move_pages ioprio_set
inotify_add_watch"""
REFUSED = REFUSED_NAMES.split()
NEWER = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 440, 442, 447, 448]  # the same on every architecture
SIGNALS = ["kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"]
SEND_BY_DESCRIPTOR, CLONE3 = 424, 435
# Calls that may be made of oneself (0) and of nobody else, and the arguments that say of whom.
SCHEDULING = ["sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"]
OF_ONESELF = [("prlimit64", 0), *((name, 0) for name in SCHEDULING), ("setpriority", 0), ("setpriority", 1)]
# What fcntl and ioctl may not be asked for: signals to another when a file is ready, and attributes of a file.
OWNERS = [("fcntl", 8), ("fcntl", 15), ("ioctl", 0x8901), ("ioctl", 0x8902)]
NOT_ASKED = [*OWNERS, ("ioctl", 0x40086602), ("ioctl", 0x401C5820)]
CHANGES_NAMES = """chmod fchmod fchmodat chown fchown lchown fchownat utime utimes futimesat utimensat
setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr"""
CHANGES = CHANGES_NAMES.split()
NEWER_CHANGES = [452, 463, 466, 469]


@dataclass(frozen=True, slots=True)
class Machine:
    """The numbers of an architecture: its own, that of `seccomp`, and those of the calls above, -1 for none."""

    architecture: int
    seccomp: int
    numbers: dict[str, int]


SINGLE = ["clone", "prlimit64", *SCHEDULING, "setpriority", "truncate", "fcntl", "ioctl"]
NAMES = [*REFUSED, *SIGNALS, *SINGLE, *CHANGES]


def machine(architecture: int, seccomp: int, numbers: str) -> Machine:
    """Return a machine from the numbers of `NAMES`, in their order."""
    return Machine(architecture, seccomp, dict(zip(NAMES, map(int, numbers.split()), strict=True)))


MACHINES = {
    "x86_64": machine(
        0xC000003E,
        317,
        """101 310 311 165 166 272 308 155 161 250 248 249 321 298 323 246 320 304 303 319 29 68 64 240 41 175 313 176
        167 169 164 227 159 103 163 179 135 300 312 256 279 251 254 62 200 129 297 56 302 203 144 142 314 141 76 72 16
        90 91 268 92 93 94 260 132 235 261 280 188 189 190 197 198 199""",
    ),
    "aarch64": machine(
        0xC00000B7,
        277,
        """117 270 271 40 39 97 268 41 51 219 217 218 280 241 282 104 294 265 264 279 194 186 190 180 198 105 273 106
        224 142 170 112 171 116 89 60 92 262 272 238 239 30 27 129 130 138 240 220 261 122 119 118 274 140 45 25 29
        -1 52 53 -1 55 -1 54 -1 -1 -1 88 5 6 7 14 15 16""",
    ),
}


def available() -> bool:
    """Say whether a filter can be made for this machine."""
    return sys.platform == "linux" and platform.machine() in MACHINES


def instruction(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    """Return one instruction of the filter; `yes` and `no` say how many of the next ones a comparison skips."""
    return struct.pack("HBBI", code, yes, no, value)


def refuse(error: int) -> bytes:
    """Return the instruction that ends the filter with an error for the caller."""
    return instruction(RETURN, REFUSE | error)


def program(machine: Machine, version: int, shared: bool) -> bytes:
    """Return the filter for a machine.

    Args:
        machine: The numbers of its calls.
        version: That of Landlock. Before 6 it keeps no signal inside, and before 3 it lets files be cut short.
        shared: Whether files outside are in sight that belong to the same user.
    """
    numbers = machine.numbers
    names = [*REFUSED, *(SIGNALS if version < 6 else []), *(["truncate"] if version < 3 else [])]
    refused = [*(numbers[name] for name in names), *NEWER, *([SEND_BY_DESCRIPTOR] if version < 6 else [])]
    parts = [instruction(LOAD, ARCHITECTURE), instruction(EQUAL, machine.architecture, 1), refuse(errno.EPERM)]
    parts += [instruction(LOAD, NUMBER), instruction(AT_LEAST, 0x40000000, 0, 1), refuse(errno.ENOSYS)]
    parts += [instruction(EQUAL, CLONE3, 0, 1), refuse(errno.ENOSYS)]  # the C library then calls clone
    for number in refused:
        parts += [instruction(EQUAL, number, 0, 1), refuse(errno.EPERM)]
    for number in [*(numbers[name] for name in CHANGES), *NEWER_CHANGES] if shared else []:
        parts += [instruction(EQUAL, number, 0, 1), instruction(RETURN, PRETEND)] if number >= 0 else []
    parts += [instruction(EQUAL, numbers["clone"], 0, 3), instruction(LOAD, ARGUMENTS)]
    parts += [instruction(ANY_BIT, NAMESPACES, 0, 1), refuse(errno.EPERM), instruction(LOAD, NUMBER)]
    for name, place in OF_ONESELF:
        parts += [instruction(EQUAL, numbers[name], 0, 4), instruction(LOAD, ARGUMENTS + 8 * place)]
        parts += [instruction(EQUAL, 0, 1, 0), refuse(errno.EPERM), instruction(LOAD, NUMBER)]
    for name, request in NOT_ASKED:
        parts += [instruction(EQUAL, numbers[name], 0, 4), instruction(LOAD, ARGUMENTS + 8)]
        parts += [instruction(EQUAL, request, 0, 1), refuse(errno.EPERM), instruction(LOAD, NUMBER)]
    return b"".join([*parts, instruction(RETURN, ALLOW)])


def restrict(shared: bool) -> None:
    """Load the filter into this process, for good.

    Args:
        shared: Whether files outside are in sight that belong to the same user.

    Raises:
        OSError: The kernel refuses.
    """
    here = MACHINES[platform.machine()]
    code = program(here, abi(), shared)
    kept = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(kept))
    keep_privileges()
    checked(library().syscall(here.seccomp, FILTER, ALL_THREADS, head))
