"""Kernels as CUDA C: which thread does what.

    entry by entry   a thread for each entry
    rows             a warp for each short row, a block for each long one; what a thread keeps of a row is in registers
    contractions     a thread for each entry of the result
    columns          a block for 32 columns: its rows of threads share the entries, and add up in shared memory
    products         a block for a square of the result; squares of both matrices pass through shared memory

Whether the threads of a warp read neighbours in memory decides the speed of all of them, so `threadIdx.x` runs along
the last axis everywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from math import prod
from types import MappingProxyType

from ....core.words import plural
from ...loops.expr import Expr, parts
from ...loops.ir import Contract, Kernel, Loop, Stmt, Store, Sweep, Tile, stores_of, values_of
from .launches import Piece, find_read
from .words import COMBINED, TYPES, start
from .writer import Names, Writer, bare

THREADS = 256  # of a block, where nothing else decides
WARP = 32
SHORT = 256  # entries: up to here one warp takes a row
MOST = 1024  # threads of a block
TILE = 16  # rows and columns of the square that a block computes
UNROLLED = 32  # trips that are written out, so that what is kept of a row has registers of its own


class Printer(Writer):
    """Writes the body of one piece, and decides on its threads.

    Attributes:
        grid: The number of blocks.
        threads: The threads of a block, along x and y.
        summary: What the threads do, in words.
    """

    def __init__(self, kernel: Kernel, piece: Piece, names: Names, scratch: Collection[str], given: Mapping[str, str]):
        super().__init__(kernel, names)
        self.piece, self.scratch, self.whole = piece, scratch, names.whole
        self.grid, self.threads, self.summary = 1, (THREADS, 1), ""
        self.vars = {e.attr: e for e in parts(kernel.values()) if e.op == "var"}
        for var, text in given.items():
            self.known_from_here(var, text)
        tile, entries, contraction = piece.tile, piece.entries, piece.contraction
        if entries is not None:
            self.entrywise(entries)
        elif contraction is not None:
            self.contracted(contraction)
        elif tile is None:
            self.rows()
        elif tile.a is None:
            self.columns(tile)
        else:
            self.product(tile, tile.a)

    # ---- where a thread is ------------------------------------------------------------------------------------------
    def counters(self, name: str, axes: dict[str, int], steps: Mapping[str, int] = MappingProxyType({})) -> None:
        """The loop counters at a point of some loops, from its number; some count in steps."""
        left = prod(axes.values())
        for i, (a, n) in enumerate(axes.items()):
            left //= n
            over = f"{name} / {left}" if left > 1 else name
            within = f"{over} % {n}" if i and n > 1 else over
            text = "0" if n == 1 else f"{within} * {steps[a]}" if a in steps else within
            if text != a:
                self.say(f"const {self.whole} {a} = {text};")

    def known_from_here(self, var: str, text: str) -> None:
        """From here on a reduction has this text."""
        if var in self.vars:
            self.known[self.vars[var]] = text

    # ---- entry by entry ---------------------------------------------------------------------------------------------
    def entrywise(self, axes: dict[str, int]) -> None:
        """A thread for each entry."""
        self.points(axes)
        for s in self.piece.body:
            self.stores(stores_of(s))

    def points(self, axes: dict[str, int]) -> None:
        """A thread for each point of some loops."""
        total = prod(axes.values())
        threads = min(THREADS, -(-total // WARP) * WARP)
        self.grid, self.threads = -(-total // threads), (threads, 1)
        self.summary = f"{total} entries, a thread for each"
        name = next(iter(axes)) if len(axes) == 1 else "t"
        self.say(f"const {self.whole} {name} = ({self.whole})blockIdx.x * {threads} + threadIdx.x;")
        if total % threads:
            self.say(f"if ({name} >= {total}) return;")
        self.counters(name, axes)

    def contracted(self, c: Contract) -> None:
        """A thread for each entry of a contraction: it takes all steps, but those that lie outside."""
        self.points({**self.piece.loops, **c.axes})
        self.say(f"{TYPES[c.a.dtype]} {c.var} = 0;")
        limits = [f"0 <= {i.at} && {i.at} < {i.extent}" for i in c.inside]
        with ExitStack() as loops:
            for axis, n in c.over.items():
                loops.enter_context(self.block(f"for ({self.whole} {axis} = 0; {axis} < {n}; ++{axis})"))
            if limits:
                loops.enter_context(self.block(f"if ({' && '.join(limits)})"))
            a, b = self.value(c.a), self.value(c.b)
            self.say(f"{c.var} += {a} * {b};", self.vars.get(c.var))
        self.known_from_here(c.var, c.var)
        self.stores(c.stores)

    # ---- rows -------------------------------------------------------------------------------------------------------
    def rows(self) -> None:
        """A warp or a block for each row."""
        count, longest = self.piece.points, max(map(extent, self.piece.body), default=1)
        self.wide = WARP if longest <= SHORT else min(MOST, max(128, 1 << (-(-longest // 4) - 1).bit_length()))
        together = min(THREADS // WARP, count) if self.wide == WARP else 1
        self.grid, self.threads = -(-count // together), (self.wide, together)
        who = "a warp" if self.wide == WARP else f"a block of {self.wide} threads"
        self.summary = f"{plural(count, 'row')} of {longest}, {who} for each"
        if self.piece.loops:
            name = next(iter(self.piece.loops)) if len(self.piece.loops) == 1 else "row"
            at = f"blockIdx.x * {together} + threadIdx.y" if together > 1 else "blockIdx.x"
            self.say(f"const {self.whole} {name} = {at};")
            if count % together:
                self.say(f"if ({name} >= {count}) return;")
            self.counters(name, self.piece.loops)
        for s in self.piece.body:
            for row in (t.buffer for t in stores_of(s) if isinstance(s, Sweep) and t.buffer in self.scratch):
                self.names.texts[row] = f"{row}[trip]"
                self.say(f"float {row}[{-(-extent(s) // self.wide)}];  // this thread's part of the row")
        self.read = {self.names.pointer.get(b) for b in find_read(self.piece.body)}
        self.statements(self.piece.body)

    def statements(self, body: Sequence[Stmt]) -> None:
        """What is done to a row."""
        for s in body:
            if isinstance(s, Loop):
                with self.block(f"for ({self.whole} {s.axis} = 0; {s.axis} < {s.extent}; ++{s.axis})"):
                    self.statements(s.body)
            elif isinstance(s, Sweep):
                self.sweep(s)
            elif isinstance(s, Store):
                self.once(s)

    def once(self, s: Store) -> None:
        """A store for a whole row: one thread writes it, after all have read what it may be written over."""
        text = self.value(s.value)
        if self.names.pointer[s.buffer] in self.read:
            self.say("__syncthreads();" if self.wide > WARP else "__syncwarp();")
        self.say(f"if (threadIdx.x == 0) {self.entry(s.buffer, s.at)} = {text};")

    def sweep(self, s: Sweep) -> None:
        """One pass over a row: each thread takes every `wide`-th entry, then the threads put their results together."""
        self.beforehand(values_of(s), s.axis)
        for r in s.reduces:
            self.say(f"{TYPES[r.value.dtype]} {r.var} = {bare(start(r.op, r.value.dtype))};")
        with self.trips(s):
            for r in s.reduces:
                self.add(r.var, r.op, self.last(r.value))
            if s.stores:
                self.stores(s.stores)
        across = "warp" if self.wide == WARP else "block"
        for r in s.reduces:
            self.say(f"{r.var} = {across}_{r.op}({r.var});")
            self.known_from_here(r.var, r.var)

    @contextmanager
    def trips(self, s: Sweep) -> Generator[None]:
        """The loop of a thread over its entries. Where it keeps a part of the row, its trips are counted."""
        touched = {t.buffer for t in s.stores} | set(find_read([s]))
        first = f"{self.whole} {s.axis}"
        if not touched & set(self.scratch):
            with self.block(f"for ({first} = threadIdx.x; {s.axis} < {s.extent}; {s.axis} += {self.wide})"):
                yield
            return
        count = -(-s.extent // self.wide)
        self.say(f"#pragma unroll{'' if count <= UNROLLED else ' 1'}")
        with self.block(f"for (int trip = 0; trip < {count}; ++trip)"):
            self.say(f"const {first} = trip * {self.wide} + threadIdx.x;")
            if s.extent % self.wide:
                with self.block(f"if ({s.axis} < {s.extent})"):
                    yield
            else:
                yield

    def add(self, var: str, op: str, text: str) -> None:
        """One more entry of a reduction."""
        line = f"{var} += {text};" if op == "sum" else f"{var} = {COMBINED[op].format(var, text)};"
        self.say(line, self.vars.get(var))

    # ---- columns ----------------------------------------------------------------------------------------------------
    def columns(self, t: Tile) -> None:
        """A block for 32 columns; its rows of threads take the entries in turn."""
        across, high = -(-t.n // WARP), 32 if t.k >= 512 else 8
        self.grid, self.threads = self.piece.points * across, (WARP, high)
        self.summary = f"{self.piece.points * t.n} columns of {t.k}, a block of {WARP} × {high} threads for {WARP}"
        self.counters("blockIdx.x", {**self.piece.loops, "n0": across}, {"n0": WARP})
        self.say(f"const {self.whole} n = n0 + threadIdx.x;")
        kind = TYPES[t.b.dtype]
        self.say(f"{kind} {t.var} = {bare(start(t.op, t.b.dtype))};")
        with self.block(f"if (n < {t.n})"):
            self.beforehand([t.b], "k")
            with self.block(f"for ({self.whole} k = threadIdx.y; k < {t.k}; k += {high})"):
                self.add(t.var, t.op, self.last(t.b))
        self.say(f"__shared__ {kind} of_row[{high}][{WARP}];")
        self.say(f"of_row[threadIdx.y][threadIdx.x] = {t.var};")
        self.say("__syncthreads();")
        with self.block(f"if (threadIdx.y == 0 && n < {t.n})"):
            with self.block(f"for (int y = 1; y < {high}; ++y)"):
                self.add(t.var, t.op, "of_row[y][threadIdx.x]")
            self.known_from_here(t.var, t.var)
            self.stores(t.stores)

    # ---- products ---------------------------------------------------------------------------------------------------
    def product(self, t: Tile, a: Expr) -> None:
        """A block for a square of the result: it goes along k, from square to square of both matrices."""
        across, down = -(-t.n // TILE), -(-t.m // TILE)
        self.grid, self.threads = self.piece.points * across * down, (TILE, TILE)
        self.summary = f"{self.grid} squares of {TILE} × {TILE}, a block for each; a thread for each entry"
        kind = TYPES[t.b.dtype]
        self.say(f"__shared__ {kind} left[{TILE}][{TILE} + 1], right[{TILE}][{TILE} + 1];")
        self.counters("blockIdx.x", {**self.piece.loops, "m0": down, "n0": across}, {"m0": TILE, "n0": TILE})
        self.say(f"{kind} {t.var} = 0;")
        with self.block(f"for ({self.whole} k0 = 0; k0 < {t.k}; k0 += {TILE})"):
            self.square("left", a, {"m": t.m, "k": t.k})
            self.square("right", t.b, {"k": t.k, "n": t.n})
            self.say("__syncthreads();")
            line = f"for (int k = 0; k < {TILE}; ++k) {t.var} += left[threadIdx.y][k] * right[k][threadIdx.x];"
            self.say(line, self.vars.get(t.var))
            self.say("__syncthreads();")
        self.say(f"const {self.whole} m = m0 + threadIdx.y, n = n0 + threadIdx.x;")
        with self.block(f"if (m < {t.m} && n < {t.n})"):
            self.known_from_here(t.var, t.var)
            self.stores(t.stores)

    def square(self, name: str, e: Expr, axes: dict[str, int]) -> None:
        """Fetch a square of a matrix; threads that are neighbours fetch neighbours in memory, along either axis."""
        (row, down), (column, across) = axes.items()
        lying = e.op == "load" and e.attr[1].coefficient(row) == 1
        y, x = ("threadIdx.x", "threadIdx.y") if lying else ("threadIdx.y", "threadIdx.x")
        with self.block(""):
            self.say(f"const {self.whole} {row} = {row}0 + {y}, {column} = {column}0 + {x};")
            inside = f"{row} < {down} && {column} < {across}"
            if not e.args:
                self.say(f"{name}[{y}][{x}] = {inside} ? {self.text(e)} : 0;")
                return
            self.say(f"{name}[{y}][{x}] = 0;")
            with self.block(f"if ({inside})"):
                self.say(f"{name}[{y}][{x}] = {self.last(e)};")


def extent(s: Stmt) -> int:
    """The length of the longest pass in a statement."""
    if isinstance(s, Loop):
        return max(map(extent, s.body), default=1)
    return s.extent if isinstance(s, Sweep) else 1
