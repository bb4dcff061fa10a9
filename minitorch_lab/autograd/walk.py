"""The backward walk: from a root, against the edges, every node after all of its readers (reverse mode's algorithm 1).

Orders fall as nodes are made, and an op is made after its inputs; so the pending node with the smallest order has no
reader left that has not run. A heap gives it, without recursion and without sorting the graph first.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Any, Protocol

from .node import Node


class Rules(Protocol):
    """Who runs the rules of a node, and what a cotangent is to them."""

    def pull(self, node: Node, g: Any) -> list[Any]:
        """One cotangent per edge, None where the edge ends."""
        ...

    def arrive(self, leaf: Node, g: Any) -> None:
        """Take what has reached a leaf."""
        ...

    def own(self, g: Any) -> Any:
        """A copy of a cotangent."""
        ...


def walk(seeds: dict[Node, Any], rules: Rules) -> Iterator[Node]:
    """Walk the tape from the roots in `seeds`, one node per step; the node that has just run is yielded.

    A cotangent that comes to a node in parts is added up before the node runs. What a leaf takes is its own: a
    cotangent that a rule passed on as it was is copied first.
    """
    pull, arrive = rules.pull, rules.arrive
    cotangents: dict[Node, Any] = {}
    pending: list[tuple[float, Node]] = []
    for root, seed in seeds.items():
        cotangents[root] = rules.own(seed) if root.op is None else seed
        heappush(pending, (root.order, root))
    while pending:
        node = heappop(pending)[1]
        g = cotangents.pop(node)
        if node.op is None:
            arrive(node, g)
            yield node
            continue
        for edge, part in zip(node.edges, pull(node, g)):  # noqa: B905 (the check costs time; pull answers every edge)
            if edge is None or part is None:
                continue
            if edge in cotangents:
                cotangents[edge] = cotangents[edge] + part
            else:
                cotangents[edge] = rules.own(part) if part is g and edge.op is None else part
                heappush(pending, (edge.order, edge))
        yield node
