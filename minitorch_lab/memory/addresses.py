"""Where segments come from: a range of addresses, of which pieces are handed out and taken back."""

from __future__ import annotations

from bisect import insort
from typing import Protocol


class Source(Protocol):
    """Who an allocator gets its segments from: `cudaMalloc`, the operating system, or a plain count of addresses."""

    def take(self, nbytes: int) -> int | None:
        """The address of so many bytes; None if there is no such piece."""
        ...

    def give_back(self, address: int, nbytes: int) -> None:
        """They are not needed any more."""
        ...


class Addresses:
    """The addresses from `begin` on: numbers alone, with no memory behind them. The first hole that fits is taken.

    Args:
        nbytes: How many there are.
        begin: The first one.

    Example:
        >>> addresses = Addresses(10, begin=100)
        >>> addresses.take(4), addresses.take(4), addresses.take(4)
        (100, 104, None)
        >>> addresses.give_back(100, 4)
        >>> addresses.take(3)
        100
    """

    def __init__(self, nbytes: int, begin: int = 0) -> None:
        self.holes = [(begin, nbytes)]

    def take(self, nbytes: int) -> int | None:
        """The address of so many bytes in the first hole that holds them."""
        for i, (address, size) in enumerate(self.holes):
            if size >= nbytes:
                self.holes[i : i + 1] = [(address + nbytes, size - nbytes)] if size > nbytes else []
                return address
        return None

    def give_back(self, address: int, nbytes: int) -> None:
        """A hole again, one with its neighbours."""
        insort(self.holes, (address, nbytes))
        merged: list[tuple[int, int]] = []
        for begin, size in self.holes:
            if merged and sum(merged[-1]) == begin:
                merged[-1] = merged[-1][0], merged[-1][1] + size
            else:
                merged.append((begin, size))
        self.holes = merged
