"""Before fusion: the copies that address maps need, and which side of a product runs in vectors.

The right operand of a product is read in vectors along its columns, so its columns lie one after the other, or it is
copied that way. Where that is cheaper the product is turned round, (a b)ᵀ = bᵀ aᵀ, and its rows run in vectors.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ops.axes import numel
from ..ir.extents import usual
from ..loops.affine import ZERO, axis
from .fuse import ordered
from .moves import all_ones, copied, row_order, transposed, view
from .values import Value, base, computed, in_memory


def prepared(wanted: list[Value], feeds: Callable[[Value], list[Value]], vectors: bool = True) -> dict[Value, Value]:
    """For every value that `wanted` are made of, the one that stands for it: one for all that are equal.

    Without `vectors` products stay as they are: threads can read columns as well as rows.
    """
    new: dict[Value, Value] = {}
    known: dict[object, Value] = {}
    for v in ordered(wanted, feeds):
        src = tuple(new[s] for s in v.src)
        if v.op == "flat" and not row_order(src[0]):  # a product that was turned round
            src = (copied(src[0]),)
        key = v if v.op == "copy" else (v.op, src, v.shape, v.dtype, repr(v.attr))
        if key not in known:
            made = v if src == v.src else Value(v.op, src, v.shape, v.dtype, v.attr, v.node)
            known[key] = turned(v, *src) if v.op == "matmul" and vectors else made
        new[v] = known[key]
    return new


def owners(values: list[Value]) -> list[Value]:
    """For every value that must be an array of its own, the computed value whose memory that is."""
    taken: dict[Value, None] = {}
    out: list[Value] = []
    for v in values:
        owner = v
        while owner.op == "flat" or (owner.op == "view" and all_ones(owner)):
            owner = owner.src[0]
        if not computed(owner) or owner in taken:
            owner = copied(v)
        taken[owner] = None
        out.append(owner)
    return out


def turned(v: Value, a: Value, b: Value) -> Value:
    """The product of `a` and `b`, the way that copies least."""
    m, n = v.shape[-2:]
    if unit(b, -1):
        return Value("matmul", (a, b), v.shape, v.dtype, node=v.node)
    other = transposed(a)
    turning = numel(v.shape) // 2 + (0 if unit(other, -1) else numel(narrowed(other).shape))
    if usual(turning) < usual(numel(narrowed(b).shape)):
        right = other if unit(other, -1) else packed(other)
        shape = (*v.shape[:-2], n, m)
        return transposed(Value("matmul", (transposed(b), right), shape, v.dtype, node=v.node))
    return Value("matmul", (a, packed(b)), v.shape, v.dtype, node=v.node)


def packed(x: Value) -> Value:
    """A copy of `x` in row order; along axes that only repeat it, it is not repeated in memory."""
    narrow = narrowed(x)
    maps = [(0, {d: 1} if n > 1 else {}) for d, n in enumerate(narrow.shape)]
    return view(copied(narrow), x.shape, maps)


def narrowed(x: Value) -> Value:
    """`x` at the first place of the axes along which it repeats."""
    names = tuple(axis(str(e)) if n > 1 else ZERO for e, n in enumerate(x.shape))
    at = in_memory(x, names)[1]
    moving = [n > 1 and at.coefficient(str(d)) != 0 for d, n in enumerate(x.shape)]
    shape = tuple(n if moves else 1 for n, moves in zip(x.shape, moving, strict=True))
    return view(x, shape, [(0, {d: 1} if moves else {}) for d, moves in enumerate(moving)])


def unit(x: Value, d: int) -> bool:
    """Whether neighbours along an axis are neighbours in memory."""
    if base(x).op in ("const", "iota"):
        return False
    names = tuple(axis(str(e)) if n > 1 else ZERO for e, n in enumerate(x.shape))
    return in_memory(x, names)[1].coefficient(str(d % len(x.shape))) == 1
