"""Large results, written past the caches: a line that is stored whole need not be read first, and pushes nothing out.

Such stores need aligned memory, and arrays start anywhere. So the first vector and the last ones are stored as always,
and those between start at the first aligned entry of the result; where they overlap an entry is computed twice.
"""

from __future__ import annotations

from collections.abc import Callable

from ...loops.expr import parts
from ...loops.ir import Sweep, values_of
from .levels import Level, Levels
from .types import F32, I64

LEAST = 1 << 25  # bytes that a pass touches; with fewer the next reader may find the result in a cache


class Streams(Levels):
    """Writes passes that read and write more than the caches hold."""

    def streams(self, s: Sweep) -> bool:
        """Whether a pass, in no loop, goes entry by entry through large arrays and writes one that it does not read."""
        inside = parts(values_of(s))
        if len(self.levels) > 1 or s.reduces or len(s.stores) != 1 or any(e.op == "index" for e in inside):
            return False
        used = [(s.stores[0].buffer, s.stores[0].at), *(e.attr for e in inside if e.op == "load")]
        moving = {b for b, at in used if at.coefficient("j")}
        entrywise = all(at.coefficient("j") == int(b in moving) for b, at in used)
        apart = self.pointer[used[0][0]] not in {self.pointer[b] for b, _ in used[1:]}
        typed = all(self.dtypes[b] == "f32" for b, _ in used)
        return entrywise and apart and typed and 4 * s.extent * len(moving) >= LEAST

    def stream(self, s: Sweep, unroll: int) -> None:
        """The pass."""
        lanes, store, pointers = self.lanes, s.stores[0], self.pointer
        main = (s.extent - lanes) // (lanes * unroll) * lanes * unroll
        begin = self.b.add(self.b.ptrtoint(pointers[store.buffer], I64), self.whole(4 * store.at.const))
        ahead = self.b.lshr(self.b.and_(self.b.neg(begin), self.whole(4 * lanes - 1)), self.whole(2))

        def vectors(first: int, count: int) -> None:
            for u in range(count):
                self.off["j"] = first + u * lanes
                self.stored(self.value(store.value), store.value, store.buffer, store.at)

        self.lane = "j"
        self.alone(lambda: vectors(0, 1))
        moving = {e.attr[0] for e in parts([store.value]) if e.op == "load" and e.attr[1].coefficient("j")}
        shifted = {b: self.b.gep(pointers[b], [ahead], source_etype=F32) for b in (*moving, store.buffer)}
        self.pointer, self.past = pointers | shifted, True
        self.loop("j", 0, main, lanes * unroll, lambda: vectors(0, unroll))
        self.pointer, self.past = pointers, False
        rest = -(-(s.extent - main) // lanes)
        self.alone(lambda: vectors(s.extent - rest * lanes, rest))
        self.b.fence("seq_cst")
        self.off.pop("j")
        self.lane = None

    def alone(self, body: Callable[[], None]) -> None:
        """Some vectors at places that are known."""
        self.levels.append(Level({"j"}))
        self.at["j"] = self.whole(0)
        body()
        self.levels.pop()
