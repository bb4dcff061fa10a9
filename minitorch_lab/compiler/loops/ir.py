"""The statements of a kernel.

    Kernel = name, reasons, [Stmt]
    Stmt   = Loop(axis, extent, [Stmt])
           | Sweep(axis, extent, [Reduce], [Store])     one pass over `axis`, which a target may run in vectors
           | Tile(m, n, k, var, op, a, b, [Store])      var[m, n] = op over k of a[m, k] * b[k, n], then the stores
           | Contract({axis: extent}, {axis: extent}, var, a, b, [Inside], [Store])
                                                        var = sum over the second axes of a * b, then the stores
           | Store(buffer, Affine, Expr)
           | Pieces(count, [Stmt], [Stmt])              the same work `count` times, each for a thread, and what is over

One invariant carries everything: a statement touches only its own point of the loops around it. So loops may be tiled,
run in vectors, or as one whole-array statement each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .affine import Affine
from .expr import Expr, parts


@dataclass(eq=False, slots=True)
class Store:
    """buffer[at] = value."""

    buffer: str
    at: Affine
    value: Expr


@dataclass(eq=False, slots=True)
class Reduce:
    """var = op over the axis of the sweep of value; op is `sum`, `max` or `min`."""

    var: str
    op: str
    value: Expr


@dataclass(eq=False, slots=True)
class Sweep:
    """One pass over a row. Its `way`, like that of other statements, is how a machine runs it, once that is decided."""

    axis: str
    extent: int
    reduces: list[Reduce] = field(default_factory=list[Reduce])
    stores: list[Store] = field(default_factory=list[Store])
    way: Any = None


Bound = tuple[str, str, int]  # x, y and d: where x > y + d nothing has to be done


@dataclass(frozen=True, slots=True)
class Blocking:
    """How a product is cut: blocks of `rows` by `vectors` in registers, the right operand packed for them or not."""

    rows: int
    vectors: int
    packed: bool

    def __str__(self) -> str:
        """`8 × 2, packed`."""
        return f"{self.rows} × {self.vectors}{', packed' * self.packed}"


@dataclass(eq=False, slots=True)
class Tile:
    """A contraction over `k`: a product of matrices, or without `a` a reduction of columns. Its axes are m, n and k.

    Outside of the bounds `within` one of the operands is 0, or no store asks for the result. `a` has `gaps` if many of
    its entries may be 0. `blocking` says how the work is cut where somebody has measured that; else the target decides.
    """

    m: int
    n: int
    k: int
    var: str
    op: str
    a: Expr | None
    b: Expr
    stores: list[Store] = field(default_factory=list[Store])
    within: list[Bound] = field(default_factory=list[Bound])
    blocking: Blocking | None = None
    gaps: bool = False


@dataclass(frozen=True, slots=True)
class Inside:
    """0 <= at < extent: a step of a contraction where that does not hold is left out."""

    at: Affine
    extent: int


@dataclass(eq=False, slots=True)
class Contract:
    """A contraction over several axes: for every point of `axes` the sum over `over` of `a` times `b`."""

    axes: dict[str, int]
    over: dict[str, int]
    var: str
    a: Expr
    b: Expr
    inside: list[Inside] = field(default_factory=list[Inside])
    stores: list[Store] = field(default_factory=list[Store])
    way: Any = None


@dataclass(eq=False, slots=True)
class Loop:
    """A plain loop."""

    axis: str
    extent: int
    body: list[Stmt]
    way: Any = None


@dataclass(eq=False, slots=True)
class Pieces:
    """What threads may run at once: `body` for `piece` 0, 1, … `count` - 1, and one piece more, `rest`, if any.

    It is the first statement of its kernel, if it has one; those after it wait for all pieces (see `share`).
    """

    count: int
    body: list[Stmt]
    rest: list[Stmt]


Stmt: TypeAlias = "Loop | Sweep | Tile | Contract | Store | Pieces"


@dataclass(eq=False, slots=True)
class Kernel:
    """One launch: its statements, why what is in it is together, and the nodes that its expressions stand for.

    `tried` has the seconds of every way that was measured.
    """

    name: str
    body: list[Stmt]
    reasons: list[str] = field(default_factory=list[str])
    stands: Mapping[Expr, Any] = field(default_factory=dict[Expr, Any])
    tried: dict[str, float] = field(default_factory=dict[str, float])

    def statements(self) -> Iterator[Stmt]:
        """All statements, those in loops too."""
        stack = list(reversed(self.body))
        while stack:
            s = stack.pop()
            yield s
            stack += reversed(inner(s))

    def stores(self) -> list[Store]:
        """All stores."""
        return [t for s in self.statements() for t in stores_of(s)]

    def values(self) -> list[Expr]:
        """All expressions that are computed."""
        return [v for s in self.statements() for v in values_of(s)]

    def loads(self) -> list[tuple[str, Affine]]:
        """All buffers that are read, with the map."""
        return [e.attr for e in parts(self.values()) if e.op == "load"]

    def buffers(self) -> list[str]:
        """The buffers that are touched, each once."""
        return list(dict.fromkeys([s.buffer for s in self.stores()] + [b for b, _ in self.loads()]))


def inner(s: Stmt) -> list[Stmt]:
    """The statements in a statement."""
    return s.body if isinstance(s, Loop) else [*s.body, *s.rest] if isinstance(s, Pieces) else []


def stores_of(s: Stmt) -> list[Store]:
    """The stores of one statement."""
    return [s] if isinstance(s, Store) else [] if isinstance(s, Loop | Pieces) else s.stores


def values_of(s: Stmt) -> list[Expr]:
    """The expressions of one statement."""
    out = [t.value for t in stores_of(s)]
    if isinstance(s, Sweep):
        out = [r.value for r in s.reduces] + out
    if isinstance(s, Tile):
        out = [*([s.a] if s.a else []), s.b, *out]
    if isinstance(s, Contract):
        out = [s.a, s.b, *out]
    return out
