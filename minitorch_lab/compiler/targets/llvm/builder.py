"""Instructions on LLVM values, which are numbers or vectors of them.

No LLVM optimisation pass runs afterwards, so what is written here is what the processor does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .target import Target
from .types import BITS, I1, I32, TYPES, constant, ir, is_float, is_vector, like, row, scalar_of, vector, whole

FAST = ("contract",)


class Builder:
    """Writes instructions where `b`, LLVM's builder, stands.

    Attributes:
        module: The module in which functions are declared.
        target: The processor.
        lanes: Entries of float32 in a vector.
    """

    def __init__(self, module: Any, target: Target, b: Any) -> None:
        self.module, self.target, self.lanes, self.b = module, target, target.lanes, b

    # ---- numbers -----------------------------------------------------------------------------------------------------
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

    # ---- arithmetic --------------------------------------------------------------------------------------------------
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
        """What `pick` gives, but NaN if one of them is; of equals it is `y`, as in NumPy, so the sign of a 0 is its."""
        if not is_float(x.type) or isinstance(x, ir.Constant):
            return pick(x, y)
        return self.where(self.b.fcmp_unordered("uno", x, x), x, pick(x, y))

    def maximum(self, x: Any, y: Any) -> Any:
        """The larger one, or NaN."""
        return self.extreme(self.above, x, y)

    def minimum(self, x: Any, y: Any) -> Any:
        """The smaller one, or NaN."""
        return self.extreme(self.below, x, y)

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

    # ---- reductions --------------------------------------------------------------------------------------------------
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
