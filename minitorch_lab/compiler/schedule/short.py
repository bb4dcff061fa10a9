"""Short rows, as windows are: what runs along them is written out, entry by entry, and becomes part of its neighbours.

A pool looks for the largest of four or nine entries. A loop of four trips would leave most lanes of a vector without
work; four values side by side, each a view of its own, leave none.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from ...core.array import Shape
from ..ir.extents import is_open
from ..ir.graph import Node
from .contract import apart, slides
from .moves import in_shape, view
from .values import Value, word

SHORT = 16  # entries of a row that is written out


def entries(x: Value, d: int) -> list[Value] | None:
    """The entries along axis `d`, each with that axis at length 1; None if they are many, or lie in no order."""
    shape: Shape = (*x.shape[:d], 1, *x.shape[d + 1 :])
    if is_open(x.shape[d]) or x.shape[d] > SHORT:
        return None
    fine, lengths = apart(x)
    if any(len(own) > 1 for e, own in enumerate(lengths) if e != d):
        fine, lengths = x, [(n,) for n in x.shape]
    out: list[Value] = []
    for place in product(*map(range, lengths[d])):
        fixed = iter(place)
        owner = [e for e, own in enumerate(lengths) for _ in own]
        out.append(view(fine, shape, [(next(fixed), {}) if e == d else (0, {e: 1}) for e in owner]))
    return out


def reduced(node: Node, x: Value) -> Value | None:
    """The sum, or the largest or smallest entry, of the windows of a pool."""
    assert node.op is not None
    axes = node.params["axis"]
    if len(axes) != 1 or not slides(node.feeds[0]) or (found := entries(x, axes[0])) is None:
        return None
    op = {"sum": "add", "max": "maximum", "min": "minimum"}[node.op.reduces]
    out = found[0]
    for x_i in found[1:]:
        out = Value(op, (out, x_i), out.shape, x.dtype, node=node)
    return in_shape(out, node.shape)


def extreme(worse: str) -> Callable[[Node, Value], Value | None]:
    """`argmax` or `argmin`: the place of the first best entry, or of the first that is not a number."""

    def rule(node: Node, x: Value) -> Value | None:
        axes = node.params["axis"]
        if len(axes) != 1 or x.dtype == "b8" or (found := entries(x, axes[0])) is None:
            return None
        best, shape = found[0], found[0].shape
        place = Value("const", (), shape, word(node), 0)
        for i, x_i in enumerate(found[1:], 1):
            no = Value(worse, (x_i, best), shape, "b8", node=node)
            known = Value("eq", (best, best), shape, "b8", node=node)
            better = Value("logical_and", (Value("logical_not", (no,), shape, "b8", node=node), known), shape, "b8")
            place = Value(
                "where", (better, Value("const", (), shape, word(node), i), place), shape, word(node), node=node
            )
            best = Value("where", (better, x_i, best), shape, x.dtype, node=node)
        return in_shape(place, node.shape)

    return rule


def picked(node: Node, x: Value, index: Value) -> Value | None:
    """The entry of each short row whose number is `index`: what a gather of a pool has found before."""
    d = node.params["axis"]
    if not one_for_each(x.shape, index.shape, d) or (found := entries(x, d)) is None:
        return None
    out = found[0]
    for i, x_i in enumerate(found[1:], 1):
        here = Value("eq", (index, Value("const", (), index.shape, index.dtype, i)), index.shape, "b8", node=node)
        out = Value("where", (here, x_i, out), index.shape, x.dtype, node=node)
    return out


def laid(node: Node, x: Value, index: Value) -> Value | None:
    """Zeros, and in each row `x` at the entry whose number is `index`."""
    d, shape = node.params["axis"], node.shape
    if not one_for_each(shape, index.shape, d) or is_open(shape[d]) or shape[d] > SHORT:
        return None
    across = [(0, {e: 1} if n > 1 else {}) for e, n in enumerate(index.shape)]
    number = view(index, shape, across)
    here = Value("eq", (Value("iota", (), shape, index.dtype, (d, 0, 1)), number), shape, "b8", node=node)
    zero = Value("const", (), (), x.dtype, 0)
    return Value("where", (here, view(x, shape, across), zero), shape, x.dtype, node=node)


def one_for_each(shape: Shape, index: Shape, d: int) -> bool:
    """Whether there is one number for each row along `d`."""
    return index == (*shape[:d], 1, *shape[d + 1 :])


def side_by_side(node: Node, x: Value) -> Value | None:
    """Windows laid beside each other, none over another: their entries in another order, and zeros where none is."""
    p, r = node.params, node.ndim
    if p["step"] != p["size"] or any(n > 1 for n in p["dilation"]):
        return None
    order: list[int] = []
    lengths: list[int] = []
    for d in range(r):
        order.append(d)
        lengths.append(x.shape[d])
        if d in p["axis"]:
            order.append(r + p["axis"].index(d))
            lengths[-1] *= p["size"][p["axis"].index(d)]
    maps = [(0, {order.index(d): 1}) for d in range(len(order))]
    laid = in_shape(view(x, tuple(x.shape[d] for d in order), maps), tuple(lengths))
    if laid.shape == node.shape:
        return laid
    return Value("frame", (laid,), node.shape, x.dtype, ((0,) * r, 0.0), node)
