"""Large results, written past the caches: a line that is stored whole need not be read first, and pushes nothing out.

Where the caches hold all that a kernel touches, its results are better there: the next reader finds them.

Such stores need aligned memory, and arrays start anywhere. So they begin with the first whole line of a row and end
with the last one, and the entries around them are stored as always, one by one. No other store may touch a line that
went past the caches, not even one that leaves out its lanes: the line is read again, and written once more. With rows
of 1024 entries that took twice the time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...extents import usual
from ...loops.affine import ZERO
from ...loops.expr import parts
from ...loops.ir import Sweep, values_of
from .abreast import abreast, is_long
from .levels import AHEAD, Level, Levels
from .types import F32, I64, POINTER, ir

NEAR = 1 << 19  # bytes of an array that the second cache holds beside some others
LINE = 16  # entries of 4 bytes in a line of memory
LONG = 8  # vectors in a row, at least: two lines, even where a vector has four entries


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
        if not self.target.asks or 4 * usual(s.extent) * self.trips < NEAR:
            return set()
        used = [(t.buffer, t.at) for t in s.stores] + [e.attr for e in parts(values_of(s)) if e.op == "load"]
        rows = 1 + (self.trips > 1)
        return {b for b, at in used if at.coefficient("j") == 1 and len(at.terms) >= rows}

    def stream(self, s: Sweep, unroll: int) -> None:
        """The pass."""
        lanes, store = self.lanes, s.stores[0]
        inside = (s.extent - LINE + 1) // LINE * LINE  # in whole lines, wherever the row begins
        main = inside // (lanes * unroll) * lanes * unroll

        def value(first: int) -> Any:
            self.off["j"] = first
            return self.in_lanes(self.value(store.value), store.value)

        def vectors(first: int, count: int) -> None:
            begin = len(self.b.block.instructions)
            for u in range(count):
                self.stored(value(first + u * lanes), store.value, store.buffer, store.at)
            if is_long(s):
                abreast(self.b.block, begin)

        self.lane = "j"
        row = self.address(store.buffer, store.at.replace({"j": ZERO}))
        ahead, aside = self.to_line(row), self.aside()
        self.edge(row, range(0, LINE, lanes), aside, self.whole(0), ahead, value)
        self.levels.append(Level({AHEAD}))
        self.at[AHEAD] = ahead
        moving = {e.attr[0] for e in parts([store.value]) if e.op == "load" and e.attr[1].coefficient("j")}
        self.ahead, self.past = {*moving, store.buffer}, True
        self.loop("j", 0, main, lanes * unroll, lambda: vectors(0, unroll))
        self.alone(lambda: vectors(main, (inside - main) // lanes))
        self.ahead, self.past = set[str](), False
        self.levels.pop()
        last = range(s.extent - 2 * LINE, s.extent, lanes)
        self.edge(row, last, aside, self.b.add(ahead, self.whole(inside)), self.whole(s.extent), value)
        self.off.pop("j")
        self.lane, self.far = None, set[str]()

    # ---- the ends of rows -------------------------------------------------------------------------------------------
    def to_line(self, p: Any) -> Any:
        """How many entries of 4 bytes there are from an address to where the next line begins."""
        back = self.b.neg(self.b.ptrtoint(p, I64))
        return self.b.lshr(self.b.and_(back, self.whole(4 * LINE - 1)), self.whole(2))

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
            at = self.at[AHEAD]
            v = self.b.load(self.entry_of(aside, self.b.sub(at, self.whole(lines.start))), typ=F32, align=4)
            self.b.store(v, self.entry_of(row, at), align=4)
            return []

        def around() -> None:
            for first in lines:
                self.b.store(value(first), self.entry_of(aside, self.whole(first - lines.start)), align=4)

        self.alone(around)
        more, after = (lambda at: self.b.icmp_signed("<", at, end)), (lambda at: self.b.add(at, self.whole(1)))
        self.repeat(AHEAD, begin, more, lambda at: at, after, one, [])

    def alone(self, body: Callable[[], None]) -> None:
        """Some vectors at places that are known."""
        self.levels.append(Level({"j"}))
        self.at["j"] = self.whole(0)
        body()
        self.levels.pop()
