"""Which graphs may be run again, by their ops, after they have failed."""

from __future__ import annotations

from ...ir.rewrite import draws, memory_of
from .tree import Segment


def repeatable(segment: Segment) -> bool:
    """Whether a graph that failed half-way has changed nothing: it draws no numbers, and writes to its own alone."""
    nodes = segment.graph.nodes
    return not any(draws(n) or (n.kind == "write" and memory_of(n).op is None) for n in nodes)
