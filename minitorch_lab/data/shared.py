"""Shared memory that holds any value, for two processes that take turns: one writes, the other reads.

Pickle's protocol 5 leaves the arrays out of its stream and hands over their memory, so an array is copied once on its
way in and once on its way out, whatever container it stands in:

    | size of each piece | stream of pickle | array | array | ...

A message need only say which edition of the memory that is, and of how many pieces: it has a few bytes always, so that
no pipe is ever full and nobody waits to send.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.shared_memory import SharedMemory
from pickle import dumps, loads
from typing import Any

from .faults import unsent

try:
    from _posixshmem import shm_unlink
except ImportError:
    shm_unlink = None

LINE = 64  # bytes; every piece begins at a multiple
LEAST = 4096


class Slot:
    """A named piece of shared memory. One that is too small is made again, larger, and that is its next edition."""

    def __init__(self, name: str) -> None:
        """Nothing is made yet."""
        self.name, self.edition = name, 0
        self.memory: SharedMemory | None = None

    def put(self, value: Any) -> tuple[int, int]:
        """Write a value. Returns what `take` needs: the edition, and how many pieces there are.

        Raises:
            ArgumentError: It cannot be pickled.
        """
        pieces: list[memoryview] = []
        try:
            stream = dumps(value, 5, buffer_callback=lambda buffer: pieces.append(buffer.raw()))
        except Exception as error:
            raise unsent(error) from error
        pieces.insert(0, memoryview(stream))
        sizes = array("q", [piece.nbytes for piece in pieces])
        *places, end = starts(sizes)
        self.make_room(end)
        buffer = self.buffer(self.edition)
        buffer[: len(sizes) * sizes.itemsize] = sizes.tobytes()
        for place, piece in zip(places, pieces, strict=True):
            buffer[place : place + piece.nbytes] = piece
        return self.edition, len(pieces)

    def take(self, edition: int, count: int) -> Any:
        """Read the value that the other process wrote; its arrays are copies."""
        buffer, sizes = self.buffer(edition), array("q")
        sizes.frombytes(buffer[: count * sizes.itemsize])
        stream, *buffers = (bytearray(buffer[a : a + n]) for a, n in zip(starts(sizes), sizes, strict=False))
        return loads(stream, buffers=buffers)

    def make_room(self, nbytes: int) -> None:
        """Have at least `nbytes`. Memory that is never touched costs nothing, so there is twice as much each time."""
        if self.memory is not None and self.memory.size >= nbytes:
            return
        if self.memory is not None:
            self.memory.unlink()
        if shm_unlink is not None:  # the tracker knows of it before it is there: a kill in between leaves nothing
            resource_tracker.register(f"/{self.name}", "shared_memory")
        self.memory = SharedMemory(self.name, create=True, size=max(LEAST, 1 << (nbytes - 1).bit_length()))
        self.edition += 1

    def buffer(self, edition: int) -> memoryview:
        """The bytes of an edition, which the other process may have made."""
        if self.memory is None or edition != self.edition:
            self.memory, self.edition = SharedMemory(self.name), edition
        bytes_of_it: Any = self.memory.buf
        return bytes_of_it

    def unlink(self) -> None:
        """Give the memory back to the system, whoever made it, and if anybody did."""
        self.memory = None
        unlink(f"/{self.name}")


def unlink(name: str) -> None:
    """Take the name of shared memory away, so that the system has it back when nobody looks at it any more.

    A process that was killed may have made it and not yet told the tracker, or the other way round.
    """
    if shm_unlink is not None:  # Windows gives it back by itself
        resource_tracker.register(name, "shared_memory")
        with suppress(FileNotFoundError):
            shm_unlink(name)
        resource_tracker.unregister(name, "shared_memory")


def starts(sizes: array[int]) -> Iterator[int]:
    """Where each piece begins, and where the last one ends."""
    place = -(-len(sizes) * sizes.itemsize // LINE) * LINE
    yield place
    for size in sizes:
        place += -(-size // LINE) * LINE
        yield place
