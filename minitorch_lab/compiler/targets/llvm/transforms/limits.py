"""Limits of contractions: what must lie inside an array is asked where that is cheapest.

Of a loop it is asked by its first and last trip, of lanes by a mask.
"""

from __future__ import annotations

from dataclasses import replace

from ....loops.ir import Contract, Inside, Kernel
from .kinds import Machine


def bound_trips(kernel: Kernel, machine: Machine) -> None:
    """Every contraction: each of its limits bounds a loop, or is a mask."""
    for c in (s for s in kernel.statements() if isinstance(s, Contract)):
        found = [(loop_of(i, c, c.way.lane), i) for i in reversed(c.inside)]
        trips = {name: i for name, i in found if name is not None}
        c.way = replace(c.way, trips=trips, masks=[i for name, i in reversed(found) if name is None])


def loop_of(i: Inside, c: Contract, lane: str) -> str | None:
    """The loop whose trips a limit bounds: the only one that is added up, of a limit without lanes."""
    found = [a for a in i.at.axes if a in c.over]
    alone = len(found) == 1 and not i.at.coefficient(lane) and i.at.coefficient(found[0]) < 0
    return found[0] if alone else None
