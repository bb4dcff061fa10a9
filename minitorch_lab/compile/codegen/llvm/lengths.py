"""Lengths that are known when the code runs: reckoned once per kernel, from the symbols in its table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...expressions import Divided, Expression, Factor
from ...extents import Asked, is_open
from ...loops.expr import Expr
from ...sizes import Size
from .interpreter import word
from .maths import Maths
from .table import Table
from .types import F64, I64, TYPES, is_float, row, whole


class Lengths(Maths):
    """Writes numbers that follow from lengths.

    Attributes:
        table: What is told of lengths, if some are not numbers.
        told: The address of that.
    """

    table: Table | None
    told: Any
    levels: list[Any]
    at: dict[str, Any]

    def placed(self, n: int, make: Callable[[], Any]) -> Any:
        """What `make` gives, written in an outer loop: see `levels.py`."""
        raise NotImplementedError

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

    def fraction(self, e: Expr) -> Any:
        """A number of the program that follows from lengths."""
        assert self.table is not None
        x, t = e.attr, TYPES[e.dtype]
        if is_open(x):
            value = self.whole(x)
            return self.b.sitofp(value, t) if is_float(t) else value if t == I64 else self.b.trunc(value, t)
        value = self.b.load(word(self.b, self.told, 8 * self.table.at[x.text]), typ=F64)
        return value if t == F64 else self.b.fptrunc(value, t)

    def there(self, axis: str, n: Any) -> Any:
        """The lanes from here on that are below `n`."""
        left = self.b.sub(self.whole(n), self.at[axis])
        return self.b.icmp_signed("<", row(tuple(range(self.lanes)), I64), self.splat(left))
