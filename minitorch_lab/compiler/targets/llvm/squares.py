"""Squares of entries, turned in registers: memory is read and written in vectors though rows there are columns here.

Each stage swaps the blocks beside the diagonal, of 1, 2, 4, … entries, by two shuffles for a pair of vectors
(J. Eklundh, A fast computer method for matrix transposing, 1972).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...loops.expr import Expr
from ...loops.ir import Loop, Store, Sweep, Tile
from .nest import Level
from .part import Part
from .types import row


class Squares(Part):
    """Writes transpositions."""

    def turned(self, rows: list[Any]) -> list[Any]:
        """Vector i has entry i of every row; where a vector has more lanes than there are rows n, i + n follows.

        LLVM tries to make one shuffle of several, as far as it sees them: to the end of a block. In shorter blocks it
        takes half the time, and finds as few.
        """
        n, lanes, step = len(rows), rows[0].type.count, 1
        while step < n:
            if step == 4:
                self.new_block()
            low = [k + lanes - step if k & step else k for k in range(lanes)]
            high = [k + lanes if k & step else k + step for k in range(lanes)]
            for i in range(n):
                if not i & step:
                    pair = rows[i], rows[i + step]
                    rows[i], rows[i + step] = (self.picked(pair, which) for which in (low, high))
            step *= 2
        return rows

    def new_block(self) -> None:
        """Go on in another block."""
        block = self.b.append_basic_block("turned")
        self.b.branch(block)
        self.b.position_at_end(block)

    def picked(self, pair: tuple[Any, Any], which: list[int]) -> Any:
        """Some entries of two vectors that lie one after the other."""
        return self.b.shuffle_vector(*pair, row(tuple(which)))

    # ---- loops ------------------------------------------------------------------------------------------------------
    def loop(self, loop: Loop, sweep: Callable[[Sweep], None]) -> None:
        """A loop around a pass, square by square; what is left over at the edges entry by entry, by `sweep`."""
        s, p, lanes = loop.body[0], loop.axis, self.lanes
        assert isinstance(s, Sweep)
        high, wide = loop.extent // lanes * lanes, s.extent // lanes * lanes

        def square() -> None:
            for e in loop.way.across:
                self.nest.off[p], self.nest.lane = 0, None
                rows = [self.along(e, q) for q in range(lanes)]
                self.nest.off["j"], self.nest.lane = 0, "j"
                for r, v in enumerate(self.turned(rows)):
                    self.nest.off[p] = r
                    self.nest.levels[self.values.home(e)].memo[e, self.values.copy(e)] = v
            for r in range(lanes):
                self.nest.off[p] = r
                self.values.stores(s.stores)
            self.nest.off.pop(p)

        def edge() -> None:
            self.nest.levels.append(Level({"j"}))
            self.nest.at["j"], self.nest.off["j"], self.nest.lane = self.nest.whole(wide), 0, "j"
            self.nest.valid = {0: s.extent - wide}
            self.values.stores(s.stores)
            self.nest.levels.pop()

        self.nest.loop(p, 0, high, lanes, lambda: self.nest.loop("j", 0, wide, lanes, square))
        if wide < s.extent:
            self.nest.loop(p, 0, high, 1, edge)
        self.nest.off.pop("j")
        self.nest.valid, self.nest.lane = {}, None
        if high < loop.extent:
            self.nest.loop(p, high, loop.extent, 1, lambda: sweep(s))

    def along(self, e: Expr, q: int) -> Any:
        """Neighbours in memory of a load, `q` entries further in its row."""
        self.nest.off["j"] = q
        return self.memory.load(self.memory.address(*e.attr), e.dtype, self.lanes)

    # ---- stores -----------------------------------------------------------------------------------------------------
    def upright(self, t: Tile, rows: int) -> list[Store]:
        """The stores of a tile whose columns are neighbours in memory, if a block of so many rows can be turned."""
        if rows not in (4, 8, 16) or rows > self.lanes:
            return []
        along = [s for s in t.stores if s.at.coefficient("m") == 1 and s.at.coefficient("n") not in (0, 1)]
        return [s for s in along if self.memory.dtypes[s.buffer] == "f32"]

    def columns(self, s: Store, rows: list[Any], first: int, valid: int | None) -> None:
        """Store a block of rows of vectors, whose first lane is column `first`, column by column."""
        n, found = len(rows), self.turned(rows)
        self.nest.off["m"] = 0
        for q in range(valid or self.lanes):
            self.nest.off["n"] = first + q
            column = self.picked((found[q % n], found[q % n]), [q // n * n + r for r in range(n)])
            self.memory.store(column, self.memory.address(s.buffer, s.at), "f32")
