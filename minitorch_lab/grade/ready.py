"""A kernel is ready when it says so: Jupyter's client waits a while longer, for messages that no longer come."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty
from typing import Any

ANSWER = 1.0  # seconds for a kernel to answer, before it is asked again
CONNECT = 0.2  # seconds for what it publishes to come, once it has answered


def promptly(wait: Callable[..., None]) -> Callable[..., None]:
    """Jupyter's `wait_for_ready`, without the 0.2 s in which it listens for what is left.

    What a kernel publishes comes in order. So once it says that it rests after the question who it is, nothing older is
    left. Where that fails, Jupyter's own says why.
    """

    def wait_for_ready(client: Any, timeout: float | None = None) -> None:
        until = time.monotonic() + (timeout or float("inf"))
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
