"""The tree as one Python function, which warm calls run and which can be read.

Lines that serve nothing are left out below the last question; above it, an answer not seen yet may want them.
"""

from __future__ import annotations

from typing import Any

from ...graph import Graph
from ...graph import Node as Value
from .guards import test
from .traces import Trail
from .tree import Guard, Leaf, Line, Node, Segment

HEAD = """if top() is not TAPE or function.__code__ is not CODE or function.__defaults__ is not DEFAULTS:
    return eager({arguments})"""


class Source:
    """Writes the program. `misses` are the nodes at which it hands over, `segments` its graphs, `trails` its lines."""

    def __init__(self, compiled: Any) -> None:
        self.c = compiled
        self.misses: list[Node] = []
        self.segments: list[tuple[Segment, Graph]] = []
        self.used: dict[Node, frozenset[str]] = {}
        self.asks: dict[Node, bool] = {}
        self.lines: list[str] = []
        self.trails: dict[int, Trail] = {}

    def program(self, signature: str, arguments: str) -> str:
        """The text."""
        self.say(0, f"def program({signature}):")
        self.say(1, HEAD.format(arguments=arguments))
        if self.c.root.children:
            first = self.c.root.children[None]
            self.analyse(first)
            start = len(self.lines)
            self.say(1, "_seen = set()")  # the outside objects met so far, by identity
            self.block(first, 1)
            self.without_idle(start)
        else:
            self.miss(1, self.c.root)
        return "\n".join(self.lines) + "\n"

    def without_idle(self, at: int) -> None:
        """Leave out the line that makes `_seen`, if nothing asks for it."""
        if not any("_seen" in line for line in self.lines[at + 1 :]):
            del self.lines[at]
            self.trails = {number - 1: trail for number, trail in self.trails.items()}

    def say(self, indent: int, text: str, trail: Trail = ()) -> None:
        """Write a line, perhaps of several parts."""
        for part in text.split("\n"):
            self.lines.append("    " * indent + part)
            if trail:
                self.trails[len(self.lines)] = trail

    def miss(self, indent: int, node: Node, unless: str = "") -> None:
        """Hand over to the recorder."""
        self.say(indent, f"{unless}return miss({len(self.misses)}, locals())")
        self.misses.append(node)

    # ---- what is needed ---------------------------------------------------------------------------------------------
    def analyse(self, root: Node) -> None:
        """What each node and all below it use, and whether a question remains below. No recursion: trees are deep."""
        order, stack = list[Node](), [root]
        while stack:
            node = stack.pop()
            order.append(node)
            stack += node.children.values()
        for node in reversed(order):
            used, asks = self.below(node)
            asks = asks or isinstance(node, Guard)
            if isinstance(node, Segment):
                used |= frozenset(node.inputs)
            elif isinstance(node, (Guard, Leaf)) or (isinstance(node, Line) and self.matters(node, used, asks)):
                used |= node.uses
                if isinstance(node, Line) and node.owner != node.name:
                    used |= {node.owner}  # what is written to is wanted whole
            self.used[node], self.asks[node] = used, asks

    def matters(self, line: Line, used: frozenset[str], asks: bool) -> bool:
        """Whether a line is needed.

        A new object that nothing uses is not, even if a question follows: a replay makes it anew. What was written
        into an object is kept until no question is left, since a replay needs it whole.
        """
        if line.replaced:
            return False
        if not line.owner or line.owner in used:
            return True
        return asks and line.owner != line.name

    def below(self, node: Node) -> tuple[frozenset[str], bool]:
        """What is used under a node, and whether a question or an open end is there."""
        children = node.children.values()
        used = frozenset[str]().union(*[self.used[c] for c in children])
        return used, any(self.asks[c] for c in children) or not (node.children or isinstance(node, Leaf))

    # ---- lines ------------------------------------------------------------------------------------------------------
    def block(self, node: Node, indent: int) -> None:
        """Write a node and all below it."""
        while True:
            used, asks = self.below(node)
            if isinstance(node, Leaf):
                self.say(indent, node.text)
                return
            if isinstance(node, Guard) and node.children:
                node = self.question(node, indent)
                continue
            if isinstance(node, Line) and self.matters(node, used, asks):
                self.say(indent, node.text, node.trail)
            elif isinstance(node, Segment):
                self.graph(node, indent, [n for n in node.results if n in used or (asks and n in node.alive)])
            if not node.children:
                self.miss(indent, node)  # a capture was interrupted here: go on from here
                return
            node = node.children[None]

    def question(self, node: Guard, indent: int) -> Node:
        """Write all answers but the longest as branches; that one goes on below them."""
        answers = sorted(node.children.items(), key=lambda kv: (kv[0][0] == "any", len(self.used[kv[1]])))
        *others, (last, child) = answers
        for key, other in others:
            self.say(indent, f"if {test(node.subject, key, self.c.pool)}:")
            self.block(other, indent + 1)
        self.miss(indent, node, f"if not ({test(node.subject, last, self.c.pool)}): ")
        return child

    def graph(self, node: Segment, indent: int, wanted: list[str]) -> None:
        """Write the call of a graph."""
        graph = cut(node, wanted, f"graph_{len(self.segments)}")
        if not graph.calls and not wanted:
            return
        self.segments.append((node, graph))
        out = f"{', '.join(wanted)}{',' if len(wanted) == 1 else ''} = " if wanted else ""
        names = [name for name, value in node.inputs.items() if value in graph.placeholders]
        self.say(indent, f"{out}{graph.name}({', '.join(names)})", node.trail)
        for name in (n for n in wanted if n in node.spent):
            self.say(indent, f"spend({name}, {self.c.pool(node.spent[name])})")


def cut(segment: Segment, wanted: list[str], name: str) -> Graph:
    """The graph of a segment that gives the values in `wanted`, without what serves none of them."""
    outputs = tuple(segment.results[n] for n in wanted)
    needed = set[Value](outputs)
    kept: list[Value] = []
    for node in reversed(segment.graph.nodes):
        if (
            node in needed or node.kind == "write" or (node.op is not None and not node.feeds)
        ):  # a draw moves a generator
            kept.append(node)
            needed.update(node.feeds)
    graph = Graph(name)
    graph.recorded = segment.graph.recorded
    graph.nodes, graph.names = kept[::-1], dict(segment.graph.names)
    graph.output(outputs)
    return graph
