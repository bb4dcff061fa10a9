"""Functionalise: a program without writes and without anything from outside.

What it wrote in place becomes a new value; what it read from outside becomes an argument; and what it wrote to its
arguments becomes a result, to be copied there by whoever runs it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from ..ir.graph import Graph, Node
from ..ir.replay import replayed, values_only
from ..ir.views import shares


@dataclass(eq=False, slots=True)
class Pure:
    """A pure graph, and how it stands for the one it was made from.

    Its arguments are those of that graph followed by the tensors in `outside`; its output is the pair of the original
    result and the list of what is to be written. `writes` says into which argument each goes, whether that is recorded,
    and how many writes it stands for. `shown` is what that graph returned. `counts` says how often each of its nodes is
    written that owns memory.
    """

    graph: Graph
    outside: list[Any]
    writes: list[tuple[int, bool, int]]
    shown: Any
    counts: Counter[Node]


def functionalise(graph: Graph) -> Pure:
    """The pure form of a graph.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.ones(2)
        >>> def f(x):
        ...     x += 1
        ...     return x * w
        >>> functionalise(ml.jit.trace(f, ml.ones(2)).graph).graph
        f(x: f32[2], constant: f32[2]):
            add: f32[2] = add(x, 1)
            mul: f32[2] = mul(add, constant)
            return (mul, [add])
    """
    new = replayed(graph) if graph.recorded else values_only(graph)
    constants = [n for n in new.nodes if n.kind == "get_attr"]
    outside = [n.payload for n in constants]
    for node in constants:
        node.kind, node.payload = "placeholder", None
    arguments = [n for n in new.nodes if n.kind == "placeholder" and n not in constants] + constants
    last = [n for n in new.nodes if n.kind == "write" and n.inputs[0] in arguments]
    pure = Graph(new.name)
    pure.names = new.names
    pure.nodes = [*arguments, *(n for n in new.nodes[:-1] if n not in arguments and n not in last)]
    pure.output((new.returned, [value(n) for n in last]))
    counts = Counter(find_owner(n) for n in graph.nodes if n.kind == "write")
    times = [counts[n] for n in graph.placeholders]
    times += [sum(k for n, k in counts.items() if n.payload is x) for x in outside]
    at = [arguments.index(n.inputs[0]) for n in last]
    writes = [(i, n.grad, times[i]) for i, n in zip(at, last, strict=True)]
    return Pure(pure, outside, writes, graph.returned, counts)


def value(write: Node) -> Any:
    """What a write at the end of a program leaves in its argument."""
    return write.inputs[1]


def find_owner(node: Node) -> Node:
    """The node whose memory `node` shows, before anything was written there."""
    while node.kind == "write" or shares(node):
        node = node.feeds[0]
    return node
