"""What must lie inside an array: the trips of a loop between which it does, and the lanes in which it does."""

from __future__ import annotations

from typing import Any

from ...loops.affine import Affine
from ...loops.ir import Inside
from .part import Part
from .types import I1, I64, constant, row, vector


class Limits(Part):
    """Writes limits."""

    def trips_inside(self, i: Inside, name: str, n: int) -> tuple[Any, Any]:
        """The first trip, and that after the last, of a loop with 0 ≤ at < extent, where `at` falls by d each trip."""
        d = -i.at.coefficient(name)
        rest = Affine(tuple(t for t in i.at.terms if t[0] != name), i.at.const)
        key, level = ("trips", rest, i.extent, n, self.unrolled(rest)), self.nest.levels[self.level_of(rest)]

        def made() -> tuple[Any, Any]:
            at, b = self.evaluate_map(rest), self.b
            over = b.add(at, self.nest.whole(d - i.extent))  # one trip more for each d by which it is too large
            low = b.sdiv(self.larger(over, self.nest.whole(0)), self.nest.whole(d))
            high = b.sdiv(b.add(self.larger(at, self.nest.whole(-d)), self.nest.whole(d)), self.nest.whole(d))
            return low, self.build.where(b.icmp_signed("<", high, self.nest.whole(n)), high, self.nest.whole(n))

        if key not in level.memo:
            level.memo[key] = self.nest.placed(self.level_of(rest), made)
        return level.memo[key]

    def larger(self, x: Any, y: Any) -> Any:
        """The larger of two whole numbers."""
        return self.build.where(self.b.icmp_signed(">", x, y), x, y)

    def mask_of(self, limits: list[Inside]) -> Any:
        """The lanes in which all limits hold; None if they hold in all."""
        out = None
        for i in limits:
            key, n = ("inside", i, self.unrolled(i.at)), self.level_of(i.at)
            memo = self.nest.levels[n].memo
            if key not in memo:
                memo[key] = self.nest.placed(n, lambda i=i: self.lanes_inside(i))
            if memo[key] is not None:
                out = memo[key] if out is None else self.b.and_(out, memo[key])
        return out

    def lanes_inside(self, i: Inside) -> Any:
        """The lanes in which a limit holds."""
        step = i.at.coefficient(self.nest.lane or "")
        if (span := self.span_of(i.at)) is not None:
            holds = [span[0] + step * q >= 0 and span[1] + step * q < i.extent for q in range(self.lanes)]
            if all(holds):
                return None
            if span[0] == span[1]:
                return row(tuple(map(int, holds)), I1)
        counts = vector(I64, self.lanes)
        found = self.b.add(
            self.build.splat(self.evaluate_map(i.at)), row(tuple(step * q for q in range(self.lanes)), I64)
        )
        return self.b.icmp_unsigned("<", found, constant(i.extent, counts))

    def span_of(self, at: Affine) -> tuple[int, int] | None:
        """The smallest and the largest value of a map here, as far as the loops around it tell."""
        low = high = self.offset(at)
        for a, k in at.terms:
            span = next(level.span for level in reversed(self.nest.levels) if a in level.axes)
            if span is None:
                return None
            low, high = low + min(k * n for n in span), high + max(k * n for n in span)
        return low, high

    def evaluate_map(self, at: Affine) -> Any:
        """The value of a map here, as a whole number of 64 bits."""
        out = self.nest.whole(self.offset(at))
        for a, k in at.terms:
            out = self.b.add(out, self.b.mul(self.nest.at[a], self.nest.whole(k)))
        return out

    def offset(self, at: Affine) -> int:
        """The constant of a map, with the offsets of the copy that is written now."""
        return at.const + sum(k * self.nest.off.get(a, 0) for a, k in at.terms)

    def unrolled(self, at: Affine) -> Any:
        """Which copy is written now, as far as a map depends on it."""
        return tuple((a, o) for a, o in self.nest.off.items() if at.coefficient(a))

    def level_of(self, at: Affine) -> int:
        """The outermost loop in which a map is known."""
        return max((n for n, level in enumerate(self.nest.levels) if level.axes & set(at.axes)), default=0)
