"""Large results, written past the caches (see `transforms/past.py`).

Such stores need aligned memory, and arrays start anywhere. So they begin with the first whole line of a row and end
with the last one, and the entries around them are stored as always, one by one. No other store may touch a line that
went past the caches, not even one that leaves out its lanes: the line is read again, and written once more. With rows
of 1024 entries that took twice the time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...loops.affine import ZERO
from ...loops.expr import parts
from ...loops.ir import Sweep
from .abreast import abreast
from .memory import AHEAD
from .nest import Level
from .part import Part
from .types import F32, I64, POINTER, ir

LINE = 16  # entries of 4 bytes in a line of memory


class Past(Part):
    """Writes passes whose results go past the caches."""

    def sweep(self, s: Sweep) -> None:
        """A pass."""
        lanes, store, unroll = self.lanes, s.stores[0], s.way.count
        inside = (s.extent - LINE + 1) // LINE * LINE  # in whole lines, wherever the row begins
        main = inside // (lanes * unroll) * lanes * unroll

        def value(first: int) -> Any:
            self.nest.off["j"] = first
            return self.values.in_lanes(self.values.value(store.value), store.value)

        def vectors(first: int, count: int) -> None:
            begin = len(self.b.block.instructions)
            for u in range(count):
                self.values.stored(value(first + u * lanes), store.value, store.buffer, store.at)
            if s.way.abreast:
                abreast(self.b.block, begin)

        self.nest.lane = "j"
        row = self.memory.address(store.buffer, store.at.replace({"j": ZERO}))
        ahead, aside = self.to_line(row), self.aside()
        self.edge(row, range(0, LINE, lanes), aside, self.nest.whole(0), ahead, value)
        self.nest.levels.append(Level({AHEAD}))
        self.nest.at[AHEAD] = ahead
        moving = {e.attr[0] for e in parts([store.value]) if e.op == "load" and e.attr[1].coefficient("j")}
        self.memory.ahead, self.memory.past = frozenset({*moving, store.buffer}), True
        self.nest.loop("j", 0, main, lanes * unroll, lambda: vectors(0, unroll))
        self.alone(lambda: vectors(main, (inside - main) // lanes))
        self.memory.ahead, self.memory.past = frozenset(), False
        self.nest.levels.pop()
        last = range(s.extent - 2 * LINE, s.extent, lanes)
        self.edge(row, last, aside, self.b.add(ahead, self.nest.whole(inside)), self.nest.whole(s.extent), value)
        self.nest.off.pop("j")
        self.nest.lane, self.memory.far = None, frozenset()

    # ---- the ends of rows -------------------------------------------------------------------------------------------
    def to_line(self, p: Any) -> Any:
        """How many entries of 4 bytes there are from an address to where the next line begins."""
        back = self.b.neg(self.b.ptrtoint(p, I64))
        return self.b.lshr(self.b.and_(back, self.nest.whole(4 * LINE - 1)), self.nest.whole(2))

    def aside(self) -> Any:
        """Memory for two lines."""
        with self.b.goto_entry_block():
            memory = self.b.alloca(ir.ArrayType(F32, 2 * LINE), name="aside")
        memory.align, memory.type = 4 * LINE, POINTER
        return memory

    def entry_of(self, p: Any, at: Any) -> Any:
        """A pointer, so many entries further."""
        return self.b.gep(p, [at], source_etype=F32)

    def edge(self, row: Any, lines: range, aside: Any, begin: Any, end: Any, value: Callable[[int], Any]) -> None:
        """Store some entries of a row, which is computed vector by vector around them, one after the other."""

        def one(*_: Any) -> list[Any]:
            at = self.nest.at[AHEAD]
            v = self.b.load(self.entry_of(aside, self.b.sub(at, self.nest.whole(lines.start))), typ=F32, align=4)
            self.b.store(v, self.entry_of(row, at), align=4)
            return []

        def around() -> None:
            for first in lines:
                self.b.store(value(first), self.entry_of(aside, self.nest.whole(first - lines.start)), align=4)

        self.alone(around)
        more, after = (lambda at: self.b.icmp_signed("<", at, end)), (lambda at: self.b.add(at, self.nest.whole(1)))
        self.nest.repeat(AHEAD, begin, more, lambda at: at, after, one, [])

    def alone(self, body: Callable[[], None]) -> None:
        """Some vectors at places that are known."""
        self.nest.levels.append(Level({"j"}))
        self.nest.at["j"] = self.nest.whole(0)
        body()
        self.nest.levels.pop()
