"""Graphs with sizes in them: which symbols they hold, and the same graph for other sizes or for given numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ...func.trees import flatten
from .graph import Facts, Graph, Node
from .sizes import Sizes, mapped_sizes, sizes_in


def symbols(graph: Graph) -> list[str]:
    """The names of the symbols in a graph, in the order in which it meets them.

    Example:
        >>> import minitorch_lab as ml
        >>> symbols(ml.jit.trace(lambda a: a * 2, ml.ones(3)).graph)
        []
    """
    found: dict[str, None] = {}
    for node in graph.nodes:
        for size in sizes_in(*held(node)):
            found |= dict.fromkeys(sorted(size.symbols))
        for block in node.blocks:
            found |= dict.fromkeys(symbols(block))
    return list(found)


def held(node: Node) -> tuple[Any, ...]:
    """Where a node may hold sizes."""
    return node.facts.shape, node.facts.strides, tuple(i for i in node.inputs if not isinstance(i, Node)), node.params


def resized(graph: Graph, f: Callable[[Any], Any]) -> Graph:
    """A copy of a graph, with `f` of every size in it."""
    new = Graph(graph.name)
    new.names, new.recorded = dict(graph.names), graph.recorded
    twin: dict[Node, Node] = {}
    for node in graph.nodes:
        leaves, build = flatten(node.inputs)
        inputs = build([twin[i] if isinstance(i, Node) else mapped_sizes(f, i) for i in leaves])
        blocks = tuple(resized(block, f) for block in node.blocks)
        twin[node] = new.add(
            Node(node.kind, node.name, refaced(node.facts, f), node.op, inputs, mapped_sizes(f, node.params),
                 node.grad, node.payload, blocks, node.line, node.made_by)
        )  # fmt: skip
    return new


def refaced(facts: Facts, f: Callable[[Any], Any]) -> Facts:
    """Facts, with `f` of every size in them."""
    return replace(facts, shape=mapped_sizes(f, facts.shape), strides=mapped_sizes(f, facts.strides))


def rebound(graph: Graph, sizes: Sizes) -> Graph:
    """The graph, its sizes answered for by `sizes`."""
    return resized(graph, lambda size: size.of(sizes))


def concrete(graph: Graph, values: Mapping[str, int]) -> Graph:
    """The graph for these numbers: no sizes are left in it."""
    return resized(graph, lambda size: size.at(values))
