"""A range of the process's own memory from which segments are cut. A page of it costs nothing before it is written."""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Any

from ..errors import OutOfMemoryError
from .addresses import Addresses

NORESERVE = 0x4000  # Linux: ask for addresses, not yet for memory. Elsewhere the number means something else.


class Region(Addresses):
    """Addresses with memory behind them. A process that is forked off gets a copy of what is in it.

    Args:
        nbytes: How many.

    Attributes:
        begin, end: The addresses.

    Raises:
        OutOfMemoryError: The system does not give so many addresses.
    """

    def __init__(self, nbytes: int) -> None:
        private: dict[str, int] = {}
        if hasattr(mmap, "MAP_PRIVATE"):
            lazily = NORESERVE if sys.platform == "linux" else 0
            private["flags"] = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | lazily
        try:
            self.memory: Any = mmap.mmap(-1, nbytes, **private)
        except (OSError, OverflowError) as error:
            raise OutOfMemoryError(
                f"The system does not give a range of {nbytes:,} addresses: {error}.",
                "An allocator's arrays lie in one range of addresses, twice as long as its limit.",
                "Did you mean a smaller limit?",
            ) from None
        self.first: Any = ctypes.c_char.from_buffer(self.memory)
        self.begin = ctypes.addressof(self.first)
        self.end = self.begin + nbytes
        super().__init__(nbytes, self.begin)

    def give_back(self, address: int, nbytes: int) -> None:
        """The pages go back to the system, and the addresses can be taken again."""
        if hasattr(mmap, "MADV_DONTNEED"):
            page = mmap.PAGESIZE
            start, end = -(-(address - self.begin) // page) * page, (address - self.begin + nbytes) // page * page
            if end > start:
                self.memory.madvise(mmap.MADV_DONTNEED, start, end - start)
        super().give_back(address, nbytes)

    def close(self) -> None:
        """Unmap it all. Nothing may lie in it any more."""
        del self.first
        self.memory.close()
