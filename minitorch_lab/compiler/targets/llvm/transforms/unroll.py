"""Unrolling: how many vectors one trip of a pass takes.

Enough to hide the latency of its instructions, few enough for the registers.
"""

from __future__ import annotations

from ....ir.extents import usual
from ....loops.expr import parts
from ....loops.ir import Kernel, Sweep, values_of
from .kinds import Machine, Vectors, sweeps


def unroll_rows(kernel: Kernel, machine: Machine) -> None:
    """Every pass in vectors."""
    for s, _, _ in sweeps(kernel):
        s.way = Vectors(fitting(unrolling(s), s, machine))


def fitting(count: int, s: Sweep, machine: Machine) -> int:
    """So many vectors, if a row has as many."""
    return max(1, min(count, usual(s.extent) // machine.target.lanes))


def unrolling(s: Sweep) -> int:
    """How many vectors a trip takes where rows are long."""
    inside = parts(values_of(s))
    maps = [t.at for t in s.stores] + [e.attr[1] for e in inside if e.op == "load"]
    if any(at.coefficient("j") not in (0, 1) for at in maps):
        return 1  # entry by entry in any case
    return 4 if s.stores or any(e.costly for e in inside) else 8
