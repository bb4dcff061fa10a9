"""Asking ahead: what a pass needs soon and no near cache holds is asked for before it is needed."""

from __future__ import annotations

from ....ir.extents import usual
from ....loops.expr import parts
from ....loops.ir import Kernel, Sweep, values_of
from .kinds import Machine, sweeps

NEAR = 1 << 19  # bytes of an array that the second cache holds beside some others


def ask_ahead(kernel: Kernel, machine: Machine) -> None:
    """Every pass. What one has read, the next one beside it finds near, unless a row is long."""
    passed: dict[int, set[str]] = {}
    for s, trips, beside in sweeps(kernel) if machine.target.asks else ():
        near = passed.setdefault(id(beside), set())
        s.way.far = frozenset(from_far(s, trips) - near)
        near |= s.way.far if 4 * usual(s.extent) < NEAR else set()


def from_far(s: Sweep, trips: int) -> set[str]:
    """The buffers that a pass goes through entry by entry, row after row, if they are large."""
    if 4 * usual(s.extent) * trips < NEAR:
        return set()
    used = [(t.buffer, t.at) for t in s.stores] + [e.attr for e in parts(values_of(s)) if e.op == "load"]
    rows = 1 + (trips > 1)
    return {b for b, at in used if at.coefficient("j") == 1 and len(at.terms) >= rows}
