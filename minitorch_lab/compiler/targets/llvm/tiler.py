"""Products in registers: tiles of sums, whose operands are read where they lie or from copies closer together.

Each block of rows and columns runs through all of k. The copies are those of K. Goto and R. van de Geijn, Anatomy of
High-Performance Matrix Multiplication, 2008: a panel of the right operand, which stays in the first cache while all
rows pass, and of the left operand, where its rows lie far apart, so many rows as stay in the second one meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir.extents import is_open
from ...loops.expr import Expr
from ...loops.ir import Tile
from ...schedule.values import SIZES
from .bounds import Bounds
from .marks import Marks
from .part import Part
from .squares import Squares
from .tiles import PANEL, blocking, copied_rows, gap_columns
from .types import I8, TYPES, vector
from .values import Values

Entries = Callable[[int], Any]  # of a row in all lanes, or of a vector of columns, at this step of k


class Tiler(Part):
    """Writes products.

    Attributes:
        bounds: Knows which steps need not be taken.
        marks: Writes products with gaps.
        squares: Turns blocks whose columns are neighbours in memory.
    """

    def __init__(self, values: Values) -> None:
        super().__init__(values)
        self.bounds, self.squares = Bounds(values), Squares(values)
        self.marks = Marks(values, self.bounds)

    def tile(self, t: Tile) -> None:
        """A product; where its left operand has gaps, with them or without."""
        if t.gaps:
            panel = self.memory.pointer[PANEL]
            self.marks.either(t, panel, lambda: self.rows_with_gaps(t, panel), lambda: self.product(t))
        else:
            self.product(t)

    def rows_with_gaps(self, t: Tile, panel: Any) -> None:
        """Row by row, from a packed panel."""
        columns = gap_columns(t.n, self.lanes)

        def rows(c: int, last: int | None) -> None:
            right = self.pack(panel, t, columns, c, last)
            self.nest.loop(
                "m", 0, t.m, 1, lambda: self.block(t, 1, c, last, self.rows_of(t), right, self.marks.over_marks)
            )

        self.over_columns(t, columns, rows)

    def product(self, t: Tile) -> None:
        """Blocks of rows and columns; where there is room, a panel of the right operand is packed for many rows."""
        cut, finite = blocking(t, self.build.target), self.bounds.finite(t)
        rows, columns = cut.rows, cut.vectors

        def one(count: int, c: int, last: int | None, left: Entries, right: Entries) -> None:
            def over_k(step: Any, sums: list[Any]) -> list[Any]:
                return self.nest.loop("k", *self.bounds.stretch_of_k(t, count, c * self.lanes, finite), 1, step, sums)

            self.block(t, count, c, last, left, right, over_k)

        def near(count: int) -> None:
            self.over_columns(t, columns, lambda c, last: one(count, c, last, self.rows_of(t), self.vectors_of(t)))

        def apart(first: Any, n: int, left: Entries) -> None:
            def panels(c: int, last: int | None) -> None:
                right = self.pack(self.memory.pointer[PANEL], t, columns, c, last)
                self.nest.blocks("m", first, n, rows, lambda count: one(count, c, last, left, right))

            self.over_columns(t, columns, panels)

        if not cut.packed:
            self.nest.blocks("m", 0, t.m, rows, near)
        elif size := copied_rows(t, cut):
            self.nest.blocks("copied", 0, t.m, size, lambda n: apart(self.nest.at["copied"], n, self.copied(t, n)))
        else:
            apart(0, t.m, self.rows_of(t))

    def over_columns(self, t: Tile, columns: int, inner: Callable[[int, Any], None]) -> None:
        """A loop over blocks of columns; `inner` is told how many vectors there are, and the lanes of the last one."""
        width = columns * self.lanes
        if is_open(t.n):
            main, full = t.n // width * width, t.n // self.lanes * self.lanes
            self.nest.loop("n", 0, main, width, lambda: inner(columns, None))
            if columns > 1:
                self.nest.loop("n", main, full, self.lanes, lambda: inner(1, None))
            self.nest.loop("n", full, t.n, self.lanes, lambda: inner(1, self.nest.there("n", t.n)))
            return
        whole, rest = divmod(t.n, width)
        if whole:
            self.nest.loop("n", 0, whole * width, width, lambda: inner(columns, None))
        if rest:
            ends = -(-rest // self.lanes), rest % self.lanes or None
            self.nest.loop("n", whole * width, t.n, width, lambda: inner(*ends))

    def block(self, t: Tile, rows: int, count: int, last: Any, left: Entries, right: Entries, over_k: Any) -> None:
        """One tile: its entries stay in registers while k runs, then the stores take them."""
        offsets = [(c * self.lanes, last if c == count - 1 else None) for c in range(count)]
        self.nest.valid = {o: v for o, v in offsets if v}
        self.nest.lane = "n"

        def step(*carried: Any) -> list[Any]:
            acc, columns = list(carried), [right(c) for c in range(count)]
            if t.a is None:
                return [self.build.combined(t.op, x, y) for x, y in zip(acc, columns, strict=True)]
            for r in range(rows):
                factor = left(r)
                for c in range(count):
                    acc[r * count + c] = self.build.fma(factor, columns[c], acc[r * count + c])
            return acc

        acc = over_k(step, [self.build.start(t.op, t.b.dtype)] * (rows * count))
        upright = self.squares.upright(t, rows) if last is None or isinstance(last, int) else []
        direct, turned = [s for s in t.stores if s not in upright], {s: list[Any]() for s in upright}
        for c, (o, valid) in enumerate(offsets):
            for r in range(rows):
                self.nest.off["m"], self.nest.off["n"] = r, o
                self.values.known(t.var, acc[r * count + c])
                for s in upright:
                    turned[s].append(self.values.in_lanes(self.values.value(s.value), s.value))
                self.values.stores(direct)
            for s in upright:
                self.squares.columns(s, turned[s][-rows:], o, valid)
        self.nest.off.pop("m", None)
        self.nest.off.pop("n", None)
        self.nest.valid, self.nest.lane = {}, None

    # ---- operands where they lie ------------------------------------------------------------------------------------
    def rows_of(self, t: Tile) -> Entries:
        """The entries of the left operand."""
        return lambda r: self.operand(t.a, "m", r)

    def vectors_of(self, t: Tile) -> Entries:
        """The entries of the right operand."""
        return lambda c: self.operand(t.b, "n", c * self.lanes)

    def operand(self, e: Expr | None, axis: str, offset: int) -> Any:
        """The value of an operand, so far along an axis."""
        assert e is not None
        self.nest.off[axis] = offset
        return self.values.in_lanes(self.values.value(e), e)

    # ---- copies -----------------------------------------------------------------------------------------------------
    def pack(self, panel: Any, t: Tile, columns: int, count: int, last: int | None) -> Entries:
        """Copy a panel of the right operand: all of its rows, one after the other."""
        kind, nbytes = TYPES[t.b.dtype], SIZES[t.b.dtype] * self.lanes

        def slot(c: int) -> Any:
            row = self.b.mul(self.nest.at["k"], self.nest.whole(columns * self.lanes))
            return self.b.gep(
                panel, [self.b.add(row, self.nest.whole(c * self.lanes))], source_etype=kind, inbounds=True
            )

        def row() -> None:
            for c in range(count):
                self.b.store(self.operand(t.b, "n", c * self.lanes), slot(c), align=nbytes)

        self.nest.lane, self.nest.valid = "n", {(count - 1) * self.lanes: last} if last else {}
        self.nest.loop("k", 0, t.k, 1, row)
        self.nest.off.pop("n")
        self.nest.valid, self.nest.lane = {}, None
        return lambda c: self.b.load(slot(c), typ=vector(kind, self.lanes), align=nbytes)

    def copied(self, t: Tile, n: int) -> Entries:
        """Copy `n` rows of the left operand: of each block all entries at one k, then those at the next.

        Whole vectors are written. What is too much of one is written over by the next, and follows all at the end.
        """
        assert t.a is not None
        a, cut, first = t.a, blocking(t, self.build.target), self.nest.at["copied"]
        kind, size = TYPES[a.dtype], SIZES[a.dtype]
        start = SIZES[t.b.dtype] * t.k * cut.vectors * self.lanes
        base = self.b.gep(self.memory.pointer[PANEL], [self.nest.whole(start)], source_etype=I8, inbounds=True)

        def slot(r: int) -> Any:
            block = self.b.mul(self.b.sub(self.nest.at["m"], first), self.nest.whole(t.k))
            at = self.b.add(block, self.b.mul(self.nest.at["k"], self.nest.whole(cut.rows)))
            return self.b.gep(base, [self.b.add(at, self.nest.whole(r))], source_etype=kind, inbounds=True)

        def block(count: int) -> None:
            vectors = range(0, count, self.lanes)
            self.nest.lane, self.nest.valid = "m", {r: count - r for r in vectors if count - r < self.lanes}

            def row() -> None:
                for r in vectors:
                    self.b.store(self.operand(a, "m", r), slot(r), align=size)

            self.nest.loop("k", 0, t.k, 1, row)
            self.nest.off.pop("m")
            self.nest.valid, self.nest.lane = {}, None

        self.nest.blocks("m", first, n, cut.rows, block)
        return lambda r: self.build.splat(self.b.load(slot(r), typ=kind, align=size))
