"""Common subexpressions: the same op of the same inputs is computed once."""

from __future__ import annotations

from typing import Any

from ...core.array import DTYPES
from ...ops.template import HOLE
from ..ir.graph import Graph, Node
from ..ir.rewrite import Found, Rewriter, Tally


def cse(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph with every value computed once.

    Two random draws are two values, and so are two reads of memory that is written to. What is returned keeps memory
    of its own: nobody may find that two results are one tensor.

    Example:
        >>> import minitorch_lab as ml
        >>> cse(ml.jit.trace(lambda x, y: (x * y).exp() + (y * x).sin(), ml.ones(2), ml.ones(2)).graph)
        graph(x: f32[2], y: f32[2]):
            mul: f32[2] = mul(x, y)
            exp: f32[2] = exp(mul)
            sin: f32[2] = sin(mul)
            add: f32[2] = add(exp, sin)
            return add
    """
    return Once(graph, tally).rewritten()


class Once(Rewriter):
    """Remembers what was computed."""

    made_by = "cse"

    def __init__(self, graph: Graph, tally: Tally | None = None) -> None:
        super().__init__(graph, tally)
        self.known: dict[Any, Node] = {}

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """The value with this op, these inputs and parameters, if there is one."""
        if not all(map(self.steady, inputs)):
            return None
        known = self.known.get(signature(node, inputs))
        return known and ("repeated", known)

    def copy(self, node: Node, inputs: tuple[Any, ...]) -> Node:
        """The node, remembered."""
        new = super().copy(node, inputs)
        if node.kind == "call":
            self.known.setdefault(signature(node, inputs), new)
        return new


def signature(node: Node, inputs: tuple[Any, ...]) -> Any:
    """What two nodes of one value have in common."""
    assert node.op is not None
    keys = [key(i) for i in inputs]
    if node.op.commutes:
        keys.sort()
    return node.op.name, tuple(keys), key(node.params), node.grad


def key(x: Any) -> Any:
    """Plain values by how they are written, which tells 1 from 1.0 and 0.0 from -0.0; others by identity."""
    if isinstance(x, (tuple, list)):
        return type(x).__name__, tuple(map(key, x))
    if isinstance(x, dict):
        return "dict", tuple((k, key(v)) for k, v in x.items())
    if isinstance(x, slice):
        return "slice", tuple(map(key, (x.start, x.stop, x.step)))
    named = getattr(x, "name", None) in DTYPES
    plain = named or x is None or x is ... or x is HOLE or isinstance(x, (str, bool, int, float))
    return type(x).__name__, repr(x) if plain else str(id(x))
