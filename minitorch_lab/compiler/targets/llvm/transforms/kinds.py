"""How a machine runs statements: what the transformations of this folder put into the field `way`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .....core.words import plural
from ....ir.extents import usual
from ....loops.expr import Expr
from ....loops.ir import Kernel, Loop, Stmt, Sweep
from ..target import Target


@dataclass(frozen=True, slots=True)
class Machine:
    """What a kernel runs on: a processor, and buffers with a dtype, of which some share memory with their `owner`."""

    target: Target
    dtypes: dict[str, str]
    owner: dict[str, str]


class Stretch(NamedTuple):
    """A part of a row: from `start` up to `stop`, so many vectors at a time, in a loop or written out.

    In a masked one only those lanes count that are there.
    """

    start: Any
    stop: Any
    vectors: int
    looped: bool = False
    masked: bool = False

    def __str__(self) -> str:
        """`0 to 960`, or `2 vectors`, or `1 vector masked`."""
        size = f"{plural(self.vectors, 'vector')}"
        return f"{self.start} to {self.stop}" * self.looped + size * (not self.looped) + " masked" * self.masked


@dataclass(slots=True)
class Vectors:
    """How vectors go through a row.

    Attributes:
        count: How many one trip of the loop takes.
        abreast: Whether their computations are written step by step beside each other.
        past: Whether what is stored goes past the caches.
        far: The buffers of which entries are asked for beforehand.
        stretches: The parts of the row.
    """

    count: int
    abreast: bool = False
    past: bool = False
    far: frozenset[str] = frozenset()
    stretches: list[Stretch] = field(default_factory=list[Stretch])

    def __str__(self) -> str:
        """`4 vectors at a time, abreast: 0 to 960, then 2 vectors, then 1 vector masked`."""
        words = [f"{plural(self.count, 'vector')} at a time", "abreast" * self.abreast]
        words += ["past the caches" * self.past, f"{', '.join(sorted(self.far))} asked for ahead" * bool(self.far)]
        stretches = ", then ".join(map(str, self.stretches))
        return ", ".join(filter(None, words)) + f": {stretches}" * bool(stretches)


@dataclass(frozen=True, slots=True)
class InSquares:
    """A loop around a pass goes square by square; `across` are the loads that run along the loop in memory."""

    across: list[Expr]

    def __str__(self) -> str:
        """`in squares`."""
        return "in squares"


def sweeps(kernel: Kernel) -> Iterator[tuple[Sweep, int, list[Stmt]]]:
    """The passes over rows, how often each is made as far as loops say, and the statements among which it stands."""
    stack = [(kernel.body, 1)]
    while stack:
        body, trips = stack.pop()
        for s in body:
            if isinstance(s, Sweep):
                yield s, trips, body
            elif isinstance(s, Loop):  # what a loop in squares leaves over is one row after the other
                stack.append((s.body, trips if s.way else trips * usual(s.extent)))
