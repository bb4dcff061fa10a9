"""Layout: transposes move down the program, past what works entry by entry, until they meet and cancel.

Code that goes from channels first to channels last and back around every activation then transposes at its two ends.
"""

from __future__ import annotations

from typing import Any

from ...ops.movement import cast, permute_op
from ..ir.graph import Graph, Node
from ..ir.rewrite import Found, Rewriter, Tally, named
from .simplify import composed, in_place_already


def layout(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph with transposes moved towards its end. Those that nobody reads any more are left to dce.

    Example:
        >>> import minitorch_lab as ml
        >>> from .dce import dce
        >>> graph = ml.jit.trace(lambda x: (x.T.relu() + 1).T.exp(), ml.ones(2, 3)).graph
        >>> dce(layout(graph))
        graph(x: f32[2, 3]):
            relu_1: f32[2, 3] = relu(x)
            add_1: f32[2, 3] = add(relu_1, 1)
            exp: f32[2, 3] = exp(add_1)
            return exp
    """
    return Sinking(graph, tally).rewritten()


class Sinking(Rewriter):
    """Lets an op run before the transpose of its inputs."""

    made_by = "layout"

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """The transpose of what the op gives before it."""
        if named(node) == "permute":
            source = in_place_already(self, *inputs, **node.params)
            source = composed(self, *inputs, **node.params) if source is None else source
            return source and ("cancelled", source)
        assert node.op is not None
        tensors = [i for i in inputs if isinstance(i, Node)]
        passed = node.op.entrywise or node.op is cast
        if not passed or not tensors or not all(self.made(i, "permute") for i in tensors):
            return None
        orders = {tuple(i.params["axes"]) for i in tensors}
        if len(orders) > 1:
            return None
        sources = [i.inputs[0] if isinstance(i, Node) else i for i in inputs]
        return "moved", self.emit(after, *sources, op=node.op, params=node.params, axes=orders.pop())


def after(*sources: Any, op: Any, params: dict[str, Any], axes: tuple[int, ...]) -> Any:
    """The op, then the transpose."""
    return permute_op(op(*sources, **params), axes=axes)
