"""What an allocator counts, as PyTorch counts it: each amount as it is, as it was at most, and what came and went."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Amount:
    """An amount that goes up and down: bytes, or a number of blocks."""

    current: int = 0
    peak: int = 0
    allocated: int = 0  # all that was ever added
    freed: int = 0

    def add(self, n: int) -> None:
        """`n` more."""
        self.current += n
        self.allocated += n
        self.peak = max(self.peak, self.current)

    def take(self, n: int) -> None:
        """`n` less."""
        self.current -= n
        self.freed += n


@dataclass(slots=True)
class Figures:
    """The amounts of one allocator.

    Attributes:
        allocated: Bytes of blocks in use.
        requested: Bytes that were asked for; blocks are a little larger.
        reserved: Bytes of segments.
        allocation: Blocks in use.
        segment: Segments. All that were ever added are the calls of the source.
        retries: How often free segments were given back to make room.
        ooms: How often a request was refused.
    """

    allocated: Amount = field(default_factory=Amount)
    requested: Amount = field(default_factory=Amount)
    reserved: Amount = field(default_factory=Amount)
    allocation: Amount = field(default_factory=Amount)
    segment: Amount = field(default_factory=Amount)
    retries: int = 0
    ooms: int = 0

    def allocate(self, size: int, requested: int) -> None:
        """A block is used."""
        self.allocated.add(size)
        self.requested.add(requested)
        self.allocation.add(1)

    def free(self, size: int, requested: int) -> None:
        """It is free again."""
        self.allocated.take(size)
        self.requested.take(requested)
        self.allocation.take(1)

    @property
    def reuse(self) -> float:
        """The part of all requests that was served without asking the source for a segment, from 0 to 1."""
        n = self.allocation.allocated
        return 1 - self.segment.allocated / n if n else 0.0

    def amounts(self) -> dict[str, Amount]:
        """The amounts under PyTorch's names."""
        return {
            "allocated_bytes": self.allocated,
            "requested_bytes": self.requested,
            "reserved_bytes": self.reserved,
            "allocation": self.allocation,
            "segment": self.segment,
        }

    def reset_peaks(self) -> None:
        """Count the peaks anew, from what there is now."""
        for amount in self.amounts().values():
            amount.peak = amount.current
