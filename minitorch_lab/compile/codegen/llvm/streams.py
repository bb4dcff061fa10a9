"""Large results, written past the caches: a line that is stored whole need not be read first, and pushes nothing out.

Where the caches hold all that a kernel touches, its results are better there: the next reader finds them.

Such stores need aligned memory, and arrays start anywhere. So the first vector and the last ones are stored as always,
and those between start at the first aligned entry of the result; where they overlap an entry is computed twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...loops.affine import ZERO
from ...loops.expr import parts
from ...loops.ir import Sweep, values_of
from .abreast import abreast, is_long
from .levels import AHEAD, Level, Levels
from .types import I64

NEAR = 1 << 19  # bytes of an array that the second cache holds beside some others
LONG = 8  # vectors in a row, at least


class Streams(Levels):
    """Writes passes that read and write more than the caches hold."""

    def streams(self, s: Sweep) -> bool:
        """Whether a pass goes entry by entry through large arrays, and writes one that it does not read."""
        inside = parts(values_of(s))
        if s.extent < LONG * self.lanes or s.reduces or len(s.stores) != 1 or any(e.op == "index" for e in inside):
            return False
        used = [(s.stores[0].buffer, s.stores[0].at), *(e.attr for e in inside if e.op == "load")]
        moving = {b for b, at in used if at.coefficient("j")}
        entrywise = all(at.coefficient("j") == int(b in moving) for b, at in used)
        apart = self.pointer[used[0][0]] not in {self.pointer[b] for b, _ in used[1:]}
        typed = all(self.dtypes[b] == "f32" for b, _ in used)
        return entrywise and apart and typed and 4 * s.extent * self.trips * max(len(moving), 2) >= self.target.memory

    def from_far(self, s: Sweep) -> set[str]:
        """The buffers that a pass goes through entry by entry, row after row, if they are large and asking pays."""
        if not self.target.asks or 4 * s.extent * self.trips < NEAR:
            return set()
        used = [(t.buffer, t.at) for t in s.stores] + [e.attr for e in parts(values_of(s)) if e.op == "load"]
        rows = 1 + (self.trips > 1)
        return {b for b, at in used if at.coefficient("j") == 1 and len(at.terms) >= rows}

    def stream(self, s: Sweep, unroll: int) -> None:
        """The pass."""
        lanes, store = self.lanes, s.stores[0]
        main = (s.extent - lanes) // (lanes * unroll) * lanes * unroll

        def vectors(first: int, count: int) -> None:
            begin = len(self.b.block.instructions)
            for u in range(count):
                self.off["j"] = first + u * lanes
                self.stored(self.value(store.value), store.value, store.buffer, store.at)
            if is_long(s):
                abreast(self.b.block, begin)

        self.lane = "j"
        self.alone(lambda: vectors(0, 1))
        self.levels.append(Level({AHEAD}))
        self.at[AHEAD] = self.to_aligned(self.address(store.buffer, store.at.replace({"j": ZERO})))
        moving = {e.attr[0] for e in parts([store.value]) if e.op == "load" and e.attr[1].coefficient("j")}
        self.ahead, self.past = {*moving, store.buffer}, True
        self.loop("j", 0, main, lanes * unroll, lambda: vectors(0, unroll))
        self.ahead, self.past = set[str](), False
        self.levels.pop()
        rest = -(-(s.extent - main) // lanes)
        self.alone(lambda: vectors(s.extent - rest * lanes, rest))
        self.off.pop("j")
        self.lane, self.far = None, set[str]()

    def to_aligned(self, p: Any) -> Any:
        """How many entries of 4 bytes there are from an address to the next that is aligned for a vector."""
        back = self.b.neg(self.b.ptrtoint(p, I64))
        return self.b.lshr(self.b.and_(back, self.whole(4 * self.lanes - 1)), self.whole(2))

    def alone(self, body: Callable[[], None]) -> None:
        """Some vectors at places that are known."""
        self.levels.append(Level({"j"}))
        self.at["j"] = self.whole(0)
        body()
        self.levels.pop()
