"""The page of Python that runs a program: it allocates results, calls the kernels, and lets NumPy do the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....array import Array, uint8, xp
from ....ops.template import HOLE
from ...arena import Held, current
from ...buffers import root
from ...graph import Node
from ...plan import Life, Plan, Planner, planned
from ...schedule.program import Program
from ..numpy import Kernel, copy, statement, written
from ..numpy import value as parameter
from ..spare import LEAST, Spare
from ..views import shown
from .machine import loaded
from .module import Module, Run
from .target import Target
from .tiles import PANEL, panel_bytes


class Kernels(Kernel):
    """A compiled graph: `kernels(*arrays)` gives the list of its results.

    Attributes:
        source: The Python that runs.
        program: The schedule; as text its kernels, with the reasons.
        llvm: The kernels as LLVM's assembly.
        plan: Where the temporaries lie.
        arena: The memory in which they lie.
    """

    def __init__(self, program: Program, target: Target, planner: Planner | None, spare: type[Spare] | None) -> None:
        self.program, self.target = program, target
        plan = planned(lives(program, target), planner, steps=[str(s) for s in program.steps])
        module = Module(program, target, places(plan))
        self.llvm = module.text
        arena = current()
        scope: dict[str, Any] = {"np": xp, "empty_op": xp.empty, "HOLE": HOLE, "again": again}
        key = None
        if module.runs:
            code = scope["code"] = loaded(self.llvm, target)  # which lives as long as the page that calls it
            scope |= {run.name: code.function(run.name) for run in module.runs}
        if plan.lives:
            key, show = arena.join(program.graph.name, plan, [((plan.size,), uint8, 0)])
            scope |= {"pool": arena.pool, "Held": Held, "show": show}
        if spare is not None:
            leaving = {root(n) for n in program.returned}
            scope |= {f"spare_{n.name}": spare() for n in program.arrays if n in leaving and n.nbytes >= LEAST}
        lines = Page(program, module.runs, scope).text(key)
        super().__init__(program.graph, lines, scope, plan, arena)


def lives(program: Program, target: Target) -> list[Life]:
    """The temporaries of a program, the rows and panels that single kernels need included."""
    found: dict[str, Life] = {}
    sizes, numbers = program.temporaries | program.scratch, {n.name for n in program.numbers}
    for i, step in enumerate(program.steps):
        if step.kernel is None:
            continue
        needed = {b: sizes[b] for b in step.kernel.buffers() if b in sizes}
        panel = panel_bytes(step.kernel, target)
        for name, nbytes in (needed | ({f"{PANEL} of {step.kernel.name}": panel} if panel else {})).items():
            first = found[name].first if name in found else 0 if name in numbers else i
            found[name] = Life(nbytes, first, i, (name,))
    return list(found.values())


def places(plan: Plan) -> dict[str, int]:
    """The byte of the arena at which each temporary begins."""
    return {name: at for at, life in zip(plan.offsets, plan.lives, strict=True) for name in life.names}


class Page:
    """Writes the Python of a program."""

    def __init__(self, program: Program, runs: list[Run], scope: dict[str, Any]) -> None:
        self.program, self.runs, self.scope = program, runs, scope
        self.views = shown(program)
        self.names = {n.name: written(n) for n in program.graph.nodes}
        self.lines: list[str] = []
        self.ends: list[str] = []
        self.given: list[str] = []  # what every run of kernels is given besides its arrays

    def text(self, key: int | None) -> list[str]:
        """The lines; `key` is the number of the program in its arena, None if it needs no memory there."""
        graph = self.program.graph
        read = {b for s in self.program.steps for b in s.owners}
        for n in graph.nodes:
            if n.kind == "get_attr":  # a constant of ours is laid out once; what is not ours is read where it is
                array, ours = n.payload.value, n.made_by and n.name in read and n.ndim
                self.scope[written(n)] = xp.ascontiguousarray(array) if ours else array
        self.given = [] if key is None else ["arena"]
        if key is not None:
            self.lines.append("held = pool.pop() if pool else Held()")
            self.lines.append(f"arena, = held.shown.get({key}) or show(held)")
        for n in graph.nodes:
            if n.kind != "call":
                self.arrived(n)
        starts = {run.steps[0]: run for run in self.runs}
        for step in self.program.steps:
            if step.node is not None:
                self.lines.append(statement(step.node, False, None, self.scope))
                self.arrived(step.node)
            elif step in starts:
                self.launched(starts[step])
        self.lines += [copy(n) for n in self.program.writes if not self.program.overwrites(n)]
        if key is not None:
            self.lines.append("pool.append(held)")
        return [*self.lines, *self.ends]

    def launched(self, run: Run) -> None:
        """The results of a run of kernels, and its call."""
        made = {w for s in run.steps for w in s.writes}
        arrays = [n for n in self.program.arrays if n.name in made]
        for n in arrays:
            over = self.program.inplace.get(n.name)
            new = f"empty_op({parameter(n.shape, 'shape', self.scope)}, {kind(n.dtype, self.scope)})"
            if over or f"spare_{n.name}" not in self.scope:
                self.lines.append(f"{written(n)} = {self.names[over] if over else new}")
                continue
            self.lines.append(f"{written(n)} = spare_{n.name}.take()")
            self.lines.append(f"{written(n)} = {new} if {written(n)} is None else {written(n)}")
            self.ends.append(f"spare_{n.name}.keep({written(n)})")
        given = ", ".join([*(self.names[a] for a in (*run.arrays, *run.numbers)), *self.given])
        self.lines.append(f"{run.name}({given}) or again({run.name}, {given})")
        for n in arrays:
            self.arrived(n)

    def arrived(self, n: Node) -> None:
        """After an array is there, the views of it that are asked for."""
        for view in self.views.get(n, []):
            self.lines.append(statement(view, False, None, self.scope))
            self.arrived(view)


def kind(dtype: Any, scope: dict[str, Any]) -> str:
    """A dtype as the type of its numbers, which NumPy takes quickest; else by name."""
    known = getattr(xp, dtype.name, None)
    return f"np.{dtype.name}" if known is dtype.type else parameter(dtype, "dtype", scope)


def again(run: Callable[..., bool], *arrays: Array) -> None:
    """Run kernels on arrays of which one does not lie in row order: on a copy, which is then copied back."""
    asked: Any = ["C_CONTIGUOUS", "ALIGNED", "WRITEABLE", "ENSUREARRAY"]
    fit = [x if type(x) in (int, float, bool) else xp.require(x, None, asked) for x in arrays]
    done = run(*fit)
    assert done
    for x, y in zip(arrays, fit, strict=True):
        if x is not y and isinstance(x, xp.ndarray) and x.flags.writeable:
            x[...] = y
