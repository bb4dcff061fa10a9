"""The page of Python that runs a program on a GPU: it allocates results, launches kernels, and lets CuPy do the rest.

Nothing waits: a launch is put on the current stream and the page goes on. So memory that is put back is taken again
only on the same stream, where what still runs in it comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import prod
from typing import Any

from ....core.array import DTYPES, Array, Shape, cuda, uint8, xp
from ....ops.template import HOLE
from ...ir.graph import ABBREVIATED, Node
from ...ir.views import root
from ...memory.arena import Arena, Held, current
from ...memory.arena import Value as Place
from ...memory.plan import Life, Plan, Planner, planned
from ...schedule.program import Program, Step
from ..numpy.backend import Kernel, copy, format_input, statement
from ..numpy.backend import value as parameter
from ..spare import LEAST, Spare
from ..views import shown
from .launches import Launch, Operand, Product
from .module import Module
from .numbers import CELL, ByValue, InMemory, Numbers, packing
from .recording import Recorded

NAMES = {short: DTYPES[name] for name, short in ABBREVIATED.items()}
CELLS = "the numbers"


class Kernels(Kernel):
    """A compiled graph: `kernels(*arrays)` gives the list of its results.

    Attributes:
        source: The Python that runs.
        program: The schedule; as text its kernels, with the reasons.
        cuda: The kernels as CUDA C.
        plan: Where the temporaries lie.
        arena: The memory in which they lie.
    """

    def __init__(self, program: Program, planner: Planner | None, page: type[Page]) -> None:
        self.program = program
        self.module = Module(program, page.numbers, page.least)
        self.cuda = self.module.text
        arena = current()
        written = page(program, self.module)
        plan = planned(written.lives(), planner, steps=[str(s) for s in program.steps])
        lines = written.text(arena, plan)
        super().__init__(program.graph, lines, written.scope, plan, arena)


class Page:
    """Writes the Python of a program: a line per launch.

    Attributes:
        numbers: How kernels get Python numbers.
        least: The multiplications from which on cuBLAS computes a product. It needs a launch of its own, and another
            for what is done to the product. (Nobody has measured where the two meet: there was no GPU to do it on.)
    """

    numbers: Numbers = ByValue()
    least = 1 << 18

    def __init__(self, program: Program, module: Module) -> None:
        cupy = cuda()
        self.program, self.module = program, module
        self.names = {n.name: format_input(n) for n in program.graph.nodes}
        self.views = shown(program)
        self.lines: list[str] = []
        self.ends: list[str] = []
        self.scope: dict[str, Any] = {"np": xp, "HOLE": HOLE, "Held": Held, "fit": fit, "matrix": matrix}
        self.scope |= {"empty": cupy.empty, "cublas": cupy.matmul, "stream": cupy.cuda.get_current_stream}
        self.read = {program.storage(b) for s in program.steps if s.kernel for b in (*s.reads, *s.writes)}
        self.work = [w for s in program.steps if s.kernel for w in module.work[s].launches]
        launches = [w for w in self.work if isinstance(w, Launch)]
        if launches:
            code = cupy.RawModule(code=module.text, options=("--std=c++14",))
            self.functions = {w.name: code.get_function(w.name) for w in launches}

    # ---- memory -----------------------------------------------------------------------------------------------------
    def lives(self) -> list[Life]:
        """The temporaries of the program, products that wait for their kernel included."""
        found: dict[str, Life] = {}
        for i, step in enumerate(self.program.steps):
            if step.kernel is not None:
                sizes = self.program.temporaries | self.module.work[step].between
                numbers = self.module.number
                used = [b for b in step.kernel.buffers() if b in sizes and b not in numbers]
                for name in (*used, *self.module.work[step].between):
                    first = found[name].first if name in found else i
                    found[name] = Life(sizes[name], first, i, (name,))
        return list(found.values())

    def places(self, plan: Plan) -> dict[str, Place]:
        """The temporaries as arrays, by name."""
        out: dict[str, Place] = {}
        values, shapes = self.program.values, {w.out: w.shape for w in self.work if isinstance(w, Product)}
        for life in plan.lives:
            for name in life.names:
                shape = values[name].shape if name in values else shapes[name]
                out[name] = shape, NAMES[self.module.dtypes[name]], plan.at(name)
        return out

    # ---- the page ---------------------------------------------------------------------------------------------------
    def text(self, arena: Arena, plan: Plan) -> list[str]:
        """The lines; temporaries lie in the arena as planned."""
        graph = self.program.graph
        places = self.places(plan)
        if places:
            key, show = arena.join(graph.name, plan, list(places.values()), "cuda")
            self.scope |= {"pools": arena.pools, "show": show}
            named = ", ".join(map(self.called, places))
            self.lines.append("pool = pools[stream().ptr]")
            self.lines.append("held = pool.pop() if pool else Held()")
            self.lines.append(f"{named}{',' * (len(places) == 1)} = held.shown.get({key}) or show(held)")
        self.begin()
        for n in graph.nodes:
            if n.kind == "get_attr":
                self.scope[f"{self.called(n.name)}_op"] = n.payload.value
                self.lines.append(f"{self.called(n.name)} = {self.called(n.name)}_op")
            if n.kind != "call":
                self.arrived(n)
        for node, steps in self.stretches():
            if node is not None:
                self.lines.append(statement(node, False, None, self.scope))
                self.arrived(node)
            else:
                self.run(steps)
        self.lines += [copy(n) for n in self.program.writes if not self.program.overwrites(n)]
        if places:
            self.ends.append("pool.append(held)")
        return [*self.lines, *self.ends]

    def begin(self) -> None:
        """What comes before all else."""

    def stretches(self) -> Iterator[tuple[Node | None, list[Step]]]:
        """The nodes that CuPy runs, and the kernels that are launched without a look at what they made."""
        for step in self.program.steps:
            yield step.node, [step]

    def run(self, steps: list[Step]) -> None:
        """The lines of some kernels."""
        made = {b for s in steps for b in s.writes}
        arrays = [n for n in self.program.arrays if n.name in made]
        for n in arrays:
            self.allocated(n)
        self.launched([w for s in steps for w in self.module.work[s].launches])
        for n in arrays:
            self.arrived(n)

    def launched(self, work: Sequence[Launch | Product]) -> None:
        """A line for each launch."""
        for w in work:
            if isinstance(w, Product):
                self.multiplied(w)
                continue
            self.scope[f"{w.name}_op"] = self.functions[w.name]
            given = "".join(f"{self.argument(b)}, " for b in w.given)
            self.lines.append(f"{w.name}_op(({w.grid},), {w.block}, ({given.strip()}))")

    def multiplied(self, w: Product) -> None:
        """A product by cuBLAS."""
        out = self.called(self.program.storage(w.out))
        values = self.program.values
        if w.out in values and values[w.out].shape != w.shape:
            out += f".reshape({w.shape})"
        self.lines.append(f"cublas({self.operand(w.a)}, {self.operand(w.b)}, out={out})")

    def operand(self, x: Operand) -> str:
        """An operand of a product, as a view of the array in which it lies."""
        name, shape = self.called(self.program.storage(x.buffer)), self.program.values[x.buffer].shape
        if (shape, steps(shape), 0) == (x.shape, x.stride, x.offset):
            return name
        if (shape[::-1], steps(shape)[::-1], 0) == (x.shape, x.stride, x.offset):
            return f"{name}.T"
        return f"matrix({name}, {x.shape}, {x.stride}, {x.offset})"

    # ---- values -----------------------------------------------------------------------------------------------------
    def called(self, buffer: str) -> str:
        """What a buffer is called in the page."""
        return self.names.get(buffer, buffer)

    def argument(self, buffer: str) -> str:
        """What a kernel is given for a buffer."""
        name = self.called(buffer)
        return f"np.{NAMES[self.module.dtypes[buffer]].type.__name__}({name})" if buffer in self.module.number else name

    def allocated(self, n: Node) -> None:
        """An array before a kernel writes it."""
        over = self.program.inplace.get(n.name)
        self.lines.append(f"{format_input(n)} = {self.called(over) if over else self.new(n)}")

    def new(self, n: Node) -> str:
        """An array of its own."""
        shape, dtype = parameter(n.shape, "shape", self.scope), parameter(n.dtype, "dtype", self.scope)
        return f"empty({shape}, {dtype})"

    def arrived(self, n: Node) -> None:
        """After an array is there, the views of it that are asked for. What kernels read lies in row order."""
        name = format_input(n)
        if n.name in self.read and n not in self.program.arrays and not n.facts.number:
            if n.name in self.program.inplace.values():
                self.lines.append(f"{name}_given_op = {name}")
                self.ends.append(f"if {name} is not {name}_given_op: {name}_given_op[...] = {name}")
            self.lines.append(f"{name} = fit({name})")
        for view in self.views.get(n, []):
            self.lines.append(statement(view, False, None, self.scope))
            self.arrived(view)


class RecordedPage(Page):
    """A page for the mode `reduce-overhead`: kernels that follow each other are a CUDA graph.

    Large results lie where earlier ones lay. Products are cuBLAS's only where they are large: they interrupt a graph.
    """

    numbers: Numbers = InMemory()
    least = 1 << 23

    def lives(self) -> list[Life]:
        """The numbers lie in the arena too, all the time."""
        count = len(self.program.numbers)
        last = max(len(self.program.steps) - 1, 0)
        return [*super().lives(), *([Life(CELL * count, 0, last, (CELLS,))] if count else [])]

    def places(self, plan: Plan) -> dict[str, Place]:
        """The numbers as bytes, and each of them."""
        count = len(self.program.numbers)
        if not count:
            return super().places(plan)
        out = super().places(replace(plan, lives=plan.lives[:-1], offsets=plan.offsets[:-1]))
        start = plan.at(CELLS)
        cells = {n.name: ((), n.dtype, start + CELL * i) for i, n in enumerate(self.program.numbers)}
        return {**out, "cells": ((CELL * count,), uint8, start), **cells}

    def called(self, buffer: str) -> str:
        """The cell of a number has another name than the number."""
        name = super().called(buffer)
        return f"{name}_op" if buffer in self.module.number else name

    def argument(self, buffer: str) -> str:
        """A cell stands for its number."""
        return self.called(buffer)

    def begin(self) -> None:
        """Copy the numbers to the GPU."""
        numbers = self.program.numbers
        if numbers:
            self.scope["packed"] = packing([self.module.dtypes[n.name] for n in numbers])
            self.lines.append(f"cells.set(packed({', '.join(map(format_input, numbers))}))")

    def stretches(self) -> Iterator[tuple[Node | None, list[Step]]]:
        """As many kernels as possible together: until CuPy runs a node, or shows a view that a kernel reads."""
        run: list[Step] = []
        for step in self.program.steps:
            made = {b for s in run for b in s.writes}
            seen = any(o in made and o != b for o, b in zip(step.owners, step.reads, strict=True))
            if run and (step.kernel is None or seen):
                yield None, run
                run = []
            if step.kernel is None:
                yield step.node, []
            else:
                run.append(step)
        if run:
            yield None, run

    def launched(self, work: Sequence[Launch | Product]) -> None:
        """A line for all launches between two products."""
        for alone, group in groupby(work, lambda w: isinstance(w, Product)):
            if alone:
                super().launched(list(group))
                continue
            launches = [w for w in group if isinstance(w, Launch)]
            arrays = list(dict.fromkeys(b for w in launches for b in w.given))
            name = f"run{sum(key.startswith('run') for key in self.scope)}_op"
            self.scope[name] = Recorded(
                [(self.functions[w.name], (w.grid,), w.block, [arrays.index(b) for b in w.given]) for w in launches]
            )
            self.lines.append(f"{name}({', '.join(map(self.argument, arrays))})")

    def allocated(self, n: Node) -> None:
        """Large results lie where earlier ones lay, if nobody holds those."""
        name, leaving = format_input(n), {root(r) for r in self.program.returned}
        if n.name in self.program.inplace or n not in leaving or n.nbytes < LEAST:
            super().allocated(n)
            return
        self.scope[f"spare_{n.name}"] = Spare()
        self.lines.append(f"{name} = spare_{n.name}.take()")
        self.lines.append(f"{name} = {self.new(n)} if {name} is None else {name}")
        self.ends.append(f"spare_{n.name}.keep({name})")


def steps(shape: Shape) -> tuple[int, ...]:
    """The strides, in entries, of an array in row order."""
    return tuple(prod(shape[d + 1 :]) for d in range(len(shape)))


def fit(x: Array) -> Array:
    """`x` with its entries in row order: itself if they lie so already."""
    return x if x.flags.c_contiguous else x.copy()


def matrix(x: Array, shape: Shape, stride: Shape, offset: int) -> Array:
    """The memory under an array, from entry `offset` on, with other strides."""
    size = x.dtype.itemsize
    return cuda().ndarray(shape, x.dtype, x.data + offset * size, tuple(s * size for s in stride))
