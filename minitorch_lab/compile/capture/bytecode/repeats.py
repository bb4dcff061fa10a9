"""Which graphs may be run again, by their ops, after they have failed."""

from __future__ import annotations

from .tree import Segment

VIEWS = {"reshape", "getitem", "permute", "expand", "flip", "detach"}


def repeatable(segment: Segment) -> bool:
    """Whether a graph that failed half-way has changed nothing: it draws no numbers, and writes to its own alone."""
    for node in segment.graph.nodes:
        if "generator" in node.params:
            return False
        if node.kind == "write":
            root = node.feeds[0]
            while root.kind == "write" or (root.op is not None and root.op.name in VIEWS):
                root = root.feeds[0]
            if root.op is None:
                return False
    return True
