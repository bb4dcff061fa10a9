"""How long an op takes, and how much of that is its kernel: what the engine needs, without what the recording needs.

Around a kernel the engine calls two functions of its own, `held` on every input and `linked` on what came out. While
something is recorded, the two here stand in their places and look at the clock.
"""

from __future__ import annotations

from threading import local
from time import perf_counter_ns
from typing import Any

from ..autograd.eager import as_view
from ..autograd.tape import held


class Stopwatch(local):
    """When the kernel of this thread's last op began and ended, in ns."""

    began, ended = 0, 0

    def split(self, start: int, stop: int) -> tuple[int, int]:
        """(Python, kernel) of an op that ran from `start` to `stop`; all of it is Python if no kernel was seen."""
        if not start <= self.began <= self.ended <= stop:
            return stop - start, 0
        kernel = self.ended - self.began
        return stop - start - kernel, kernel


stopwatch = Stopwatch()


def timed_held(a: Any) -> Any:
    """What an input holds. After the last one the kernel begins."""
    value = held(a)
    stopwatch.began = perf_counter_ns()
    return value


def timed_linked(value: Any, *rest: Any) -> Any:
    """The kernel is over: its result becomes a tensor."""
    stopwatch.ended = perf_counter_ns()
    return as_view(value, *rest)
