"""Sizes as kernels know them: equal only if they are the same expression.

A scheduler compares extents all the time, to walk two loops as one or to share memory. That two lengths are the same
by chance must not decide it, or kernels would serve no other length. So extents that are spelled differently are
different, which forbids something and never breaks it. Which of two is larger is asked of the sizes, who note it.
"""

from __future__ import annotations

from typing import Any

from .expressions import Expression, number
from .graph import Graph
from .relations import Relation, Relations, at_least
from .sized import held, rebound
from .sizes import Size, Sizes, hinted, sizes_in


class Extents(Sizes):
    """The sizes of a graph while its kernels are made.

    Attributes:
        of: Who notes what is relied on.
        closed: Whether nothing more may be relied on: code from a cache asks nobody.
    """

    def __init__(self, of: Sizes) -> None:
        super().__init__()
        self.of: Relations = of
        self.closed = False
        self.hints, self.given = of.hints, of.given

    def decide(self, relation: Relation) -> bool:
        """Whether a relation holds."""
        relation = Relation(relation.equal, relation.difference.replaced(self.of.replaced))
        found = self.of.follows(relation)
        if found is not None:
            return found
        if relation.equal:
            return False
        if self.closed:
            raise Asked(str(relation))
        return self.of.decide(relation)

    def close(self) -> None:
        """Rely on nothing more. What is learned later is not known here."""
        known, self.of = self.of, Relations()
        self.of.hints, self.of.bounds = dict(known.hints), dict(known.bounds)
        self.of.known, self.of.replaced = dict(known.known), dict(known.replaced)
        self.hints, self.closed = self.of.hints, True

    def told(self) -> str:
        """All that is known."""
        return f"{self.of.bounds} {[*map(str, self.of.known.items())]} {[*map(str, self.of.replaced.items())]}"

    def least(self, n: Any) -> int | None:
        """What an extent is never below, if that is known."""
        return n.expression.least(self.of.bounds.get) if is_open(n) else n

    def exact(self, expression: Expression) -> int:
        """The number itself."""
        if self.closed:
            raise Asked(str(expression))
        return self.of.exact(expression)

    def hashed(self, expression: Expression) -> int:
        """The same for equal extents."""
        return hash(expression)


class Asked(Exception):  # noqa: N818 (nobody sees it: the graph is compiled for the numbers instead)
    """The code of a kernel would depend on a size."""


def with_extents(graph: Graph) -> tuple[Graph, Extents | None]:
    """The graph with extents for its sizes, of which none is 0; None if it has no sizes."""
    found = next((n.sizes for node in graph.nodes for n in sizes_in(*held(node))), None)
    if found is None:
        return graph, None
    extents = Extents(found)
    for node in graph.nodes:
        for n in sizes_in(node.shape):
            extents.decide(at_least(n.expression, number(1)))
    return rebound(graph, extents), extents


def usual(n: Any) -> Any:
    """What an extent is in the call at hand: for choices of which each is right, and one is fast."""
    return hinted(n)


def is_open(n: Any) -> bool:
    """Whether an extent is known only when the code runs."""
    return type(n) is Size
