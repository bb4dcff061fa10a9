"""Cropped: what is left of laid-over windows, when their frame is cut off, gets memory of its own.

The gradient of a convolution by its input is a sum of windows over the framed input, of which the frame is cut off. As
a view it would keep the frame in memory, and a kernel would have to compute that; as a copy it needs neither.
"""

from __future__ import annotations

from typing import Any

from ...ops.movement import clone
from ..ir.graph import Graph, Node
from ..ir.rewrite import Found, Rewriter, Tally, named


def cropped(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph with a copy of each part of laid-over windows.

    Example:
        >>> import minitorch_lab as ml
        >>> from ...ops.window import fold_op
        >>> over = {"axis": (0,), "size": (2,), "step": (1,), "dilation": (1,), "shape": (5,)}
        >>> cropped(ml.jit.trace(lambda x: fold_op(x, **over)[1:4], ml.ones(4, 2)).graph)
        graph(x: f32[4, 2]):
            fold: f32[5] = fold(x, axis=(0,), size=(2,), step=(1,), dilation=(1,), shape=(5,))
            getitem: f32[3] = getitem(fold, index=(1:4,))
            clone: f32[3] = clone(getitem)
            return clone
    """
    return Cropping(graph, tally).rewritten()


class Cropping(Rewriter):
    """Copies parts of `fold`."""

    made_by = "cropped"

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """The same part, copied."""
        if named(node) != "getitem" or [self.made(i, "fold") for i in inputs] != [True]:
            return None
        return "copied", self.emit(clone, self.copy(node, inputs))
