"""Passes over rows in vectors, with an accumulator of each reduction for each vector of a trip."""

from __future__ import annotations

from typing import Any

from ...loops.ir import Sweep
from .abreast import abreast
from .nest import Level
from .part import Part
from .past import Past
from .transforms.kinds import Stretch
from .values import Values


class Sweeps(Part):
    """Writes passes.

    Attributes:
        past: Writes those whose results go past the caches.
    """

    def __init__(self, values: Values) -> None:
        super().__init__(values)
        self.past = Past(values)

    def sweep(self, s: Sweep) -> None:
        """One pass, stretch by stretch; its reductions are known then."""
        self.memory.far = s.way.far
        if s.way.past:
            self.past.sweep(s)
            return
        count, stretches = s.way.count, s.way.stretches
        self.nest.lane = "j"
        acc = [self.build.start(r.op, r.value.dtype) for r in s.reduces for _ in range(count)]
        for stretch in (x for x in stretches if x.looped):
            acc = self.looped(s, stretch, acc)
        if straight := [x for x in stretches if not x.looped]:
            acc = self.written_out(s, straight, acc)
        self.nest.off.pop("j", None)
        self.nest.valid, self.nest.lane, self.memory.far = {}, None, frozenset()
        for i, r in enumerate(s.reduces):
            self.values.known(r.var, self.total(r.op, acc[i * count : (i + 1) * count]))

    def looped(self, s: Sweep, x: Stretch, acc: list[Any]) -> list[Any]:
        """A loop over a stretch. Where its trips have fewer vectors, it is the first accumulators that go on."""
        every = s.way.count if x.vectors < s.way.count else 1

        def trip(*carried: Any) -> list[Any]:
            valid = self.nest.there("j", s.extent) if x.masked else None
            return self.vectors(s, x.vectors, 0, x.vectors, list(carried), valid)

        size = x.vectors * self.lanes
        acc[::every] = self.nest.loop("j", x.start, x.stop, size, trip, acc[::every])
        return acc

    def written_out(self, s: Sweep, stretches: list[Stretch], acc: list[Any]) -> list[Any]:
        """Stretches without a loop. In a row that has no loop at all, values are kept from pass to pass."""
        base = stretches[0].start
        if base:
            self.nest.levels.append(Level({"j"}))
        else:
            self.nest.levels[-1].axes.add("j")
        self.nest.at["j"] = self.nest.whole(base)
        for x in stretches:
            valid = s.extent - x.start if x.masked else None
            acc = self.vectors(s, s.way.count, (x.start - base) // self.lanes, x.vectors, acc, valid)
        if base:
            self.nest.levels.pop()
        return acc

    def vectors(self, s: Sweep, unroll: int, first: int, count: int, acc: list[Any], valid: Any = None) -> list[Any]:
        """Some vectors of a pass, of the last of which perhaps not all lanes are there."""
        acc, begin = list(acc), 0
        for u in range(count):
            begin = begin if u % unroll else len(self.b.block.instructions)
            self.nest.off["j"] = (first + u) * self.lanes
            self.nest.valid = {self.nest.off["j"]: valid}
            for i, r in enumerate(s.reduces):
                v, q = self.values.in_lanes(self.values.value(r.value), r.value), i * unroll + u % unroll
                if valid:
                    v = self.build.where(self.build.mask(valid), v, self.build.start(r.op, r.value.dtype))
                acc[q] = self.build.combined(r.op, acc[q], v)
            self.values.stores(s.stores)
            if s.way.abreast and (u + 1) % unroll == 0:
                abreast(self.b.block, begin)
        return acc

    def total(self, op: str, acc: list[Any]) -> Any:
        """The accumulators as one number."""
        while len(acc) > 1:
            rest = [acc[-1]] if len(acc) % 2 else []
            acc = [self.build.combined(op, x, y) for x, y in zip(acc[::2], acc[1::2], strict=False)] + rest
        return self.build.across(op, acc[0])
