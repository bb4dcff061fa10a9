"""Rewriting: a graph made again node by node, where a rule may let something else stand for a node.

What a rule gives is written with ops, as any function is, and written down like one; every new node is signed by its
pass and keeps the user's line. Graphs may hold writes and share memory, so a value that exists already stands for
another only where nobody can tell the two apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from ...core.array import is_float
from ...core.interpret import grad_enabled, interpreting
from ...func.trees import flatten, mapped
from ...tensors.tensor import Tensor
from .fake import foretold, in_row_order
from .graph import LATER, Graph, Node
from .symbolic import Capturing
from .views import is_view

Tally = Counter[str]  # what a pass did, and how often
OPAQUE = ("custom", "if", "while")  # what they give may show the memory of what they take
OUTSIDE = ("placeholder", "get_attr")  # what the caller may write to before the backward pass reads it
Found = tuple[str, Any]  # what a rule did, in a word, and the value that stands for the node


class Rewriter:
    """Makes a new graph of `graph`. A pass is a subclass whose `rule` says what stands for a node.

    Attributes:
        new: The graph that is being made.
        twin: For every node so far, the value that stands for it in the new graph.
        here: The node whose turn it is.
    """

    made_by = "rewrite"

    def __init__(self, graph: Graph, tally: Tally | None = None) -> None:
        self.old, self.new = graph, Graph(graph.name)
        self.new.names = {n.name: 0 for n in graph.nodes} | graph.names  # so that what is copied keeps its name
        self.tally: Tally = Counter() if tally is None else tally
        self.capturing = Capturing(self.new)
        self.twin: dict[Node, Any] = {}
        self.origin: dict[Node, Node] = {}  # of a new node, the old one that it stands for first
        passed = {memory_of(f) for n in graph.nodes if n.kind in OPAQUE for f in n.feeds}
        self.written = {memory_of(n) for n in graph.nodes if n.kind == "write"}
        if any(n.kind == "part" for n in self.written):
            self.written |= passed
        self.leaving = {memory_of(n) for n in flatten(graph.returned)[0] if isinstance(n, Node)} | passed
        late = onward(graph, [n for n in graph.placeholders if n.payload == LATER])
        self.kept = {memory_of(f) for n in late for f in n.feeds if f not in late}
        self.here = graph.nodes[-1]

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """What was done and what stands for the call `node` of these new inputs; None for a copy."""
        return None

    def rewritten(self) -> Graph:
        """The new graph."""
        for node in self.old.nodes[:-1]:
            self.make(node)
        leaves, build = flatten(self.old.returned)
        self.new.output(build(list(map(self.at, leaves))))
        return self.new

    def make(self, node: Node) -> None:
        """Find what stands for `node`; a rule may ask for it ahead of its turn, and for what it is made from."""
        if node in self.twin:
            return
        for feed in node.feeds:
            self.make(feed)
        before, self.here = self.here, node
        new = self.standing_for(node, tuple(map(self.at, node.inputs)))
        self.here = before
        self.twin[node] = new
        self.origin.setdefault(new, node)

    def at(self, x: Any) -> Any:
        """What stands for an input: a new node, or the number itself."""
        return self.twin[x] if isinstance(x, Node) else x

    def standing_for(self, node: Node, inputs: tuple[Any, ...]) -> Any:
        """What the rule gives, if it may be taken; else a copy."""
        found = self.rule(node, inputs) if node.kind == "call" and not acts(node) else None
        if found is None or not self.fits(node, found[1]):
            return self.copy(node, inputs)
        done, new = found
        if new not in self.origin and new.op is node.op:
            new.name = node.name  # the same op for the same value
        self.tally[done] += 1
        return new

    def copy(self, node: Node, inputs: tuple[Any, ...]) -> Node:
        """The node with these inputs; the blocks of control flow are rewritten too."""
        old = [i.strides for i in node.inputs if isinstance(i, Node)]
        moved = node.kind == "call" and old != [i.strides for i in inputs if isinstance(i, Node)]
        facts = foretold(node.op, inputs, node.params) if moved and node.op is not None else node.facts
        blocks = tuple(map(self.block, node.blocks))
        return self.new.add(
            Node(node.kind, node.name, facts, node.op, inputs, node.params, node.grad,
                 node.payload, blocks, node.line, node.made_by)
        )  # fmt: skip

    def block(self, graph: Graph) -> Graph:
        """The block of a node of control flow, rewritten."""
        return type(self)(graph, self.tally).rewritten()

    def emit(self, fn: Callable[..., Any], *inputs: Any, **params: Any) -> Any:
        """What `fn`, an op or a function written with ops, gives for values of the new graph."""
        start = len(self.new.nodes)
        boxes = mapped(lambda i: self.capturing.box(i) if isinstance(i, Node) else i, inputs)
        with interpreting(self.capturing), grad_enabled(self.here.grad):
            leaves, build = flatten(fn(*boxes, **params))
            out = build([self.capturing.own(x).value if isinstance(x, Tensor) else x for x in leaves])
        for node in self.new.nodes[start:]:
            node.line, node.made_by = self.here.line, self.made_by
        return out

    # ---- what may stand for what ------------------------------------------------------------------------------------
    def fits(self, node: Node, found: Any) -> bool:
        """Whether `found` is of the kind of `node`; and whether both may share memory, if `found` is not new."""
        if not isinstance(found, Node) or kind_of(found) != kind_of(node):
            return False
        root = self.origin.get(memory_of(found))
        if root is None:  # memory of its own, made just now
            return True
        if found in self.origin and not same_flow(node, self.origin[found]):
            return False
        apart = self.written | self.leaving | (self.kept if root.kind in OUTSIDE else set())
        free = memory_of(node) not in apart and self.steady(root)
        return free or own_memory(node) is own_memory(root)

    def steady(self, x: Any) -> bool:
        """Whether nothing is written to the memory of `x`, so that it may be read at another place."""
        if not isinstance(x, Node):
            return True
        root = self.origin.get(memory_of(x), memory_of(x))
        return root not in self.written and not (self.written and root.kind == "part")

    def made(self, x: Any, name: str) -> bool:
        """Whether `x` is a call of the op `name` that can be seen through: its inputs may be read here instead."""
        return (
            isinstance(x, Node)
            and x.kind == "call"
            and x.op is not None
            and x.op.name == name
            and x.grad == self.here.grad
            and all(map(self.steady, x.inputs))
        )


def onward(graph: Graph, nodes: Iterable[Node]) -> set[Node]:
    """`nodes` and all that depend on them."""
    found = set(nodes)
    for node in graph.nodes:
        if node.kind != "output" and any(feed in found for feed in node.feeds):
            found.add(node)
    return found


def kind_of(node: Node) -> Any:
    """What a value is, whatever it holds."""
    return node.shape, node.dtype, node.device


def same_flow(node: Node, old: Node) -> bool:
    """Whether a gradient that is stopped at `node` is stopped at `old` as well."""
    return node.grad or not is_float(node.dtype) or (old.kind == "call" and not old.grad)


def memory_of(node: Node) -> Node:
    """The node whose memory `node` may show, or writes to."""
    while is_view(node) or node.kind == "write":
        node = node.inputs[0]
    return node


def own_memory(node: Node) -> Node:
    """The node whose memory `node` shows for certain: a reshape may have to copy."""
    while is_view(node) and node.op is not None and (node.op.name != "reshape" or in_row_order(node.inputs[0])):
        node = node.inputs[0]
    return node


def draws(node: Node) -> bool:
    """Whether the node draws random numbers: every run draws others, and those after it depend on it."""
    return node.op is not None and node.op.effect == "draws"


WALK = "walk"  # what a node of a backward pass says it was made by


def acts(node: Node) -> bool:
    """Whether running the node does more than give its value: its op says so, or it writes, or is the user's code."""
    of_itself = node.kind in ("write", "custom") or (node.op is not None and bool(node.op.effect))
    return of_itself or any(acts(n) for block in node.blocks for n in block.nodes)


def stays(node: Node) -> bool:
    """Whether a program has the node though nobody reads its value: it acts, or it may refuse the entries it is given.

    What a backward pass would compute for nobody is left out all the same: eager does not compute it.
    """
    op = node.op
    refuses = op is not None and op.refuses and node.made_by != WALK and (op.rest is None or len(node.inputs) > op.rest)
    return refuses or acts(node)


def trimmed(graph: Graph, keep: Iterable[Node]) -> Graph:
    """The nodes in `keep` alone, still those of `graph`."""
    kept = set(keep)
    part = Graph(graph.name)
    part.nodes = [n for n in graph.nodes if n in kept]
    return part


def named(node: Node) -> str:
    """The name of the op of a call."""
    return node.op.name if node.kind == "call" and node.op is not None else ""
