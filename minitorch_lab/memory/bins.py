"""Free blocks in bins: bin k holds those of 2**k up to, but not including, 2**(k + 1) bytes.

The text of the course bins by powers of two, so that what is freed fits what is asked for next; the bins say where to
look, and blocks keep their own sizes.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterator


class Bins:
    """Sizes and addresses of free blocks, which `fit` finds by size.

    Example:
        >>> bins = Bins()
        >>> for size, address in ((1024, 0), (4096, 8192), (2560, 2048)):
        ...     bins.add(size, address)
        >>> bins.fit(2048), bins.sizes()
        ((2560, 2048), {10: [1024], 11: [2560], 12: [4096]})
    """

    def __init__(self) -> None:
        self.bins: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self.filled = 0  # bit k is set where bin k holds a block

    def add(self, size: int, address: int) -> None:
        """A block has become free."""
        k = size.bit_length() - 1
        insort(self.bins[k], (size, address))
        self.filled |= 1 << k

    def remove(self, size: int, address: int) -> None:
        """A block is used, or is now part of another one."""
        k = size.bit_length() - 1
        found = self.bins[k]
        del found[bisect_left(found, (size, address))]
        if not found:
            self.filled &= ~(1 << k)

    def fit(self, nbytes: int) -> tuple[int, int] | None:
        """The smallest free block of at least so many bytes, the first of them in memory; None if there is none."""
        k = nbytes.bit_length() - 1
        found = self.bins[k] if self.filled >> k & 1 else []
        at = bisect_left(found, (nbytes, 0))
        if at < len(found):
            return found[at]
        above = self.filled >> (k + 1)
        return self.bins[k + 1 + (above & -above).bit_length() - 1][0] if above else None

    def sizes(self) -> dict[int, list[int]]:
        """The sizes in each bin that holds a block, in bytes."""
        return {k: [size for size, _ in found] for k, found in sorted(self.bins.items()) if found}

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Size and address of every free block."""
        for found in self.bins.values():
            yield from found
