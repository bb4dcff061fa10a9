"""Instructions: the words of the loop IR on LLVM values, which are numbers or vectors of them.

No LLVM optimisation pass runs afterwards, so what is written here is what the processor does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...schedule.values import SIZES
from .target import Target
from .types import BITS, I1, I8, I32, TYPES, constant, ir, is_float, is_vector, row, vector, whole

COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
ROUND = {"floor": "floor", "ceil": "ceil", "trunc": "trunc", "round": "rint", "sqrt": "sqrt", "abs": "fabs"}
FAST = ("contract",)


class Emitter:
    """Writes instructions where `b`, the builder, stands."""

    def __init__(self, module: Any, target: Target) -> None:
        self.module, self.target, self.lanes = module, target, target.lanes
        self.b: Any = None
        self.past = False  # whether stores go past the caches, to aligned memory

    # ---- numbers ----------------------------------------------------------------------------------------------------
    def c(self, x: Any, like: Any) -> Any:
        """A number, in all lanes if `like` is the type of a vector."""
        return constant(x, like)

    def splat(self, v: Any) -> Any:
        """A number in all lanes."""
        t = vector(v.type, self.lanes)
        empty = ir.Constant(t, ir.Undefined)
        first = self.b.insert_element(empty, v, whole(0, I32))
        return self.b.shuffle_vector(first, empty, row((0,) * self.lanes))

    def mask(self, n: Any) -> Any:
        """Truth in the first `n` lanes; or a mask as it is."""
        return n if not isinstance(n, int) else row(tuple(int(q < n) for q in range(self.lanes)), I1)

    def call(self, name: str, result: Any, *args: Any, fast: Any = ()) -> Any:
        """A call of an intrinsic or a function of C."""
        known = self.module.globals.get(name)
        fn = known or ir.Function(self.module, ir.FunctionType(result, [a.type for a in args]), name)
        return self.b.call(fn, args, fastmath=fast)

    def intrinsic(self, name: str, *args: Any) -> Any:
        """`llvm.fma.v16f32` and the like: the type is that of the first argument."""
        t = args[0].type
        inner = t.element if is_vector(t) else t
        word = f"{'f' if is_float(inner) else 'i'}{BITS[str(inner)]}"
        return self.call(f"llvm.{name}.{f'v{t.count}{word}' if is_vector(t) else word}", t, *args)

    def fma(self, a: Any, b: Any, c: Any) -> Any:
        """a · b + c, rounded once where the processor can."""
        return self.intrinsic("fma" if self.target.fma else "fmuladd", a, b, c)

    # ---- words ------------------------------------------------------------------------------------------------------
    def word(self, op: str, dtype: str, *args: Any) -> Any:
        """The value of an op of the loop IR."""
        if op in COMPARE:
            return self.compare(COMPARE[op], *args)
        if op in ROUND and is_float(args[0].type):
            return self.intrinsic(ROUND[op], *args)
        return getattr(self, op)(*args) if op != "cast" else self.cast(args[0], dtype)

    def compare(self, sign: str, x: Any, y: Any) -> Any:
        """A truth value; NaN is equal to nothing."""
        if is_float(x.type):
            return (self.b.fcmp_unordered if sign == "!=" else self.b.fcmp_ordered)(sign, x, y)
        return (self.b.icmp_unsigned if str(scalar_of(x)) == "i1" else self.b.icmp_signed)(sign, x, y)

    def add(self, x: Any, y: Any) -> Any:
        """x + y."""
        return self.b.fadd(x, y, flags=FAST) if is_float(x.type) else self.b.add(x, y)

    def sub(self, x: Any, y: Any) -> Any:
        """x - y."""
        return self.b.fsub(x, y, flags=FAST) if is_float(x.type) else self.b.sub(x, y)

    def mul(self, x: Any, y: Any) -> Any:
        """x · y."""
        return self.b.fmul(x, y, flags=FAST) if is_float(x.type) else self.b.mul(x, y)

    def div(self, x: Any, y: Any) -> Any:
        """x / y."""
        return self.b.fdiv(x, y)

    def neg(self, x: Any) -> Any:
        """-x."""
        return self.b.fneg(x) if is_float(x.type) else self.b.neg(x)

    def abs(self, x: Any) -> Any:
        """|x| of a whole number."""
        return self.where(self.b.icmp_signed("<", x, self.c(0, x.type)), self.b.neg(x), x)

    def where(self, condition: Any, x: Any, y: Any) -> Any:
        """The first where the condition holds."""
        return self.b.select(condition, x, y)

    def above(self, x: Any, y: Any) -> Any:
        """The larger one; `y` if one of them is NaN. One instruction."""
        return self.where(self.compare(">", x, y), x, y)

    def below(self, x: Any, y: Any) -> Any:
        """The smaller one; `y` if one of them is NaN. One instruction."""
        return self.where(self.compare("<", x, y), x, y)

    def extreme(self, pick: Callable[[Any, Any], Any], x: Any, y: Any) -> Any:
        """What `pick` gives, but NaN if one of them is."""
        if not is_float(x.type) or isinstance(x, ir.Constant):
            return pick(x, y)
        if isinstance(y, ir.Constant):
            return pick(y, x)
        return self.where(self.b.fcmp_unordered("uno", x, x), x, pick(x, y))

    def maximum(self, x: Any, y: Any) -> Any:
        """The larger one, or NaN."""
        return self.extreme(self.above, x, y)

    def minimum(self, x: Any, y: Any) -> Any:
        """The smaller one, or NaN."""
        return self.extreme(self.below, x, y)

    def relu(self, x: Any) -> Any:
        """max(x, 0), or NaN."""
        return self.above(self.c(0, x.type), x)

    def sign(self, x: Any) -> Any:
        """-1, 0, 1 or NaN."""
        zero, one = self.c(0, x.type), self.c(1, x.type)
        low = self.where(self.compare("<", x, zero), self.c(-1, x.type), x)
        return self.where(self.compare(">", x, zero), one, low)

    def isnan(self, x: Any) -> Any:
        """Whether it is not a number."""
        return self.b.fcmp_unordered("uno", x, x)

    def isfinite(self, x: Any) -> Any:
        """Whether it is neither infinite nor NaN."""
        return self.b.fcmp_ordered("<", self.intrinsic("fabs", x), self.c(float("inf"), x.type))

    def bitwise_and(self, x: Any, y: Any) -> Any:
        """The bits that both have; of truth values, whether both hold."""
        return self.b.and_(x, y)

    def bitwise_or(self, x: Any, y: Any) -> Any:
        """The bits that one of them has."""
        return self.b.or_(x, y)

    def bitwise_xor(self, x: Any, y: Any) -> Any:
        """The bits in which they differ."""
        return self.b.xor(x, y)

    def bitwise_not(self, x: Any) -> Any:
        """The other bits."""
        return self.b.not_(x)

    logical_and, logical_or, logical_not = bitwise_and, bitwise_or, bitwise_not

    def cast(self, x: Any, dtype: str) -> Any:
        """Another dtype."""
        new = like(TYPES[dtype], x.type)
        old, to = scalar_of(x), TYPES[dtype]
        if old == to:
            return x
        if dtype == "b8":
            return self.compare("!=", x, self.c(0, x.type))
        if is_float(old):
            wider = BITS[str(to)] > BITS[str(old)]
            return (self.b.fpext if wider else self.b.fptrunc)(x, new)
        if is_float(to):
            return (self.b.uitofp if old == I1 else self.b.sitofp)(x, new)
        if old == I1:
            return self.b.zext(x, new)
        return (self.b.sext if BITS[str(to)] > BITS[str(old)] else self.b.trunc)(x, new)

    # ---- memory: truth values lie in bytes --------------------------------------------------------------------------
    def load(self, p: Any, dtype: str, lanes: int = 0, valid: int | None = None) -> Any:
        """A number, or `lanes` neighbours of which the first `valid` are there."""
        inner = I8 if dtype == "b8" else TYPES[dtype]
        t = vector(inner, lanes) if lanes else inner
        if valid is None:
            v = self.b.load(p, typ=t, align=SIZES[dtype])
        else:
            v = self.masked(p, dtype, self.mask(valid))
        return self.compare("!=", v, self.c(0, t)) if dtype == "b8" else v

    def masked(self, p: Any, dtype: str, mask: Any) -> Any:
        """Neighbours, of which only some lanes are read; the others are 0."""
        inner = I8 if dtype == "b8" else TYPES[dtype]
        t = vector(inner, self.lanes)
        name = f"llvm.masked.load.v{self.lanes}{'f' if is_float(inner) else 'i'}{BITS[str(inner)]}.p0"
        return self.call(name, t, p, whole(SIZES[dtype], I32), mask, ir.Constant(t, None))

    def gathered(self, at: Any, dtype: str, mask: Any) -> Any:
        """What lies at the addresses in the lanes, of which only some are read; the others are 0."""
        inner = I8 if dtype == "b8" else TYPES[dtype]
        t, word = vector(inner, self.lanes), f"{'f' if is_float(inner) else 'i'}{BITS[str(inner)]}"
        name = f"llvm.masked.gather.v{self.lanes}{word}.v{self.lanes}p0"
        v = self.call(name, t, at, whole(SIZES[dtype], I32), mask, ir.Constant(t, None))
        return self.compare("!=", v, self.c(0, t)) if dtype == "b8" else v

    def scattered(self, v: Any, at: Any, dtype: str, mask: Any) -> None:
        """Write lanes to the addresses in the lanes of another vector, of which only some are written."""
        v = self.b.zext(v, like(I8, v.type)) if dtype == "b8" else v
        word = f"{'f' if is_float(v.type) else 'i'}{BITS[str(v.type.element)]}"
        name = f"llvm.masked.scatter.v{self.lanes}{word}.v{self.lanes}p0"
        self.call(name, ir.VoidType(), v, at, whole(SIZES[dtype], I32), mask)

    def store(self, v: Any, p: Any, dtype: str, valid: int | None = None) -> None:
        """A number or a vector, of which only the first `valid` lanes are written."""
        v = self.b.zext(v, like(I8, v.type)) if dtype == "b8" else v
        if self.past:
            once = self.module.add_metadata([whole(1, I32)])
            self.b.store(v, p, align=SIZES[dtype] * self.lanes).set_metadata("nontemporal", once)
            return
        if valid is None:
            self.b.store(v, p, align=SIZES[dtype])
            return
        inner = v.type.element
        name = f"llvm.masked.store.v{v.type.count}{'f' if is_float(inner) else 'i'}{BITS[str(inner)]}.p0"
        self.call(name, ir.VoidType(), v, p, whole(SIZES[dtype], I32), self.mask(valid))

    def fetch(self, p: Any, writing: bool) -> None:
        """Ask for the line of memory at `p`, for it will be read or written soon. Any address will do."""
        how = (whole(x, I32) for x in (int(writing), 3, 1))  # into the first cache, of data
        self.call("llvm.prefetch.p0", ir.VoidType(), p, *how)

    # ---- reductions -------------------------------------------------------------------------------------------------
    def start(self, op: str, dtype: str, lanes: bool = True) -> Any:
        """What a reduction starts from."""
        t = vector(TYPES[dtype], self.lanes) if lanes else TYPES[dtype]
        if op == "sum" or is_float(TYPES[dtype]):
            return self.c({"sum": 0.0, "max": float("-inf"), "min": float("inf")}[op], t)
        least = -(1 << (BITS[str(TYPES[dtype])] - 1))
        return self.c(least if op == "max" else -1 - least, t)

    def combined(self, op: str, x: Any, y: Any) -> Any:
        """One more entry."""
        return {"sum": self.add, "max": self.maximum, "min": self.minimum}[op](x, y)

    def across(self, op: str, v: Any) -> Any:
        """The lanes of a vector as one number: halves are combined until one lane is left."""
        n = v.type.count
        while n > 1:
            n //= 2
            empty = ir.Constant(v.type, ir.Undefined)
            low, high = (self.b.shuffle_vector(v, empty, row(tuple(range(at, at + n)))) for at in (0, n))
            v = self.combined(op, low, high)
        return self.b.extract_element(v, whole(0, I32))

    def whole(self, x: int) -> Any:
        """A whole number of 64 bits, as addresses are."""
        return whole(x)


def scalar_of(v: Any) -> Any:
    """The type of one lane."""
    return v.type.element if is_vector(v.type) else v.type


def like(scalar: Any, t: Any) -> Any:
    """The type `scalar`, in as many lanes as `t` has."""
    return vector(scalar, t.count) if is_vector(t) else scalar
