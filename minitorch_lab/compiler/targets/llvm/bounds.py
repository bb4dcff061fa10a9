"""Products of which a part need not be computed: where k begins and ends for a block, by the bounds of the tile."""

from __future__ import annotations

from typing import Any

from ...ir.extents import is_open
from ...loops.expr import Expr
from ...loops.ir import Tile
from .part import Part
from .types import I32, I64, vector

FLOATS = ("f32", "f64")


class Bounds(Part):
    """Writes the bounds of contractions."""

    def stretch_of_k(self, t: Tile, rows: int, width: int, finite: Any) -> tuple[Any, Any]:
        """Where k begins and ends for the block of `rows` × `width` that starts here; at least one step is left.

        Where an operand is 0, the other must be `finite`: 0 · ∞ is not 0.
        """
        if not t.within:
            return 0, t.k
        whole, b = self.nest.whole, self.b
        size, first, last, asked = {"m": rows, "n": width}, whole(0), whole(t.k), None
        for x, y, d in t.within:
            if x == "k":
                last = self.build.below(last, b.add(self.nest.at[y], whole(size[y] + d)))
            elif y == "k":
                first = self.build.above(first, b.sub(self.nest.at[x], whole(d)))
            else:
                inside = b.icmp_signed("<", self.nest.at[x], b.add(self.nest.at[y], whole(size[y] + d)))
                asked = inside if asked is None else b.and_(asked, inside)
        if finite is not None:
            first, last = b.select(finite, first, whole(0)), b.select(finite, last, whole(t.k))
        last = self.build.above(last, whole(1))
        last = last if asked is None else b.select(asked, last, whole(1))
        return self.build.below(first, b.sub(last, whole(1))), last

    def finite(self, t: Tile) -> Any:
        """Whether the operands that are met by zeros are finite; None if none is."""
        found = None
        for axis, extent, operand, zeros in (("n", t.n, t.b, {"m", "k"}), ("m", t.m, t.a, {"n", "k"})):
            if operand is not None and operand.dtype in FLOATS and any({x, y} == zeros for x, y, _ in t.within):
                one = self.all_finite(axis, extent, t.k, operand)
                found = one if found is None else self.b.and_(found, one)
        return found

    def all_finite(self, axis: str, extent: int, depth: int, operand: Expr) -> Any:
        """Whether no entry of an operand is infinite or NaN: as whole numbers, the bits of those are the largest.

        A maximum of whole numbers takes one cycle, the sum of two floats takes four, and here all wait for each other.
        """
        full, tail = divmod(extent, self.lanes)
        whole, infinite = (I32, 0x7F800000) if operand.dtype == "f32" else (I64, 0x7FF << 52)

        def met(largest: Any, valid: Any = None) -> Any:
            self.nest.off[axis], self.nest.valid = 0, {0: valid}
            size = self.build.intrinsic("fabs", self.values.in_lanes(self.values.value(operand), operand))
            return self.build.maximum(largest, self.b.bitcast(size, vector(whole, self.lanes)))

        def rest() -> Any:
            return self.nest.there(axis, extent)

        def row(largest: Any) -> list[Any]:
            end = full * self.lanes
            out = [largest]
            if is_open(extent):
                out = self.nest.loop(axis, 0, end, self.lanes, lambda x: [met(x)], out)
                return self.nest.loop(axis, end, extent, self.lanes, lambda x: [met(x, rest())], out)
            if full:
                out = self.nest.loop(axis, 0, end, self.lanes, lambda x: [met(x)], out)
            if tail:
                out = self.nest.loop(axis, end, extent, self.lanes, lambda x: [met(x, tail)], out)
            return out

        self.nest.lane = axis
        largest = self.nest.loop("k", 0, depth, 1, row, [self.build.c(0, vector(whole, self.lanes))])[0]
        self.nest.off.pop(axis)
        self.nest.valid, self.nest.lane = {}, None
        return self.build.compare("<", self.build.across("max", largest), self.build.c(infinite, whole))
