"""A training step in rows: every op of forward, backward and optimizer, with what it reads and what it writes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from ...compiler.autodiff.aot import joint
from ...compiler.autodiff.partition import default_partition
from ...compiler.ir.cost import computed
from ...compiler.ir.graph import Graph, Node
from ...compiler.ir.views import root
from ...compiler.passes.pipeline import optimize
from ...costmodel import Point, roofline_points
from ...ops.axes import numel
from ...tensors.factories import zeros
from ..training_step import pure

Operand = tuple[tuple[int, ...], int]  # a shape, and the bytes of an entry
PARTS = ("forward", "backward", "optimizer")


class Row(NamedTuple):
    """One op of a training step.

    Attributes:
        part: "forward", "backward" or "optimizer".
        op: Its name.
        reads: What it reads: a shape and the bytes of an entry, each tensor once.
        write: What it writes, likewise.
    """

    part: str
    op: str
    reads: tuple[Operand, ...]
    write: Operand


def loss(x: Any, y: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """Cross entropy of a network with one hidden layer; y holds a row with a single 1 for each example."""
    scores = (x @ w1 + b1).relu() @ w2 + b2
    return -(scores.log_softmax(1) * y).sum() / y.shape[0]


@cache
def graphs(batch: int, width: int, hidden: int, classes: int) -> dict[str, Graph]:
    """The step as three graphs: forward, backward, and plain SGD."""

    def parameters() -> list[Any]:
        return [zeros(width, hidden), zeros(hidden), zeros(hidden, classes), zeros(classes)]

    graph = pure(loss, zeros(batch, width), zeros(batch, classes), *parameters())
    parts = default_partition(joint(graph, range(2, 6)))

    def update(*args: Any) -> Any:
        return [w - 0.1 * g for w, g in zip(args[:4], args[4:], strict=True)]

    tidy = ["simplify", "cse", "dce"]
    forward, backward = optimize(parts.forward, tidy), optimize(parts.backward, tidy)
    return {"forward": forward, "backward": backward, "optimizer": pure(update, *parameters(), *parameters())}


def anatomy(batch: int = 32, width: int = 784, hidden: int = 256, classes: int = 10) -> list[Row]:
    """Every op of a training step of the network width → hidden → ReLU → classes, in order. Views are left out.

    Example:
        >>> rows = anatomy()
        >>> rows[0]
        Row(part='forward', op='matmul', reads=(((32, 784), 4), ((784, 256), 4)), write=((32, 256), 4))
        >>> len(rows)
        32
    """
    return [
        Row(part, node.op.name, tuple(map(operand, dict.fromkeys(node.feeds))), operand(node))
        for part, graph in graphs(batch, width, hidden, classes).items()
        for node in computed(graph)
        if node.op is not None
    ]


def operand(node: Node) -> Operand:
    """The shape that lies in memory, and the bytes of an entry: of what is repeated, only what there is."""
    shape = min(node.shape, root(node).shape, key=numel)
    return tuple(int(n) for n in shape), node.dtype.itemsize


def points(batch: int = 32, width: int = 784, hidden: int = 256, classes: int = 10) -> list[Point]:
    """What `costmodel` counts in the same graphs, in the same order.

    Example:
        >>> points()[0]
        Point(name='matmul', flop=12845056, nbytes=935936, seconds=None)
    """
    return [point for graph in graphs(batch, width, hidden, classes).values() for point in roofline_points(graph)]


def shares(batch: int = 32) -> dict[str, tuple[float, float, int]]:
    """Operations, bytes and ops of each part of the step.

    Example:
        >>> {part: (f"{flop / 1e6:.1f} MFLOP", f"{nbytes / 1e6:.1f} MB", n) for part, (flop, nbytes, n) in
        ...  shares().items()}  # doctest: +NORMALIZE_WHITESPACE
        {'forward': ('13.0 MFLOP', '1.1 MB', 10), 'backward': ('13.2 MFLOP', '1.2 MB', 14),
         'optimizer': ('0.4 MFLOP', '4.1 MB', 8)}
    """
    found: dict[str, tuple[float, float, int]] = {}
    for row, point in paired(anatomy(batch), points(batch)):
        flop, nbytes, count = found.get(row.part, (0, 0, 0))
        found[row.part] = flop + point.flop, nbytes + point.nbytes, count + 1
    return found


def paired(rows: Sequence[Row], counted: Sequence[Point]) -> list[tuple[Row, Point]]:
    """Each row with what was counted for it."""
    return list(zip(rows, counted, strict=True))
