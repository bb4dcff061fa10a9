"""What makes a graph a legal one. Checked after every pass in the tests, and on demand."""

from __future__ import annotations

from ...errors import CaptureError, MinitorchError
from .fake import foretold
from .graph import Graph, Node

KINDS = ("placeholder", "get_attr", "call", "write", "if", "while", "custom", "part", "output")


def verify(graph: Graph) -> None:
    """Make sure that `graph` is well formed.

    Every value is made before it is read, once, under a name of its own; there is one output, at the end; placeholders
    come first; and the shape and dtype of every value are those that its op gives.

    Raises:
        CaptureError: It is not: the text names the node and the rule.

    Example:
        >>> import minitorch_lab as ml
        >>> graph = ml.jit.trace(lambda a: 0.1 * a, ml.randn(1)).graph
        >>> verify(graph)
        >>> graph.nodes.reverse()
        >>> verify(graph)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        minitorch_lab.errors.CaptureError: The graph 'graph' does not end with its output...
    """
    if not graph.nodes or graph.nodes[-1].kind != "output":
        raise CaptureError(
            f"The graph {graph.name!r} does not end with its output.",
            "The last node is the one output of a graph.",
            "Did you forget graph.output(...)?",
        )
    made: set[Node] = set()
    names: set[str] = set()
    for node in graph.nodes:
        if (problem := wrong(node, made, names, graph)) is not None:
            raise CaptureError(f"The graph {graph.name!r} is not well formed at {node.name!r}.", problem)
        made.add(node)
        names.add(node.name)
        for block in node.blocks:
            verify(block)


def wrong(node: Node, made: set[Node], names: set[str], graph: Graph) -> str | None:
    """The rule that `node` breaks, if any."""
    if node.kind not in KINDS:
        return f"There is no kind of node {node.kind!r}: the kinds are {', '.join(KINDS)}."
    if node.name in names:
        return "Another node has this name already, and names tell values apart."
    if node in made:
        return "It stands in the list twice, and a value is made once."
    if node.kind == "output" and node is not graph.nodes[-1]:
        return "A graph has one output, and nothing after it."
    if node.kind == "placeholder" and any(n.kind not in ("placeholder", "get_attr") for n in made):
        return "Placeholders come before everything that is computed."
    for feed in node.feeds:
        if feed not in made:
            return f"It reads {feed.name!r}, which is not made before it: a value is made before it is read."
    return wrong_facts(node) if node.kind in ("call", "write") else None


def wrong_facts(node: Node) -> str | None:
    """What the op says against the facts of a call, if it does."""
    if node.op is None:
        return "A call names its op."
    try:
        facts = foretold(node.op, node.inputs, node.params)
    except MinitorchError as error:
        return f"Its op does not take these inputs: {error}"
    if (facts.shape, facts.dtype) == (node.shape, node.dtype):
        return None
    return f"It claims {node.facts}, and {node.op.name} gives {facts} for these inputs."
