"""Transposes: a loop around a pass whose loads run along the loop, not along the row, goes square by square."""

from __future__ import annotations

from ....ir.extents import is_open
from ....loops.expr import Expr, parts
from ....loops.ir import Kernel, Loop, Sweep, values_of
from .kinds import InSquares, Machine


def turn_in_squares(kernel: Kernel, machine: Machine) -> None:
    """Every loop that can go in squares of as many rows as a vector has lanes."""
    for s in kernel.statements():
        if isinstance(s, Loop) and (across := crossing(s, machine.target.lanes)):
            s.way = InSquares(across)


def crossing(loop: Loop, lanes: int) -> list[Expr]:
    """The loads of a pass that run along the loop around it in memory, if the pass can be made in squares."""
    s = loop.body[0]
    if len(loop.body) > 1 or not isinstance(s, Sweep) or s.reduces:
        return []
    if is_open(loop.extent) or is_open(s.extent) or min(loop.extent, s.extent) < lanes:
        return []
    loads = [e for e in parts(values_of(s)) if e.op == "load"]
    across = [e for e in loads if e.attr[1].coefficient("j") not in (0, 1)]
    fits = all(e.dtype == "f32" and e.attr[1].coefficient(loop.axis) == 1 for e in across)
    return across if fits and all(t.at.coefficient("j") == 1 for t in s.stores) else []
