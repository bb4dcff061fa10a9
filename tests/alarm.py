"""An end to what runs too long in this process: a timer, which interrupts pure Python. Not on Windows."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any


class Late(BaseException):
    """What runs has not come to an end in its time. Not an `Exception`: its own handlers must not see it."""


@contextmanager
def within(seconds: float) -> Generator[None]:
    """End with `Late` what takes longer than `seconds`."""

    def late(*_: Any) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
