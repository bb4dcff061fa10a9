"""Triangles: entries that are known to be 0, or that nobody asks for, because one index is greater than another.

A causal mask is the usual case: no target looks at a source behind its own position. Half of the products of its
attention need not be computed, forward and backward, if kernels know it. What is known is a bound (x, y, d): where
x > y + d nothing has to be done.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

from ...core.array import ground, to_device, xp
from ...ops.axes import numel
from ..ir.extents import is_open
from ..ir.graph import Node
from ..ir.sizes import UNKNOWN
from ..loops.affine import Affine
from ..loops.expr import Expr, parts
from ..loops.ir import Bound, Kernel, Tile, stores_of
from .values import Value, word

LARGEST = 1 << 24  # entries of a constant that is looked at


def mask(node: Node) -> Value | None:
    """A constant that a pass has made, ones below a diagonal and zeros above, as the comparison that makes it."""
    shape, last = node.shape, node.ndim - 1
    if node.kind != "get_attr" or not node.made_by or last < 1 or not 0 < numel(shape) == numel(shape[-2:]) <= LARGEST:
        return None
    rows, columns = shape[-2:]
    array = to_device(ground(node.payload), "cpu").reshape(rows, columns)
    counts = (array != 0).sum(1)
    first = int((counts > 0).argmax())  # the first row that has a one
    d = int(counts[first]) - 1 - first
    if array.dtype.kind not in "bf" or not (array == xp.tri(rows, columns, d)).all():
        return None
    j, i = Value("iota", (), shape, "i32", (last, 0, 1)), Value("iota", (), shape, "i32", (last - 1, d, 1))
    inside = Value("le", (j, i), shape, "b8", node=node)
    return inside if word(node) == "b8" else Value("cast", (inside,), shape, word(node), node=node)


class Triangles:
    """What is known of the buffers of a program, kernel by kernel, in the order in which they run.

    Attributes:
        known: For a buffer the bounds outside of which it holds zeros; there an axis is named by its step in memory.
            And the steps of all axes, by which a reader must walk for the names to mean the same.
    """

    def __init__(self) -> None:
        self.known: dict[str, tuple[tuple[int, ...], set[tuple[int, int, int]]]] = {}

    def see(self, kernel: Kernel) -> None:
        """Note the bounds of the products of a kernel, and what is known of what it stores."""
        for s in kernel.statements():
            if isinstance(s, Tile) and s.a is not None:
                s.within = sorted({*self.contracted(s.a, "m"), *self.contracted(s.b, "n"), *asked_for(s)})
        for store in (t for s in kernel.statements() for t in stores_of(s)):
            bounds = {(store.at.coefficient(x), store.at.coefficient(y), d) for x, y, d in self.zeros(store.value)}
            bounds = {b for b in bounds if b[0] and b[1]}
            if bounds and not store.at.const:
                self.known[store.buffer] = steps(store.at), bounds

    def contracted(self, operand: Expr, across: str) -> Iterable[Bound]:
        """The bounds of a product that follow from zeros of an operand, whose axes are k and `across`."""
        return (b for b in self.zeros(operand) if {b[0], b[1]} == {"k", across})

    def zeros(self, e: Expr) -> set[Bound]:
        """The bounds outside of which an expression is 0, whatever its parts are."""
        if e.op == "where":
            return {*bound(e.args[0]), *self.zeros(e.args[1])} if is_zero(e.args[2]) else set()
        if e.op == "neg":
            return self.zeros(e.args[0])
        if e.op == "mul":
            numbers = (self.zeros(x) for x, y in (e.args, e.args[::-1]) if y.op == "const" and is_finite(y.attr))
            return set[Bound]().union(*numbers)
        return self.zeros_in_memory(*e.attr) if e.op == "load" else set()

    def zeros_in_memory(self, buffer: str, at: Affine) -> set[Bound]:
        """The same of a load."""
        if buffer not in self.known or at.const or steps(at) != self.known[buffer][0]:
            return set()
        bounds = self.known[buffer][1]
        named = {step: name for name, step in at.terms}
        return {(named[x], named[y], d) for x, y, d in bounds}


def asked_for(t: Tile) -> set[Bound]:
    """The bounds outside of which no store asks for the product."""
    found: set[Bound] | None = None
    for s in t.stores:
        free = unasked(s.value, t.var)
        found = free if found is None else found if free is None else found & free
    return {b for b in found or () if b[:2] in (("n", "m"), ("m", "n"))}


def unasked(e: Expr, var: str) -> set[Bound] | None:
    """The bounds outside of which the value of `var` makes no difference; None where it makes none anywhere."""
    if not any(x.op == "var" and x.attr == var for x in parts([e])):
        return None
    if e.op == "where" and unasked(e.args[2], var) is None and unasked(e.args[0], var) is None:
        return {*bound(e.args[0]), *(unasked(e.args[1], var) or ())}
    found = [free for x in e.args if (free := unasked(x, var)) is not None]
    return set.intersection(*found) if found else set()


def bound(e: Expr) -> set[Bound]:
    """A comparison of two counters as a bound; outside of it the comparison is false."""
    if e.op not in ("le", "ge") or any(x.op != "index" for x in e.args):
        return set()
    low, high = e.args if e.op == "le" else e.args[::-1]
    x, y = (Affine(i.attr.terms).alone for i in (low, high))
    return {(x, y, high.attr.const - low.attr.const)} if x and y else set()


def steps(at: Affine) -> tuple[int, ...]:
    """The steps in memory of all axes of a map, if no two are equal; else none, so that no axis is mistaken."""
    if any(is_open(c) for _, c in at.terms):
        return ()
    found = sorted(c for _, c in at.terms)
    return tuple(found) if len(set(found)) == len(found) else ()


def is_finite(x: Any) -> bool:
    """Whether a number is finite, whatever sizes it follows from."""
    return type(x) not in UNKNOWN and isfinite(x)


def is_zero(e: Expr) -> bool:
    """Whether an expression is the number 0."""
    return e.op == "const" and e.attr == 0
