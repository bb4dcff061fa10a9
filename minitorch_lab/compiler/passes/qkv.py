"""QKV: products of one input with several matrices become one product with the matrices side by side.

Attention asks for queries, keys and values of the same states. One wide product reads the states once instead of three
times, and keeps the processor busier. Nothing names them: any products that share their input are found.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from ...ops.indexing import getitem_op
from ...ops.join import cat_op
from ...ops.op import Op
from ..autodiff.partition import behind
from ..ir.graph import Graph, Node
from ..ir.rewrite import Found, Rewriter, Tally, acts
from .fold import constant

WIDTH = {"matmul": 1, "linear": 0}  # along which axis of the matrix the columns of the product are counted


def qkv(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph with one product where several share their input, where that saves bytes.

    Putting the matrices side by side reads and writes them once more, unless they are constants (see `freeze`), so a
    few rows are not worth it. A product that is returned keeps memory of its own.

    Example:
        >>> import minitorch_lab as ml
        >>> def f(h, q, k):
        ...     return (h @ q) * (h @ k)
        >>> qkv(ml.jit.trace(f, ml.ones(64, 4), ml.ones(4, 4), ml.ones(4, 4)).graph)
        f(h: f32[64, 4], q: f32[4, 4], k: f32[4, 4]):
            cat: f32[4, 8] = cat(q, k, axis=1)
            matmul_2: f32[64, 8] = matmul(h, cat)
            getitem: f32[64, 4] = getitem(matmul_2, index=(..., 0:4))
            getitem_1: f32[64, 4] = getitem(matmul_2, index=(..., 4:8))
            mul: f32[64, 4] = mul(getitem, getitem_1)
            return mul
    """
    return Merging(graph, tally).rewritten()


class Merging(Rewriter):
    """Makes the wide product where the first of its parts stands."""

    made_by = "qkv"

    def __init__(self, graph: Graph, tally: Tally | None = None) -> None:
        super().__init__(graph, tally)
        self.groups = {group[0]: group for group in self.found()}

    def found(self) -> list[list[Node]]:
        """The products to be made one, the earliest first in each group."""
        place = {node: i for i, node in enumerate(self.old.nodes)}
        alike: dict[Any, list[Node]] = {}
        for node in self.old.calls:
            if self.suits(node):
                alike.setdefault((node.inputs[0], node.op, len(node.inputs), node.grad), []).append(node)
        ready = [[n for n in group if self.ready(n, group, place)] for group in alike.values()]
        return [group for group in ready if len(group) > 1 and saved(group) > 0]

    def ready(self, node: Node, group: list[Node], place: dict[Node, int]) -> bool:
        """Whether the matrix can be made before the first product of the group: none of them is needed for it."""
        later = behind(node.inputs[1:], lambda n: place[n] < place[group[0]])
        still = all(not acts(n) and n.kind != "part" and all(map(self.steady, n.inputs)) for n in later)
        return still and not later & set(group)

    def suits(self, node: Node) -> bool:
        """Whether the node is a product with a matrix, whose memory is its own affair."""
        assert node.op is not None
        if node.op.name not in WIDTH or node.kind != "call" or len(node.inputs[1].shape) != 2:
            return False
        return all(map(self.steady, node.inputs)) and node not in self.leaving | self.written

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """The first of a group brings all of it."""
        if node not in self.groups:
            return None
        group = self.groups[node]
        for member in group:
            for other in member.inputs[1:]:
                self.make(other)
        others = [[self.at(member.inputs[i]) for member in group] for i in range(1, len(inputs))]
        pieces = self.emit(wide_product, inputs[0], others, op=node.op)
        self.twin |= dict(zip(group, pieces, strict=True))
        return f"{len(group)} products in one", pieces[0]


def saved(group: list[Node]) -> int:
    """The bytes that one product moves less than several: the input is read once; the matrices are put together."""
    joined = sum(2 * i.nbytes for n in group for i in n.inputs[1:] if not constant(i))
    return (len(group) - 1) * group[0].inputs[0].nbytes - joined


def wide_product(h: Any, others: list[list[Any]], *, op: Op) -> list[Any]:
    """One product with the matrices (and biases) side by side, and its pieces."""
    along = WIDTH[op.name]
    wide = op(h, *(cat_op(*parts, axis=along if len(parts[0].shape) == 2 else 0) for parts in others))
    widths = [w.shape[along] for w in others[0]]
    ends = accumulate(widths)
    return [getitem_op(wide, index=(..., slice(end - n, end))) for n, end in zip(widths, ends, strict=True)]
