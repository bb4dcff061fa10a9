"""The tree as one Python function, which warm calls run and which can be read.

Lines that serve nothing are left out below the last question; above it, an answer not seen yet may want them.
"""

from __future__ import annotations

from typing import Any

from ...ir.graph import Graph
from ...ir.graph import Node as Value
from ...ir.rewrite import stays
from ...ir.sized import symbols
from .predicate import MET, Objects, Predicate
from .signatures import optional
from .traces import Trail
from .tree import Guard, Leaf, Line, Node, Segment, leading

HEAD = """if top() is not TAPE or function.__code__ is not CODE:
    return eager({arguments})"""


class Source:
    """Writes the program. `misses` are the nodes at which it hands over, `segments` its graphs, `trails` its lines."""

    def __init__(self, compiled: Any) -> None:
        self.c = compiled
        self.misses: list[Node | Predicate] = []
        self.segments: list[tuple[Segment, Graph]] = []
        self.used: dict[Node, frozenset[str]] = {}
        self.asks: dict[Node, bool] = {}
        self.holders: dict[str, set[str]] = {}  # the objects into which a value is put; "" is the world outside
        self.lines: list[str] = []
        self.trails: dict[int, Trail] = {}
        self.ends: dict[Node | None, int] = {}  # the numbers of the lines at which calls end
        self.starts: dict[Line, int] = {}  # the numbers of the lines at which those of the program begin
        self.calls: dict[int, Segment] = {}  # by the number of the line that calls a graph
        self.asking: dict[int, Node | Predicate] = {}  # the lines that only ask and read, and what stands there

    def program(self, signature: str, arguments: str) -> str:
        """The text."""
        self.say(0, f"def program({signature}):")
        for name, value in optional(self.c.function).items():
            self.say(1, f"if {name} is UNSET: {name} = {value}")
        self.say(1, HEAD.format(arguments=arguments))
        if self.c.root.children:
            first = self.c.root.children[None]
            self.analyse(first)
            self.block(first, 1, Objects())
        else:
            self.say(1, self.miss(self.c.root))
        return "\n".join(self.lines) + "\n"

    def say(self, indent: int, text: str, trail: Trail = ()) -> None:
        """Write a line, perhaps of several parts."""
        for part in text.split("\n"):
            self.lines.append("    " * indent + part)
            if trail:
                self.trails[len(self.lines)] = trail

    def miss(self, place: Node | Predicate) -> str:
        """Hand over to the recorder."""
        self.misses.append(place)
        return f"return miss({len(self.misses) - 1}, locals())"

    # ---- what is needed ---------------------------------------------------------------------------------------------
    def analyse(self, root: Node) -> None:
        """What each node and all below it use, and whether a question remains below. No recursion: trees are deep."""
        order, stack = list[Node](), [root]
        while stack:
            node = stack.pop()
            order.append(node)
            stack += node.children.values()
        for node in order:
            if isinstance(node, Line):
                for name in node.uses - {node.owner}:
                    self.holders.setdefault(name, set()).add(node.owner)
        for node in reversed(order):
            used, asks = self.below(node)
            asks = asks or isinstance(node, Guard)
            if isinstance(node, Segment):
                used = joined(used, frozenset(node.inputs) | frozenset(symbols(node.graph)))
            elif isinstance(node, (Guard, Leaf)) or (isinstance(node, Line) and self.matters(node, used, asks)):
                used = joined(used, node.uses)
                if isinstance(node, Line) and node.owner != node.name:
                    used = joined(used, frozenset({node.owner}))  # what is written to is wanted whole
            self.used[node], self.asks[node] = used, asks

    def matters(self, line: Line, used: frozenset[str], asks: bool) -> bool:
        """Whether a line is needed.

        A new object that nothing uses is not, even if a question follows: a replay makes it anew. What was written
        into an object is kept until no question is left, since a replay needs it whole.
        """
        if line.replaced:
            return False
        if not line.owner or self.reached(line.owner, used):
            return True
        return asks and line.owner != line.name

    def reached(self, name: str, used: frozenset[str]) -> bool:
        """Whether an object of the program's is used, or somebody may still look at it through what holds it."""
        pending, seen = [name], set[str]()
        while pending:
            holder = pending.pop()
            if not holder or holder in used:
                return True
            if holder not in seen:
                seen.add(holder)
                pending += self.holders.get(holder, ())
        return False

    def below(self, node: Node) -> tuple[frozenset[str], bool]:
        """What is used under a node, and whether a question or an open end is there."""
        children = list(node.children.values())
        used = self.used[children[0]] if children else frozenset[str]()
        for child in children[1:]:
            used = joined(used, self.used[child])
        return used, any(self.asks[c] for c in children) or not (node.children or isinstance(node, Leaf))

    # ---- lines ------------------------------------------------------------------------------------------------------
    def block(self, node: Node, indent: int, objects: Objects) -> None:
        """Write a node and all below it. Guards that stand in a row are one predicate."""
        row = Predicate(self.c.wording, objects)
        while True:
            used, asks = self.below(node)
            if isinstance(node, Guard) and node.children:
                *others, (key, child) = self.answers(node)
                if others or not row.fits(node, key):
                    self.close(row, indent)
                    row = Predicate(self.c.wording, objects)
                for other, under in others:
                    self.say(indent, f"if {objects.test(node, other, self.c.wording.test)}:")
                    self.asking[len(self.lines)] = node
                    self.block(under, indent + 1, objects.beside(node, other))
                row.join(node, key)
                node = child
                continue
            if isinstance(node, Line) and node.children and (objects.meets(node) or not self.matters(node, used, asks)):
                node = node.children[None]
                continue
            if isinstance(node, Line) and node.children and row.takes(node):
                row.pending.append(node)
                node = node.children[None]
                continue
            self.close(row, indent)
            row = Predicate(self.c.wording, objects)
            if isinstance(node, Leaf):
                self.say(indent, node.text)
                self.ends[node] = len(self.lines)
                return
            if isinstance(node, Line) and self.matters(node, used, asks):
                self.line(node, indent)
            elif isinstance(node, Segment):
                self.graph(node, indent, [n for n in node.results if n in used or (asks and n in node.alive)])
            if not node.children:
                self.say(indent, self.miss(node))  # a capture was interrupted here: go on from here
                return
            node = node.children[None]

    def answers(self, node: Guard) -> list[Any]:
        """The answers of a guard, each with what is below it; the longest last, which goes on below the others."""
        return sorted(node.children.items(), key=lambda kv: (kv[0][0] == "any", len(self.used[kv[1]])))

    def close(self, row: Predicate, indent: int) -> None:
        """Write a row of guards, and what was read after the last of them."""
        if row.asked:
            for line in row.text(lambda: self.miss(row)):
                self.say(indent, line)
                self.asking[len(self.lines)] = row
        for line in row.pending:
            self.line(line, indent)

    def line(self, node: Line, indent: int) -> None:
        """Write a line."""
        self.starts[node] = len(self.lines) + 1
        self.say(indent, node.text, node.trail)
        if node.safe:
            self.asking[len(self.lines)] = node

    def graph(self, node: Segment, indent: int, wanted: list[str]) -> None:
        """Write the call of a graph."""
        graph = cut(node, wanted, f"graph_{len(self.segments)}")
        if not graph.calls and not wanted:
            return
        self.segments.append((node, graph))
        out = f"{', '.join(wanted)}{',' if len(wanted) == 1 else ''} = " if wanted else ""
        names = symbols(graph) + [name for name, value in node.inputs.items() if value in graph.placeholders]
        self.say(indent, f"{out}{graph.name}({', '.join(names)})", node.trail)
        self.calls[len(self.lines)] = node
        for name in (n for n in wanted if n in node.spent):
            self.say(indent, f"spend({name}, {self.c.pool(node.spent[name])})")


def joined(used: frozenset[str], more: frozenset[str]) -> frozenset[str]:
    """Both sets; the first itself where it holds the other, as most do in a long program."""
    return used if more <= used else used | more


def cut(segment: Segment, wanted: list[str], name: str) -> Graph:
    """The graph of a segment that gives the values in `wanted`, without what serves none of them."""
    outputs = tuple(segment.results[n] for n in wanted)
    needed = set[Value](outputs)
    kept: list[Value] = []
    for node in reversed(segment.graph.nodes):
        if node in needed or stays(node):
            kept.append(node)
            needed.update(node.feeds)
    graph = Graph(name)
    graph.recorded, graph.first = segment.graph.recorded, not any(does(n) for n, _ in leading(*segment.parent or ()))
    graph.nodes, graph.names = kept[::-1], dict(segment.graph.names)
    graph.output(outputs)
    return graph


def does(node: Node) -> bool:
    """Whether a step does more than look."""
    return isinstance(node, Segment) or (isinstance(node, Line) and not node.safe and not node.name.startswith(MET))
