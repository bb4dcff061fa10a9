"""Where a value is computed: in the outermost loop that defines its axes, once.

Each open loop has a level, with what it knows already. So moving constant work out of loops, and computing what is
common only once, is one dictionary per loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...extents import is_open
from ...loops.affine import Affine
from ...loops.expr import Expr, bottom_up
from ...loops.ir import Stmt, Store
from ...loops.share import PIECE
from ...loops.signs import never_positive
from ...sizes import UNKNOWN
from .lengths import Lengths
from .table import Table
from .target import Target
from .types import F32, I8, I64, POINTER, TYPES, ir, is_vector, row, vector

Step = Callable[[Any], Any]
SOON = 512  # entries that lie so far ahead are asked for
AHEAD = "ahead"  # the axis of entries that are left out at the beginning of a row


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


class Levels(Lengths):
    """Writes loops, and the values in them.

    Attributes:
        at: The counter of every open axis.
        off: How far the copy that is being written, of a loop that was unrolled, is from the counter.
        lane: The axis that runs along the lanes of vectors, if one does.
        valid: For an offset along the lanes, how many of them are there, or which; all if nothing is said.
        trips: How often the body of the open loops runs.
        ahead: The buffers of which the first entries are left out, as many as the axis of that name says.
        once: The expressions that are read in one place alone.
        largest: Of which values a result is the largest, where it is one's.
        far: The buffers that come from far: what a pass needs of them soon is asked for beforehand.
        buffers: The pointer of every buffer, and its dtype.
        table: What is told of lengths, if some are not numbers.
    """

    def __init__(self, module: Any, target: Target, dtypes: dict[str, str], table: Table | None = None) -> None:
        super().__init__(module, target)
        self.dtypes, self.table = dtypes, table
        self.pointer: dict[str, Any] = {}

    def begin(self, name: str, memory: list[str], owner: dict[str, str]) -> Any:
        """A function that takes a pointer per buffer that has memory, and a number; two buffers never overlap."""
        words = [I64, POINTER] if self.table else [I64]
        fn = ir.Function(self.module, ir.FunctionType(ir.VoidType(), [POINTER] * len(memory) + words), name)
        for word in ("nounwind", "noinline"):
            fn.attributes.add(word)
        fn.linkage = "internal"
        for arg, buffer in zip(fn.args, memory, strict=False):
            arg.name = buffer
            arg.add_attribute("noalias")
        self.pointer = {b: fn.args[memory.index(at)] for b, at in owner.items()}
        self.b = ir.IRBuilder(fn.append_basic_block("entry"))
        self.levels = [Level({PIECE})]
        self.at: dict[str, Any] = {PIECE: fn.args[len(memory)]}
        self.told = fn.args[-1]
        self.off: dict[str, int] = {}
        self.valid: dict[int, Any] = {}
        self.lane: str | None = None
        self.trips, self.ahead, self.far, self.once = 1, set[str](), set[str](), set[Expr]()
        self.largest: dict[str, Expr] = {}
        return fn

    # ---- what kernels.py decides ------------------------------------------------------------------------------------
    def body(self, body: list[Stmt]) -> None:
        """Write some statements."""
        raise NotImplementedError

    def stores(self, stores: list[Store]) -> None:
        """Write some stores at one point."""
        raise NotImplementedError

    def known(self, var: str, value: Any) -> None:
        """From here on the result of a reduction has this value."""
        raise NotImplementedError

    # ---- loops ------------------------------------------------------------------------------------------------------
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

    # ---- values -----------------------------------------------------------------------------------------------------
    def value(self, e: Expr) -> Any:
        """The value of an expression here."""

        def known(x: Expr) -> bool:
            return (x, self.copy(x)) in self.levels[self.home(x)].memo

        def get(x: Expr) -> Any:
            return self.levels[self.home(x)].memo[x, self.copy(x)]

        def make(x: Expr) -> None:
            n = self.home(x)
            args = [get(a) for a in x.args]
            self.levels[n].memo[x, self.copy(x)] = self.placed(n, lambda: self.made(x, args))

        bottom_up(e, known, make)
        return get(e)

    def home(self, e: Expr) -> int:
        """The outermost loop in which all axes of an expression are defined."""
        n = len(self.levels) - 1
        while n and self.levels[n].axes.isdisjoint(e.axes):
            n -= 1
        return n

    def copy(self, e: Expr) -> Any:
        """Which of the unrolled copies: the offset of each unrolled axis, and the lanes under which it was loaded."""
        lane, offsets = self.lane, self.off.items()
        return tuple([(a, o, self.valid.get(o) if a == lane else None) for a, o in offsets if a in e.axes])

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

    def in_lanes(self, v: Any, e: Expr) -> Any:
        """A value in all lanes; a number is spread where its expression lives."""
        if is_vector(v.type):
            return v
        n, key = self.home(e), ("lanes", e, self.copy(e))
        memo = self.levels[n].memo
        if key not in memo:
            plain = e.op == "const" and type(e.attr) not in UNKNOWN
            memo[key] = self.constant_lanes(e) if plain else self.placed(n, lambda: self.splat(v))
        return memo[key]

    def constant_lanes(self, e: Expr) -> Any:
        """A number of the program in all lanes."""
        return self.c(e.attr, vector(TYPES[e.dtype], self.lanes))

    def made(self, e: Expr, args: list[Any]) -> Any:
        """The instructions of an expression, whose arguments are there."""
        if e.op == "const":
            return self.fraction(e) if type(e.attr) in UNKNOWN else self.c(e.attr, TYPES[e.dtype])
        if e.op == "load":
            return self.loaded(*e.attr)
        if e.op == "index":
            return self.index(e.attr, e.dtype)
        if e.op == "div" and e.dtype == "f32" and is_vector(args[0].type) and not is_vector(args[1].type):
            return self.divided(args[0], args[1], e.args[1])
        if any(is_vector(a.type) for a in args):
            args = [self.in_lanes(a, x) for a, x in zip(args, e.args, strict=True)]
        if e.op == "mul" and self.once.issuperset(e.args) and self.quotients.keys() >= {*args}:
            return self.one_quotient(*args)
        if e.op == "exp" and never_positive(e.args[0], self.largest):
            return self.exp_up_to_0(*args)
        return self.word(e.op, e.dtype, *args)

    def divided(self, x: Any, y: Any, e: Expr) -> Any:
        """Lanes over one number: two products, for the number is inverted once, where its expression `e` lives."""
        n, key = self.home(e), ("inverse", e, self.copy(e))
        memo = self.levels[n].memo
        if key not in memo:
            memo[key] = self.placed(n, lambda: [self.splat(v) for v in self.inverse(y)])
        inverse, scale = memo[key]
        return self.b.fmul(self.b.fmul(x, inverse), scale)

    def index(self, at: Affine, dtype: str) -> Any:
        """A count: the value of a map, along the lanes if it runs there."""
        const, out = at.const, None
        for a, c in at.terms:
            const += c * self.off.get(a, 0)
            term = self.b.mul(self.at[a], self.whole(c))
            out = term if out is None else self.b.add(out, term)
        out = self.whole(const) if out is None else self.b.add(out, self.whole(const))
        v = self.cast(out, dtype)
        c = at.coefficient(self.lane) if self.lane else 0
        if not c:
            return v
        steps = ir.Constant(vector(TYPES[dtype], self.lanes), [c * q for q in range(self.lanes)])
        return self.add(self.splat(v), steps)

    # ---- memory -----------------------------------------------------------------------------------------------------
    def address(self, buffer: str, at: Affine) -> Any:
        """A pointer: one step per loop, in that loop; the offsets of unrolled copies are added last, as a constant."""
        const, terms = at.const, []
        for a, c in at.terms:
            const += c * self.off.get(a, 0)
            terms.append((max(n for n, level in enumerate(self.levels) if a in level.axes), a, c))
        if buffer in self.ahead:
            terms.append((next(n for n, level in enumerate(self.levels) if AHEAD in level.axes), AHEAD, 1))
        p, t = self.pointer[buffer], self.memory(buffer)
        for n, a, c in sorted(terms):
            if isinstance(self.at[a], ir.Constant) and self.at[a].constant == 0:
                continue
            memo, key = self.levels[n].memo, ("pointer", p, a, c)
            if key not in memo:
                memo[key] = self.placed(n, lambda p=p, a=a, c=c: self.moved(p, a, c, t))
            p = memo[key]
        return self.b.gep(p, [self.whole(const)], source_etype=t, inbounds=True) if const else p

    def moved(self, p: Any, a: str, c: int, t: Any) -> Any:
        """A pointer `c` entries further for every step of the axis `a`."""
        step = self.at[a] if c == 1 else self.b.mul(self.at[a], self.whole(c), flags=["nsw"])
        return self.b.gep(p, [step], source_etype=t, inbounds=True)

    def memory(self, buffer: str) -> Any:
        """The type of the entries of a buffer in memory."""
        return I8 if self.dtypes[buffer] == "b8" else TYPES[self.dtypes.get(buffer, "f32")] or F32

    def loaded(self, buffer: str, at: Affine) -> Any:
        """An entry, or the neighbours of it that fill the lanes."""
        dtype, c = self.dtypes[buffer], at.coefficient(self.lane) if self.lane else 0
        p, n = self.address(buffer, at), self.valid.get(self.off.get(self.lane or "", 0))
        if c == 0:
            return self.load(p, dtype)
        if c == 1:
            self.beforehand(buffer, p, False)
            return self.load(p, dtype, self.lanes, n)
        if n is not None and not isinstance(n, int):
            return self.gathered(self.neighbours_at(p, buffer, c), dtype, n)
        v = ir.Constant(vector(TYPES[dtype], self.lanes), None)
        for q in range(n or self.lanes):
            one = self.b.gep(p, [self.whole(q * c)], source_etype=self.memory(buffer))
            v = self.b.insert_element(v, self.load(one, dtype), self.whole(q))
        return v

    def stored(self, v: Any, e: Expr, buffer: str, at: Affine) -> None:
        """Write an entry, or what the lanes hold."""
        dtype, c = self.dtypes[buffer], at.coefficient(self.lane) if self.lane else 0
        p, n = self.address(buffer, at), self.valid.get(self.off.get(self.lane or "", 0))
        if c == 0:
            self.store(v, p, dtype)
            return
        v = self.in_lanes(v, e)
        if c == 1:
            if not self.past:
                self.beforehand(buffer, p, True)
            self.store(v, p, dtype, n)
            return
        if n is not None and not isinstance(n, int):
            self.scattered(v, self.neighbours_at(p, buffer, c), dtype, n)
            return
        for q in range(n or self.lanes):
            one = self.b.gep(p, [self.whole(q * c)], source_etype=self.memory(buffer))
            self.store(self.b.extract_element(v, self.whole(q)), one, dtype)

    def neighbours_at(self, p: Any, buffer: str, c: int) -> Any:
        """The addresses of what fills the lanes, `c` entries from one to the next."""
        steps = self.b.mul(self.splat(self.whole(c)), row(tuple(range(self.lanes)), I64))
        at = self.b.gep(p, [steps], source_etype=self.memory(buffer))
        at.type = vector(POINTER, self.lanes)
        return at

    def beforehand(self, buffer: str, p: Any, writing: bool) -> None:
        """Ask for what lies `SOON` entries behind `p`, if its buffer comes from far."""
        if buffer in self.far:
            self.fetch(self.b.gep(p, [self.whole(SOON)], source_etype=self.memory(buffer)), writing)
