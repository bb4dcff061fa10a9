"""The ops: one declaration each. Importing this package fills the registry."""

from . import (
    axes,
    broadcast,
    compare,
    conv,
    einsum,
    elementwise,
    factory,
    indexing,
    join,
    linalg,
    loss,
    movement,
    norm,
    order,
    pool,
    reduce,
    rows,
    strided,
    views,
    window,
)
from .front import FUNCTIONS, METHODS, entrywise
from .linalg import matmul
from .movement import clone, detach
from .op import OPS, Op

ELEMENTWISE = tuple(
    op for room in (elementwise, compare) for op in vars(room).values() if isinstance(op, Op) and op.doc
)
for simple in (*ELEMENTWISE, matmul, clone, detach):
    entrywise(simple)

__all__ = [
    "ELEMENTWISE", "FUNCTIONS", "METHODS", "OPS", "Op", "axes", "broadcast", "clone", "compare", "conv", "detach",
    "einsum", "elementwise", "factory", "indexing", "join", "linalg", "loss", "matmul", "movement", "norm", "order",
    "pool", "reduce", "rows", "strided", "views", "window",
]  # fmt: skip
