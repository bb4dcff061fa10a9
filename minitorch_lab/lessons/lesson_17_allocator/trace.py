"""What a program asks of an allocator: its requests as an account has seen them, and an allocator that serves them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ...memory import Account, CachingAllocator
from ...memory.report import snapshot_of, summary_of

APART = 32 << 20  # from segment to segment, in bytes: two of them never touch


class Line(NamedTuple):
    """A line of the reader's cell, which prints without the name of the file that the notebook keeps the cell in."""

    file: str
    line: int
    words: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.words}"


class Request(NamedTuple):
    """Something that an allocator is asked: for `nbytes` bytes under a name, or to take them back."""

    kind: str  # "allocate" or "free"
    name: str
    nbytes: int
    category: str
    line: Line | None


class Apart:
    """A source whose segments never touch, as those of cudaMalloc may lie anywhere. It counts how often it is asked.

    Example:
        >>> source = Apart()
        >>> source.take(2 << 20), source.take(2 << 20) >> 20, source.calls
        (0, 32, 2)
    """

    def __init__(self) -> None:
        self.calls = self.end = 0

    def take(self, nbytes: int) -> int:
        """The address of so many bytes."""
        begin, self.calls = self.end, self.calls + 1
        self.end += -(-nbytes // APART + 1) * APART if nbytes > APART else APART
        return begin

    def give_back(self, address: int, nbytes: int) -> None:
        """Addresses are never used twice: there are enough."""


def allocator_of(limit: int) -> CachingAllocator:
    """The house's caching allocator on addresses alone: it places blocks and holds no memory.

    Args:
        limit: Bytes that its segments may have.

    Example:
        >>> allocator = allocator_of(64 << 20)
        >>> [allocator.allocate(n) for n in (1000, 600)]
        [0, 1024]
    """
    return CachingAllocator(Apart(), limit)


def requests_of(account: Account) -> list[Request]:
    """What a program asked for, in order: the births and deaths of an account. What was there before comes first.

    Example:
        >>> import minitorch_lab as ml
        >>> with ml.memory.account() as account:
        ...     x = ml.ones(1000) * 2
        >>> [(each.kind, each.nbytes) for each in requests_of(account)]
        [('allocate', 4000), ('allocate', 4000), ('free', 4000)]
    """
    before = [request("allocate", block) for block in account.blocks if not block.born]
    kinds = {"birth": "allocate", "death": "free"}
    return before + [request(kinds[event.kind], event.block) for event in account.events]


def request(kind: str, block: Any) -> Request:
    """A request for a block of an account."""
    line = None if block.line is None else Line("your cell", block.line.line, str(block.line).rpartition(": ")[2])
    return Request(kind, block.id, block.nbytes, block.category, line)


def serve(requests: Iterable[Request], allocator: CachingAllocator) -> dict[str, int]:
    """Have an allocator serve requests; return where each block lay.

    Example:
        >>> serve([Request("allocate", "x", 4, "", None), Request("allocate", "y", 4, "", None)], allocator_of(8 << 20))
        {'x': 0, 'y': 512}
    """
    places: dict[str, int] = {}
    for each in requests:
        if each.kind == "allocate":
            places[each.name] = allocator.allocate(each.nbytes, each.line)
        else:
            allocator.free(places[each.name])
    return places


def at_the_peak(requests: Sequence[Request]) -> list[Request]:
    """The requests up to the first moment at which most bytes are held.

    Example:
        >>> steps = [Request("allocate", "x", 4, "", None), Request("free", "x", 4, "", None)]
        >>> len(at_the_peak(steps))
        1
    """
    live, most, end = 0, 0, 0
    for n, each in enumerate(requests, 1):
        live += each.nbytes if each.kind == "allocate" else -each.nbytes
        if live > most:
            most, end = live, n
    return list(requests[:end])


def snapshot_at_the_peak(requests: Sequence[Request]) -> list[dict[str, Any]]:
    """The snapshot of an allocator at the first moment at which most bytes are held.

    Example:
        >>> requests = [Request("allocate", "x", 1000, "", None), Request("free", "x", 1000, "", None)]
        >>> snapshot_at_the_peak(requests)[0]["allocated_size"]
        1024
    """
    allocator = allocator_of(1 << 40)
    serve(at_the_peak(requests), allocator)
    return snapshot(allocator)


def summary(allocator: CachingAllocator) -> str:
    """What `ml.memory.memory_summary()` prints, of an allocator that serves no arrays."""
    return summary_of(allocator)


def snapshot(allocator: CachingAllocator) -> list[dict[str, Any]]:
    """What `ml.memory.memory_snapshot()` gives, of an allocator that serves no arrays.

    Example:
        >>> allocator = allocator_of(64 << 20)
        >>> address = allocator.allocate(1000)
        >>> [(block["size"], block["state"]) for block in snapshot(allocator)[0]["blocks"]]
        [(1024, 'active_allocated'), (2096128, 'inactive')]
    """
    return snapshot_of(allocator)
