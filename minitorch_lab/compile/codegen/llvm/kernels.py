"""Kernels as functions: sweeps in vectors with masked ends, tiles in registers."""

from __future__ import annotations

from typing import Any

from ...loops.expr import COSTLY, Expr, parts, read_once
from ...loops.ir import Contract, Kernel, Loop, Stmt, Store, Sweep, Tile, values_of
from .abreast import abreast, copies, is_long
from .contractions import Contractions
from .levels import Level
from .marks import Marks
from .streams import NEAR
from .tiles import PANEL, blocking, gap_columns
from .types import TYPES, vector

SHORT = 8  # a row of as many vectors is written out, and its values stay in registers from pass to pass


class Printer(Contractions, Marks):
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
                self.trips *= s.extent
                self.loop(s.axis, 0, s.extent, 1, lambda s=s: self.body(s.body))
                self.trips //= s.extent
            elif isinstance(s, Sweep):
                self.far = self.from_far(s) - passed
                passed |= self.far if 4 * s.extent < NEAR else set()
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
        lanes, (full, tail) = self.lanes, divmod(s.extent, self.lanes)
        unroll = max(1, min(unrolling(s), full))
        if self.streams(s):
            self.stream(s, unroll)
            return

        def chunks(first: int, count: int, acc: list[Any], valid: int | None = None) -> list[Any]:
            acc, begin = list(acc), 0
            for u in range(count):
                begin = begin if u % unroll else len(self.b.block.instructions)
                self.off["j"] = (first + u) * lanes
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

    # ---- tiles ------------------------------------------------------------------------------------------------------
    def tile(self, t: Tile) -> None:
        """A product; where its left operand has gaps, with them or without."""
        if t.gaps:
            panel = self.pointer[PANEL]
            self.either(t, panel, lambda: self.rows_with_gaps(t, panel), lambda: self.product(t))
        else:
            self.product(t)

    def rows_with_gaps(self, t: Tile, panel: Any) -> None:
        """Row by row, from a packed panel."""
        columns = gap_columns(t.n, self.lanes)

        def rows(c: int, last: int | None) -> None:
            self.pack(panel, t, columns, c, last)
            self.loop("m", 0, t.m, 1, lambda: self.block(t, 1, c, last, panel, columns, self.over_marks))

        self.over_columns(t, columns, rows)

    def product(self, t: Tile) -> None:
        """Blocks of rows and columns; where there is room, a panel of the right operand is packed for many rows."""
        cut = blocking(t, self.target)
        rows, columns = cut.rows, cut.vectors
        panel = self.pointer.get(PANEL) if cut.packed else None
        finite = self.finite(t)

        def blocks(inner: Any) -> None:
            whole, rest = divmod(t.m, rows)
            for first, end, count in ((0, whole * rows, rows), (whole * rows, t.m, rest)):
                if end > first:
                    self.loop("m", first, end, rows, lambda count=count: inner(count))

        def one(count: int, c: int, last: int | None) -> None:
            def over_k(step: Any, sums: list[Any]) -> list[Any]:
                return self.loop("k", *self.stretch_of_k(t, count, c * self.lanes, finite), 1, step, sums)

            self.block(t, count, c, last, panel, columns, over_k)

        def panels(c: int, last: int | None) -> None:
            self.pack(panel, t, columns, c, last)
            blocks(lambda count: one(count, c, last))

        if panel is not None:
            self.over_columns(t, columns, panels)
        else:
            blocks(lambda count: self.over_columns(t, columns, lambda c, last: one(count, c, last)))

    def over_columns(self, t: Tile, columns: int, inner: Any) -> None:
        """A loop over blocks of columns; `inner` is told how many vectors there are, and the lanes of the last one."""
        width = columns * self.lanes
        whole, rest = divmod(t.n, width)
        if whole:
            self.loop("n", 0, whole * width, width, lambda: inner(columns, None))
        if rest:
            ends = -(-rest // self.lanes), rest % self.lanes or None
            self.loop("n", whole * width, t.n, width, lambda: inner(*ends))

    def block(self, t: Tile, rows: int, count: int, last: int | None, panel: Any, columns: int, over_k: Any) -> None:
        """One tile: its entries stay in registers while k runs, then the stores take them."""
        offsets = [(c * self.lanes, last if c == count - 1 else None) for c in range(count)]
        self.valid = {o: v for o, v in offsets if v}
        self.lane = "n"

        def step(*carried: Any) -> list[Any]:
            acc, right = list(carried), list[Any]()
            for c, (o, _) in enumerate(offsets):
                self.off["n"] = o
                right.append(self.packed(panel, t, columns, c) if panel else self.in_lanes(self.value(t.b), t.b))
            if t.a is None:
                return [self.combined(t.op, x, y) for x, y in zip(acc, right, strict=True)]
            for r in range(rows):
                self.off["m"] = r
                left = self.in_lanes(self.value(t.a), t.a)
                for c in range(count):
                    acc[r * count + c] = self.fma(left, right[c], acc[r * count + c])
            return acc

        acc = over_k(step, [self.start(t.op, t.b.dtype)] * (rows * count))
        upright = self.upright(t, rows)
        direct, turned = [s for s in t.stores if s not in upright], {s: list[Any]() for s in upright}
        for c, (o, valid) in enumerate(offsets):
            for r in range(rows):
                self.off["m"], self.off["n"] = r, o
                self.known(t.var, acc[r * count + c])
                for s in upright:
                    turned[s].append(self.in_lanes(self.value(s.value), s.value))
                self.stores(direct)
            for s in upright:
                self.columns(s, turned[s][-rows:], o, valid)
        self.off.pop("m", None)
        self.off.pop("n", None)
        self.valid, self.lane = {}, None

    def packed(self, panel: Any, t: Tile, columns: int, c: int) -> Any:
        """A vector of the panel."""
        kind = TYPES[t.b.dtype]
        return self.b.load(self.slot(panel, kind, columns, c), typ=vector(kind, self.lanes), align=64)

    def slot(self, panel: Any, kind: Any, columns: int, c: int) -> Any:
        """Where row k of the panel has its vector number `c`."""
        row = self.b.mul(self.at["k"], self.whole(columns * self.lanes))
        return self.b.gep(panel, [self.b.add(row, self.whole(c * self.lanes))], source_etype=kind, inbounds=True)

    def pack(self, panel: Any, t: Tile, columns: int, count: int, last: int | None) -> None:
        """Copy a panel: all of its rows, one after the other."""
        self.lane, self.valid = "n", {(count - 1) * self.lanes: last} if last else {}

        def row() -> None:
            for c in range(count):
                self.off["n"] = c * self.lanes
                v = self.in_lanes(self.value(t.b), t.b)
                self.b.store(v, self.slot(panel, TYPES[t.b.dtype], columns, c), align=64)

        self.loop("k", 0, t.k, 1, row)
        self.off.pop("n")
        self.valid, self.lane = {}, None


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
