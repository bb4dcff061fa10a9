"""The loops that are open: what each knows, and which copy of their body is being written.

So moving constant work out of loops, and computing what is common only once, is one dictionary per loop. Lengths that
are known only when the code runs are reckoned once, at the beginning, from the symbols in the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...ir.expressions import Divided, Expression, Factor
from ...ir.extents import Asked, is_open
from ...ir.sizes import Size
from ...loops.share import PIECE
from .builder import Builder
from .interpreter import word
from .table import Table
from .types import I64, row, whole

Step = Callable[[Any], Any]


@dataclass(eq=False, slots=True)
class Level:
    """An open loop.

    Attributes:
        axes: The axes that it defines.
        span: Their first and last value, if they are known before the code runs.
        memo: What it knows.
        block: Where the next inner loop branches off.
    """

    axes: set[str]
    span: tuple[int, int] | None = None
    memo: dict[Any, Any] = field(default_factory=dict[Any, Any])
    block: Any = None


class Nest:
    """Writes loops.

    Attributes:
        levels: The open loops, the outermost first.
        at: The counter of every open axis.
        off: How far the copy that is being written, of a loop that was unrolled, is from the counter.
        lane: The axis that runs along the lanes of vectors, if one does.
        valid: For an offset along the lanes, how many of them are there, or which; all if nothing is said.
        table: What is told of lengths, if some are not numbers.
        told: The address of that.
    """

    def __init__(self, build: Builder, piece: Any, table: Table | None, told: Any) -> None:
        self.build, self.b, self.lanes = build, build.b, build.lanes
        self.table, self.told = table, told
        self.levels, self.at = [Level({PIECE})], {PIECE: piece}
        self.off, self.valid = dict[str, int](), dict[int, Any]()
        self.lane: str | None = None

    def loop(
        self, name: str, start: Any, stop: Any, step: int, body: Callable[..., Any], carry: list[Any] | None = None
    ) -> list[Any]:
        """A counted loop. `body` takes the carried values, and gives new ones. One trip needs no branch.

        Bounds that are only known when the code runs must leave at least one trip.
        """
        carry = carry or []
        if is_open(start) or is_open(stop):
            if self.perhaps_none(start, stop):
                return self.between(name, self.whole(start), self.whole(stop), step, body, carry)
            start, stop = (self.whole(n) if is_open(n) else n for n in (start, stop))
        numbers = isinstance(start, int) and isinstance(stop, int)
        span = (start, max(start, start + (stop - start - 1) // step * step)) if numbers else None
        if span is not None and span[0] == span[1]:
            self.at[name] = self.whole(start)
            self.levels.append(Level({name}, span))
            out = list(body(*carry) or ())
            self.levels.pop()
            return out
        b, before = self.b, self.b.block
        head, done = b.append_basic_block(name), b.append_basic_block(f"{name}_end")
        b.branch(head)
        for level in self.levels:
            if level.block is None or not level.block.is_terminated or level is self.levels[-1]:
                level.block = before
        b.position_at_end(head)
        counter = b.phi(self.whole(0).type, name)
        counter.add_incoming(self.whole(start) if isinstance(start, int) else start, before)
        phis = [self.phi(c, before) for c in carry]
        self.at[name] = counter
        self.levels.append(Level({name}, span))
        out = list(body(*phis) or ())
        self.levels.pop()
        following = b.add(counter, self.whole(step), flags=["nsw", "nuw"])
        for phi, value in zip([counter, *phis], [following, *out], strict=True):
            phi.add_incoming(value, b.block)
        end = self.whole(stop) if isinstance(stop, int) else stop
        b.cbranch(b.icmp_signed("<", following, end), head, done)
        b.position_at_end(done)
        for level in self.levels:
            if level.block is before:
                level.block = None
        return out

    def blocks(self, name: str, first: Any, n: int, size: int, body: Callable[[int], Any]) -> None:
        """A loop over `n` entries from the first on, `size` at a time; `body` is told how many there are."""
        whole = n // size * size
        if is_open(n):
            for start, stop, count in (0, whole, size), (whole, n, 1):
                low, high = (self.b.add(self.whole(first), self.whole(x)) for x in (start, stop))
                self.between(name, low, high, count, lambda count=count: body(count), [])
            return
        for start, stop, count in (0, whole, size), (whole, n, n - whole):
            if start < stop:
                number = isinstance(first, int)
                low, high = (first + x if number else self.b.add(first, self.whole(x)) for x in (start, stop))
                self.loop(name, low, high, size, lambda count=count: body(count))

    def repeat(
        self,
        name: str,
        state: Any,
        more: Step,
        counter: Step,
        following: Step,
        body: Callable[..., Any],
        carry: list[Any],
    ) -> list[Any]:
        """A loop that may have no trips: as long as there is `more`, of which `counter` is the axis `name`."""
        b, before = self.b, self.b.block
        head, done = b.append_basic_block(name), b.append_basic_block(f"{name}_end")
        b.cbranch(more(state), head, done)
        for level in self.levels:
            if level.block is None or not level.block.is_terminated or level is self.levels[-1]:
                level.block = before
        b.position_at_end(head)
        here, *phis = (self.phi(c, before) for c in (state, *carry))
        self.at[name] = counter(here)
        self.levels.append(Level({name}))
        out = list(body(*phis))
        self.levels.pop()
        after, last = following(here), b.block
        for phi, value in zip([here, *phis], [after, *out], strict=True):
            phi.add_incoming(value, last)
        b.cbranch(more(after), head, done)
        b.position_at_end(done)
        for level in self.levels:
            if level.block is before:
                level.block = None
        ends = [self.phi(c, before) for c in carry]
        for phi, value in zip(ends, out, strict=True):
            phi.add_incoming(value, last)
        return ends

    def between(
        self, name: str, low: Any, high: Any, step: int, body: Callable[..., Any], carry: list[Any]
    ) -> list[Any]:
        """A loop between two numbers that are known only when it is reached; it may have no trips."""
        b = self.b
        return self.repeat(
            name,
            low,
            more=lambda i: b.icmp_signed("<", i, high),
            counter=lambda i: i,
            following=lambda i: b.add(i, self.whole(step), flags=["nsw", "nuw"]),
            body=lambda *carried: list(body(*carried) or ()),
            carry=carry,
        )

    def perhaps_none(self, start: Any, stop: Any) -> bool:
        """Whether a loop may have no trips, as far as is known."""
        assert self.table is not None
        return (self.table.extents.least(stop - start) or 0) < 1

    def phi(self, value: Any, before: Any) -> Any:
        """What a loop carries from trip to trip."""
        phi = self.b.phi(value.type)
        phi.add_incoming(value, before)
        return phi

    def placed(self, n: int, make: Callable[[], Any]) -> Any:
        """What `make` gives, written where level `n` still is before its inner loop."""
        block, here = self.levels[n].block, self.b.block
        if block is None or block is here or not block.is_terminated:
            return make()
        self.b.position_before(block.terminator)
        out = make()
        if here.is_terminated:
            self.b.position_before(here.terminator)
        else:
            self.b.position_at_end(here)
        return out

    # ---- lengths -----------------------------------------------------------------------------------------------------
    def whole(self, x: Any) -> Any:
        """A whole number of 64 bits, as addresses are; what is a value already stays it."""
        if is_open(x):
            return self.at_start(x.expression, lambda: self.reckoned(x.expression))
        return whole(x) if isinstance(x, int) else x

    def at_start(self, key: Any, make: Callable[[], Any]) -> Any:
        """What `make` gives, at the beginning of the kernel."""
        memo = self.levels[0].memo
        if ("length", key) not in memo:
            memo["length", key] = self.placed(0, make)
        return memo["length", key]

    def reckoned(self, e: Expression) -> Any:
        """The value of an expression."""
        total = None
        for factors, n in e.terms:
            part = whole(n)
            for factor in factors:
                part = self.b.mul(part, self.factor(factor), flags=["nsw"])
            total = part if total is None else self.b.add(total, part, flags=["nsw"])
        return whole(0) if total is None else total

    def factor(self, x: Factor) -> Any:
        """A symbol, or a quotient or remainder, of which no part is negative."""
        assert self.table is not None
        if not isinstance(x, Divided):
            return self.b.load(word(self.b, self.told, 8 * self.table.at[x]), typ=I64)
        extents = self.table.extents
        over, under = (extents.least(Size(part, extents)) for part in (x.over, x.under))
        if over is None or over < 0 or under is None or under < 1:
            raise Asked(str(x))
        a, b = self.reckoned(x.over), self.reckoned(x.under)
        return self.b.udiv(a, b) if x.sign == "//" else self.b.urem(a, b)

    def there(self, axis: str, n: Any) -> Any:
        """The lanes from here on that are below `n`."""
        left = self.b.sub(self.whole(n), self.at[axis])
        return self.b.icmp_signed("<", row(tuple(range(self.lanes)), I64), self.build.splat(left))
