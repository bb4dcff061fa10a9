"""What the compiler tells a recording: under the tape of one, compiled functions run compiled all the same."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Protocol

from ...autograd.eager import Eager
from ...core.interpret import stack


class Listener(Protocol):
    """Who is told. `tape` is the tape that runs the ops meanwhile."""

    tape: Eager

    def entered(self, compiled: Any) -> None:
        """A compiled function is called."""
        ...

    def capturing(self, compiled: Any, why: str) -> None:
        """A capture begins: the first one, or because of a guard that failed."""
        ...

    def captured(self, compiled: Any) -> None:
        """It is over, and the program is written."""
        ...


listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def listening() -> Listener | None:
    """Who is to be told, if ops run on that tape and nothing is above it."""
    heard = listener.get()
    return heard if heard is not None and stack.get() is heard.tape else None
