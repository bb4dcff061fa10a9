"""Running a graph node by node, under whatever interpreter is in force: eagerly, recorded, differentiated, mapped."""

from __future__ import annotations

from typing import Any

from ..func.trees import flatten
from ..interpret import grad_enabled, grad_mode, stack
from .graph import Graph, Node


def evaluate(graph: Graph, args: list[Any]) -> Any:
    """What the program gives for `args`, one value per placeholder.

    Every op is called as the user's function would have called it, so gradients flow and transforms apply; a value is
    let go after its last use.

    Example:
        >>> import minitorch_lab as ml
        >>> graph = ml.jit.trace(lambda a: a * 2 + 1, ml.ones(2)).graph
        >>> evaluate(graph, [ml.tensor([1.0, 5.0])])
        tensor([ 3., 11.])
    """
    values: dict[Node, Any] = {}
    given = iter(args)
    for node, ends in zip(graph.nodes, graph.last_uses(), strict=True):
        if node.kind == "placeholder":
            values[node] = next(given)
        elif node.kind == "get_attr":
            values[node] = node.payload
        elif node.kind == "output":
            return result(node.inputs[0], values)
        else:
            values[node] = step(node, [values[i] if isinstance(i, Node) else i for i in node.inputs])
        for end in ends:
            del values[end]
    return None


def step(node: Node, inputs: list[Any]) -> Any:
    """Run one node."""
    assert node.op is not None
    with grad_enabled(node.grad and grad_mode.get()):
        if node.kind == "call":
            return node.op(*inputs, **node.params)
        return stack.get().inplace(node.op, inputs[0], tuple(inputs[1:]), node.params)


def result(tree: Any, values: dict[Node, Any]) -> Any:
    """The tree of the output, with values for its nodes."""
    leaves, build = flatten(tree)
    return build([values[leaf] if isinstance(leaf, Node) else leaf for leaf in leaves])
