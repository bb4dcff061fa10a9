"""Products with gaps: for each row a mask of the steps of k at which its factor is not 0, and only those are taken.

Each step of a row multiplies one number with as many vectors as hide the latency of the sums, out of a packed panel.
That is as fast as a tile of many rows only while three factors out of five are 0 or the half; with more to do the tile
is faster, and 0 · ∞ must be computed too. So both are written, and the kernel chooses when it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...loops.ir import Tile
from .bounds import Bounds
from .part import Part
from .tiles import gap_columns
from .types import I1, I64, constant, ir, vector
from .values import Values

MOST = 5, 8  # the share of factors that are not 0, up to which leaving out the others pays: measured on a Zen 5


class Marks(Part):
    """Writes products whose left operand has gaps."""

    def __init__(self, values: Values, bounds: Bounds) -> None:
        super().__init__(values)
        self.bounds = bounds
        self.marks: Any = None  # where the masks of the rows lie

    def either(self, t: Tile, panel: Any, gaps: Callable[[], None], dense: Callable[[], None]) -> None:
        """The product with or without the gaps, as the operands turn out to be."""
        bytes_ = 4 * t.k * gap_columns(t.n, self.lanes) * self.lanes
        self.marks = self.b.gep(panel, [self.nest.whole(bytes_)], source_etype=ir.IntType(8), inbounds=True)
        most = self.nest.whole(t.m * t.k * MOST[0] // MOST[1])
        few = self.b.icmp_signed("<=", self.marked(t), most)
        memo = [dict(level.memo) for level in self.nest.levels]
        with self.b.if_else(self.b.and_(few, self.bounds.all_finite("n", t.n, t.k, t.b))) as (then, otherwise):
            for branch, write in ((then, gaps), (otherwise, dense)):
                with branch:
                    write()
                # what one has computed, the other has not
                for level, known in zip(self.nest.levels, memo, strict=True):
                    level.memo = dict(known)

    def marked(self, t: Tile) -> Any:
        """Write the mask of every row: bit k says that the factor k is not 0. How many bits there are."""
        assert t.a is not None
        a, counts = t.a, vector(I64, self.lanes)
        full, tail = divmod(t.m, self.lanes)
        nothing = self.build.c(0, counts)

        def rows(total: Any, valid: int | None = None) -> list[Any]:
            self.nest.off["m"], self.nest.valid = 0, {0: valid}

            def step(found: Any) -> list[Any]:
                v = self.values.in_lanes(self.values.value(a), a)
                bit = self.build.splat(self.b.shl(self.nest.whole(1), self.nest.at["k"]))
                there = self.build.compare("!=", v, self.build.c(0, v.type))
                return [self.b.or_(found, self.build.where(there, bit, nothing))]

            (found,) = self.nest.loop("k", 0, t.k, 1, step, [nothing])
            self.b.store(found, self.mark(), align=8)
            return [self.build.add(total, self.build.intrinsic("ctpop", found))]

        self.nest.lane = "m"
        total, end = [nothing], full * self.lanes
        total = self.nest.loop("m", 0, end, self.lanes, lambda x: rows(x), total)
        if tail:
            total = self.nest.loop("m", end, end + tail, self.lanes, lambda x: rows(x, tail), total)
        self.nest.off.pop("m")
        self.nest.valid, self.nest.lane = {}, None
        return self.build.across("sum", total[0])

    def mark(self) -> Any:
        """Where the mask of this row lies."""
        return self.b.gep(self.marks, [self.nest.at["m"]], source_etype=I64, inbounds=True)

    def over_marks(self, body: Callable[..., Any], carry: list[Any]) -> list[Any]:
        """The steps of k that the mask of this row names, the lowest bit first."""
        b = self.b
        return self.nest.repeat(
            "k",
            b.load(self.mark(), typ=I64),
            more=lambda mask: b.icmp_unsigned("!=", mask, constant(0, I64)),
            counter=lambda mask: self.build.call("llvm.cttz.i64", I64, mask, ir.Constant(I1, 1)),
            following=lambda mask: b.and_(mask, b.sub(mask, self.nest.whole(1))),
            body=body,
            carry=carry,
        )
