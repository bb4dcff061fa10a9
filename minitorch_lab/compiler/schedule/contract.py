"""Contractions: products whose axes were several before they became one, as in a convolution.

A convolution is a product of filters and columns, and the columns are windows that overlap: laid out, each entry would
stand in memory once for every place in a window. But where an entry lies is still a sum of steps, so a loop over the
axes of a window can read it where it is:

    out[n, o, p, q] = Σ over c, i, j of  w[o, c, i, j] · x[n, c, p + i, q + j]

The gradient by the filters is of the same kind, with the sum over n, p and q. That by the input adds up what overlaps:

    dx[n, c, p, q] = Σ over o, i, j of  w[o, c, i, j] · g[n, o, p - i, q - j],   where g has such an entry
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from ...core.array import Shape
from ..ir.extents import usual
from ..ir.graph import Node
from ..ir.views import is_view
from ..loops.affine import axis
from .moves import copied, in_shape, view
from .values import Maps, Value, base, in_memory, mapped

LANES = 16  # entries of float32 in the widest vectors
FULL = 0.5  # the share of lanes that must have work; else the columns are laid out, and the product runs along them


@dataclass(frozen=True, slots=True)
class Contraction:
    """What is added up: the product of two values, over some axes, for every entry of the result.

    Attributes:
        over: The lengths of the axes that are added up.
        maps: For each of both values where it is read: by the axes of the result, and then by those of `over`.
        inside: Maps of the same axes that must be from 0 up to a length: what lies outside is not there.
        reason: Why it is one.
    """

    over: Shape
    maps: tuple[Maps, Maps]
    inside: tuple[tuple[int, dict[int, int], int], ...] = ()
    reason: str = ""


# ---- what slides -----------------------------------------------------------------------------------------------------
def windows(node: Node, x: Value) -> Value:
    """Windows along some axes: a place is the step of its window, and of the entry in it."""
    p = node.params
    steps = {d: {d: 1} for d in range(len(x.shape))}
    for i, (d, step, dilation) in enumerate(zip(p["axis"], p["step"], p["dilation"], strict=True)):
        steps[d] = {d: step, len(x.shape) + i: dilation}
    return view(x, node.shape, [(0, at) for at in steps.values()])


def framed(node: Node, x: Value) -> Value | None:
    """An array laid into a larger one that holds one number everywhere else."""
    low = tuple(first for first, _ in node.params["widths"])
    whole = all(first >= 0 and last >= 0 for first, last in node.params["widths"])
    return Value("frame", (x,), node.shape, x.dtype, (low, node.params["value"]), node) if whole else None


# ---- a product of what was merged -----------------------------------------------------------------------------------
Lengths = list[Shape]  # for each axis the lengths of the axes of which it is made


def contracted(node: Node, a: Value, b: Value) -> Value | None:
    """The product of `a` and `b` as a contraction, if one of them is laid out only because its axes slide.

    That is for processors; on a GPU the product of what is laid out is a call of its library.
    """
    if node.device != "cpu":
        return None
    sliding = [x for x, feed in zip((a, b), node.feeds, strict=False) if slides(feed)]
    found = fine(node, a, b) if sliding else None
    if found is None:
        return None
    saved = sum(x.nbytes for x in sliding)
    reason = f"windows are read where they lie: columns of {saved} bytes are not laid out"
    found.attr = replace(found.attr, reason=reason)
    return found if in_vectors(found) else None


def fine(node: Node, a: Value, b: Value, rows: Sequence[int] = (), columns: Sequence[int] = ()) -> Value | None:
    """The product as a contraction over the axes that there were before some were merged.

    `rows` and `columns` are lengths that its own two axes are parted into besides.
    """
    (a, left), (b, right) = apart(a), apart(b)
    if len(left) != len(right):
        return None
    lead = [common(p, q) for p, q in zip(left[:-2], right[:-2], strict=True)]
    over = common(left[-1], right[-2])
    m = common(left[-2], tuple(rows) or left[-2])
    n = common(right[-1], tuple(columns) or right[-1])
    if over is None or m is None or n is None or None in lead:
        return None
    outer: Shape = tuple(n for p in lead if p is not None for n in p)
    shape = (*outer, *m, *n)
    k = len(shape)
    first, middle, sums = len(outer), len(outer) + len(m), range(k, k + len(over))
    maps = (identity(*range(middle), *sums), identity(*range(first), *sums, *range(middle, k)))
    src = in_shape(a, (*outer, *m, *over)), in_shape(b, (*outer, *over, *n))
    return Value("contract", src, shape, a.dtype, Contraction(over, maps), node)


def identity(*axes: int) -> Maps:
    """Each axis is one of those."""
    return tuple((0, {d: 1}) for d in axes)


def apart(x: Value) -> tuple[Value, Lengths]:
    """`x` before axes of it were merged, and for each of its axes the lengths that it is made of; none are 1."""
    if x.op == "flat":
        y = x.src[0].src[0] if x.src[0].op == "copy" else x.src[0]
        found = parted(y.shape, x.shape)
        if found is not None:
            return without_ones(y), found
    if x.op == "view" and (order := permutation(x)) is not None:
        y, lengths = apart(x.src[0])
        starts = [sum(map(len, lengths[:d])) for d in range(len(lengths))]
        axes = [starts[d] + i for d in order for i in range(len(lengths[d]))]
        maps = [(0, {axes.index(d): 1}) for d in range(len(axes))]
        return view(y, tuple(y.shape[d] for d in axes), maps), [lengths[d] for d in order]
    return without_ones(x), [(n,) if n > 1 else () for n in x.shape]


def parted(old: Shape, new: Shape) -> Lengths | None:
    """For each length of `new` those of `old` whose product it is; None if one is no such product."""
    left = [n for n in old if n > 1]
    found: Lengths = []
    for n in new:
        taken: list[int] = []
        while left and prod(taken) < n:
            taken.append(left.pop(0))
        if prod(taken) != n:
            return None
        found.append(tuple(taken))
    return found


def without_ones(x: Value) -> Value:
    """`x` without axes of length 1."""
    return in_shape(x, tuple(n for n in x.shape if n > 1))


def permutation(x: Value) -> list[int] | None:
    """Which axis of what it shows each axis of a view is, if it is only their order that is another."""
    named = [next(iter(steps.items())) if len(steps) == 1 and not const else (-1, 0) for const, steps in x.attr]
    if len(x.shape) != len(named) or sorted(d for d, _ in named) != list(range(len(named))):
        return None
    back = {d: e for e, (d, _) in enumerate(named)}
    whole = all(k == 1 and x.shape[d] == x.src[0].shape[back[d]] for d, k in named)
    return [back[d] for d in range(len(named))] if whole else None


def common(p: Shape, q: Shape) -> Shape | None:
    """The longest lengths of which both are made; None if there are none."""
    out: list[int] = []
    left, right = list(p), list(q)
    while left and right:
        n = min(left[0], right[0])
        if left[0] % n or right[0] % n:
            return None
        out.append(n)
        for side in (left, right):
            side[0] //= n
            if side[0] == 1:
                side.pop(0)
    return None if left or right else tuple(out)


def slides(node: Node) -> bool:
    """Whether a node shows windows, laid out or not."""
    while is_view(node):
        if node.op is not None and node.op.name == "window":
            return True
        node = node.feeds[0]
    return False


def in_vectors(v: Value) -> bool:
    """Whether an axis lies in memory so that vectors can run along it, and fill enough of their lanes."""
    a, b = steps_of(v)
    shared = range(len(v.shape), len(v.shape) + len(v.attr.over))
    along = [v.attr.over[d - len(v.shape)] for d in shared if a.get(d) == b.get(d) == 1]
    across = [n for d, n in enumerate(v.shape) if sorted((a.get(d, 0), b.get(d, 0))) == [0, 1]]
    return any(filled(n) >= FULL for n in (*along, *across))


def filled(n: int) -> float:
    """The share of the lanes that have work, where `n` entries are computed."""
    return usual(n) / (-(-usual(n) // LANES) * LANES)


def steps_of(v: Value) -> tuple[dict[int, int], dict[int, int]]:
    """How far each axis steps in the memory of both values."""
    names = tuple(axis(str(d)) for d in range(len(v.shape) + len(v.attr.over)))
    found = [in_memory(s, mapped(m, names))[1] for s, m in zip(v.src, v.attr.maps, strict=True)]
    first, second = ({int(d): k for d, k in at.terms} for at in found)
    return first, second


# ---- what overlaps is added up --------------------------------------------------------------------------------------
def folded(node: Node, x: Value) -> Value | None:
    """Windows laid over each other: if they are a product, a contraction that also adds up along the windows."""
    p = node.params
    product = base(x)
    stepping = any(s != 1 for s in p["step"])
    if product.op != "matmul" or product.node is None or stepping or node.device != "cpu":
        return None
    shown = axes_shown(x)
    if shown is None:
        return None
    rows, columns = ([x.shape[d] for d in axes] for axes in shown[-2:])
    found = fine(product.node, product.src[0], product.src[1], rows, columns)
    named = [d for axes in shown for d in axes]
    if found is None or found.shape != tuple(x.shape[d] for d in named):
        return None
    r, k = node.ndim, node.ndim + len(found.attr.over)
    own: dict[int, dict[int, int]] = {d: {d: 1} for d in range(r)}  # what each axis of x is, by axes of the result
    own |= {r + i: {k + i: 1} for i in range(len(p["size"]))}
    for i, (d, dilation) in enumerate(zip(p["axis"], p["dilation"], strict=True)):
        own[d] = {d: 1, k + i: -dilation}
    by = {f: own[d] for f, d in enumerate(named)}
    by |= {len(found.shape) + i: {r + i: 1} for i in range(len(found.attr.over))}
    a, b = found.src
    one, other = (replaced(m, by) for m in found.attr.maps)
    inside = tuple((0, own[d], x.shape[d]) for d in p["axis"])
    reason = f"what overlaps is added up at once: windows of {x.nbytes} bytes are not laid out"
    made = Contraction((*found.attr.over, *p["size"]), (one, other), inside, reason)
    out = Value("contract", (a, b), node.shape, found.dtype, made, node)
    last = steps_of(out)[1].get(r - 1)
    return out if last == 1 else Value("contract", (a, copied(b)), node.shape, found.dtype, made, node)


def axes_shown(x: Value) -> list[list[int]] | None:
    """For each axis of a product the axes of `x`, which only shows the product, that it was parted into."""
    names, v = tuple(axis(str(d)) for d in range(len(x.shape))), x
    while v.op == "view":
        names, v = mapped(v.attr, names), v.src[0]
    if v.op != "matmul":
        return None
    out: list[list[int]] = []
    for at, n in zip(names, v.shape, strict=True):
        steps = sorted(((k, int(d)) for d, k in at.terms if x.shape[int(d)] > 1), reverse=True)
        lengths = [x.shape[d] for _, d in steps]
        if at.const or prod(lengths) != n or any(k != prod(lengths[i + 1 :]) for i, (k, _) in enumerate(steps)):
            return None
        out.append([d for _, d in steps])
    return out


def replaced(maps: Maps, by: dict[int, dict[int, int]]) -> Maps:
    """The maps with sums of axes in the place of axes."""
    out: list[tuple[int, dict[int, int]]] = []
    for const, steps in maps:
        found: dict[int, int] = {}
        for d, k in steps.items():
            for e, c in by[d].items():
                found[e] = found.get(e, 0) + k * c
        out.append((const, found))
    return tuple(out)


# ---- views of it ----------------------------------------------------------------------------------------------------
def inward(v: Value) -> Value:
    """A view of a contraction that shows each entry at most once, as a contraction of what is shown."""
    c = v.src[0] if v.op == "view" else v
    if c.op != "contract" or v is c:
        return v
    used = [d for _, steps in v.attr for d, k in steps.items() if k == 1]
    plain = all(len(steps) < 2 for _, steps in v.attr) and len(used) == sum(len(s) for _, s in v.attr)
    if not plain or len(set(used)) < len(used) or any(n > 1 and d not in used for d, n in enumerate(v.shape)):
        return v
    r, k = len(v.shape), len(c.shape)
    by = {d: steps for d, (_, steps) in enumerate(v.attr)}
    by |= {k + i: {r + i: 1} for i in range(len(c.attr.over))}
    first = {d: const for d, (const, _) in enumerate(v.attr)}

    def shifted(maps: Maps) -> Maps:
        moved = (const + sum(s * first.get(d, 0) for d, s in steps.items()) for const, steps in maps)
        return tuple((const, steps) for const, (_, steps) in zip(moved, replaced(maps, by), strict=True))

    one, other = map(shifted, c.attr.maps)
    limits = shifted(tuple((const, steps) for const, steps, _ in c.attr.inside))
    inside = tuple((*limit, n) for limit, (_, _, n) in zip(limits, c.attr.inside, strict=True))
    attr = replace(c.attr, maps=(one, other), inside=inside)
    return Value("contract", c.src, v.shape, v.dtype, attr, c.node)
