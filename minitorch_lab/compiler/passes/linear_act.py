"""Linear layers: a product with a matrix plus a bias is one op, `linear`; what follows entry by entry is its epilogue.

A backend that knows the op adds the bias, and applies the activation, while the product is still in registers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...ops.linalg import linear_op
from ...ops.movement import permute_op
from ..ir.graph import Graph, Node
from ..ir.rewrite import Found, Rewriter, Tally, named
from ..ir.sizes import alike

SWAPPED = {"axes": (1, 0)}


def linear_act(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph with `linear` in place of x @ w + b. The ops in between are left to dce.

    Example:
        >>> import minitorch_lab as ml
        >>> from .dce import dce
        >>> graph = ml.jit.trace(lambda x, w, b: (x @ w.T + b).relu(), ml.ones(4, 3), ml.ones(2, 3), ml.ones(2)).graph
        >>> graph = dce(linear_act(graph))
        >>> graph
        graph(x: f32[4, 3], w: f32[2, 3], b: f32[2]):
            linear: f32[4, 2] = linear(x, w, b)
            relu: f32[4, 2] = relu(linear)
            return relu
        >>> epilogues(graph)
        [Epilogue(product=linear, activation=relu)]
    """
    return Joining(graph, tally).rewritten()


class Joining(Rewriter):
    """Sees a sum whose one side is a product that nobody else reads."""

    made_by = "linear_act"

    def __init__(self, graph: Graph, tally: Tally | None = None) -> None:
        super().__init__(graph, tally)
        self.users = graph.users()

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """`linear`, for a product plus a vector."""
        assert node.op is not None
        if node.op.name != "add":
            return None
        for (old, product), bias in zip(zip(node.inputs, inputs, strict=True), inputs[::-1], strict=True):
            if self.made(product, "matmul") and len(self.users[old]) == 1:
                x, w = product.inputs
                if self.suits(x, w, bias):
                    return "linear", self.emit(linear_op, x, self.swapped(w), bias)
        return None

    def suits(self, x: Node, w: Node, bias: Any) -> bool:
        """Whether `w` is a matrix and `bias` has one number for each of its columns."""
        return isinstance(bias, Node) and len(w.shape) == 2 and alike(bias.shape, w.shape[1:]) and bias.dtype == x.dtype

    def swapped(self, w: Node) -> Node:
        """The weight as `linear` takes it: (out, in)."""
        if self.made(w, "permute"):
            return w.inputs[0]
        return self.emit(permute_op, w, **SWAPPED)


@dataclass(eq=False, slots=True)
class Epilogue:
    """A product, and the activation of it that nobody else needs the product for."""

    product: Node
    activation: Node


def epilogues(graph: Graph) -> list[Epilogue]:
    """The groups of a product and its activation: a backend that can computes each in one pass."""
    users = graph.users()
    return [
        Epilogue(node, users[node][0])
        for node in graph.calls
        if named(node) in ("linear", "matmul") and len(users[node]) == 1 and follows(users[node][0])
    ]


def follows(node: Node) -> bool:
    """Whether a node computes each of its entries from one entry, as an activation does."""
    return node.op is not None and node.op.entrywise and len(node.inputs) == 1
