"""Neighbouring loops that every operand walks as one loop become one: a longer row, and fewer remainders."""

from __future__ import annotations

from .affine import ZERO, Affine
from .expr import Expr, Exprs, parts
from .ir import Loop, Stmt, Sweep, Tile, stores_of, values_of


def collapsed(axes: dict[str, int], sweep: Sweep, exprs: Exprs, reasons: list[str]) -> list[Stmt]:
    """The loops over `axes` around a pass that only stores, as few as possible."""
    left = list(axes.items())
    while left and all(m.coefficient(left[-1][0]) == m.coefficient("j") * sweep.extent for m in maps(sweep)):
        name, n = left.pop()
        forget(name, sweep, exprs)
        sweep.extent *= n
        reasons.append(f"the loops {name} and j are walked as one of {sweep.extent}")
    return inside(left, sweep)


def collapsed_tile(axes: dict[str, int], tile: Tile, exprs: Exprs, reasons: list[str]) -> list[Stmt]:
    """The loops over `axes` around a product, as few as possible: a batch that shares its right operand is one."""
    left = list(axes.items())
    while (
        tile.a is not None
        and left
        and all(m.coefficient(left[-1][0]) == m.coefficient("m") * tile.m for m in maps(tile))
    ):
        name, n = left.pop()
        forget(name, tile, exprs)
        tile.m *= n
        reasons.append(f"the loops {name} and m are walked as one of {tile.m}")
    return inside(left, tile)


def inside(axes: list[tuple[str, int]], s: Stmt) -> list[Stmt]:
    """Loops around a statement, the first axis outermost."""
    body: list[Stmt] = [s]
    for name, n in reversed(axes):
        body = [Loop(name, n, body)]
    return body


def maps(s: Sweep | Tile) -> list[Affine]:
    """All maps of a statement."""
    inner = parts(values_of(s))
    loads = [e.attr[1] if e.op == "load" else e.attr for e in inner if e.op in ("load", "index")]
    return [*(t.at for t in stores_of(s)), *loads]


def forget(name: str, s: Sweep | Tile, exprs: Exprs) -> None:
    """Take an axis out of all maps: its steps are those of the axis inside it."""

    def rule(e: Expr) -> Expr | None:
        if e.op == "load":
            return exprs.load(e.attr[0], e.attr[1].replace({name: ZERO}), e.dtype)
        return exprs.make("index", e.dtype, attr=e.attr.replace({name: ZERO})) if e.op == "index" else None

    memo: dict[Expr, Expr] = {}
    for t in s.stores:
        t.at, t.value = t.at.replace({name: ZERO}), exprs.rewritten(t.value, rule, memo)
    if isinstance(s, Tile):
        s.b = exprs.rewritten(s.b, rule, memo)
        s.a = exprs.rewritten(s.a, rule, memo) if s.a else None
