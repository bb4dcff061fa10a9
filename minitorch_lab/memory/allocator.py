"""The caching allocator: segments that are asked for once, and cut into blocks that are used again and again.

It is PyTorch's for CUDA in small (c10/cuda/CUDACachingAllocator.cpp), with its sizes: a request is rounded up to 512
bytes; small blocks (up to 1 MiB) are cut from segments of 2 MiB, larger ones from segments of 20 MiB, and what needs
10 MiB or more gets a segment of its own, in steps of 2 MiB. The free block that fits best is taken and split if enough
is left; a freed block is merged with free neighbours. Only if nothing fits is the source asked, which for CUDA is
`cudaMalloc`: 10 to 100 µs each time, and it waits for the device (the text of the course, row B11).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import ArgumentError
from ..ops.meant import shown
from .addresses import Source
from .bins import Bins
from .figures import Figures
from .refusal import refusal

GRANULE = 512  # bytes; every block begins and ends at a multiple
SMALL = 1 << 20  # up to here a block is small
SMALL_SEGMENT, MIDDLE, LARGE_SEGMENT, STEP = 2 << 20, 10 << 20, 20 << 20, 2 << 20


@dataclass(slots=True, eq=False)
class CachedBlock:
    """A piece of a segment, used or free.

    Attributes:
        address: Its first byte.
        size: Its bytes, a multiple of 512.
        small: Whether its segment is one for small blocks.
        requested: The bytes that were asked for; None while it is free.
        place: Where in the program they were asked for, if that is known.
        before, after: Its neighbours in the segment; None at the ends.
    """

    address: int
    size: int
    small: bool
    requested: int | None = None
    place: Any = None
    before: CachedBlock | None = None
    after: CachedBlock | None = None


class CachingAllocator:
    """Blocks of memory from a source of segments, kept for reuse when they are freed.

    Args:
        source: Where segments come from.
        limit: Bytes that all segments together may have.

    Example:
        >>> from minitorch_lab.memory.addresses import Addresses
        >>> allocator = CachingAllocator(Addresses(1 << 30), limit=1 << 30)
        >>> a = allocator.allocate(1000)
        >>> allocator.free(a)
        >>> allocator.allocate(900) == a, allocator.figures.segment.allocated  # one segment serves both
        (True, 1)
    """

    def __init__(self, source: Source, limit: int) -> None:
        self.source, self.limit = source, limit
        self.used: dict[int, CachedBlock] = {}  # by address
        self.unused: dict[int, CachedBlock] = {}
        self.bins = {True: Bins(), False: Bins()}  # for small segments and for large ones
        self.segments: dict[int, CachedBlock] = {}  # the first block of each, by address
        self.figures = Figures()

    # ---- blocks ---------------------------------------------------------------------------------------------------
    def allocate(self, nbytes: int, place: Any = None) -> int:
        """The address of a block of at least `nbytes` bytes.

        Args:
            nbytes: How many; 0 is one block too.
            place: Where in the program they are asked for, which reports say.

        Raises:
            OutOfMemoryError: No free block fits, and no segment can be had, even if those that are free are given
                back. It says what holds the memory.
            ArgumentError: `nbytes` is no whole number from 0 on.
        """
        if not isinstance(nbytes, int) or nbytes < 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentError(
                f"allocate got {shown(nbytes)}.", "A block has a whole number of bytes, from 0 on.", "Did you mean 512?"
            )
        size = rounded(nbytes)
        block = self.cached(size) or self.fresh(size)
        if block is None:
            self.figures.ooms += 1
            held = [(b.size, b.place) for b in self.used.values()]
            raise refusal(nbytes, self.limit, self.figures, self.free_sizes(), held)
        self.split(block, size)
        block.requested, block.place = nbytes, place
        self.used[block.address] = block
        self.figures.allocate(block.size, nbytes)
        return block.address

    def free(self, address: int) -> None:
        """Keep the block at this address for reuse, merged with its free neighbours.

        Raises:
            ArgumentError: No block that is used begins there.
        """
        block = self.used.pop(address, None)
        if block is None:
            raise ArgumentError(
                f"free got the address {address:#x}.",
                "A block is freed once, by the address that allocate gave.",
                "Was it freed before?" if address in self.unused else "Did you mean another address?",
            )
        self.figures.free(block.size, block.requested or 0)
        block.requested = block.place = None
        for other in (block.before, block.after):
            if other is not None and other.requested is None:
                self.withdraw(other)
                block = self.merged(block, other)
        self.offer(block)

    def cached(self, size: int) -> CachedBlock | None:
        """The free block that fits best, taken out of its bin."""
        found = self.bins[size <= SMALL].fit(size)
        if found is None:
            return None
        block = self.unused[found[1]]
        self.withdraw(block)
        return block

    def fresh(self, size: int) -> CachedBlock | None:
        """A new segment, as one block.

        If there is no room for it, free segments are given back; then one that holds no more than the block will do.
        """
        nbytes = segment_size(size)
        address = self.taken(nbytes)
        if address is None:
            self.figures.retries += 1
            self.empty_cache()
            address = self.taken(nbytes)
        if address is None:
            nbytes = size
            address = self.taken(nbytes)
        if address is None:
            return None
        self.figures.segment.add(1)
        self.figures.reserved.add(nbytes)
        block = self.segments[address] = CachedBlock(address, nbytes, size <= SMALL)
        return block

    def taken(self, nbytes: int) -> int | None:
        """The address of a new segment; None if the limit or the source has no room for it."""
        return None if self.figures.reserved.current + nbytes > self.limit else self.source.take(nbytes)

    def empty_cache(self) -> None:
        """Give back every segment of which no block is used."""
        for address in [a for a, b in self.segments.items() if b.requested is None and b.after is None]:
            block = self.segments.pop(address)
            self.withdraw(block)
            self.figures.segment.take(1)
            self.figures.reserved.take(block.size)
            self.source.give_back(address, block.size)

    # ---- splitting and merging ------------------------------------------------------------------------------------
    def split(self, block: CachedBlock, size: int) -> None:
        """Cut the rest off `block` and offer it, if it is large enough to be of use."""
        rest = block.size - size
        if rest < GRANULE or (not block.small and rest <= SMALL):
            return
        tail = CachedBlock(block.address + size, rest, block.small, before=block, after=block.after)
        if block.after is not None:
            block.after.before = tail
        block.size, block.after = size, tail
        self.offer(tail)

    def merged(self, a: CachedBlock, b: CachedBlock) -> CachedBlock:
        """Two neighbours as one block: the one that begins first."""
        first, second = (a, b) if a.address < b.address else (b, a)
        first.size += second.size
        first.after = second.after
        if second.after is not None:
            second.after.before = first
        return first

    def offer(self, block: CachedBlock) -> None:
        """Put a free block into its bin."""
        self.unused[block.address] = block
        self.bins[block.small].add(block.size, block.address)

    def withdraw(self, block: CachedBlock) -> None:
        """Take a free block out of its bin."""
        del self.unused[block.address]
        self.bins[block.small].remove(block.size, block.address)

    # ---- what there is --------------------------------------------------------------------------------------------
    def blocks(self, address: int) -> Iterator[CachedBlock]:
        """The blocks of the segment at this address, in order."""
        block: CachedBlock | None = self.segments[address]
        while block is not None:
            yield block
            block = block.after

    def free_sizes(self) -> list[int]:
        """The sizes of all free blocks in bytes, largest first."""
        return sorted((b.size for b in self.unused.values()), reverse=True)

    @property
    def fragmentation(self) -> float:
        """The part of the free bytes that the largest request could not have, from 0 (all in one block) to 1."""
        free = self.free_sizes()
        return 1 - free[0] / sum(free) if free else 0.0


def rounded(nbytes: int) -> int:
    """The size of the block for a request: the next multiple of 512 bytes, at least one.

    Example:
        >>> rounded(0), rounded(512), rounded(513)
        (512, 512, 1024)
    """
    return max(1, -(-nbytes // GRANULE)) * GRANULE


def segment_size(size: int) -> int:
    """The size of the segment that is asked for when no block of this size is free, in bytes.

    Example:
        >>> [segment_size(n << 20) >> 20 for n in (1, 2, 9, 10, 11)]
        [2, 20, 20, 10, 12]
    """
    if size <= SMALL:
        return SMALL_SEGMENT
    return LARGE_SEGMENT if size < MIDDLE else -(-size // STEP) * STEP
