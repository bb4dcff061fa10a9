"""Whole numbers that are not known yet: polynomials over symbols, in one normal form.

    2 * s0 + 1,    s0 * s1,    (s0 + 1) // 2

Two expressions that are equal as polynomials are one object's worth of terms, so most questions about sizes answer
themselves. A quotient or a remainder that does not come out even is a factor of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import gcd, prod
from typing import TypeAlias

Least: TypeAlias = "Callable[[str], int | None]"


@dataclass(frozen=True, slots=True)
class Divided:
    """`over // under` or `over % under`, which does not come out even."""

    sign: str
    over: Expression
    under: Expression

    def __str__(self) -> str:
        """As Python writes it."""
        return f"{grouped(self.over)} {self.sign} {grouped(self.under)}"


Factor: TypeAlias = "str | Divided"  # a symbol by its name
Monomial: TypeAlias = tuple[Factor, ...]


@dataclass(frozen=True, slots=True)
class Expression:
    """A sum of products: for each, its factors and how often it is taken. Nothing is 0 times there."""

    terms: tuple[tuple[Monomial, int], ...] = ()

    @property
    def constant(self) -> int | None:
        """The number, if it is one."""
        if not self.terms:
            return 0
        return self.terms[0][1] if len(self.terms) == 1 and not self.terms[0][0] else None

    @property
    def symbols(self) -> set[str]:
        """The names of the symbols in it."""
        return {name for factor in self.factors() for name in symbols_of(factor)}

    def factors(self) -> Iterator[Factor]:
        """Every factor of every product."""
        return (factor for factors, _ in self.terms for factor in factors)

    def __add__(self, other: Expression) -> Expression:
        """The sum."""
        return collected([*self.terms, *other.terms])

    def __mul__(self, other: Expression) -> Expression:
        """The product."""
        return collected([(joined(a, b), m * n) for a, m in self.terms for b, n in other.terms])

    def __neg__(self) -> Expression:
        """The negative."""
        return Expression(tuple((factors, -n) for factors, n in self.terms))

    def __sub__(self, other: Expression) -> Expression:
        """The difference."""
        return self + -other

    def at(self, values: Mapping[str, int]) -> int:
        """The number for given symbols."""
        return sum(n * prod(value(factor, values) for factor in factors) for factors, n in self.terms)

    def replaced(self, known: Mapping[str, Expression]) -> Expression:
        """The same with expressions for some symbols."""
        if not known or not self.symbols & known.keys():
            return self
        out = Expression()
        for factors, n in self.terms:
            part = number(n)
            for factor in factors:
                part = part * put(factor, known)
            out = out + part
        return out

    def least(self, least: Least) -> int | None:
        """A number that it is never below, if one follows from those of its symbols (of which none is negative)."""
        total = 0
        for factors, n in self.terms:
            lows = [low(factor, least) for factor in factors]
            if any(x is None or x < 0 for x in lows) or (n < 0 and factors):
                return None
            total += n * prod(x for x in lows if x is not None)
        return total

    def __str__(self) -> str:
        """As Python writes it."""
        text = ""
        for factors, n in self.terms:
            count = [str(abs(n))] if abs(n) != 1 or not factors else []
            sign = (" - " if n < 0 else " + ") if text else ("-" if n < 0 else "")
            alone = len(count) + len(factors) == 1 and sign != "-"
            text += sign + " * ".join([*count, *(str(f) if alone else format_factor(f) for f in factors)])
        return text or "0"


def reduced(a: Expression) -> Expression | None:
    """`a` without what all its products have in common: it is 0 where `a` is. None if it is 0 nowhere.

    Example:
        >>> print(reduced(symbol("s0") * number(6) - number(24)), reduced(symbol("s0") * number(2) - number(1)))
        s0 - 4 None
    """
    common = gcd(*(n for factors, n in a.terms if factors))
    if common < 2:
        return a
    if any(n % common for _, n in a.terms):
        return None
    return Expression(tuple((factors, n // common) for factors, n in a.terms))


def number(n: int) -> Expression:
    """A number that is known."""
    return Expression((((), n),)) if n else Expression()


def symbol(name: str) -> Expression:
    """One that is not."""
    return Expression((((name,), 1),))


def joined(a: Monomial, b: Monomial) -> Monomial:
    """The factors of a product of products."""
    return tuple(sorted((*a, *b), key=str))


def collected(terms: list[tuple[Monomial, int]]) -> Expression:
    """The normal form: like products together, the longest first."""
    found: dict[Monomial, int] = {}
    for factors, n in terms:
        found[factors] = found.get(factors, 0) + n
    order = sorted(found, key=lambda factors: (-len(factors), list(map(str, factors))))
    return Expression(tuple((factors, found[factors]) for factors in order if found[factors]))


def quotient(a: Expression, b: Expression) -> Expression:
    """`a // b`, of which `b` is not 0.

    Example:
        >>> s = symbol("s0")
        >>> print(quotient(s * number(10), number(5)), quotient(s * s, s), quotient(s, number(2)), sep=", ")
        2 * s0, s0, s0 // 2
    """
    even = evenly(a, b)
    return fraction("//", a, b) if even is None else even


def remainder(a: Expression, b: Expression) -> Expression:
    """`a % b`, of which `b` is not 0."""
    return fraction("%", a, b) if evenly(a, b) is None else number(0)


def fraction(sign: str, a: Expression, b: Expression) -> Expression:
    """What does not come out even, unless both are numbers."""
    m, n = a.constant, b.constant
    if m is not None and n:
        return number(m // n if sign == "//" else m % n)
    return Expression((((Divided(sign, a, b),), 1),))


def evenly(a: Expression, b: Expression) -> Expression | None:
    """`a / b`, if every product of `a` is a multiple of the one product that `b` is."""
    if len(b.terms) != 1:
        return number(1) if a == b else None
    below, n = b.terms[0]
    out: list[tuple[Monomial, int]] = []
    for factors, m in a.terms:
        left = list(factors)
        for factor in below:
            if factor not in left:
                return None
            left.remove(factor)
        if m % n:
            return None
        out.append((tuple(left), m // n))
    return collected(out)


# ---- factors --------------------------------------------------------------------------------------------------------


def symbols_of(factor: Factor) -> set[str]:
    """The names of the symbols in a factor."""
    return {factor} if isinstance(factor, str) else factor.over.symbols | factor.under.symbols


def value(factor: Factor, values: Mapping[str, int]) -> int:
    """The number that a factor is for given symbols."""
    if isinstance(factor, str):
        return values[factor]
    over, under = factor.over.at(values), factor.under.at(values)
    return over // under if factor.sign == "//" else over % under


def put(factor: Factor, known: Mapping[str, Expression]) -> Expression:
    """A factor, with expressions for some symbols."""
    if isinstance(factor, str):
        return known[factor] if factor in known else symbol(factor)
    over, under = factor.over.replaced(known), factor.under.replaced(known)
    if under.constant == 0:
        return fraction(factor.sign, over, under)
    return quotient(over, under) if factor.sign == "//" else remainder(over, under)


def low(factor: Factor, least: Least) -> int | None:
    """What a factor is never below, if that is known."""
    if isinstance(factor, str):
        return least(factor)
    over, under = factor.over.least(least), factor.under.least(least)
    return 0 if over is not None and over >= 0 and under is not None and under > 0 else None


def format_factor(factor: Factor) -> str:
    """A factor of a product."""
    return factor if isinstance(factor, str) else f"({factor})"


def grouped(expression: Expression) -> str:
    """An expression as an operand."""
    text = str(expression)
    return f"({text})" if " " in text or text[0] == "-" else text
