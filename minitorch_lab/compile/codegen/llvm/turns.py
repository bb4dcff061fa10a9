"""Squares of entries, turned in registers: memory is read and written in vectors though rows there are columns here.

Each stage swaps the blocks beside the diagonal, of 1, 2, 4, … entries, by two shuffles for a pair of vectors
(J. Eklundh, A fast computer method for matrix transposing, 1972).
"""

from __future__ import annotations

from typing import Any

from ...extents import is_open
from ...loops.expr import Expr, parts
from ...loops.ir import Loop, Store, Sweep, Tile, values_of
from .bounds import Bounds
from .levels import Level
from .types import row


class Turns(Bounds):
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

    # ---- loads ------------------------------------------------------------------------------------------------------
    def crossing(self, loop: Loop) -> list[Expr]:
        """The loads of a pass that run along the loop around it in memory, if the pass can be made in squares."""
        s = loop.body[0]
        if len(loop.body) > 1 or not isinstance(s, Sweep) or s.reduces:
            return []
        if is_open(loop.extent) or is_open(s.extent) or min(loop.extent, s.extent) < self.lanes:
            return []
        loads = [e for e in parts(values_of(s)) if e.op == "load"]
        across = [e for e in loads if e.attr[1].coefficient("j") not in (0, 1)]
        fits = all(e.dtype == "f32" and e.attr[1].coefficient(loop.axis) == 1 for e in across)
        return across if fits and all(t.at.coefficient("j") == 1 for t in s.stores) else []

    def squares(self, loop: Loop, across: list[Expr]) -> None:
        """A loop around a pass, square by square; what is left over at the edges entry by entry."""
        s, p, lanes = loop.body[0], loop.axis, self.lanes
        assert isinstance(s, Sweep)
        high, wide = loop.extent // lanes * lanes, s.extent // lanes * lanes

        def square() -> None:
            for e in across:
                self.off[p], self.lane = 0, None
                rows = [self.along(e, q) for q in range(lanes)]
                self.off["j"], self.lane = 0, "j"
                for r, v in enumerate(self.turned(rows)):
                    self.off[p] = r
                    self.levels[self.home(e)].memo[e, self.copy(e)] = v
            for r in range(lanes):
                self.off[p] = r
                self.stores(s.stores)
            self.off.pop(p)

        def edge() -> None:
            self.levels.append(Level({"j"}))
            self.at["j"], self.off["j"], self.lane = self.whole(wide), 0, "j"
            self.valid = {0: s.extent - wide}
            self.stores(s.stores)
            self.levels.pop()

        self.loop(p, 0, high, lanes, lambda: self.loop("j", 0, wide, lanes, square))
        if wide < s.extent:
            self.loop(p, 0, high, 1, edge)
        self.off.pop("j")
        self.valid, self.lane = {}, None
        if high < loop.extent:
            self.loop(p, high, loop.extent, 1, lambda: self.body([s]))

    def along(self, e: Expr, q: int) -> Any:
        """Neighbours in memory of a load, `q` entries further in its row."""
        self.off["j"] = q
        return self.load(self.address(*e.attr), e.dtype, self.lanes)

    # ---- stores -----------------------------------------------------------------------------------------------------
    def upright(self, t: Tile, rows: int) -> list[Store]:
        """The stores of a tile whose columns are neighbours in memory, if a block of so many rows can be turned."""
        if rows not in (4, 8, 16) or rows > self.lanes:
            return []
        along = [s for s in t.stores if s.at.coefficient("m") == 1 and s.at.coefficient("n") not in (0, 1)]
        return [s for s in along if self.dtypes[s.buffer] == "f32"]

    def columns(self, s: Store, rows: list[Any], first: int, valid: int | None) -> None:
        """Store a block of rows of vectors, whose first lane is column `first`, column by column."""
        n, found = len(rows), self.turned(rows)
        self.off["m"] = 0
        for q in range(valid or self.lanes):
            self.off["n"] = first + q
            column = self.picked((found[q % n], found[q % n]), [q // n * n + r for r in range(n)])
            self.store(column, self.address(s.buffer, s.at), "f32")
