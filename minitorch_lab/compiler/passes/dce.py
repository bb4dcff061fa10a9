"""Dead code: what nobody reads is not computed. Draws and writes stay: the rest of the program can tell them."""

from __future__ import annotations

from ..ir.graph import Graph, Node
from ..ir.rewrite import Rewriter, Tally, stays, trimmed


def dce(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph without values that nothing depends on.

    Example:
        >>> import minitorch_lab as ml
        >>> def f(x):
        ...     unused = x.exp() + 1
        ...     return x * 2
        >>> dce(ml.jit.trace(f, ml.ones(2)).graph)
        f(x: f32[2]):
            mul: f32[2] = mul(x, 2)
            return mul
    """
    alive: set[Node] = set()
    for node in reversed(graph.nodes):
        if node in alive or node.kind in ("placeholder", "output") or stays(node):
            alive |= {node, *node.feeds}
    cleaner = Cleaner(trimmed(graph, alive), tally)
    if len(cleaner.old.nodes) < len(graph.nodes):
        cleaner.tally["dead"] += len(graph.nodes) - len(cleaner.old.nodes)
    return cleaner.rewritten()


class Cleaner(Rewriter):
    """A copy whose blocks lose their dead code too."""

    made_by = "dce"

    def block(self, graph: Graph) -> Graph:
        """The block without its dead code."""
        return dce(graph, self.tally)
