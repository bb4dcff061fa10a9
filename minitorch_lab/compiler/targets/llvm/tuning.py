"""Tiles by the stopwatch: each product runs alone, cut in several ways, on numbers of ours; the fastest cut stays.

Nobody's arrays are touched, so kernels that write over their arguments are tuned like all others. What was found holds
for every kernel with this text on this processor, and is stored on disk under both.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from ....core.array import Array, block, xp
from ...loops.ir import Blocking, Kernel, Tile
from ...loops.spell import spelled
from ...memory.plan import ALIGNMENT
from ...schedule.program import Program
from ..cache import key_of
from ..race import Outcome, race, remember, remembered
from .kernels import Printer
from .machine import loaded, versions
from .target import Target
from .tiles import PANEL, blocking, packable, panel_bytes, ranked
from .types import ir

SHAPES = 6  # of register blocks: those that should take the fewest cycles
DTYPES = {"f32": "float32", "f64": "float64", "i32": "int32", "i64": "int64", "b8": "bool"}


def tuned_tiles(program: Program, target: Target) -> None:
    """Cut every product of a program as was fastest."""
    for kernel in program.kernels:
        tiles = [t for t in kernel.statements() if isinstance(t, Tile) and t.a is not None]
        if len(tiles) == 1 and (cuts := candidates(tiles[0], target)):
            outcome = Alone(program, kernel, tiles[0], target).outcome(cuts)
            tiles[0].blocking = next(c for c in cuts if str(c) == outcome.fastest)
            kernel.tried = outcome.seconds


def candidates(t: Tile, target: Target) -> list[Blocking]:
    """The ways to cut a product that are worth a try; that which would be taken without a stopwatch comes first."""
    reckoned = blocking(t, target)
    shapes = ranked(t.m, t.n, target.holding(t.b.dtype))[:SHAPES]
    cuts = [Blocking(*shape, packed) for packed in ((False, True) if packable(t) else (False,)) for shape in shapes]
    return list(dict.fromkeys([reckoned, *cuts]))


class Alone:
    """A kernel by itself, on memory of its own."""

    def __init__(self, program: Program, kernel: Kernel, tile: Tile, target: Target) -> None:
        self.kernel, self.tile, self.target = kernel, tile, target
        self.buffers = kernel.buffers()
        self.owner = {b: program.storage(b) for b in self.buffers}
        self.own = list(dict.fromkeys(self.owner.values()))
        self.dtypes = {b: program.values[b].dtype if b in program.values else "f32" for b in self.owner}
        self.dtypes |= {at: self.dtypes[b] for b, at in self.owner.items()} | {PANEL: "f32"}
        sizes = program.scratch | program.temporaries | {b: v.nbytes for b, v in program.values.items()}
        self.sizes = {at: max(sizes[b] for b in self.buffers if self.owner[b] == at) for at in self.own}

    def outcome(self, cuts: Sequence[Blocking]) -> Outcome:
        """How long each cut takes."""
        numbered = {b: f"B{self.own.index(self.owner[b])}" for b in self.buffers}
        dtypes = " ".join(self.dtypes[b] for b in self.own)
        names = [str(c) for c in cuts]
        text = "\n".join([str(self.target), dtypes, *names, spelled(self.kernel, numbered)])
        key = key_of(text, what="tiles", **versions())
        found = remembered(key)
        if found is None:
            found = self.raced(cuts)
            remember(key, found)
        return found

    def raced(self, cuts: Sequence[Blocking]) -> Outcome:
        """Run them."""
        given = [numbers(self.sizes[at], self.dtypes[at]) for at in self.own]
        arrays = [aligned(x.nbytes).view(x.dtype) for x in given]
        written = sorted({self.own.index(self.owner[s.buffer]) for s in self.kernel.stores()})

        def fresh() -> None:
            for x, y in zip(arrays, given, strict=True):
                xp.copyto(x, y)

        code, panel = self.printed(cuts)
        memory = [*arrays, aligned(panel)]
        kind = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(memory), ctypes.c_int64)
        places = [x.ctypes.data for x in memory]

        def run_of(i: int) -> Callable[[], list[Array]]:
            function = kind(code.engine.get_function_address(f"cut{i}"))

            def run() -> list[Array]:
                function(*places, 0)
                return [arrays[w] for w in written]

            return run

        return race({str(cut): run_of(i) for i, cut in enumerate(cuts)}, fresh)

    def printed(self, cuts: Sequence[Blocking]) -> tuple[Any, int]:
        """The machine code with a function for each cut, and the bytes of the largest panel."""
        module: Any = ir.Module("cuts")
        printer, panel, usual = Printer(module, self.target, self.dtypes), 0, self.tile.blocking
        for i, cut in enumerate(cuts):
            self.tile.blocking = cut
            panel = max(panel, panel_bytes(self.kernel, self.target))
            function = printer.kernel(self.kernel, f"cut{i}", [*self.own, PANEL], self.owner | {PANEL: PANEL})
            function.linkage = ""
        self.tile.blocking = usual
        text = str(module)
        return loaded(text, self.target, lambda: text), panel


def numbers(nbytes: int, dtype: str) -> Array:
    """As many as fit: floats between ½ and 1, so that no sum of products vanishes; of other dtypes zeros."""
    name = DTYPES[dtype]
    count = nbytes // xp.dtype(name).itemsize
    drawn = xp.random.default_rng(0).random(count) / 2 + 0.5 if dtype in ("f32", "f64") else xp.zeros(count)
    return drawn.astype(name)


def aligned(nbytes: int) -> Array:
    """Bytes, from an address on that is aligned as in an arena."""
    return block(nbytes, ALIGNMENT, "cpu")
