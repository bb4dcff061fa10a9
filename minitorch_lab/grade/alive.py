"""A plugin of pytest beside nbval: who waits for a kernel that has stopped, or on whom nobody waits any more, ends.

nbval waits for a reply as long as a cell may take, whether or not there is a kernel left to give one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partialmethod
from queue import Empty
from typing import Any

from ..errors import WorkerError

LOOK = 0.5  # seconds between two looks at the kernel
PARENT = os.getppid()


def get_message(self: Any, receive: Callable[..., Any], stream: Any, timeout: Any = None) -> dict[str, Any]:
    """The next message of a kernel, as nbval asks for it, while there are a kernel and somebody who has asked.

    Args:
        self: nbval's kernel.
        receive: How nbval gets a message of it.
        stream: Of which kind.
        timeout: Seconds that it may take.

    Raises:
        Empty: None came in time.
        WorkerError: The kernel has stopped, or was told to by the cell, with `exit()`.
    """
    until = time.monotonic() + (float("inf") if timeout is None else timeout)
    while True:
        require_parent()
        there = self.is_alive()  # asked first: what a kernel has said before it ended is still read
        try:
            message = receive(self, stream, min(LOOK, max(0.0, until - time.monotonic())))
        except Empty:
            if not there:
                raise stopped() from None
            if time.monotonic() >= until:
                raise
            continue
        if any(order.get("source") == "ask_exit" for order in message["content"].get("payload", ())):
            self.stop()
            raise stopped()
        return message


def require_parent() -> None:
    """End this run if the process has ended that asked for it."""
    if os.getppid() != PARENT:
        import pytest  # an extra, as nbval is

        pytest.exit("who asked for this run has ended", returncode=1)


def stopped() -> WorkerError:
    """A kernel is no more."""
    rule = "Cells run in one kernel, one after another, and none runs without it."
    return WorkerError("The kernel stopped in this cell.", rule, "Did you mean to leave out exit()?")


def pytest_configure() -> None:
    """Have nbval get its messages here."""
    from nbval.kernel import RunningKernel

    kernels: Any = RunningKernel
    kernels.get_message = partialmethod(get_message, kernels.get_message)


def pytest_runtest_setup(item: Any) -> None:
    """What fails after a cell that took too long has failed: nbval would expect it, and call it no failure."""
    item.parent.timed_out = False
