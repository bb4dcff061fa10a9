"""Where a value is computed: in the outermost loop that defines its axes, once."""

from __future__ import annotations

from typing import Any

from ...ir.extents import is_open
from ...ir.sizes import UNKNOWN
from ...loops.affine import Affine
from ...loops.expr import Expr, bottom_up, parts, read_once
from ...loops.ir import Kernel, Store, Sweep
from ...loops.signs import never_positive
from .interpreter import word
from .memory import Memory
from .types import F64, I64, TYPES, ir, is_float, is_vector, vector
from .words import Words


class Values:
    """Writes the values of expressions.

    Attributes:
        once: The expressions that are read in one place alone.
        largest: Of which values a result is the largest, where it is one's.
        vars: The expression of every result of a reduction.
    """

    def __init__(self, kernel: Kernel, memory: Memory, words: Words) -> None:
        self.memory, self.nest, self.build = memory, memory.nest, memory.build
        self.words, self.maths = words, words.maths
        self.b, self.lanes = self.build.b, self.build.lanes
        self.vars = {e.attr: e for e in parts(kernel.values()) if e.op == "var"}
        self.once, self.largest = read_once(kernel.values()), largest(kernel)

    def value(self, e: Expr) -> Any:
        """The value of an expression here."""

        def known(x: Expr) -> bool:
            return (x, self.copy(x)) in self.nest.levels[self.home(x)].memo

        def get(x: Expr) -> Any:
            return self.nest.levels[self.home(x)].memo[x, self.copy(x)]

        def make(x: Expr) -> None:
            n = self.home(x)
            args = [get(a) for a in x.args]
            self.nest.levels[n].memo[x, self.copy(x)] = self.nest.placed(n, lambda: self.made(x, args))

        bottom_up(e, known, make)
        return get(e)

    def home(self, e: Expr) -> int:
        """The outermost loop in which all axes of an expression are defined."""
        n = len(self.nest.levels) - 1
        while n and self.nest.levels[n].axes.isdisjoint(e.axes):
            n -= 1
        return n

    def copy(self, e: Expr) -> Any:
        """Which of the unrolled copies: the offset of each unrolled axis, and the lanes under which it was loaded."""
        lane, offsets = self.nest.lane, self.nest.off.items()
        return tuple([(a, o, self.nest.valid.get(o) if a == lane else None) for a, o in offsets if a in e.axes])

    def in_lanes(self, v: Any, e: Expr) -> Any:
        """A value in all lanes; a number is spread where its expression lives."""
        if is_vector(v.type):
            return v
        n, key = self.home(e), ("lanes", e, self.copy(e))
        memo = self.nest.levels[n].memo
        if key not in memo:
            plain = e.op == "const" and type(e.attr) not in UNKNOWN
            memo[key] = self.constant_lanes(e) if plain else self.nest.placed(n, lambda: self.build.splat(v))
        return memo[key]

    def constant_lanes(self, e: Expr) -> Any:
        """A number of the program in all lanes."""
        return self.build.c(e.attr, vector(TYPES[e.dtype], self.lanes))

    def made(self, e: Expr, args: list[Any]) -> Any:
        """The instructions of an expression, whose arguments are there."""
        if e.op == "const":
            return self.fraction(e) if type(e.attr) in UNKNOWN else self.build.c(e.attr, TYPES[e.dtype])
        if e.op == "load":
            return self.memory.loaded(*e.attr)
        if e.op == "index":
            return self.index(e.attr, e.dtype)
        if e.op == "div" and e.dtype == "f32" and is_vector(args[0].type) and not is_vector(args[1].type):
            return self.divided(args[0], args[1], e.args[1])
        if any(is_vector(a.type) for a in args):
            args = [self.in_lanes(a, x) for a, x in zip(args, e.args, strict=True)]
        if e.op == "mul" and self.once.issuperset(e.args) and self.maths.quotients.keys() >= {*args}:
            return self.maths.one_quotient(*args)
        if e.op == "exp" and never_positive(e.args[0], self.largest):
            return self.maths.exp_up_to_0(*args)
        return self.words.word(e.op, e.dtype, *args)

    def divided(self, x: Any, y: Any, e: Expr) -> Any:
        """Lanes over one number: two products, for the number is inverted once, where its expression `e` lives."""
        n, key = self.home(e), ("inverse", e, self.copy(e))
        memo = self.nest.levels[n].memo
        if key not in memo:
            memo[key] = self.nest.placed(n, lambda: [self.build.splat(v) for v in self.maths.inverse(y)])
        inverse, scale = memo[key]
        return self.b.fmul(self.b.fmul(x, inverse), scale)

    def index(self, at: Affine, dtype: str) -> Any:
        """A count: the value of a map, along the lanes if it runs there."""
        const, out = at.const, None
        for a, c in at.terms:
            const += c * self.nest.off.get(a, 0)
            term = self.b.mul(self.nest.at[a], self.nest.whole(c))
            out = term if out is None else self.b.add(out, term)
        out = self.nest.whole(const) if out is None else self.b.add(out, self.nest.whole(const))
        v = self.build.cast(out, dtype)
        c = at.coefficient(self.nest.lane) if self.nest.lane else 0
        if not c:
            return v
        steps = ir.Constant(vector(TYPES[dtype], self.lanes), [c * q for q in range(self.lanes)])
        return self.build.add(self.build.splat(v), steps)

    def fraction(self, e: Expr) -> Any:
        """A number of the program that follows from lengths."""
        assert self.nest.table is not None
        x, t = e.attr, TYPES[e.dtype]
        if is_open(x):
            value = self.nest.whole(x)
            return self.b.sitofp(value, t) if is_float(t) else value if t == I64 else self.b.trunc(value, t)
        value = self.b.load(word(self.b, self.nest.told, 8 * self.nest.table.at[x.text]), typ=F64)
        return value if t == F64 else self.b.fptrunc(value, t)

    def known(self, var: str, value: Any) -> None:
        """From here on the result of a reduction has this value."""
        if var in self.vars:
            e = self.vars[var]
            self.nest.levels[self.home(e)].memo[e, self.copy(e)] = value

    def stores(self, stores: list[Store]) -> None:
        """All values first: none may be written before another has read the old one."""
        values = [self.value(s.value) for s in stores]
        for s, v in zip(stores, values, strict=True):
            self.stored(v, s.value, s.buffer, s.at)

    def stored(self, v: Any, e: Expr, buffer: str, at: Affine) -> None:
        """Write the value of an expression to an entry of a buffer, or what its lanes hold."""
        p, step = self.memory.address(buffer, at), self.memory.step(at)
        self.memory.put(self.in_lanes(v, e) if step else v, p, buffer, step)


def largest(k: Kernel) -> dict[str, Expr]:
    """For each result that is the largest value of a row, its expression, if every pass goes through whole rows."""
    sweeps = [s for s in k.statements() if isinstance(s, Sweep)]
    whole = len({s.extent for s in sweeps}) == 1
    return {r.var: r.value for s in sweeps for r in s.reduces if whole and r.op == "max"}
