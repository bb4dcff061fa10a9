"""The caching allocator in force: large arrays of NumPy's come from it while a block of code runs."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Generator
from contextlib import contextmanager

from psutil import virtual_memory

from ..autograd.anomaly import here
from ..core.array import xp
from ..errors import ArgumentError, OutOfMemoryError
from ..ops.meant import shown
from .allocator import CachingAllocator
from .hook import Hook
from .region import Region

NUMPY = os.path.dirname(xp.__file__) + os.sep
PAGE = 1 << 21  # a region is a whole number of these
OPEN: list[Serving] = []  # innermost last
LEFT: list[Serving] = []  # closed, but arrays live in them; the last one stays for reports


class Serving:
    """An allocator that serves NumPy's arrays. It learns what has died when it is next asked for something.

    Args:
        limit: Bytes that it may hold.
        least: Arrays of fewer bytes are NumPy's own business.
    """

    def __init__(self, limit: int, least: int) -> None:
        self.region = Region(2 * -(-limit // PAGE) * PAGE)  # room for holes between segments; addresses cost nothing
        self.under = CachingAllocator(self.region, limit)
        self.busy = self.closed = False
        self.refused: OutOfMemoryError | None = None
        self.hook = Hook(self.region.begin, self.region.end, least, self.take, self.regrow)

    @property
    def allocator(self) -> CachingAllocator:
        """The allocator as it is now."""
        if not self.closed:
            self.settle()
        return self.under

    def settle(self) -> None:
        """Take back the blocks of the arrays that have died."""
        for address in self.hook.freed():
            self.under.free(address)

    def take(self, nbytes: int) -> int:
        """Memory for an array. Python may collect garbage here, and ask again from inside: then NumPy does it."""
        if self.busy:
            return 1
        self.busy, self.refused = True, None
        try:
            self.settle()
            return self.under.allocate(nbytes, here(NUMPY))
        except OutOfMemoryError as error:
            self.refused = error.with_traceback(None)
            return 0
        finally:
            self.busy = False

    def regrow(self, address: int, nbytes: int) -> int:
        """More or less memory for an array, with its entries. If there is none the array keeps what it has."""
        new = self.take(nbytes)
        if new > 1:
            ctypes.memmove(new, address, min(nbytes, self.under.used[address].requested or 0))
            self.under.free(address)
        return new if new > 1 else 0

    def close(self) -> bool:
        """Give the region back if no array lies in it; return whether that was so."""
        if not self.closed and not self.allocator.used:
            self.under.empty_cache()
            self.hook.context.begin = self.hook.context.end = None
            self.region.close()
            self.closed = True
        return self.closed


@contextmanager
def caching_allocator(limit: int | None = None, least: int = 1 << 20) -> Generator[Serving]:
    """Let large arrays come from a caching allocator while the block runs, in the thread that opens it.

    Every NumPy array of at least `least` bytes that is made in the block is served: results of ops, gradients, states
    of an optimizer, temporaries inside a kernel. It may outlive the block. Outside it nothing is in the way. Reports
    are `memory_summary()`, `memory_stats()` and `memory_snapshot()`, also after the block.

    Args:
        limit: Bytes that it may hold at once; the memory of the machine if left out.
        least: The size in bytes from which arrays are served, at least 512. Smaller ones are quick anyway.

    Raises:
        OutOfMemoryError: At the end of the block, if it ended because an array would not fit. It says what holds the
            memory and where it was made. Inside the block NumPy's MemoryError is seen.
        ArgumentError: A number is none, or llvmlite is not installed.

    Example:
        >>> import minitorch_lab as ml
        >>> with ml.memory.caching_allocator(limit=64 << 20):
        ...     for step in range(20):
        ...         loss = (ml.ones(1 << 20) * 2).sum()
        >>> ml.memory.memory_stats()["reuse"] >= 0.9
        True
    """
    limit = virtual_memory().total if limit is None else limit
    for name, value in (("limit", limit), ("least", least)):
        if not isinstance(value, int) or value < 512:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentError(
                f"caching_allocator got {name}={shown(value)}.",
                "It is a whole number of bytes, at least 512.",
                f"Did you mean {name}={1 << 30 if name == 'limit' else 1 << 20}?",
            )
    serving = Serving(limit, least)
    before = serving.hook.switch_on()
    OPEN.append(serving)
    try:
        yield serving
    except MemoryError as error:
        refused, serving.refused = serving.refused, None
        if refused is None:
            raise
        raise refused from error
    finally:
        serving.hook.switch_back(before)
        OPEN.remove(serving)
        LEFT[:] = [*(old for old in LEFT if not old.close()), serving]


def in_force() -> Serving | None:
    """The allocator of the innermost open block, else the last one there was; None if there was none."""
    return next(reversed([*LEFT[-1:], *OPEN]), None)
