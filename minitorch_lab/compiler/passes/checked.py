"""Checked: what a kernel reads or writes by number is checked before it runs.

NumPy refuses a number that is outside. A kernel compares numbers with a counter, so that of one which is outside it
would make a 0, and nobody would know.
"""

from __future__ import annotations

from typing import Any

from ...ops.indexing import within
from ..ir.graph import Graph, Node
from ..ir.rewrite import Found, Rewriter, Tally, named
from ..ir.views import root


def checked(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph with a check of every index that could be outside.

    Example:
        >>> import minitorch_lab as ml
        >>> checked(ml.jit.trace(lambda x, i: x.exp().gather(1, i), ml.ones(2, 3), ml.tensor([[0], [2]])).graph)
        graph(x: f32[2, 3], i: i64[2, 1]):
            exp: f32[2, 3] = exp(x)
            within: i64[2, 1] = within(i, name='gather', length=3)
            gather: f32[2, 1] = gather(exp, within, axis=1)
            return gather
    """
    return Checking(graph, tally).rewritten() if any(reaches(n) for n in graph.nodes) else graph


class Checking(Rewriter):
    """Puts the check before each one that a kernel might do: of those that take one entry of each row."""

    made_by = "checked"

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """The same op, with an index that was checked."""
        length = reaches(node)
        if (
            not length
            or node.op is None
            or node.feeds[-1].shape[node.params["axis"]] != 1
            or found_among(node.feeds[-1], length)
        ):
            return None
        within_it = self.emit(within, inputs[-1], name=named(node), length=length)
        return "checked", self.emit(node.op, *inputs[:-1], within_it, **node.params)


def reaches(node: Node) -> Any:
    """How many entries a node chooses among; None if it chooses none by number."""
    return node.op and node.op.reaches and node.op.reaches(*[f.shape for f in node.feeds], **node.params)


def found_among(index: Node, length: Any) -> bool:
    """Whether the numbers are places that were found among no more entries."""
    found = root(index)
    below = found.op and found.op.below
    return below is not None and below(*[f.shape for f in found.feeds], **found.params) <= length
