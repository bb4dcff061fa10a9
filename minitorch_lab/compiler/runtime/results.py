"""What a compiled program hands back: which values are computed, and which are views of arguments or of each other.

A view must share memory, version and history with what it shows, so it is made anew, by the op that made it, from the
tensor that owns the memory. Only the owners are computed by the kernel.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from ...func.trees import Build, flatten
from ...ops.indexing import setitem
from ...ops.movement import clone
from ..autodiff.partition import copied, lasting
from ..ir.evaluate import evaluate_call
from ..ir.graph import Graph, Node
from ..ir.symbolic import EVERYWHERE
from ..ir.views import is_view, root
from ..passes.functionalise import Pure, find_owner


@dataclass(eq=False, slots=True)
class Source:
    """Where a result comes from: an argument or a computed value, and the view ops that lead from there to it."""

    argument: bool
    index: int
    views: list[Node]

    def made(self, args: list[Any], computed: list[Any], views: dict[str, Any]) -> Any:
        """The result. A view that another result shows too is made once: a reshape may have had to copy."""
        x = args[self.index] if self.argument else computed[self.index]
        for node in self.views:
            if node.name not in views:
                views[node.name] = evaluate_call(node, [x])
            x = views[node.name]
        return x


@dataclass(eq=False, slots=True)
class Plan:
    """A pure graph whose output is the list of computed values; which of them go where; and the numbers in between.

    `versions` says how often the program has written into each computed value, or into the argument where that goes.
    """

    core: Graph
    sources: list[Any]  # a Source, or a plain value, for every leaf of the result
    build: Build
    writes: list[tuple[int, int, bool]]  # argument, computed value, whether recorded
    versions: list[int]

    def result(self, args: list[Any], computed: list[Any]) -> Any:
        """The user's result."""
        views = dict[str, Any]()
        return self.build([s.made(args, computed, views) if isinstance(s, Source) else s for s in self.sources])


def planned(pure: Pure) -> Plan:
    """What to compute for a pure graph, and how to hand it back.

    What was no view before the writes were taken out is none, though a write to a view of it has made it one of the new
    value.
    """
    graph = pure.graph
    result, last = graph.returned
    arguments = {n: i for i, n in enumerate(graph.placeholders)}
    after = {n: i for n, (i, *_) in zip(last, pure.writes, strict=True) if isinstance(n, Node)}
    owners, versions = list[Any](), list[int]()
    leaves, build = flatten(result)
    sources: list[Any] = []
    shown = Counter(traced_back(leaf, after)[0] for leaf in leaves if isinstance(leaf, Node))
    for leaf, was in zip(leaves, flatten(pure.shown)[0], strict=True):
        if not isinstance(leaf, Node):
            sources.append(leaf)
            continue
        owner, views = traced_back(leaf, after)
        index = after.get(owner, arguments.get(owner))
        if index is None:
            if shown[owner] == 1 and not is_view(find_written(was)):
                owner, views = leaf, []
            if owner not in owners:
                owners.append(owner)
                versions.append(pure.counts[find_owner(was)])
            sources.append(Source(False, owners.index(owner), views))
        else:
            sources.append(Source(True, index, views))
    writes = [(i, len(owners) + k, grad) for k, (i, grad, _) in enumerate(pure.writes)]
    computed = [*owners, *last]
    core = copied(graph.name, graph, lasting(graph, computed), graph.placeholders, computed)
    return Plan(core, sources, build, writes, [*versions, *(times for _, _, times in pure.writes)])


def writing(graph: Graph, owners: int, writes: list[tuple[int, int]]) -> Graph:
    """The graph with some of its results written into arguments, by the last of its nodes, instead of returned.

    Args:
        graph: A pure graph.
        owners: How many of its results are values to return.
        writes: Arguments and results, by position.
    """
    new = Graph(graph.name)
    new.nodes, new.names = graph.nodes[:-1], dict(graph.names)
    arguments, leaves = graph.placeholders, flatten(graph.returned)[0]
    overwritten = {arguments[i] for i, _ in writes}
    values = [leaves[k] for _, k in writes]
    for n, value in enumerate(values):
        if root(value) in overwritten:  # it must be read before it is gone
            values[n] = new.call(clone, (value,), {}, value.facts)
    for (i, _), value in zip(writes, values, strict=True):
        new.write(setitem, (arguments[i], value), EVERYWHERE, grad=False)
    moved = {k for _, k in writes}
    new.output([leaf for k, leaf in enumerate(leaves) if k < owners or k not in moved])
    return new


def find_written(node: Node) -> Node:
    """What the writes that end at `node` went into."""
    while node.kind == "write":
        node = node.feeds[0]
    return node


def traced_back(node: Node, after: dict[Node, int]) -> tuple[Node, list[Node]]:
    """The node that owns the memory of `node`, and the view ops from there to it."""
    views: list[Node] = []
    while node not in after and is_view(node):
        views.append(node)
        node = node.feeds[0]
    return node, views[::-1]
