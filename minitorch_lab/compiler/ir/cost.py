"""What a graph costs: operations, and how often memory is touched for them, op by op or as one fused group.

    intensity = operations / bytes moved

Op by op, every intermediate value is written to memory and read back; a fused group reads its inputs and writes its
results. What only shows memory differently moves nothing. (S. Williams, A. Waterman, D. Patterson, Roofline, 2009.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ...func.trees import flatten
from ...ops.axes import numel
from ...ops.work import work
from .graph import Graph, Node
from .views import is_view, root


@dataclass(frozen=True, slots=True)
class Cost:
    """Operations, entries read or written, and the bytes of those."""

    flops: int
    accesses: int
    nbytes: int

    @property
    def per_access(self) -> Fraction:
        """Operations for each entry that is read or written."""
        return Fraction(self.flops, max(self.accesses, 1))

    @property
    def per_byte(self) -> Fraction:
        """Operations for each byte that is moved: the arithmetic intensity."""
        return Fraction(self.flops, max(self.nbytes, 1))


def unfused(graph: Graph) -> Cost:
    """The cost of a pure graph run op by op.

    Example:
        >>> import minitorch_lab as ml
        >>> graph = ml.jit.trace(lambda a, b: (a + b).relu(), ml.ones(10), ml.ones(10)).graph
        >>> unfused(graph)
        Cost(flops=20, accesses=50, nbytes=200)
        >>> fused(graph)
        Cost(flops=20, accesses=30, nbytes=120)
    """
    return total(graph, [size(n) for node in computed(graph) for n in (*dict.fromkeys(node.feeds), node)])


def fused(graph: Graph) -> Cost:
    """The cost of the graph as one kernel, which keeps in registers what nobody outside reads."""
    inside = set(computed(graph))
    results = [n for n in flatten(graph.returned)[0] if isinstance(n, Node)]
    touched: dict[Node, Size] = {}
    for n in [f for call in graph.calls for f in call.feeds if root(f) not in inside] + results:
        touched[root(n)] = max(size(n), touched.get(root(n), (0, 0)))
    return total(graph, touched.values())


Size = tuple[int, int]  # entries and bytes


def size(node: Node) -> Size:
    """What is read to read `node`: its entries, or those in memory if it repeats them."""
    count = min(numel(node.shape), numel(root(node).shape))
    return count, count * node.dtype.itemsize


def computed(graph: Graph) -> list[Node]:
    """The calls that do something."""
    return [n for n in graph.calls if not is_view(n)]


def total(graph: Graph, moved: Iterable[Size]) -> Cost:
    """The operations of the graph, and the sum of what is moved."""
    flops = sum(work(n.op, [f.shape for f in n.feeds], n.shape) for n in graph.calls if n.op is not None)
    sizes = list(moved)
    return Cost(flops, sum(n for n, _ in sizes), sum(b for _, b in sizes))
