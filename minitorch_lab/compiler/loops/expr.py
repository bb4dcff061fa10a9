"""Expressions: the value of an entry, as a function of the loop counters. Equal expressions are one object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ...ops.word import MUCH, WORDS
from .affine import Affine


@dataclass(frozen=True, eq=False, slots=True)
class Expr:
    """`const`, `load` (a buffer and a map), `index` (a map), `var` (a result of a reduction) or an op of expressions.

    `axes` are the loops that it depends on, `dtype` is a word such as `f32`.
    """

    op: str
    args: tuple[Expr, ...]
    attr: Any
    dtype: str
    axes: frozenset[str]

    @property
    def costly(self) -> bool:
        """Whether it takes a polynomial."""
        return self.op in WORDS and WORDS[self.op].cost == MUCH

    def text(self, args: list[str]) -> str:
        """The expression, where its arguments are already text."""
        if self.op == "const":
            return f"{self.attr:.9g}" if self.dtype == "f32" else exactly(self.attr)
        if self.op == "load":
            return f"{self.attr[0]}[{self.attr[1]}]"
        if self.op == "index":
            return f"({self.attr})"
        if self.op == "var":
            return self.attr
        if self.op in WORDS and WORDS[self.op].sign:
            return f"({args[0]} {WORDS[self.op].sign} {args[1]})"
        return f"{self.dtype if self.op == 'cast' else self.op}({', '.join(args)})"


def exactly(number: Any) -> str:
    """A number with all of its digits: kernels that differ only in the last one are two.

    Example:
        >>> exactly(0.1), exactly(2.0), exactly(10**12 + 1), exactly(True)
        ('0.1', '2', '1000000000001', '1')
    """
    return str(int(number)) if number == number // 1 and abs(number) != float("inf") else repr(float(number))


class Exprs:
    """Makes expressions, each only once.

    Attributes:
        stands: The node whose value an expression is, where it is one's.
    """

    def __init__(self) -> None:
        self.known: dict[Any, Expr] = {}
        self.stands: dict[Expr, Any] = {}

    def make(
        self, op: str, dtype: str, args: tuple[Expr, ...] = (), attr: Any = None, axes: Iterable[str] = ()
    ) -> Expr:
        """The expression; what it depends on follows from its parts, `axes` are added."""
        key: Any = (op, dtype, args, repr(attr) if op == "const" else attr)
        if key not in self.known:
            at = attr[1] if op == "load" else attr
            own = at.axes if op in ("load", "index") else ()
            self.known[key] = Expr(op, args, attr, dtype, frozenset((*axes, *own)).union(*(a.axes for a in args)))
        return self.known[key]

    def const(self, value: Any, dtype: str) -> Expr:
        """A number."""
        return self.make("const", dtype, attr=value)

    def load(self, buffer: str, at: Affine, dtype: str, axes: Iterable[str] = ()) -> Expr:
        """An entry of a buffer."""
        return self.make("load", dtype, attr=(buffer, at), axes=axes)

    def rewritten(self, e: Expr, rule: Callable[[Expr], Expr | None], memo: dict[Expr, Expr]) -> Expr:
        """`e` made again from the bottom up, where what `rule` gives stands for a part."""

        def make(x: Expr) -> None:
            found = rule(x)
            if found is None:
                args = tuple(memo[a] for a in x.args)
                found = x if args == x.args else self.make(x.op, x.dtype, args, x.attr, x.axes)
            if x in self.stands and found.op != "load":
                self.stands.setdefault(found, self.stands[x])
            memo[x] = found

        bottom_up(e, memo.__contains__, make)
        return memo[e]


def bottom_up(e: Expr, done: Callable[[Expr], bool], make: Callable[[Expr], None]) -> None:
    """`make` for each part of `e` that is not done, arguments first. No recursion: expressions may be deep."""
    stack = [e]
    while stack:
        x = stack[-1]
        if done(x):
            stack.pop()
        elif todo := [a for a in reversed(x.args) if not done(a)]:
            stack += todo
        else:
            make(x)
            stack.pop()


def parts(roots: Iterable[Expr]) -> dict[Expr, None]:
    """All parts of some expressions, each once, in the order in which they are met."""
    seen: dict[Expr, None] = dict.fromkeys(roots)
    stack = list(seen)
    while stack:
        new = [a for a in stack.pop().args if a not in seen]
        seen |= dict.fromkeys(new)
        stack += new
    return seen


def read_once(roots: Iterable[Expr]) -> set[Expr]:
    """The parts that one other part reads, once; no root is one.

    Example:
        >>> from .affine import axis
        >>> exprs = Exprs()
        >>> x = exprs.load("x", axis("i"), "f32")
        >>> y = exprs.make("exp", "f32", (exprs.make("mul", "f32", (x, x)),))
        >>> [e.op for e in read_once([y])]
        ['mul']
    """
    roots = list(roots)
    reads = Counter(a for e in parts(roots) for a in e.args)
    return {e for e, n in reads.items() if n == 1}.difference(roots)
