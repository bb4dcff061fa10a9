"""The words of the loop IR: who writes which, and those that are one or two instructions."""

from __future__ import annotations

from typing import Any

from ....ops.word import WORDS
from .builder import Builder
from .maths import Maths
from .types import is_float

COMPARING = ("==", "!=", "<", "<=", ">", ">=")


class Words:
    """Writes words.

    Attributes:
        maths: Writes functions of float32.
    """

    def __init__(self, build: Builder) -> None:
        self.build, self.b, self.maths = build, build.b, Maths(build)

    def word(self, op: str, dtype: str, *args: Any) -> Any:
        """The value of an op of the loop IR."""
        word = WORDS[op]
        if word.sign in COMPARING:
            return self.build.compare(word.sign, *args)
        if word.intrinsic and is_float(args[0].type):
            return self.build.intrinsic(word.c, *args)
        if op == "cast":
            return self.build.cast(args[0], dtype)
        part = next(p for p in (self, self.maths, self.build) if hasattr(p, op))
        return getattr(part, op)(*args)

    def div(self, x: Any, y: Any) -> Any:
        """x / y."""
        return self.b.fdiv(x, y)

    def neg(self, x: Any) -> Any:
        """-x."""
        return self.b.fneg(x) if is_float(x.type) else self.b.neg(x)

    def abs(self, x: Any) -> Any:
        """|x| of a whole number."""
        return self.build.where(self.b.icmp_signed("<", x, self.build.c(0, x.type)), self.b.neg(x), x)

    def relu(self, x: Any) -> Any:
        """max(x, 0), or NaN."""
        return self.build.above(self.build.c(0, x.type), x)

    def sign(self, x: Any) -> Any:
        """-1, 0 or 1; of NaN 0."""
        zero, one = self.build.c(0, x.type), self.build.c(1, x.type)
        low = self.build.where(self.build.compare("<", x, zero), self.build.c(-1, x.type), zero)
        return self.build.where(self.build.compare(">", x, zero), one, low)

    def isnan(self, x: Any) -> Any:
        """Whether it is not a number."""
        return self.b.fcmp_unordered("uno", x, x)

    def isfinite(self, x: Any) -> Any:
        """Whether it is neither infinite nor NaN."""
        return self.b.fcmp_ordered("<", self.build.intrinsic("fabs", x), self.build.c(float("inf"), x.type))

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
