"""Kernels as functions: their loops, and sweeps in vectors with masked ends."""

from __future__ import annotations

from typing import Any

from ...extents import is_open, usual
from ...loops.expr import COSTLY, Expr, parts, read_once
from ...loops.ir import Contract, Kernel, Loop, Stmt, Store, Sweep, Tile, values_of
from .abreast import abreast, copies, is_long
from .contractions import Contractions
from .levels import Level
from .products import Products
from .streams import NEAR

SHORT = 8  # a row of as many vectors is written out, and its values stay in registers from pass to pass


class Printer(Contractions, Products):
    """Writes kernels."""

    def kernel(self, k: Kernel, name: str, memory: list[str], owner: dict[str, str]) -> Any:
        """The function of a kernel, with a pointer per buffer of `memory`; `owner` says which buffer lies where.

        Its last argument is the number of the piece that it computes, which matters where there are some.
        """
        fn = self.begin(name, memory, owner)
        self.vars = {e.attr: e for e in parts(k.values()) if e.op == "var"}
        self.once = read_once(k.values())
        self.largest = largest(k)
        self.body(k.body)
        if any(i.opname == "store" and "nontemporal" in i.metadata for block in fn.blocks for i in block.instructions):
            self.b.fence("seq_cst")
        self.b.ret_void()
        return fn

    def body(self, body: list[Stmt]) -> None:
        """Some statements. What one pass has read, the next one finds near, unless a row is long."""
        passed = set[str]()
        for s in body:
            if isinstance(s, Loop) and (across := self.crossing(s)):
                self.squares(s, across)
            elif isinstance(s, Loop):
                self.trips *= usual(s.extent)
                self.loop(s.axis, 0, s.extent, 1, lambda s=s: self.body(s.body))
                self.trips //= usual(s.extent)
            elif isinstance(s, Sweep):
                self.far = self.from_far(s) - passed
                passed |= self.far if 4 * usual(s.extent) < NEAR else set()
                self.sweep(s)
            elif isinstance(s, Tile):
                self.tile(s)
            elif isinstance(s, Contract):
                self.contraction(s)
            elif isinstance(s, Store):
                self.stores([s])

    def stores(self, stores: list[Store]) -> None:
        """All values first: none may be written before another has read the old one."""
        values = [self.value(s.value) for s in stores]
        for s, v in zip(stores, values, strict=True):
            self.stored(v, s.value, s.buffer, s.at)

    # ---- sweeps -----------------------------------------------------------------------------------------------------
    def sweep(self, s: Sweep) -> None:
        """One pass: several vectors per trip, an accumulator for each, and what is left over under a mask."""
        if is_open(s.extent):
            self.open_sweep(s)
            return
        lanes, (full, tail) = self.lanes, divmod(s.extent, self.lanes)
        unroll = max(1, min(unrolling(s), full))
        if self.streams(s):
            self.stream(s, unroll)
            return

        def chunks(first: int, count: int, acc: list[Any], valid: int | None = None) -> list[Any]:
            return self.vectors(s, unroll, first, count, acc, valid)

        self.lane, acc = "j", [self.start(r.op, r.value.dtype) for r in s.reduces for _ in range(unroll)]
        if full + (tail > 0) <= SHORT:
            self.levels[-1].axes.add("j")
            self.at["j"] = self.whole(0)
            acc = chunks(0, full, acc)
            acc = chunks(full, 1, acc, tail) if tail else acc
        else:
            main = full // unroll * unroll
            acc = self.loop("j", 0, main * lanes, unroll * lanes, lambda *a: chunks(0, unroll, list(a)), acc)
            self.levels.append(Level({"j"}))
            self.at["j"] = self.whole(main * lanes)
            acc = chunks(0, full - main, acc)
            acc = chunks(full - main, 1, acc, tail) if tail else acc
            self.levels.pop()
        self.swept(s, unroll, acc)

    def vectors(self, s: Sweep, unroll: int, first: int, count: int, acc: list[Any], valid: Any = None) -> list[Any]:
        """Some vectors of a pass, of the last of which perhaps not all lanes are there."""
        acc, begin = list(acc), 0
        for u in range(count):
            begin = begin if u % unroll else len(self.b.block.instructions)
            self.off["j"] = (first + u) * self.lanes
            self.valid = {self.off["j"]: valid}
            for i, r in enumerate(s.reduces):
                v, q = self.in_lanes(self.value(r.value), r.value), i * unroll + u % unroll
                if valid:
                    v = self.where(self.mask(valid), v, self.start(r.op, r.value.dtype))
                acc[q] = self.combined(r.op, acc[q], v)
            self.stores(s.stores)
            if is_long(s) and (u + 1) % unroll == 0:
                abreast(self.b.block, begin)
        return acc

    def open_sweep(self, s: Sweep) -> None:
        """The same where the length of a row is known when the code runs: loops for what may be there."""
        lanes, unroll = self.lanes, max(1, min(unrolling(s), usual(s.extent) // self.lanes))
        main, full = (s.extent // (lanes * n) * (lanes * n) for n in (unroll, 1))
        self.lane, acc = "j", [self.start(r.op, r.value.dtype) for r in s.reduces for _ in range(unroll)]
        acc = self.loop("j", 0, main, unroll * lanes, lambda *a: self.vectors(s, unroll, 0, unroll, list(a)), acc)
        one = acc[::unroll]
        if unroll > 1:
            one = self.loop("j", main, full, lanes, lambda *a: self.vectors(s, 1, 0, 1, list(a)), one)
        tail = lambda *a: self.vectors(s, 1, 0, 1, list(a), self.there("j", s.extent))  # noqa: E731
        acc[::unroll] = self.loop("j", full, s.extent, lanes, tail, one)
        self.swept(s, unroll, acc)

    def swept(self, s: Sweep, unroll: int, acc: list[Any]) -> None:
        """The end of a pass: its reductions are known."""
        self.off.pop("j", None)
        self.valid, self.lane, self.far = {}, None, set[str]()
        for i, r in enumerate(s.reduces):
            self.known(r.var, self.total(r.op, acc[i * unroll : (i + 1) * unroll]))

    def total(self, op: str, acc: list[Any]) -> Any:
        """The accumulators as one number."""
        while len(acc) > 1:
            rest = [acc[-1]] if len(acc) % 2 else []
            acc = [self.combined(op, x, y) for x, y in zip(acc[::2], acc[1::2], strict=False)] + rest
        return self.across(op, acc[0])

    def known(self, var: str, value: Any) -> None:
        """From here on the result of a reduction has this value."""
        if var in self.vars:
            e = self.vars[var]
            self.levels[self.home(e)].memo[e, self.copy(e)] = value


def largest(k: Kernel) -> dict[str, Expr]:
    """For each result that is the largest value of a row, its expression, if every pass goes through whole rows."""
    sweeps = [s for s in k.statements() if isinstance(s, Sweep)]
    whole = len({s.extent for s in sweeps}) == 1
    return {r.var: r.value for s in sweeps for r in s.reduces if whole and r.op == "max"}


def unrolling(s: Sweep) -> int:
    """How many vectors one trip takes: enough to hide the latency of its instructions, few enough for the registers."""
    inside = parts(values_of(s))
    maps = [t.at for t in s.stores] + [e.attr[1] for e in inside if e.op == "load"]
    if any(at.coefficient("j") not in (0, 1) for at in maps):
        return 1  # entry by entry in any case
    return copies(s) if is_long(s) else 4 if s.stores or any(e.op in COSTLY for e in inside) else 8
