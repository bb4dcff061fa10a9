"""Contractions in registers: a block of sums stays there while the axes that are added up run.

What must lie inside an array is asked where it is cheapest: of a loop by its first and last trip, of lanes by a mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise, product
from typing import Any

from ...extents import is_open
from ...loops.affine import Affine
from ...loops.ir import Contract, Inside
from .levels import Level, Levels
from .types import I1, I64, constant, row, vector
from .ways import Way, way_of

WRITTEN_OUT = 8  # the trips up to which the innermost loop is written out


def ends_apart(extent: int, size: int) -> Iterable[tuple[int, int]]:
    """The first block, those between, and the last one: what lies between needs no mask.

    Example:
        >>> [*ends_apart(100, 16)]
        [(0, 16), (16, 96), (96, 100)]
    """
    return pairwise(sorted({0, min(size, extent), (extent - 1) // size * size, extent}))


class Contractions(Levels):
    """Writes contractions.

    Attributes:
        under: The lanes that may be read now; all if nothing is said.
    """

    under: Any = None

    def contraction(self, c: Contract) -> None:
        """Loops over all blocks."""
        way = way_of(c, self.target)
        outer = [(a, n) for a, n in c.axes.items() if a not in (way.row, way.lane, *way.spread)]
        width = way.columns * self.lanes

        def columns(rows: int) -> None:
            if way.along:
                self.partial(c, way, rows)
                return
            n, limited = c.axes[way.lane], any(i.at.coefficient(way.lane) for i in c.inside)
            for first, end in ends_apart(n, width) if limited else [(0, n)]:
                self.blocks(way.lane, first, end - first, width, lambda n: self.neighbours(c, way, rows, n))

        row = way.row
        if row is None:
            self.nest(outer, lambda: columns(1))
        else:
            self.nest(outer, lambda: self.blocks(row, 0, c.axes[row], way.rows, columns))

    def nest(self, axes: list[tuple[str, int]], inner: Callable[[], None]) -> None:
        """Loops, the first outermost."""
        if not axes:
            inner()
            return
        (name, n), *rest = axes
        self.loop(name, 0, n, 1, lambda: self.nest(rest, inner))

    # ---- lanes along the result -------------------------------------------------------------------------------------
    def neighbours(self, c: Contract, way: Way, rows: int, n: int) -> None:
        """Sums of `n` neighbours in the result: each lane has one of its own."""
        count, last = -(-n // self.lanes), n % self.lanes or None
        offsets = [(q * self.lanes, last if q == count - 1 else None) for q in range(count)]
        self.valid = {o: v for o, v in offsets if v}
        self.lane = way.lane
        masked = [i for i in c.inside if self.loop_of(i, c, way) is None]

        def step(acc: list[Any]) -> list[Any]:
            right, masks = list[Any](), list[Any]()
            for o, _ in offsets:
                self.off[way.lane] = o
                self.under = self.mask_of(masked)
                right.append(self.in_lanes(self.value(c.b), c.b))
                masks.append(self.under)
                self.under = None
            out = list[Any]()
            for r in range(rows):
                self.shift(way.row, r)
                left = self.in_lanes(self.value(c.a), c.a)
                for q, mask in enumerate(masks):
                    new = self.fma(left, right[q], acc[r * count + q])
                    out.append(new if mask is None else self.where(mask, new, acc[r * count + q]))
            return out

        acc = self.steps(c, way, list(c.over), [self.start("sum", c.b.dtype)] * (rows * count), step)
        for r, (q, (o, _)) in product(range(rows), enumerate(offsets)):
            self.shift(way.row, r)
            self.off[way.lane] = o
            self.known(c.var, acc[r * count + q])
            self.stores(c.stores)
        self.forget(way.row, way.lane)

    # ---- lanes along what is added up -------------------------------------------------------------------------------
    def partial(self, c: Contract, way: Way, rows: int) -> None:
        """Sums whose lanes are partial sums."""
        points = [dict(zip(way.spread, p, strict=True)) for p in product(*(range(c.axes[a]) for a in way.spread))]
        self.levels.append(Level(set(way.spread), (0, 0)))
        self.at |= dict.fromkeys(way.spread, self.whole(0))
        self.lane = way.lane

        def step(acc: list[Any]) -> list[Any]:
            out, right = list[Any](), list[Any]()
            for p in points:
                self.off |= p
                right.append(self.in_lanes(self.value(c.b), c.b))
            for r in range(rows):
                self.shift(way.row, r)
                left = self.in_lanes(self.value(c.a), c.a)
                out += [self.fma(left, y, acc[r * len(right) + q]) for q, y in enumerate(right)]
            return out

        def lanes(acc: list[Any]) -> list[Any]:
            full, tail = divmod(c.over[way.lane], self.lanes)
            end = full * self.lanes
            if full:
                acc = self.loop(way.lane, 0, end, self.lanes, lambda *a: step(list(a)), acc)
            if tail:
                self.valid = {0: tail}
                self.off[way.lane] = 0
                acc = self.loop(way.lane, end, end + tail, self.lanes, lambda *a: step(list(a)), acc)
                self.valid = {}
                self.off.pop(way.lane)
            return acc

        over = [a for a in c.over if a != way.lane]
        acc = self.steps(c, way, over, [self.start("sum", c.b.dtype)] * (rows * way.columns), lanes)
        self.lane = None
        for r, (q, p) in product(range(rows), enumerate(points)):
            self.shift(way.row, r)
            self.off |= p
            self.known(c.var, self.across("sum", acc[r * way.columns + q]))
            self.stores(c.stores)
        self.forget(way.row, *way.spread)
        self.levels.pop()

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

        limit = next((i for i in c.inside if self.loop_of(i, c, way) == name), None)
        if limit is not None:
            return self.between(name, *self.turns_inside(limit, name, n), 1, inner, acc)
        if rest or is_open(n) or n > WRITTEN_OUT or way.along:
            return self.loop(name, 0, n, 1, inner, acc)
        self.levels.append(Level({name}, (0, 0)))
        self.at[name] = self.whole(0)
        for u in range(n):
            self.off[name] = u
            acc = inner(*acc)
        self.off.pop(name)
        self.levels.pop()
        return acc

    # ---- what must lie inside ---------------------------------------------------------------------------------------
    def loop_of(self, i: Inside, c: Contract, way: Way) -> str | None:
        """The loop whose trips a limit bounds: the only one that is added up, of a limit without lanes."""
        found = [a for a in i.at.axes if a in c.over]
        alone = len(found) == 1 and not i.at.coefficient(way.lane) and i.at.coefficient(found[0]) < 0
        return found[0] if alone else None

    def turns_inside(self, i: Inside, name: str, n: int) -> tuple[Any, Any]:
        """The first trip, and that after the last, of a loop with 0 ≤ at < extent, where `at` falls by d each trip."""
        d = -i.at.coefficient(name)
        rest = Affine(tuple(t for t in i.at.terms if t[0] != name), i.at.const)
        key, level = ("trips", rest, i.extent, n, self.unrolled(rest)), self.levels[self.level_of(rest)]

        def made() -> tuple[Any, Any]:
            at, b = self.counted(rest), self.b
            over = b.add(at, self.whole(d - i.extent))  # one trip more for each d by which it is too large
            low = b.sdiv(self.larger(over, self.whole(0)), self.whole(d))
            high = b.sdiv(b.add(self.larger(at, self.whole(-d)), self.whole(d)), self.whole(d))
            return low, self.where(b.icmp_signed("<", high, self.whole(n)), high, self.whole(n))

        if key not in level.memo:
            level.memo[key] = self.placed(self.level_of(rest), made)
        return level.memo[key]

    def larger(self, x: Any, y: Any) -> Any:
        """The larger of two whole numbers."""
        return self.where(self.b.icmp_signed(">", x, y), x, y)

    def mask_of(self, limits: list[Inside]) -> Any:
        """The lanes in which all limits hold; None if they hold in all."""
        out = None
        for i in limits:
            key, n = ("inside", i, self.unrolled(i.at)), self.level_of(i.at)
            memo = self.levels[n].memo
            if key not in memo:
                memo[key] = self.placed(n, lambda i=i: self.lanes_inside(i))
            if memo[key] is not None:
                out = memo[key] if out is None else self.b.and_(out, memo[key])
        return out

    def lanes_inside(self, i: Inside) -> Any:
        """The lanes in which a limit holds."""
        step = i.at.coefficient(self.lane or "")
        if (span := self.span_of(i.at)) is not None:
            holds = [span[0] + step * q >= 0 and span[1] + step * q < i.extent for q in range(self.lanes)]
            if all(holds):
                return None
            if span[0] == span[1]:
                return row(tuple(map(int, holds)), I1)
        counts = vector(I64, self.lanes)
        found = self.b.add(self.splat(self.counted(i.at)), row(tuple(step * q for q in range(self.lanes)), I64))
        return self.b.icmp_unsigned("<", found, constant(i.extent, counts))

    def span_of(self, at: Affine) -> tuple[int, int] | None:
        """The smallest and the largest value of a map here, as far as the loops around it tell."""
        low = high = self.offset(at)
        for a, k in at.terms:
            span = next(level.span for level in reversed(self.levels) if a in level.axes)
            if span is None:
                return None
            low, high = low + min(k * n for n in span), high + max(k * n for n in span)
        return low, high

    def counted(self, at: Affine) -> Any:
        """The value of a map here, as a whole number of 64 bits."""
        out = self.whole(self.offset(at))
        for a, k in at.terms:
            out = self.b.add(out, self.b.mul(self.at[a], self.whole(k)))
        return out

    def offset(self, at: Affine) -> int:
        """The constant of a map, with the offsets of the copy that is written now."""
        return at.const + sum(k * self.off.get(a, 0) for a, k in at.terms)

    def unrolled(self, at: Affine) -> Any:
        """Which copy is written now, as far as a map depends on it."""
        return tuple((a, o) for a, o in self.off.items() if at.coefficient(a))

    def level_of(self, at: Affine) -> int:
        """The outermost loop in which a map is known."""
        return max((n for n, level in enumerate(self.levels) if level.axes & set(at.axes)), default=0)

    # ---- small things -----------------------------------------------------------------------------------------------
    def shift(self, name: str | None, by: int) -> None:
        """Write the copy of an axis that is `by` further."""
        if name is not None:
            self.off[name] = by

    def forget(self, *names: str | None) -> None:
        """No copies any more."""
        for name in names:
            self.off.pop(name or "", None)
        self.valid, self.lane = {}, None

    def loaded(self, buffer: str, at: Affine) -> Any:
        """An entry, or neighbours, of which only those lanes are read that may be."""
        if self.under is None or not self.lane or at.coefficient(self.lane) != 1:
            return super().loaded(buffer, at)
        n = self.valid.get(self.off.get(self.lane, 0))
        mask = self.under if n is None else self.b.and_(self.under, self.mask(n))
        return self.masked(self.address(buffer, at), self.dtypes[buffer], mask)
