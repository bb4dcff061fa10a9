"""The views that a program hands to NumPy or CuPy, or to its caller. Kernels need none: they have addresses."""

from __future__ import annotations

from ..ir.graph import Node
from ..ir.views import is_view
from ..schedule.program import Program


def shown(program: Program) -> dict[Node, list[Node]]:
    """For every array, the views of it that NumPy or the caller must see."""
    names = {b for s in program.steps for b in s.reads}
    read = [f for s in program.steps if s.node for f in s.node.feeds]
    read += [n for n in program.graph.nodes if n.name in names]
    wanted: set[Node] = set()
    for n in (*program.results, *read):
        while is_view(n) and n not in wanted:
            wanted.add(n)
            n = n.feeds[0]
    out: dict[Node, list[Node]] = {}
    for n in program.graph.nodes:
        if n in wanted:
            out.setdefault(n.feeds[0], []).append(n)
    return out
