"""Soon: what lets go of more memory than it takes is computed as soon as it can be.

The order of a graph is the order in which the program was written: all gradients, then all updates. Each gradient then
waits for its update, and all of them are alive at once. Run as soon as it can, an update ends the life of its gradient.
"""

from __future__ import annotations

from ..ir.graph import Graph, Node
from ..ir.rewrite import Rewriter, Tally, draws
from ..ir.views import is_view, root
from ..memory.buffers import homes
from ..memory.plan import timeline


def soon(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph in another order, if fewer bytes are alive at its busiest step than before.

    Only a pure graph is reordered: without writes, calls of the user's own and control flow.

    Example:
        >>> import minitorch_lab as ml
        >>> def f(x):
        ...     a, b = x.exp(), x.sin()
        ...     return a.sum(), b.sum()
        >>> soon(ml.jit.trace(f, ml.ones(100)).graph)
        f(x: f32[100]):
            exp: f32[100] = exp(x)
            sum: f32[] = sum(exp, axis=(0,), keepdims=False)
            sin: f32[100] = sin(x)
            sum_1: f32[] = sum(sin, axis=(0,), keepdims=False)
            return (sum, sum_1)
    """
    sooner = Sooner(graph, tally)
    new = sooner.rewritten()
    if most(new) < most(graph):
        sooner.tally["sooner"] += sum(a.name != b.name for a, b in zip(new.nodes, graph.nodes, strict=True))
        return new
    return Rewriter(graph).rewritten()


def most(graph: Graph) -> int:
    """Bytes alive at the busiest step, if every op can write where it is told."""
    return max(timeline(homes(graph).lives), default=0)


class Sooner(Rewriter):
    """A copy in another order."""

    made_by = "soon"

    def rewritten(self) -> Graph:
        """The copy: each node in its turn, and after it what it makes possible and what lets go of memory."""
        self.place = {n: i for i, n in enumerate(self.old.nodes)}
        pure = all(n.kind in ("placeholder", "get_attr", "call", "output") for n in self.old.nodes)
        self.readers: dict[Node, set[Node]] = {n: set() for n in self.old.nodes}
        for node in self.old.nodes:
            for feed in node.feeds if not is_view(node) else []:
                self.readers[root(feed)].add(node)
        if pure:
            for node in self.old.nodes[:-1]:
                self.follow(node)
        return super().rewritten()

    def follow(self, node: Node) -> None:
        """Copy `node`, then what can run now and gives back at least the memory that it takes."""
        pending = [node]
        while pending:
            node = pending.pop()
            if node in self.twin:
                continue
            self.make(node)
            if is_view(node):
                continue
            touched = dict.fromkeys([root(n) for n in (node, *node.feeds)])
            for memory in touched:
                self.readers[memory].discard(node)
            ready = [r for m in touched for r in self.readers[m] if self.possible(r) and self.gives_back(r)]
            pending += sorted(ready, key=self.place.__getitem__, reverse=True)

    def possible(self, node: Node) -> bool:
        """Whether all that `node` reads is there, views aside, and it may run at any time."""
        return node.kind == "call" and not draws(node) and all(root(f) in self.twin for f in node.feeds)

    def gives_back(self, node: Node) -> bool:
        """Whether what `node` reads last is at least as large as what it makes; a result takes nothing here."""
        last = {root(f) for f in node.feeds if self.readers[root(f)] == {node}}
        freed = sum(m.nbytes for m in last if m.kind == "call" and m not in self.leaving)
        return freed >= (0 if node in self.leaving else node.nbytes) and freed > 0
