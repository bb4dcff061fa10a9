"""The ops: one declaration each. Importing this package fills the registry."""

from . import (
    axes,
    bitwise,
    blend,
    broadcast,
    chances,
    cholesky,
    clamp,
    closeness,
    compare,
    conv,
    cumulative,
    diagonal,
    einsum,
    elementwise,
    factors,
    factory,
    indexing,
    join,
    linalg,
    loss,
    magnitude,
    movement,
    norm,
    order,
    piecewise,
    pool,
    powers,
    products,
    pseudo,
    random,
    ranks,
    reduce,
    rounding,
    rows,
    search,
    solve,
    strided,
    trigonometry,
    views,
    window,
)
from .front import FUNCTIONS, METHODS, entrywise
from .linalg import matmul
from .movement import clone, detach
from .op import OPS, Op

SIMPLE = (elementwise, compare, bitwise, clamp, powers, trigonometry, rounding, closeness)
ELEMENTWISE = tuple({op: op for room in SIMPLE for op in vars(room).values() if isinstance(op, Op) and op.doc})
for simple in (*ELEMENTWISE, matmul, clone, detach):
    if simple.name not in FUNCTIONS:
        entrywise(simple)

__all__ = [
    "ELEMENTWISE", "FUNCTIONS", "METHODS", "OPS", "Op", "axes", "bitwise", "blend", "broadcast", "chances",
    "cholesky",
    "clamp", "clone", "closeness", "compare", "conv", "cumulative", "detach", "diagonal", "einsum", "elementwise",
    "factors", "factory", "indexing", "join", "linalg", "loss", "magnitude", "matmul", "movement", "norm", "order",
    "piecewise", "pool", "powers", "products", "pseudo", "random", "ranks", "reduce", "rounding", "rows", "search",
    "solve", "strided", "trigonometry", "views", "window",
]  # fmt: skip
