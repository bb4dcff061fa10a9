"""The backward walk: from a root, against the edges, every node after all of its readers. Algorithm 1 of reverse mode.

Orders fall as nodes are made, and an op is made after its inputs; so the pending node with the smallest order has no reader
left that has not run. A heap gives it, without recursion and without sorting the graph first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import Any

from .node import Node

Pull = Callable[[Node, Any], "list[Any]"]  # one cotangent per edge, None where the edge ends
Arrive = Callable[[Node, Any], None]


def walk(root: Node, seed: Any, pull: Pull, arrive: Arrive) -> Iterator[Node]:
    """Walk the tape from `root`, one node per step; the node that has just run is yielded.

    `pull` runs a node's rules, `arrive` takes what reaches a leaf. A cotangent that comes to a node in parts is added up
    before the node runs.
    """
    cotangents: dict[Node, Any] = {root: seed}
    pending = [(root.order, root)]
    while pending:
        node = heappop(pending)[1]
        g = cotangents.pop(node)
        if node.op is None:
            arrive(node, g)
            yield node
            continue
        for edge, part in zip(node.edges, pull(node, g), strict=True):
            if edge is None:
                continue
            if edge in cotangents:
                cotangents[edge] = cotangents[edge] + part
            else:
                cotangents[edge] = part
                heappush(pending, (edge.order, edge))
        yield node
