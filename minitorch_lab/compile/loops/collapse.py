"""Neighbouring loops that every operand walks as one loop become one: a longer row, and fewer remainders."""

from __future__ import annotations

from .affine import ZERO, Affine
from .expr import Expr, Exprs, parts
from .ir import Loop, Stmt, Sweep


def collapsed(axes: dict[str, int], sweep: Sweep, exprs: Exprs, reasons: list[str]) -> list[Stmt]:
    """The loops over `axes` around a pass that only stores, as few as possible."""
    left = list(axes.items())
    while left and all(m.coefficient(left[-1][0]) == m.coefficient("j") * sweep.extent for m in maps(sweep)):
        name, n = left.pop()
        forget(name, sweep, exprs)
        sweep.extent *= n
        reasons.append(f"the loops {name} and j are walked as one of {sweep.extent}")
    body: list[Stmt] = [sweep]
    for name, n in reversed(left):
        body = [Loop(name, n, body)]
    return body


def maps(sweep: Sweep) -> list[Affine]:
    """All maps of a pass."""
    inner = parts([s.value for s in sweep.stores])
    loads = [e.attr[1] if e.op == "load" else e.attr for e in inner if e.op in ("load", "index")]
    return [*(s.at for s in sweep.stores), *loads]


def forget(name: str, sweep: Sweep, exprs: Exprs) -> None:
    """Take an axis out of all maps: its steps are those of j."""

    def rule(e: Expr) -> Expr | None:
        if e.op == "load":
            return exprs.load(e.attr[0], e.attr[1].replace({name: ZERO}), e.dtype)
        return exprs.make("index", e.dtype, attr=e.attr.replace({name: ZERO})) if e.op == "index" else None

    memo: dict[Expr, Expr] = {}
    for s in sweep.stores:
        s.at, s.value = s.at.replace({name: ZERO}), exprs.rewritten(s.value, rule, memo)
