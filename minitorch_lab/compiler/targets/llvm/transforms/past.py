"""Non-temporal stores: large results go past the caches.

A line that is stored whole need not be read first, and pushes nothing out. Where the caches hold all that a kernel
touches, its results are better there: the next reader finds them.
"""

from __future__ import annotations

from ....ir.extents import is_open
from ....loops.expr import parts
from ....loops.ir import Kernel, Sweep, values_of
from .kinds import Machine, sweeps

LONG = 8  # vectors in a row, at least: two lines, even where a vector has four entries


def write_past(kernel: Kernel, machine: Machine) -> None:
    """Every pass that reads and writes more than the caches hold."""
    for s, trips, _ in sweeps(kernel):
        s.way.past = not is_open(s.extent) and streams(s, trips, machine)


def streams(s: Sweep, trips: int, machine: Machine) -> bool:
    """Whether a pass goes entry by entry through large arrays, and writes one that it does not read."""
    target, inside = machine.target, parts(values_of(s))
    if s.extent < LONG * target.lanes or s.reduces or len(s.stores) != 1 or any(e.op == "index" for e in inside):
        return False
    used = [(s.stores[0].buffer, s.stores[0].at), *(e.attr for e in inside if e.op == "load")]
    moving = {b for b, at in used if at.coefficient("j")}
    entrywise = all(at.coefficient("j") == int(b in moving) for b, at in used)
    written, *read = (machine.owner.get(b, b) for b, _ in used)
    typed = all(machine.dtypes[b] == "f32" for b, _ in used)
    large = 4 * s.extent * trips * max(len(moving), 2) >= target.memory
    return entrywise and written not in read and typed and large
