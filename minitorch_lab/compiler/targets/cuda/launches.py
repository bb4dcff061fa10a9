"""From kernels to launches: one for what needs each other's registers, and cuBLAS for large products.

Launches on a stream run one after the other, and what one has written the next can read. That is the only place where
all blocks wait for each other, so what is summed after a kernel's rows, by the same loop IR kernel, is a launch more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from ...loops.expr import Expr, parts
from ...loops.ir import Contract, Kernel, Loop, Stmt, Store, Sweep, Tile, stores_of, values_of


@dataclass(eq=False, slots=True)
class Piece:
    """What one launch runs: loops, all of whose points are independent, around a body.

    Attributes:
        name: The name of the function.
        loops: The extents of the loops by axis, the outermost first.
        body: The statements inside.
    """

    name: str
    loops: dict[str, int]
    body: list[Stmt]

    @property
    def points(self) -> int:
        """How often the body runs."""
        return prod(self.loops.values())

    @property
    def tile(self) -> Tile | None:
        """The contraction, if it is one."""
        return self.body[0] if len(self.body) == 1 and isinstance(self.body[0], Tile) else None

    @property
    def contraction(self) -> Contract | None:
        """The contraction over several axes, if it is one."""
        return self.body[0] if len(self.body) == 1 and isinstance(self.body[0], Contract) else None

    @property
    def entries(self) -> dict[str, int] | None:
        """The axes of the entries, if each is computed by itself."""
        if all(isinstance(s, Store) for s in self.body):
            return self.loops
        only = self.body[0]
        if len(self.body) == 1 and isinstance(only, Sweep) and not only.reduces:
            return {**self.loops, only.axis: only.extent}
        return None


@dataclass(frozen=True, slots=True)
class Operand:
    """A matrix, or a batch of them, as it lies in a buffer: shape, strides and offset in entries."""

    buffer: str
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int


@dataclass(eq=False, slots=True)
class Launch:
    """A function of the page, how many blocks of how many threads run it, and the buffers and numbers it is given."""

    name: str
    grid: int
    block: tuple[int, int]
    given: list[str]


@dataclass(eq=False, slots=True)
class Product:
    """A product that cuBLAS computes: `out` = a b."""

    a: Operand
    b: Operand
    out: str
    shape: tuple[int, ...]


@dataclass(eq=False, slots=True)
class Work:
    """What is launched for one kernel, and the memory that goes between: bytes by name."""

    launches: list[Launch | Product] = field(default_factory=list["Launch | Product"])
    between: dict[str, int] = field(default_factory=dict[str, int])


def pieces(kernel: Kernel) -> list[Piece]:
    """The pieces of a kernel."""
    groups: list[list[Stmt]] = []
    for s in kernel.body:
        if groups and not isinstance(s, Loop) and needs(s, groups[-1]):
            groups[-1].append(s)
        else:
            groups.append([s])
    names = [kernel.name, *(f"{kernel.name}_{i}" for i in range(1, len(groups)))]
    return [peeled(name, group) for name, group in zip(names, groups, strict=True)]


def needs(s: Stmt, before: list[Stmt]) -> bool:
    """Whether a statement reads the result of a reduction among those before it."""
    made = {r.var for b in before if isinstance(b, Sweep) for r in b.reduces}
    return any(e.op == "var" and e.attr in made for e in parts(values_of(s)))


def peeled(name: str, body: list[Stmt]) -> Piece:
    """The piece of some statements: loops that have only each other inside are its loops."""
    loops: dict[str, int] = {}
    while len(body) == 1 and isinstance(body[0], Loop):
        loops[body[0].axis] = body[0].extent
        body = body[0].body
    return Piece(name, loops, body)


def operands(piece: Piece, t: Tile) -> tuple[Operand, Operand] | None:
    """The matrices of a product, if both lie in memory as they are."""
    left = operand(t.a, {**piece.loops, "m": t.m, "k": t.k}) if t.a is not None else None
    right = operand(t.b, {**piece.loops, "k": t.k, "n": t.n})
    return (left, right) if left is not None and right is not None else None


def operand(e: Expr, axes: dict[str, int]) -> Operand | None:
    """What is read over some axes, if that is a buffer and nothing is done to it."""
    if e.op != "load" or any(c < 0 for _, c in e.attr[1].terms):
        return None
    buffer, at = e.attr
    return Operand(buffer, tuple(axes.values()), tuple(at.coefficient(a) for a in axes), at.const)


def find_read(body: list[Stmt]) -> list[str]:
    """The buffers that statements read, those in loops too."""
    return [e.attr[0] for e in parts(v for s in flattened(body) for v in values_of(s)) if e.op == "load"]


def find_written(body: list[Stmt]) -> list[str]:
    """The buffers that they write."""
    return [t.buffer for s in flattened(body) for t in stores_of(s)]


def flattened(body: list[Stmt]) -> list[Stmt]:
    """The statements, those in loops too."""
    return [inner for s in body for inner in (flattened(s.body) if isinstance(s, Loop) else [s])]
