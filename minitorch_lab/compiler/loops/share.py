"""Work for several threads: the outermost loop of a kernel is cut into pieces that know nothing of each other.

A piece is the loop over a part of its extent, with the number of the piece in its maps. No reduction is cut: every
number is computed as by one thread, to the last bit. What a kernel does besides runs when all pieces are done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from .affine import Affine, axis
from .expr import Expr, Exprs, parts
from .ir import Contract, Inside, Kernel, Loop, Pieces, Reduce, Stmt, Store, Sweep, Tile, stores_of, values_of

WORTH = 20_000_000  # operations, some 200 µs: waking another thread takes up to 70
VECTORS = 64  # neighbours in memory are cut between vectors
ROWS = 8
PIECE = "piece"  # the axis that counts them


def share(kernel: Kernel, threads: int) -> None:
    """Cut the largest statement of a kernel into pieces, if that is worth it, and none before it makes what it reads.

    Example:
        >>> from .show import show
        >>> exprs, j = Exprs(), axis("j")
        >>> twice = exprs.make("add", "f32", (exprs.load("a", j, "f32"), exprs.load("a", j, "f32")))
        >>> kernel = Kernel("twice", [Sweep("j", 10_000_000, [], [Store("b", j, twice)])])
        >>> share(kernel, 3)
        >>> print(show(kernel))
        kernel twice
          # 3 pieces, for as many threads
          pieces in 2:
            sweep j in 3333376:
              b[j + 3333376*piece] = (a[j + 3333376*piece] + a[j + 3333376*piece])
          the last piece:
            sweep j in 3333248:
              b[j + 6666752] = (a[j + 6666752] + a[j + 6666752])
    """
    largest = max(kernel.body, key=effort)
    before = kernel.body[: kernel.body.index(largest)]
    made = {s.buffer for s in Kernel("", before).stores()}
    if effort(largest) < WORTH or made & {b for b, _ in Kernel("", [largest]).loads()}:
        return
    found = Cutter(kernel).cut(largest, threads)
    if found is not None:
        kernel.body = [found, *(s for s in kernel.body if s is not largest)]
        kernel.reasons.append(f"{found.count + bool(found.rest)} pieces, for as many threads")


@dataclass(frozen=True, slots=True)
class Shares:
    """A kernel in pieces, as kernels: `count` times `piece`, then perhaps a last one; `after` follows them all."""

    count: int
    piece: Kernel
    last: Kernel | None
    after: Kernel | None

    @property
    def at_once(self) -> int:
        """How many threads can work."""
        return self.count + (self.last is not None)


def shares(kernel: Kernel) -> Shares | None:
    """The parts of a kernel; None if it is one piece."""
    first, *after = kernel.body
    if not isinstance(first, Pieces):
        return None

    def part(name: str, body: Sequence[Stmt]) -> Kernel | None:
        return Kernel(f"{kernel.name}_{name}", [*body], stands=kernel.stands) if body else None

    piece = part("piece", first.body)
    assert piece is not None
    return Shares(first.count, piece, part("last", first.rest), part("after", after))


def effort(s: Stmt) -> int:
    """Roughly how many instructions on single entries a statement is."""
    if isinstance(s, Loop):
        return s.extent * sum(map(effort, s.body))
    if isinstance(s, Pieces):
        return 0
    each = sum(10 if e.costly else 1 for e in parts(values_of(s)))
    if isinstance(s, Tile):
        return s.m * s.n * (each + s.k)
    if isinstance(s, Contract):
        return prod(s.axes.values()) * (each + prod(s.over.values()))
    return each * (s.extent if isinstance(s, Sweep) else 1)


class Cutter:
    """Cuts statements of a kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self.exprs = Exprs()
        self.exprs.stands = dict(kernel.stands)
        kernel.stands = self.exprs.stands

    def cut(self, s: Stmt, threads: int) -> Pieces | None:
        """The statement in pieces, of which the last may be smaller; None if it has no loop to be cut."""
        found = outermost(s, threads)
        if found is None:
            return None
        name, extent, least = found
        size = -(-extent // threads // least) * least
        whole, rest = divmod(extent, size)
        if whole + bool(rest) < 2:
            return None
        here = axis(name)
        body = [self.part(s, name, size, here + axis(PIECE) * size)]
        return Pieces(whole, body, [self.part(s, name, rest, here + Affine((), whole * size))] if rest else [])

    def part(self, s: Stmt, name: str, extent: int, at: Affine) -> Stmt:
        """The statement with another extent of its outermost loop, whose counter is `at`."""
        new = self.substitute_axes(s, {name: at}, {})
        if isinstance(new, Tile):
            setattr(new, name, extent)
        elif isinstance(new, Contract):
            new.axes[name] = extent
        elif isinstance(new, Loop | Sweep):
            new.extent = extent
        return new

    def substitute_axes(self, s: Stmt, by: Mapping[str, Affine], memo: dict[Expr, Expr]) -> Stmt:
        """A copy of a statement, with other maps in the place of axes."""

        def rule(e: Expr) -> Expr | None:
            if e.op == "load":
                buffer, at = e.attr
                return self.exprs.load(buffer, at.replace(by), e.dtype, e.axes)
            return self.exprs.make("index", e.dtype, attr=e.attr.replace(by), axes=e.axes) if e.op == "index" else None

        def value(e: Expr) -> Expr:
            return self.exprs.rewritten(e, rule, memo)

        stores = [Store(t.buffer, t.at.replace(by), value(t.value)) for t in stores_of(s)]
        if isinstance(s, Loop):
            return Loop(s.axis, s.extent, [self.substitute_axes(t, by, memo) for t in s.body])
        if isinstance(s, Sweep):
            return Sweep(s.axis, s.extent, [Reduce(r.var, r.op, value(r.value)) for r in s.reduces], stores)
        if isinstance(s, Tile):
            a = None if s.a is None else value(s.a)
            return Tile(s.m, s.n, s.k, s.var, s.op, a, value(s.b), stores, s.within, s.blocking, s.gaps)
        if isinstance(s, Contract):
            inside = [Inside(i.at.replace(by), i.extent) for i in s.inside]
            return Contract(dict(s.axes), s.over, s.var, value(s.a), value(s.b), inside, stores)
        assert isinstance(s, Store)
        return stores[0]


def outermost(s: Stmt, threads: int) -> tuple[str, int, int] | None:
    """The loop of a statement that can be cut: its axis, its extent, and what a piece is a multiple of."""
    if isinstance(s, Loop):
        return s.axis, s.extent, 1
    if isinstance(s, Sweep) and not s.reduces:
        return s.axis, s.extent, VECTORS
    if isinstance(s, Tile) and not s.within:
        return ("m", s.m, ROWS) if s.m > s.n else ("n", s.n, VECTORS)
    if isinstance(s, Contract):
        return next(((a, n, 1) for a, n in s.axes.items() if n >= threads and not lies_along(a, s)), None)
    return None


def lies_along(a: str, s: Contract) -> bool:
    """Whether an axis may run along the lanes of vectors: its length decides how sums are added up."""
    last = next(reversed(s.axes))
    return a == last or (s.b.op == "load" and s.b.attr[1].coefficient(a) == 1)
