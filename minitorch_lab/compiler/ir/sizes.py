"""Sizes that are not known yet: whole numbers that say what they are made of, and answer for one case.

A `Size` stands for a length that may be another in the next call. Arithmetic on it gives sizes. Whoever must know the
number (a comparison, `range`, an index, a dict) is answered for the sizes at hand, and what was relied on is noted: the
answer holds wherever those relations do. So nothing depends on a size unseen. After PyTorch's `SymInt` and `ShapeEnv`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...core.array import NUMBERS, xp
from .expressions import Expression, grouped, number, quotient, remainder, symbol
from .relations import Relation, Relations, at_least, equal


class Sizes(Relations):
    """Relations, and the sizes of which they speak."""

    def __init__(self, hints: Mapping[str, int] | None = None, least: int | None = 2) -> None:
        super().__init__()
        for name, hint in (hints or {}).items():
            self.symbol(name, hint, least)

    def symbol(self, name: str, hint: int, least: int | None = None) -> Size:
        """A new symbol, in this call `hint`."""
        self.hints[name] = hint
        if least is not None:
            self.given[name], self.bounds[name] = least, max(least, self.bounds.get(name, least))
        return Size(symbol(name), self)

    def size(self, expression: Expression) -> Any:
        """An expression as a size; one that is known as the number it is."""
        found = expression.replaced(self.replaced)
        return Size(found, self) if found.constant is None else found.constant

    def hashed(self, expression: Expression) -> int:
        """What a size is hashed as: the number that it equals."""
        return hash(self.exact(expression))


if TYPE_CHECKING:

    class Operator:
        """The type of an operator."""

        def __call__(self, other: Any) -> Any: ...  # noqa: D102


class Size:
    """A length that is not known yet. It calls itself an int, and behaves as one.

    It is none, so that C code cannot take the number without asking for it (`__index__`).

    Example:
        >>> sizes = Sizes({"s0": 17, "s1": 17})
        >>> n, m = (sizes.size(symbol(name)) for name in ("s0", "s1"))
        >>> n * 2 + 1, n > 1, n == m, len(range(n // 4)), isinstance(n, int)
        (2 * s0 + 1, True, True, 4, True)
        >>> [str(relation) for relation, _ in sizes.relations]
        ['s0 == s1', 's0 // 4 == 4']
    """

    __slots__ = ("expression", "sizes")

    def __init__(self, expression: Expression, sizes: Sizes) -> None:
        self.expression, self.sizes = expression, sizes

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Seen by `isinstance` alone: code that asks whether a length is an int gets its answer."""
        return int

    __array_ufunc__ = None  # NumPy leaves arithmetic to the operators below
    if TYPE_CHECKING:
        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __mod__ = Operator()
        __lt__ = __le__ = __gt__ = __ge__ = Operator()

    @property
    def symbols(self) -> set[str]:
        """The names of the symbols in it."""
        return self.expression.symbols

    def at(self, values: Mapping[str, int]) -> int:
        """The number for given symbols; nobody is told that it was asked for."""
        return self.expression.at(values)

    def of(self, sizes: Sizes) -> Size:
        """The same, answered for by others."""
        return Size(self.expression, sizes)

    def __index__(self) -> int:
        """The number itself."""
        return self.sizes.exact(self.expression)

    __int__ = __index__

    def __float__(self) -> float:
        """The same as a float."""
        return float(self.__index__())

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """The same as an array."""
        return xp.asarray(self.__index__(), dtype)

    def __hash__(self) -> int:
        """As a key it is what its owner says: its number."""
        return self.sizes.hashed(self.expression)

    def __repr__(self) -> str:
        """The expression: code that prints a size prints what it is made of."""
        return str(self.expression)

    def __format__(self, spec: str) -> str:
        """The expression."""
        return format(str(self), spec)

    def __bool__(self) -> bool:
        """Whether it is not 0."""
        return not self.sizes.decide(equal(self.expression, number(0)))

    def __neg__(self) -> Any:
        """The negative."""
        return self.sizes.size(-self.expression)

    def __pos__(self) -> Any:
        """Itself."""
        return self

    def __abs__(self) -> Any:
        """The length without a sign."""
        return self if self.sizes.decide(at_least(self.expression, number(0))) else -self

    def __pow__(self, power: Any) -> Any:
        """A product with itself, or a fraction."""
        if type(power) is int and power == 2:
            return self.sizes.size(self.expression * self.expression)
        return fraction("**", operator.pow, self, power) if type(power) is float else int(self) ** power

    def __rpow__(self, base: Any) -> Any:
        """A power of something by the number."""
        return base ** int(self)

    def __truediv__(self, other: Any) -> Any:
        """A fraction."""
        return fraction("/", operator.truediv, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        """A fraction."""
        return fraction("/", operator.truediv, other, self)

    def __divmod__(self, other: Any) -> Any:
        """Quotient and remainder."""
        return self // other, self % other

    # arithmetic, comparisons and the rest follow below


class Real:
    """A float that follows from sizes, as `1 / n` does: the Python that computes it. It calls itself a float.

    Example:
        >>> n = Sizes({"s0": 17}).size(symbol("s0"))
        >>> 1.0 / n * 2, (1.0 / n).at({"s0": 4})
        ((1.0 / s0) * 2, 0.25)
    """

    __slots__ = ("sizes", "symbols", "text")
    __array_ufunc__ = None

    def __init__(self, text: str, symbols: set[str], sizes: Sizes) -> None:
        self.text, self.symbols, self.sizes = text, symbols, sizes

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Seen by `isinstance` alone."""
        return float

    def at(self, values: Mapping[str, int]) -> float:
        """The number for given symbols."""
        return eval(self.text, {"__builtins__": {}, "float": float}, dict(values))

    def of(self, sizes: Sizes) -> Real:
        """The same, answered for by others."""
        return Real(self.text, self.symbols, sizes)

    def __float__(self) -> float:
        """The number itself, and with it all its sizes."""
        self.sizes.fix(self.symbols)
        return self.at(self.sizes.hints)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """The same as an array."""
        return xp.asarray(float(self), dtype)

    def __hash__(self) -> int:
        """As a key it is its number."""
        return hash(float(self))

    def __repr__(self) -> str:
        """How it is computed."""
        return self.text

    def __format__(self, spec: str) -> str:
        """How it is computed."""
        return format(self.text, spec)

    def __bool__(self) -> bool:
        """Whether it is not 0."""
        return bool(float(self))

    def __neg__(self) -> Any:
        """The negative."""
        return Real(f"-({self.text})", self.symbols, self.sizes)


def fraction(sign: str, plain: Callable[..., Any], a: Any, b: Any) -> Any:
    """An operator with an operand that is a size or follows from sizes: how it is computed, if both are numbers."""
    if type(b) is Size and sign == "/" and not bool(b):
        return plain(float(a), 0)  # it raises what Python raises
    owner = next(x for x in (a, b) if type(x) in UNKNOWN)
    parts = [operand(x) for x in (a, b)]
    if None in parts:
        return NotImplemented
    return Real(f"{parts[0]} {sign} {parts[1]}", {n for x in (a, b) for n in getattr(x, "symbols", ())}, owner.sizes)


def operand(x: Any) -> str | None:
    """A number as an operand in Python; None for what is none."""
    if type(x) is Size:
        return grouped(x.expression)
    if type(x) is Real:
        return f"({x.text})"
    if type(x) is float and x - x != 0:
        return f"float('{x}')"  # NaN and infinity have no literal
    return (f"({x!r})" if repr(x)[0] == "-" else repr(x)) if type(x) in (int, bool, float) else None


def expression_of(x: Any) -> Expression | None:
    """A size or a whole number as an expression."""
    if type(x) is Size:
        return x.expression
    return number(int(x)) if type(x) in (int, bool) else None


UNKNOWN = (Size, Real)
SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**"}


def closed(f: Callable[[Expression, Expression], Expression], name: str) -> Any:
    """An operator, and its reflection, that gives a size for sizes; with a fraction it gives one."""
    plain, divides = getattr(operator, name), name in ("floordiv", "mod")

    def forward(self: Size, other: Any) -> Any:
        a, b = self.expression, expression_of(other)
        if b is None and not divides:
            return fraction(SIGNS[name], plain, self, other)
        if b is None or (divides and self.sizes.decide(equal(b, number(0)))):
            return plain(int(self), other)
        return self.sizes.size(f(a, b))

    def reflected(self: Size, other: Any) -> Any:
        a, b = expression_of(other), self.expression
        if a is None and not divides:
            return fraction(SIGNS[name], plain, other, self)
        if a is None or (divides and self.sizes.decide(equal(b, number(0)))):
            return plain(other, int(self))
        return self.sizes.size(f(a, b))

    return forward, reflected


def fractional(name: str) -> Any:
    """An operator of fractions, and its reflection."""
    plain = getattr(operator, name)
    return (
        lambda self, other: fraction(SIGNS[name], plain, self, other),
        lambda self, other: fraction(SIGNS[name], plain, other, self),
    )


def compared(f: Callable[[Expression, Expression], Relation], name: str, negated: bool = False) -> Any:
    """A comparison; of anything but whole numbers it is that of the number."""
    plain = getattr(operator, name)

    def forward(self: Size, other: Any) -> Any:
        b = expression_of(other)
        if b is None:
            return plain(int(self), other) if isinstance(other, float) else NotImplemented
        return self.sizes.decide(f(self.expression, b)) is not negated

    return forward


def spelled_out(name: str) -> Any:
    """An operator, and its reflection, for which the number must be known."""
    plain = getattr(operator, f"__{name}__")
    return lambda self, other: plain(int(self), other), lambda self, other: plain(other, int(self))


def of_number(name: str) -> Any:
    """A comparison for which the number must be known."""
    plain = getattr(operator, name)
    return lambda self, other: plain(float(self), other)


CLOSED: dict[str, Any] = {
    "add": Expression.__add__,
    "sub": Expression.__sub__,
    "mul": Expression.__mul__,
    "floordiv": quotient,
    "mod": remainder,
}
COMPARED: dict[str, Any] = {
    "eq": compared(equal, "eq"),
    "ne": compared(equal, "ne", negated=True),
    "ge": compared(at_least, "ge"),
    "lt": compared(at_least, "lt", negated=True),
    "le": compared(lambda a, b: at_least(b, a), "le"),
    "gt": compared(lambda a, b: at_least(b, a), "gt", negated=True),
}
OPERATORS = {name: closed(f, name) for name, f in CLOSED.items()}
for name in ("and", "or", "xor", "lshift", "rshift"):
    OPERATORS[name] = spelled_out(name)
for name, (forward, back) in OPERATORS.items():
    setattr(Size, f"__{name}__", forward)
    setattr(Size, f"__r{name}__", back)
for name in SIGNS:
    forward, back = fractional(name)
    setattr(Real, f"__{name}__", forward)
    setattr(Real, f"__r{name}__", back)
for name, compare in COMPARED.items():
    setattr(Size, f"__{name}__", compare)
    setattr(Real, f"__{name}__", of_number(name))
NUMBERS[Size], NUMBERS[Real] = NUMBERS[int], NUMBERS[float]  # as operands they take the dtype of what they meet


def mapped_sizes(f: Callable[[Any], Any], x: Any) -> Any:
    """`x` with `f` of every size and fraction in its tuples, lists, dicts and slices; itself if there are none."""
    if type(x) in UNKNOWN:
        return f(x)
    if type(x) in (tuple, list):
        parts = [mapped_sizes(f, part) for part in x]
        return type(x)(parts) if any(a is not b for a, b in zip(parts, x, strict=True)) else x
    if type(x) is dict:
        return {k: mapped_sizes(f, v) for k, v in x.items()}
    if type(x) is slice:
        return slice(*(mapped_sizes(f, part) for part in (x.start, x.stop, x.step)))
    return x


def hinted(x: Any) -> Any:
    """`x` with the numbers of the call at hand for its sizes. Nobody is told that they were read."""
    return mapped_sizes(lambda size: size.at(size.sizes.hints), x)


def sizes_in(*xs: Any) -> list[Any]:
    """All sizes, and what follows from them, in some values, however deep."""
    found: list[Any] = []
    for x in xs:
        mapped_sizes(found.append, x)
    return found


def alike(a: Iterable[Any], b: Iterable[Any]) -> bool:
    """Whether two shapes are the same whatever the sizes are."""
    return [expression_of(n) for n in a] == [expression_of(n) for n in b]
