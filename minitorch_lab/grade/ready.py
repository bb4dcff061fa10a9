"""A client that goes on as soon as a kernel is ready: Jupyter's own waits a while for messages that no longer come."""

from __future__ import annotations

import time
from queue import Empty
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient

ANSWER = 1.0  # seconds for a kernel to answer, before it is asked again
CONNECT = 0.2  # seconds for what it publishes to come, once it has answered


class PromptClient(BlockingKernelClient):
    """Asks a kernel who it is, and is done when the kernel has said that it is idle after that question.

    What a kernel publishes comes in order, so nothing older is left then. Jupyter's client listens until nothing has
    come for 0.2 s.
    """

    def wait_for_ready(self, timeout: float | None = None) -> None:
        """Return when the kernel has answered and rests.

        Raises:
            RuntimeError: It died, or `timeout` seconds have passed.
        """
        until = time.monotonic() + (timeout or float("inf"))
        while not self.rests(self.kernel_info()):
            if not self.is_alive():
                raise RuntimeError("The kernel died before it was ready.")
            if time.monotonic() > until:
                raise RuntimeError(f"The kernel was not ready within {timeout} seconds.")

    def rests(self, asked: Any) -> bool:
        """Whether the kernel answers this question and says that it has dealt with it."""
        try:
            while self.get_shell_msg(timeout=ANSWER)["parent_header"].get("msg_id") != asked:
                pass
            while not idle_after(self.get_iopub_msg(timeout=CONNECT), asked):
                pass
        except Empty:
            return False
        return True


def idle_after(message: dict[str, Any], asked: str) -> bool:
    """Whether a message says that all is done that a question asked for."""
    ours = message["parent_header"].get("msg_id") == asked
    return ours and message["content"].get("execution_state") == "idle"
