"""A group: values that one kernel computes, each at its own point of the kernel's loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..loops.affine import ZERO, Affine, Index, axis
from .values import LEAF, Value, computed, mapped, through

Axes = dict[str, int]


@dataclass(eq=False, slots=True)
class Group:
    """Row: loops, and passes over the axis `row`. Tile: a contraction over `k`, and what is done to its tile.

    Attributes:
        kind: `"row"` or `"tile"`.
        axes: The extent of every loop, the outermost first.
        home: For every value the point of the loops at which it is computed: a map per axis of the value.
        reduced: For every reduction, or product, the axis that it runs over.
        row: The axis of the passes, where a reduction has chosen it.
        reasons: Why what is in it is together.
        over: The axes of a contraction over several.
        saved: The bytes that need not be moved since its two parts are one.
    """

    kind: str
    axes: Axes
    home: dict[Value, Index]
    reduced: dict[Value, str] = field(default_factory=dict[Value, str])
    row: str | None = None
    reasons: list[str] = field(default_factory=list[str])
    over: tuple[str, ...] = ()
    saved: int = 0

    @property
    def contracted(self) -> set[str]:
        """The axes that are gone when a tile is done."""
        return {*self.reduced.values(), *self.over} if self.kind == "tile" else set()

    @property
    def last(self) -> str | None:
        """The axis that the passes run over."""
        return self.row or next(reversed(self.axes), None)

    def renamed(self, names: dict[str, str]) -> Group:
        """The same group with other names for its axes."""
        by = {old: axis(new) for old, new in names.items()}
        return Group(
            self.kind,
            {names.get(a, a): n for a, n in self.axes.items()},
            {v: tuple(i.replace(by) for i in index) for v, index in self.home.items()},
            {v: names.get(a, a) for v, a in self.reduced.items()},
            names.get(self.row, self.row) if self.row else None,
            self.reasons,
            tuple(names.get(a, a) for a in self.over),
            self.saved,
        )

    def reads(self, v: Value) -> Iterator[tuple[Value, Index | None]]:
        """What `v` reads, and where; None for the place where it is known only in memory."""
        for k in range(len(v.src)):
            yield from followed(v.src[k], self.operand(v, k))

    def operand(self, v: Value, k: int) -> Index:
        """Where `v`, at its own point, reads its source number `k`."""
        index = self.home[v]
        if v.op == "reduce":
            d = v.attr[1]
            return (*index[:d], axis(self.reduced[v]), *index[d + 1 :])
        if v.op == "matmul":
            over = axis(self.reduced[v])
            return (*index[:-1], over) if k == 0 else (*index[:-2], over, index[-1])
        if v.op == "contract":
            return mapped(v.attr.maps[k], (*index, *map(axis, self.over)))
        if v.op == "frame":
            return tuple(i + Affine((), -low) for i, low in zip(index, v.attr[0], strict=True))
        return stretch(v.src[k], index)


def stretch(source: Value, index: Index) -> Index:
    """Where an entry-by-entry op at `index` reads `source`, whose axes of length 1 are stretched."""
    own = index[len(index) - len(source.shape) :]
    return tuple(i if n > 1 else ZERO for i, n in zip(own, source.shape, strict=True))


def followed(v: Value, index: Index) -> Iterator[tuple[Value, Index | None]]:
    """The value behind views, and the place; through numbers to what they are made of."""
    place: Index | None = index
    while v.op in ("view", "flat"):
        place = through(v, place) if v.op == "view" and place is not None else None
        v = v.src[0]
    if v.op not in LEAF:
        yield v, place


class Maker:
    """Makes the group of a single value, with loops of its own."""

    def __init__(self) -> None:
        self.count = 0

    def fresh(self) -> str:
        """A new axis."""
        self.count += 1
        return f"a{self.count}"

    def own(self, v: Value) -> Group:
        """The group of `v` alone."""
        names = [self.fresh() if n > 1 else "" for n in v.shape]
        axes = {a: n for a, n in zip(names, v.shape, strict=True) if a}
        home = {v: tuple(axis(a) if a else ZERO for a in names)}
        if v.op == "matmul":
            k = self.fresh()
            return Group("tile", {**axes, k: v.src[0].shape[-1]}, home, {v: k})
        if v.op == "contract":
            return self.contraction(v, axes, home)
        if v.op == "frame":
            return self.frame(v)
        if v.op != "reduce":
            return Group("row", axes, home)
        source, d = v.src[0].shape, v.attr[1]
        k = self.fresh()
        if all(n == 1 for n in source[d + 1 :]):
            return Group("row", {**axes, k: source[d]}, home, {v: k}, k)
        return Group("tile", {**axes, k: source[d]}, home, {v: k})

    def contraction(self, v: Value, axes: Axes, home: dict[Value, Index]) -> Group:
        """The group of a contraction: its own axes, and those that it runs over."""
        over = {self.fresh(): n for n in v.attr.over}
        return Group("tile", {**axes, **over}, home, {v: next(iter(over))}, None, [v.attr.reason], tuple(over))

    def frame(self, v: Value) -> Group:
        """The group of a frame: it runs over what is inside."""
        names = [self.fresh() if n > 1 else "" for n in v.src[0].shape]
        axes = {a: n for a, n in zip(names, v.src[0].shape, strict=True) if a}
        inside = ((axis(a) if a else ZERO) + Affine((), low) for a, low in zip(names, v.attr[0], strict=True))
        return Group("row", axes, {v: tuple(inside)})


def members(group: Group) -> list[Value]:
    """The values of a group that are computed, in order."""
    return [v for v in group.home if computed(v)]
