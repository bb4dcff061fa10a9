"""Memory: where the entries of buffers lie, and how lanes are read and written. Truth values lie in bytes."""

from __future__ import annotations

from typing import Any

from ...loops.affine import Affine
from ...schedule.values import SIZES
from .builder import Builder
from .nest import Nest
from .types import BITS, F32, I8, I32, I64, POINTER, TYPES, ir, is_float, like, row, vector, whole

SOON = 512  # entries that lie so far ahead are asked for
AHEAD = "ahead"  # the axis of entries that are left out at the beginning of a row


class Memory:
    """Reads and writes buffers.

    Attributes:
        pointer: The pointer of every buffer.
        dtypes: Its dtype.
        ahead: The buffers of which the first entries are left out, as many as the axis of that name says.
        far: The buffers that come from far: what a pass needs of them soon is asked for beforehand.
        past: Whether stores go past the caches, to aligned memory.
        under: The lanes that may be read now; all if nothing is said.
    """

    def __init__(self, build: Builder, nest: Nest, pointer: dict[str, Any], dtypes: dict[str, str]) -> None:
        self.build, self.nest, self.b, self.lanes = build, nest, build.b, build.lanes
        self.pointer, self.dtypes = pointer, dtypes
        self.ahead, self.far = frozenset[str](), frozenset[str]()
        self.past = False
        self.under: Any = None

    # ---- buffers -----------------------------------------------------------------------------------------------------
    def address(self, buffer: str, at: Affine) -> Any:
        """A pointer: one step per loop, in that loop; the offsets of unrolled copies are added last, as a constant."""
        const, terms = at.const, []
        for a, c in at.terms:
            const += c * self.nest.off.get(a, 0)
            terms.append((max(n for n, level in enumerate(self.nest.levels) if a in level.axes), a, c))
        if buffer in self.ahead:
            terms.append((next(n for n, level in enumerate(self.nest.levels) if AHEAD in level.axes), AHEAD, 1))
        p, t = self.pointer[buffer], self.entry_type(buffer)
        for n, a, c in sorted(terms):
            if isinstance(self.nest.at[a], ir.Constant) and self.nest.at[a].constant == 0:
                continue
            memo, key = self.nest.levels[n].memo, ("pointer", p, a, c)
            if key not in memo:
                memo[key] = self.nest.placed(n, lambda p=p, a=a, c=c: self.advance(p, a, c, t))
            p = memo[key]
        return self.b.gep(p, [self.nest.whole(const)], source_etype=t, inbounds=True) if const else p

    def advance(self, p: Any, a: str, c: int, t: Any) -> Any:
        """A pointer `c` entries further for every step of the axis `a`."""
        step = self.nest.at[a] if c == 1 else self.b.mul(self.nest.at[a], self.nest.whole(c), flags=["nsw"])
        return self.b.gep(p, [step], source_etype=t, inbounds=True)

    def entry_type(self, buffer: str) -> Any:
        """The type of the entries of a buffer in memory."""
        return I8 if self.dtypes[buffer] == "b8" else TYPES[self.dtypes.get(buffer, "f32")] or F32

    def step(self, at: Affine) -> int:
        """How far a map moves from lane to lane."""
        return at.coefficient(self.nest.lane) if self.nest.lane else 0

    def loaded(self, buffer: str, at: Affine) -> Any:
        """An entry, or the neighbours of it that fill the lanes."""
        dtype, c = self.dtypes[buffer], self.step(at)
        n = self.nest.valid.get(self.nest.off.get(self.nest.lane or "", 0))
        if self.under is not None and c == 1:
            mask = self.under if n is None else self.b.and_(self.under, self.build.mask(n))
            return self.masked(self.address(buffer, at), dtype, mask)
        p = self.address(buffer, at)
        if c == 0:
            return self.load(p, dtype)
        if c == 1:
            self.beforehand(buffer, p, False)
            return self.load(p, dtype, self.lanes, n)
        if n is not None and not isinstance(n, int):
            return self.gathered(self.neighbours_at(p, buffer, c), dtype, n)
        v = ir.Constant(vector(TYPES[dtype], self.lanes), None)
        for q in range(n or self.lanes):
            one = self.b.gep(p, [self.nest.whole(q * c)], source_etype=self.entry_type(buffer))
            v = self.b.insert_element(v, self.load(one, dtype), self.nest.whole(q))
        return v

    def put(self, v: Any, p: Any, buffer: str, step: int) -> None:
        """Write an entry at an address, or what the lanes hold to entries `step` apart."""
        dtype, n = self.dtypes[buffer], self.nest.valid.get(self.nest.off.get(self.nest.lane or "", 0))
        if step == 0:
            self.store(v, p, dtype)
            return
        if step == 1:
            if not self.past:
                self.beforehand(buffer, p, True)
            self.store(v, p, dtype, n)
            return
        if n is not None and not isinstance(n, int):
            self.scattered(v, self.neighbours_at(p, buffer, step), dtype, n)
            return
        for q in range(n or self.lanes):
            one = self.b.gep(p, [self.nest.whole(q * step)], source_etype=self.entry_type(buffer))
            self.store(self.b.extract_element(v, self.nest.whole(q)), one, dtype)

    def neighbours_at(self, p: Any, buffer: str, c: int) -> Any:
        """The addresses of what fills the lanes, `c` entries from one to the next."""
        steps = self.b.mul(self.build.splat(self.nest.whole(c)), row(tuple(range(self.lanes)), I64))
        at = self.b.gep(p, [steps], source_etype=self.entry_type(buffer))
        at.type = vector(POINTER, self.lanes)
        return at

    def beforehand(self, buffer: str, p: Any, writing: bool) -> None:
        """Ask for what lies `SOON` entries behind `p`, if its buffer comes from far."""
        if buffer in self.far:
            self.fetch(self.b.gep(p, [self.nest.whole(SOON)], source_etype=self.entry_type(buffer)), writing)

    # ---- at addresses ------------------------------------------------------------------------------------------------
    def load(self, p: Any, dtype: str, lanes: int = 0, valid: int | None = None) -> Any:
        """A number, or `lanes` neighbours of which the first `valid` are there."""
        inner = I8 if dtype == "b8" else TYPES[dtype]
        t = vector(inner, lanes) if lanes else inner
        if valid is None:
            v = self.b.load(p, typ=t, align=SIZES[dtype])
        else:
            v = self.masked(p, dtype, self.build.mask(valid))
        return self.build.compare("!=", v, self.build.c(0, t)) if dtype == "b8" else v

    def masked(self, p: Any, dtype: str, mask: Any) -> Any:
        """Neighbours, of which only some lanes are read; the others are 0."""
        inner = I8 if dtype == "b8" else TYPES[dtype]
        t = vector(inner, self.lanes)
        name = f"llvm.masked.load.v{self.lanes}{'f' if is_float(inner) else 'i'}{BITS[str(inner)]}.p0"
        return self.build.call(name, t, p, whole(SIZES[dtype], I32), mask, ir.Constant(t, None))

    def gathered(self, at: Any, dtype: str, mask: Any) -> Any:
        """What lies at the addresses in the lanes, of which only some are read; the others are 0."""
        inner = I8 if dtype == "b8" else TYPES[dtype]
        t, word = vector(inner, self.lanes), f"{'f' if is_float(inner) else 'i'}{BITS[str(inner)]}"
        name = f"llvm.masked.gather.v{self.lanes}{word}.v{self.lanes}p0"
        v = self.build.call(name, t, at, whole(SIZES[dtype], I32), mask, ir.Constant(t, None))
        return self.build.compare("!=", v, self.build.c(0, t)) if dtype == "b8" else v

    def scattered(self, v: Any, at: Any, dtype: str, mask: Any) -> None:
        """Write lanes to the addresses in the lanes of another vector, of which only some are written."""
        v = self.b.zext(v, like(I8, v.type)) if dtype == "b8" else v
        word = f"{'f' if is_float(v.type) else 'i'}{BITS[str(v.type.element)]}"
        name = f"llvm.masked.scatter.v{self.lanes}{word}.v{self.lanes}p0"
        self.build.call(name, ir.VoidType(), v, at, whole(SIZES[dtype], I32), mask)

    def store(self, v: Any, p: Any, dtype: str, valid: int | None = None) -> None:
        """A number or a vector, of which only the first `valid` lanes are written."""
        v = self.b.zext(v, like(I8, v.type)) if dtype == "b8" else v
        if self.past:
            once = self.build.module.add_metadata([whole(1, I32)])
            self.b.store(v, p, align=SIZES[dtype] * self.lanes).set_metadata("nontemporal", once)
            return
        if valid is None:
            self.b.store(v, p, align=SIZES[dtype])
            return
        inner = v.type.element
        name = f"llvm.masked.store.v{v.type.count}{'f' if is_float(inner) else 'i'}{BITS[str(inner)]}.p0"
        self.build.call(name, ir.VoidType(), v, p, whole(SIZES[dtype], I32), self.build.mask(valid))

    def fetch(self, p: Any, writing: bool) -> None:
        """Ask for the line of memory at `p`, for it will be read or written soon. Any address will do."""
        how = (whole(x, I32) for x in (int(writing), 3, 1))  # into the first cache, of data
        self.build.call("llvm.prefetch.p0", ir.VoidType(), p, *how)
