"""Threads that work for kernels. They are Python's own, for machine code runs without the lock of the interpreter.

They are started when first needed and end with the interpreter. A forked process, in which only the thread that forked
goes on, starts its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

pools: dict[int, ThreadPoolExecutor] = {}  # by how many threads they have
Run = Callable[..., bool]


def pool(threads: int) -> ThreadPoolExecutor:
    """So many threads besides the caller's."""
    if threads not in pools:
        pools.setdefault(threads, ThreadPoolExecutor(threads, "minitorch_lab"))  # of two callers one comes first
    return pools[threads]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=pools.clear)


def together(pieces: Sequence[Run], after: Run | None) -> Run:
    """A function that runs all pieces at once, the first one in the caller's thread, and then what follows them.

    No piece is at work any more when it returns. Callers in several threads share the pool: a piece waits for nothing,
    so it always comes to an end.

    Example:
        >>> found = []
        >>> run = together([lambda x: not found.append(x), lambda x: not found.append(-x)], lambda x: sum(found) == 0)
        >>> run(3), sorted(found)
        (True, [-3, 3])
    """
    first, *others = pieces

    def run(*arrays: Any) -> bool:
        working = [pool(len(others)).submit(piece, *arrays) for piece in others]
        try:
            fit = first(*arrays)
        finally:
            for work in working:
                work.exception()
        return fit and all(work.result() for work in working) and (after is None or after(*arrays))

    return run
