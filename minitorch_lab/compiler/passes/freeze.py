"""Freeze: what a graph reads from outside becomes a constant of it, for a model that is not trained any more."""

from __future__ import annotations

from ..ir.graph import Graph, Node
from ..ir.rewrite import Rewriter, Tally


def freeze(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph with a copy of every tensor from outside, as it is now: later writes to the original do not reach it.

    Gradients do not flow to the copies. Then `fold` can compute with them, so that a batch norm goes into the weights
    of its convolution once and for all.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([2.0])
        >>> graph = freeze(ml.jit.trace(lambda x: x * w, ml.ones(1)).graph)
        >>> w.zero_()
        tensor([0.])
        >>> graph.nodes[1].payload
        tensor([2.])
    """
    return Freezer(graph, tally).rewritten()


class Freezer(Rewriter):
    """Copies what comes from outside."""

    made_by = "freeze"

    def copy(self, node: Node, inputs: tuple[object, ...]) -> Node:
        """The node; a tensor from outside that nothing is written to, and that is not returned, is a copy of it."""
        new = super().copy(node, inputs)
        if node.kind == "get_attr" and not new.made_by and node not in self.written | self.leaving:
            new.payload, new.made_by = node.payload.detach().clone(), self.made_by
            self.tally["frozen"] += 1
        return new
