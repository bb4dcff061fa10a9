"""Gaps: operands of products of which many entries are 0, because they have passed a relu or its gradient.

Which entries those are is known only when the program runs, so a kernel asks the numbers themselves, and leaves out
what a 0 is a factor of. That pays in the gradient of a weight, dW = dyᵀ x: a batch is short enough for one mask a row,
and a weight is wide enough for many sums a mask.
"""

from __future__ import annotations

from ..ir.extents import is_open
from ..loops.expr import Expr
from ..loops.ir import Kernel, Tile

SHORTEST, LONGEST = 8, 64  # the steps of k: a mask is a whole number of 64 bits
ROWS, COLUMNS = 16, 128  # what a product must have at least


class Gaps:
    """What is known of the buffers of a program, kernel by kernel, in the order in which they run.

    Attributes:
        known: The buffers with gaps.
    """

    def __init__(self) -> None:
        self.known: set[str] = set()

    def see(self, kernel: Kernel) -> None:
        """Note which products of a kernel have a left operand with gaps, and what it stores that has some."""
        for s in kernel.statements():
            if isinstance(s, Tile) and s.a is not None and suits(s) and self.has(s.a):
                s.gaps = True
                kernel.reasons.append(
                    f"what meets a 0 of {s.a.attr[0]} is left out, if there are many: a relu made them"
                )
        self.known |= {t.buffer for t in kernel.stores() if self.has(t.value)}

    def has(self, e: Expr) -> bool:
        """Whether an expression is 0 where a relu is."""
        if e.op == "load":
            return e.attr[0] in self.known
        if e.op == "where" and is_zero(e.args[2]):
            return self.has(e.args[1]) or self.asks(e.args[0])
        return e.op == "relu" or (e.op in ("sign", "neg", "mul") and any(map(self.has, e.args)))

    def asks(self, e: Expr) -> bool:
        """Whether a condition is false where a relu is 0."""
        return e.op in ("ne", "gt") and is_zero(e.args[1]) and self.has(e.args[0])


def is_zero(e: Expr) -> bool:
    """Whether it is the number 0."""
    return e.op == "const" and e.attr == 0


def suits(t: Tile) -> bool:
    """Whether a product has the shape for it, and stores rows."""
    if any(map(is_open, (t.m, t.n, t.k))):
        return False
    along = all(s.at.coefficient("n") == 1 for s in t.stores)
    sized = SHORTEST <= t.k <= LONGEST and t.m >= ROWS and t.n >= COLUMNS
    return along and sized and not t.within and t.a is not None and t.a.op == "load" and t.b.dtype == "f32"
