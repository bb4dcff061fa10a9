"""Views: what shows entries of another value, each of its axes an affine map of the view's own."""

from __future__ import annotations

from typing import Any

from ...core.array import Shape
from ...ops.axes import numel
from ...ops.template import HOLE
from ..ir.extents import is_open
from ..ir.graph import Node
from ..loops.affine import ZERO, axis, flat
from .values import Value, through


def view(x: Value, shape: Shape, maps: Any) -> Value:
    """A view: a constant and the steps by own axes, for each axis of `x`. A view of a view is a view of its source."""
    shape, maps = tuple(shape), tuple(maps)
    while x.op == "view":
        maps, x = tuple(beyond(own, maps) for own in x.attr), x.src[0]
    whole = (n == 1 or own == (0, {d: 1}) for d, (n, own) in enumerate(zip(shape, maps, strict=True)))
    if shape == x.shape and all(whole):
        return x
    return Value("view", (x,), shape, x.dtype, maps)


def beyond(own: Any, maps: Any) -> Any:
    """The map of one axis of a source, where its view is seen through `maps`."""
    const, steps = own[0], dict[int, int]()
    for d, k in own[1].items():
        const += maps[d][0] * k
        for e, j in maps[d][1].items():
            steps[e] = steps.get(e, 0) + j * k
    return const, {e: k for e, k in steps.items() if k}


def expanded(node: Node, x: Value) -> Value:
    """Axes of length 1 are stretched, new ones come in front."""
    lead = node.ndim - len(x.shape)
    return view(x, node.shape, [(0, {d + lead: 1} if n > 1 else {}) for d, n in enumerate(x.shape)])


def permuted(node: Node, x: Value) -> Value:
    """Axes in another order."""
    order = node.params["axes"]
    return view(x, node.shape, [(0, {order.index(d): 1}) for d in range(len(x.shape))])


def flipped(node: Node, x: Value) -> Value:
    """Some axes backwards."""
    back = node.params["axis"]
    return view(x, node.shape, [(n - 1, {d: -1}) if d in back else (0, {d: 1}) for d, n in enumerate(x.shape)])


def reshaped(node: Node, x: Value) -> Value:
    """Another shape: a view if each old axis is made of whole new ones, else the same memory in row order."""
    return in_shape(x, node.shape)


def in_shape(x: Value, shape: Shape) -> Value:
    """`x` in another shape."""
    if x.op == "const":
        return Value("const", (), shape, x.dtype, x.attr)
    if x.op == "flat":
        y = x.src[0].src[0] if x.src[0].op == "copy" else x.src[0]
        before = split(y.shape, shape)
        if before is not None:
            return view(y, shape, before)  # it had this shape already
    maps = split(x.shape, shape)
    if maps is not None:
        return view(x, shape, maps)
    return Value("flat", (x if row_order(x) else copied(x),), shape, x.dtype)


def split(old: Shape, new: Shape) -> list[Any] | None:
    """The maps of old axes that are made of whole new ones; None if one of them is not."""
    maps: list[Any] = []
    d = 0
    for n in old:
        steps: dict[int, int] = {}
        left = n
        while left > 1:
            while d < len(new) and new[d] == 1:
                d += 1
            if d == len(new) or left % new[d]:
                return None
            left //= new[d]
            steps[d] = left
            d += 1
        maps.append((0, steps))
    return maps


def row_order(x: Value) -> bool:
    """Whether the entries of `x` will lie in memory one after the other."""
    if x.op in ("iota", "const"):
        return False
    if x.op != "view":
        return True
    return all_ones(x) and row_order(x.src[0])


def all_ones(v: Value) -> bool:
    """Whether a view only adds or drops axes of length 1."""
    names = tuple(axis(str(d)) if n > 1 else ZERO for d, n in enumerate(v.shape))
    source = v.src[0].shape
    return numel(v.shape) == numel(source) and flat(through(v, names), source) == flat(names, v.shape)


def copied(x: Value) -> Value:
    """The entries of `x` in memory of their own."""
    return Value("copy", (x,), x.shape, x.dtype, node=x.node)


def part(node: Node, x: Value, *arrays: Value) -> Value | None:
    """Numbers and slices; index arrays are left to NumPy."""
    if arrays or any(p is HOLE for p in node.params["index"]):
        return None
    d = 0
    maps: list[Any] = []
    index = list(node.params["index"])
    if Ellipsis not in index:
        index.append(Ellipsis)
    known = sum(p is not None and p is not Ellipsis for p in index)
    for p in index:
        if p is None:
            d += 1
        elif p is Ellipsis:
            for _ in range(len(x.shape) - known):
                maps.append((0, {d: 1}))
                d += 1
        elif isinstance(p, slice):
            start, step = begun(p, x.shape[len(maps)])
            maps.append((start, {d: step}))
            d += 1
        else:
            maps.append((p + x.shape[len(maps)] if p < 0 else p, {}))
    return view(x, node.shape, maps)


def begun(p: slice, n: int) -> tuple[int, int]:
    """The first entry of a slice, which is not empty, of `n` entries; and the step."""
    if not any(map(is_open, (n, p.start, p.stop))):
        return p.indices(n)[0], p.indices(n)[2]
    step = 1 if p.step is None else p.step
    start = p.start if p.start is not None else 0 if step > 0 else n - 1
    start = start + n if start < 0 else start
    return (max(start, 0) if step > 0 else min(start, n - 1)), step


def stretched(x: Value, shape: Shape) -> Value:
    """`x` with its leading axes stretched."""
    if x.shape == shape:
        return x
    lead = len(shape) - len(x.shape)
    steps = [(0, {d + lead: 1} if n > 1 else {}) for d, n in enumerate(x.shape)]
    return view(x, shape, steps)


def transposed(x: Value) -> Value:
    """`x` with its last two axes swapped."""
    r = len(x.shape)
    order = [*range(r - 2), r - 1, r - 2]
    return view(x, tuple(x.shape[d] for d in order), [(0, {order.index(d): 1}) for d in range(r)])
