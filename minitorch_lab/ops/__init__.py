"""The ops: one declaration each. Importing this package fills the registry."""

from . import axes, broadcast, elementwise, factory, indexing, join, linalg, loss, movement, reduce
from .front import FUNCTIONS, METHODS
from .linalg import matmul
from .movement import clone, detach
from .op import OPS, Op

ELEMENTWISE = tuple(op for op in vars(elementwise).values() if isinstance(op, Op) and op.name not in METHODS)
FUNCTIONS.update({simple.name: simple for simple in (*ELEMENTWISE, matmul, clone, detach)})

__all__ = [
    "ELEMENTWISE", "FUNCTIONS", "METHODS", "OPS", "Op", "axes", "broadcast", "clone", "detach", "elementwise",
    "factory", "indexing", "join", "linalg", "loss", "matmul", "movement", "reduce",
]  # fmt: skip
