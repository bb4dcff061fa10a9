"""Contractions in registers: a block of sums stays there while the axes that are added up run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise, product
from typing import Any

from ...ir.extents import is_open
from ...loops.ir import Contract
from .limits import Limits
from .nest import Level
from .part import Part
from .transforms.ways import Way
from .values import Values

WRITTEN_OUT = 8  # the trips up to which the innermost loop is written out


def ends_apart(extent: int, size: int) -> Iterable[tuple[int, int]]:
    """The first block, those between, and the last one: what lies between needs no mask.

    Example:
        >>> [*ends_apart(100, 16)]
        [(0, 16), (16, 96), (96, 100)]
    """
    return pairwise(sorted({0, min(size, extent), (extent - 1) // size * size, extent}))


class Contractions(Part):
    """Writes contractions."""

    def __init__(self, values: Values) -> None:
        super().__init__(values)
        self.limits = Limits(values)

    def contraction(self, c: Contract) -> None:
        """Loops over all blocks."""
        way = c.way
        outer = [(a, n) for a, n in c.axes.items() if a not in (way.row, way.lane, *way.spread)]
        width = way.columns * self.lanes

        def columns(rows: int) -> None:
            if way.along:
                self.partial(c, way, rows)
                return
            n, limited = c.axes[way.lane], any(i.at.coefficient(way.lane) for i in c.inside)
            for first, end in ends_apart(n, width) if limited else [(0, n)]:
                self.nest.blocks(way.lane, first, end - first, width, lambda n: self.neighbours(c, way, rows, n))

        row = way.row
        if row is None:
            self.around(outer, lambda: columns(1))
        else:
            self.around(outer, lambda: self.nest.blocks(row, 0, c.axes[row], way.rows, columns))

    def around(self, axes: list[tuple[str, int]], inner: Callable[[], None]) -> None:
        """Loops, the first outermost."""
        if not axes:
            inner()
            return
        (name, n), *rest = axes
        self.nest.loop(name, 0, n, 1, lambda: self.around(rest, inner))

    # ---- lanes along the result -------------------------------------------------------------------------------------
    def neighbours(self, c: Contract, way: Way, rows: int, n: int) -> None:
        """Sums of `n` neighbours in the result: each lane has one of its own."""
        count, last = -(-n // self.lanes), n % self.lanes or None
        offsets = [(q * self.lanes, last if q == count - 1 else None) for q in range(count)]
        self.nest.valid = {o: v for o, v in offsets if v}
        self.nest.lane = way.lane

        def step(acc: list[Any]) -> list[Any]:
            right, masks = list[Any](), list[Any]()
            for o, _ in offsets:
                self.nest.off[way.lane] = o
                self.memory.under = self.limits.mask_of(way.masks)
                right.append(self.values.in_lanes(self.values.value(c.b), c.b))
                masks.append(self.memory.under)
                self.memory.under = None
            out = list[Any]()
            for r in range(rows):
                self.shift(way.row, r)
                left = self.values.in_lanes(self.values.value(c.a), c.a)
                for q, mask in enumerate(masks):
                    new = self.build.fma(left, right[q], acc[r * count + q])
                    out.append(new if mask is None else self.build.where(mask, new, acc[r * count + q]))
            return out

        acc = self.steps(c, way, list(c.over), [self.build.start("sum", c.b.dtype)] * (rows * count), step)
        for r, (q, (o, _)) in product(range(rows), enumerate(offsets)):
            self.shift(way.row, r)
            self.nest.off[way.lane] = o
            self.values.known(c.var, acc[r * count + q])
            self.values.stores(c.stores)
        self.forget(way.row, way.lane)

    # ---- lanes along what is added up -------------------------------------------------------------------------------
    def partial(self, c: Contract, way: Way, rows: int) -> None:
        """Sums whose lanes are partial sums."""
        points = [dict(zip(way.spread, p, strict=True)) for p in product(*(range(c.axes[a]) for a in way.spread))]
        self.nest.levels.append(Level(set(way.spread), (0, 0)))
        self.nest.at |= dict.fromkeys(way.spread, self.nest.whole(0))
        self.nest.lane = way.lane

        def step(acc: list[Any]) -> list[Any]:
            out, right = list[Any](), list[Any]()
            for p in points:
                self.nest.off |= p
                right.append(self.values.in_lanes(self.values.value(c.b), c.b))
            for r in range(rows):
                self.shift(way.row, r)
                left = self.values.in_lanes(self.values.value(c.a), c.a)
                out += [self.build.fma(left, y, acc[r * len(right) + q]) for q, y in enumerate(right)]
            return out

        def lanes(acc: list[Any]) -> list[Any]:
            full, tail = divmod(c.over[way.lane], self.lanes)
            end = full * self.lanes
            if full:
                acc = self.nest.loop(way.lane, 0, end, self.lanes, lambda *a: step(list(a)), acc)
            if tail:
                self.nest.valid = {0: tail}
                self.nest.off[way.lane] = 0
                acc = self.nest.loop(way.lane, end, end + tail, self.lanes, lambda *a: step(list(a)), acc)
                self.nest.valid = {}
                self.nest.off.pop(way.lane)
            return acc

        over = [a for a in c.over if a != way.lane]
        acc = self.steps(c, way, over, [self.build.start("sum", c.b.dtype)] * (rows * way.columns), lanes)
        self.nest.lane = None
        for r, (q, p) in product(range(rows), enumerate(points)):
            self.shift(way.row, r)
            self.nest.off |= p
            self.values.known(c.var, self.build.across("sum", acc[r * way.columns + q]))
            self.values.stores(c.stores)
        self.forget(way.row, *way.spread)
        self.nest.levels.pop()

    # ---- the sum ----------------------------------------------------------------------------------------------------
    def steps(
        self, c: Contract, way: Way, axes: list[str], acc: list[Any], body: Callable[..., list[Any]]
    ) -> list[Any]:
        """Loops over what is added up, that carry the sums; the innermost one is written out if it is short."""
        if not axes:
            return body(acc)
        name, *rest = axes
        n = c.over[name]

        def inner(*carried: Any) -> list[Any]:
            return self.steps(c, way, rest, list(carried), body)

        if name in way.trips:
            return self.nest.between(name, *self.limits.trips_inside(way.trips[name], name, n), 1, inner, acc)
        if rest or is_open(n) or n > WRITTEN_OUT or way.along:
            return self.nest.loop(name, 0, n, 1, inner, acc)
        self.nest.levels.append(Level({name}, (0, 0)))
        self.nest.at[name] = self.nest.whole(0)
        for u in range(n):
            self.nest.off[name] = u
            acc = inner(*acc)
        self.nest.off.pop(name)
        self.nest.levels.pop()
        return acc

    # ---- small things -----------------------------------------------------------------------------------------------
    def shift(self, name: str | None, by: int) -> None:
        """Write the copy of an axis that is `by` further."""
        if name is not None:
            self.nest.off[name] = by

    def forget(self, *names: str | None) -> None:
        """No copies any more."""
        for name in names:
            self.nest.off.pop(name or "", None)
        self.nest.valid, self.nest.lane = {}, None
