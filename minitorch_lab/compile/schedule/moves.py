"""Values that only move: views, as maps from the axes of what is shown to those of what shows it, and other shapes."""

from __future__ import annotations

from typing import Any

from ...array import Shape
from ...ops.axes import numel
from ..loops.affine import ZERO, axis, flat
from .values import Value, through


def view(x: Value, shape: Shape, maps: Any) -> Value:
    """A view: a constant and the steps by own axes, for each axis of `x`."""
    return Value("view", (x,), tuple(shape), x.dtype, tuple(maps))


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


def stretched(x: Value, shape: Shape) -> Value:
    """`x` with its leading axes stretched."""
    if x.shape == shape:
        return x
    lead = len(shape) - len(x.shape)
    steps = [(0, {d + lead: 1} if n > 1 else {}) for d, n in enumerate(x.shape)]
    return view(x, shape, steps)
