"""A kernel without Jupyter's waits: it is asked when it listens, is ready when it says so, and is gone when it is."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any

LISTEN, LOOK = 60.0, 0.005  # seconds for a kernel to listen, and between two looks whether it does
ANSWER = 1.0  # seconds for a kernel to answer, before it is asked again
CONNECT = 0.2  # seconds for its welcome to come, and for what it publishes, once it has answered
SOCKETS = ("shell_port", "iopub_port", "stdin_port", "hb_port", "control_port")


def listening(start: Callable[..., None]) -> Callable[..., None]:
    """Jupyter's `start_kernel`, for sockets that are files (`ipc`): it returns when the kernel listens, or has ended.

    Who connects before that tries again 0.1 s later, and has missed what the kernel published.
    """

    def start_kernel(manager: Any, **given: Any) -> None:
        start(manager, **given)
        until = time.monotonic() + LISTEN
        sockets = [Path(f"{manager.ip}-{getattr(manager, name)}") for name in SOCKETS]
        while not all(socket.exists() for socket in sockets) and manager.is_alive() and time.monotonic() < until:
            time.sleep(LOOK)

    return start_kernel


def at_once(shut_down: Callable[..., None]) -> Callable[..., None]:
    """Jupyter's `shutdown_kernel`, which looks every 0.1 s whether the kernel has ended; this waits for the end."""

    def shutdown_kernel(manager: Any, now: bool = False, restart: bool = False) -> None:
        if now and manager.has_kernel:
            manager.provisioner.process.kill()
            manager.provisioner.process.wait()
        shut_down(manager, now=now, restart=restart)

    return shutdown_kernel


def promptly(wait: Callable[..., None]) -> Callable[..., None]:
    """Jupyter's `wait_for_ready`, without the 0.2 s in which it listens for what is left.

    What a kernel publishes before a client is known to it is lost; whom it knows it welcomes (ipykernel from 7 on). And
    what it publishes comes in order. So once it says that it rests after the question who it is, nothing older is left.
    Where that fails, Jupyter's own says why.
    """

    def wait_for_ready(client: Any, timeout: float | None = None) -> None:
        until = time.monotonic() + (timeout or float("inf"))
        with suppress(Empty):
            client.get_iopub_msg(timeout=CONNECT)
        while not rests(client, client.kernel_info()):
            if not client.is_alive() or time.monotonic() > until:
                wait(client, timeout=0)

    return wait_for_ready


def rests(client: Any, asked: str) -> bool:
    """Whether the kernel answers this question, and says that it has dealt with it."""
    try:
        while client.get_shell_msg(timeout=ANSWER)["parent_header"].get("msg_id") != asked:
            pass
        while not idle_after(client.get_iopub_msg(timeout=CONNECT), asked):
            pass
    except Empty:
        return False
    return True


def idle_after(message: dict[str, Any], asked: str) -> bool:
    """Whether a message says that all is done that a question asked for."""
    ours = message["parent_header"].get("msg_id") == asked
    return ours and message["content"].get("execution_state") == "idle"
