"""Ways to run a contraction: the axis that runs along the lanes of vectors, and the block that stays in registers."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from math import prod

from ....ir.extents import is_open, usual
from ....loops.expr import Expr
from ....loops.ir import Contract, Inside, Kernel
from ..target import Target
from ..tiles import cycles, tile_shape
from .kinds import Machine

COLUMNS = 9  # sums along lanes for one row: as many as a window of 3 by 3 has entries


@dataclass(frozen=True, slots=True)
class Way:
    """A block of `rows` by `columns` vectors of sums.

    Attributes:
        lane: The axis along the lanes.
        along: Whether that axis is added up. Then each sum is a vector of partial sums, which are added at the end.
        row: The axis of the rows of the block, on which only the first factor depends; none if there is no such axis.
        rows: How many.
        columns: How many vectors of the axis `lane`; or if it is added up, how many points of `spread`.
        spread: The innermost axes on which only the second factor depends, of which every point has its own sum.
        trips: What must lie inside an array and bounds the trips of a loop, by its axis (see `limits.py`).
        masks: What must lie inside an array and is asked lane by lane.
    """

    lane: str
    along: bool
    row: str | None
    rows: int
    columns: int
    spread: tuple[str, ...] = ()
    trips: dict[str, Inside] = field(default_factory=dict[str, Inside])
    masks: list[Inside] = field(default_factory=list[Inside])

    def __str__(self) -> str:
        """`8 × 2 vectors along n`."""
        asked = [f"trips of {a} bounded" for a in self.trips] + [f"{i.at} masked" for i in self.masks]
        return ", ".join([f"{self.rows} × {self.columns} vectors along {self.lane}", *asked])


def choose_ways(kernel: Kernel, machine: Machine) -> None:
    """Every contraction."""
    for s in kernel.statements():
        if isinstance(s, Contract):
            s.way = way_of(s, machine.target)


def way_of(c: Contract, target: Target) -> Way:
    """The way to run a contraction whose vectors have the most lanes at work."""
    lanes = target.lanes
    limited = {a for i in c.inside for a in i.at.axes}
    along = [a for a, n in c.over.items() if step(c.a, a) == step(c.b, a) == 1 and a not in limited and not is_open(n)]
    across = [a for a in c.axes if step(c.b, a) == 1 and a not in c.a.axes]
    best = max(along, key=lambda a: share(c.over[a], lanes), default=None)
    lane = max(reversed(across), key=lambda a: share(c.axes[a], lanes), default=next(reversed(c.axes)))
    target = target.holding(c.b.dtype)
    if best is not None and (not across or share(c.over[best], lanes) > share(c.axes[lane], lanes)):
        return summed(c, best, target)
    row = widest(c, lane)
    rows, columns = tile_shape(usual(c.axes[row]) if row else 1, usual(c.axes[lane]), target)
    return Way(lane, False, row, rows, columns)


def summed(c: Contract, lane: str, target: Target) -> Way:
    """The way whose lanes are added up: the block that takes the fewest cycles, and of equals fetches least."""
    row = widest(c, lane)
    own: list[str] = []
    for a in reversed(c.axes):
        if a in c.a.axes or a not in c.b.axes or is_open(c.axes[a]) or prod(c.axes[x] for x in (a, *own)) > COLUMNS:
            break
        own.insert(0, a)
    most = usual(c.axes[row]) if row else 1
    best: tuple[tuple[float, float], int, tuple[str, ...]] | None = None
    for k, rows in product(range(len(own) + 1), range(1, min(most, target.registers) + 1)):
        spread = tuple(own[k:])
        columns = prod(c.axes[a] for a in spread)
        if rows > 1 and rows * columns + columns + 1 > target.registers:
            continue
        blocks = -(-most // rows) * prod(c.axes[a] for a in own[:k])
        key = blocks * cycles(rows, columns), blocks * (rows + 1)
        if best is None or key < best[0]:
            best = key, rows, spread
    assert best is not None
    return Way(lane, True, row, best[1], prod(c.axes[a] for a in best[2]), best[2])


def widest(c: Contract, lane: str) -> str | None:
    """The longest axis on which only the first factor depends."""
    found = [a for a in c.axes if a != lane and a in c.a.axes and a not in c.b.axes]
    return max(found, key=lambda a: usual(c.axes[a]), default=None)


def share(extent: int, lanes: int) -> float:
    """The share of lanes at work."""
    return usual(extent) / (-(-usual(extent) // lanes) * lanes)


def step(e: Expr, a: str) -> int:
    """How far a factor moves in memory along an axis; 0 if it is no entry of a buffer."""
    return e.attr[1].coefficient(a) if e.op == "load" else 0
