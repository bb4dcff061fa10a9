"""Running a graph node by node, under whatever interpreter is in force: eagerly, recorded, differentiated, mapped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.interpret import autocast_mode, grad_enabled, grad_mode, stack, uncast
from ...func.trees import flatten
from .graph import Graph, Node
from .standing import standing


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
    if autocast_mode.get():  # its casts are nodes
        with uncast():
            return evaluate(graph, args)
    values: dict[Node, Any] = {}
    given = iter(args)
    before = standing.get()
    try:
        for node, ends in zip(graph.nodes, graph.last_uses(), strict=True):
            if node.kind == "placeholder":
                values[node] = next(given)
            elif node.kind == "get_attr":
                values[node] = node.payload
            elif node.kind != "output":
                standing.set(node.line)
                values[node] = KINDS[node.kind](node, [values[i] if isinstance(i, Node) else i for i in node.inputs])
            else:
                return result(node.inputs[0], values)
            for end in ends:
                del values[end]
    finally:
        standing.set(before)
    return None


def evaluated(graph: Graph) -> Callable[..., Any]:
    """A graph as a function of its arguments."""

    def run(*args: Any) -> Any:
        return evaluate(graph, list(args))

    return run


def evaluate_call(node: Node, inputs: list[Any]) -> Any:
    """The result of an op."""
    assert node.op is not None
    with grad_enabled(node.grad and grad_mode.get()):
        return node.op(*inputs, **node.params)


def evaluate_write(node: Node, inputs: list[Any]) -> Any:
    """The first input, with the result of an op written into it."""
    with grad_enabled(node.grad and grad_mode.get()):
        return stack.get().inplace(node.op, inputs[0], tuple(inputs[1:]), node.params)


def chosen(node: Node, inputs: list[Any]) -> Any:
    """What the block gives that the first input chooses; the others are the blocks' arguments."""
    then, other = node.blocks
    return evaluate(then if bool(inputs[0]) else other, inputs[1:])


def repeated(node: Node, inputs: list[Any]) -> Any:
    """The carried values when the first block says stop; the second makes each round's from the last's."""
    condition, body = node.blocks
    count = node.params["carried"]
    carried, fixed = inputs[:count], inputs[count:]
    while bool(evaluate(condition, [*carried, *fixed])[0]):
        carried = list(evaluate(body, [*carried, *fixed]))
    return tuple(carried)


def customised(node: Node, inputs: list[Any]) -> Any:
    """The results of a call whose derivatives the user has written."""
    with grad_enabled(node.grad and grad_mode.get()):
        return stack.get().custom(node.payload, inputs)


def taken(node: Node, inputs: list[Any]) -> Any:
    """One of several results."""
    return inputs[0][node.params["index"]]


KINDS: dict[str, Callable[[Node, list[Any]], Any]] = {
    "call": evaluate_call,
    "write": evaluate_write,
    "if": chosen,
    "while": repeated,
    "custom": customised,
    "part": taken,
}


def result(tree: Any, values: dict[Node, Any]) -> Any:
    """The tree of the output, with values for its nodes."""
    leaves, build = flatten(tree)
    return build([values[leaf] if isinstance(leaf, Node) else leaf for leaf in leaves])
