"""A trial run: what a submission could reach on this machine, layer by layer."""

from __future__ import annotations

import itertools
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path

from ..errors import ArgumentError
from .inside import landlock, seccomp
from .judge.talk import Broken, Keeping, Refused, Talk
from .limits import Limits
from .package import HERE
from .result import Isolation
from .run import keeper, place
from .sandbox import Sandbox, find_bubblewrap

LAYERS = ("process", "user", "landlock", "seccomp", "bubblewrap")

# What the trial tries, in the place of a student. Each attempt that succeeds is named.
ATTEMPTS = """
import ctypes, fcntl, os, socket

reached = []

def attempt(name, action):
    try:
        action()
    except (OSError, ValueError):
        return
    reached.append(name)

def peek():
    library = ctypes.CDLL(None, use_errno=True)
    if library.ptrace(0x4206, victim, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")

def signal_by_owner(process):
    ours, theirs = os.pipe()
    fcntl.fcntl(ours, fcntl.F_SETOWN, process)
    fcntl.fcntl(ours, fcntl.F_SETFL, os.O_ASYNC)
    os.write(theirs, b"x")

def attempts(hidden, outside, process, port):
    global victim
    victim = process
    attempt("files", lambda: open(hidden).read())
    attempt("files", lambda: open(outside, "w").close())
    attempt("environment", lambda: open(f"/proc/{process}/environ").read())
    attempt("signals", lambda: os.kill(process, 0))
    attempt("memory", peek)
    attempt("network", lambda: socket.create_connection(("127.0.0.1", port), 1))
    attempt("scheduling", lambda: os.setpriority(os.PRIO_PROCESS, process, 19))
    told = sorted(set(reached))
    # Of these the trial sees for itself what came: a call may seem to succeed, and do nothing.
    attempt("", lambda: os.utime(hidden, (0, 0)))
    attempt("", lambda: os.chmod(hidden, 0o777))
    attempt("", lambda: os.truncate(hidden, 0))
    attempt("", lambda: signal_by_owner(process))
    return told
"""


def probe(layers: Iterable[str] | None = None, require: str = "weak") -> Isolation:
    """Make a trial run, and say what stands between a submission and this machine.

    Args:
        layers: The layers to use; "process" is always one. Without it, all that work here.
        require: "strong" to refuse a machine on which a submission could reach something.

    Returns:
        The isolation, for `grade_one`. It holds for this machine and this user.

    Raises:
        ArgumentError: The layers do not work here, or they are not as strong as required.
    """
    refuse_windows()
    if require not in ("weak", "strong"):
        raise ArgumentError(
            f"The isolation {require!r} was required.",
            'It is "weak" or "strong".',
            'Did you mean "strong"?',
        )
    tried = [chosen(layers)] if layers is not None else choices()
    troubles: list[str] = []
    for candidate in tried:
        try:
            isolation = trial(candidate)
        except (Broken, Refused, OSError) as error:
            troubles.append(f"{', '.join(candidate)}: {error}")
            continue
        if require == "strong" and isolation.level != "strong":
            raise too_weak(isolation)
        return isolation
    raise ArgumentError(
        "No submission could be run on this machine in a sandbox.",
        "Root grades only as another user, and every layer that is asked for must work. "
        + " / ".join(troubles)[-1500:],
        "Grade as an ordinary user whose Python others may read, or install bubblewrap.",
    )


def refuse_windows() -> None:
    """Refuse a system on which no process can be forked."""
    if not hasattr(os, "fork"):
        raise ArgumentError(
            f"Submissions were to be graded on {sys.platform}.",
            "The sandbox is made of forked processes and inherited pipes, which this system does not have.",
            "Grade in WSL, where Linux's layers stand too.",
        )


def too_weak(isolation: Isolation) -> ArgumentError:
    """Return the error for an isolation that is weaker than required."""
    return ArgumentError(
        f"The isolation of this machine is weak: a submission reaches {', '.join(isolation.reached)}.",
        f"A strong one was required; what works here is {', '.join(isolation.layers)}.",
        "Grade on Linux with Landlock (5.13 or newer) or bubblewrap.",
    )


def chosen(layers: Iterable[str]) -> tuple[str, ...]:
    """Return the layers that were asked for, in their order. Root never grades as root."""
    wanted = {*layers, "process"} | ({"user"} if os.getuid() == 0 else set())
    strange = wanted - set(LAYERS)
    if strange:
        raise ArgumentError(
            f"The layer {min(strange)!r} was asked for.",
            f"A layer is one of {', '.join(LAYERS)}.",
            "Leave layers out, and all that work here are used.",
        )
    return tuple(layer for layer in LAYERS if layer in wanted)


def choices() -> list[tuple[str, ...]]:
    """Return the sets of layers that may work here, the strongest first."""
    optional = ["landlock"] if landlock.abi() else []
    optional += ["seccomp"] if seccomp.available() else []
    optional += ["bubblewrap"] if os.path.exists(find_bubblewrap()) else []
    sizes = range(len(optional), -1, -1)
    return [chosen(some) for size in sizes for some in itertools.combinations(optional, size)]


def trial(layers: tuple[str, ...]) -> Isolation:
    """Run the attempts with these layers, and say what they reached."""
    with ExitStack() as stack:
        isolation = Isolation("weak", layers)
        here = stack.enter_context(place(isolation))
        sandbox = Sandbox(isolation.layers, str(HERE.parent), str(here.box), here.user, Limits())
        kept = stack.enter_context(keeper(sandbox, here))
        hidden = Path(stack.enter_context(tempfile.NamedTemporaryFile()).name)
        hidden.write_text("hidden")
        before = about(hidden)
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        victim = stack.enter_context(bystander())
        outside = hidden.with_name(f"probe-{secrets.token_hex(8)}")
        talk = Talk(Keeping(kept), Limits())
        talk.ask(do="run", sources=[("attempts", ATTEMPTS)])
        tell = talk.ask(do="get", name="attempts")
        reached = set(tell(str(hidden), str(outside), victim.pid, server.getsockname()[1]))
        talk.close()
        outside.unlink(missing_ok=True)
        reached |= {"files"} if about(hidden) != before else set()
        reached |= {"signals"} if ended(victim) else set()
        return Isolation("weak" if reached else "strong", layers, tuple(sorted(reached)))


def about(path: Path) -> tuple[int, int, int]:
    """What a submission must not change of a file: its mode, its length and its time."""
    found = path.stat()
    return found.st_mode, found.st_size, found.st_mtime_ns


def ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether a process has ended; a signal takes a moment to arrive."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(0.05)
    return process.poll() is not None


def bystander() -> subprocess.Popen[bytes]:
    """Start a process of this user that does nothing, to be reached for. It ends when its input closes."""
    return subprocess.Popen([sys.executable, "-ISc", "input()"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
