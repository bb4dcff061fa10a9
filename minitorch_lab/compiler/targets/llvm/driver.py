"""The page of Python that runs a program: it allocates results, calls the kernels, and lets NumPy do the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from ....core.array import Array, uint8, xp
from ....ops.template import HOLE
from ...ir.extents import Extents
from ...ir.graph import Node
from ...ir.views import root
from ...loops.share import shares
from ...memory.arena import Held, current
from ...memory.plan import Life, Plan, Planner, planned
from ...schedule.program import Program
from ..numpy.backend import Kernel, copy, format_input, statement
from ..numpy.backend import value as parameter
from ..spare import LEAST, Spare
from ..threads import together
from ..views import shown
from .machine import Code, loaded
from .runs import Run, dtypes_of, own_memory, runs
from .slices import Batch, batches
from .table import Table
from .target import Target


class Kernels(Kernel):
    """A compiled graph: `kernels(*arrays)` gives the list of its results.

    Attributes:
        source: The Python that runs.
        program: The schedule; as text its kernels, with the reasons.
        runs: What the page calls.
        plan: Where the temporaries lie.
        arena: The memory in which they lie.
        table: What is told of lengths; None where all are numbers.
    """

    def __init__(
        self,
        program: Program,
        target: Target,
        planner: Planner | None,
        spare: type[Spare] | None,
        lengths: Sequence[str] = (),
        extents: Extents | None = None,
    ) -> None:
        self.program, self.target = program, target
        turns = batches(program) if extents is None else []
        needs = lives(program, target, turns)
        arena = current()
        self.table = None if extents is None else Table(program, lengths, extents, needs, planner, arena)
        plan = self.table.plan if self.table else planned(needs, planner, steps=[str(s) for s in program.steps])
        where = {name: self.table.at[name] for name in places(plan)} if self.table else places(plan)
        self.runs = runs(program, target, where, turns, self.table is not None)
        if extents is not None:
            extents.close()
        scope: dict[str, Any] = {"np": xp, "empty_op": xp.empty, "HOLE": HOLE, "again": again}
        key = None
        if self.runs:
            spelled = "\n".join(map(str, (target, *([self.table] if self.table else []), *self.runs)))
            code = scope["code"] = loaded(spelled, target, lambda: self.llvm)  # lives as long as the page that calls it
            scope |= {run.name: function_of(run, code) for run in self.runs}
        if self.table:
            scope |= {"known_op": self.table.known, "learned_op": self.table.learned, "grown_op": self.table.grown}
            scope |= {"pool": arena.pool, "Held": Held}
        elif plan.lives:
            key, show = arena.join(program.graph.name, plan, [((plan.size,), uint8, 0)])
            scope |= {"pool": arena.pool, "Held": Held, "show": show}
        if spare is not None:
            leaving = {root(n) for n in program.returned}
            scope |= {f"spare_{n.name}": spare() for n in program.arrays if n in leaving and n.nbytes >= LEAST}
        lines = Page(program, self.runs, scope, lengths).text(key)
        super().__init__(program.graph, lines, scope, plan, arena, lengths)

    @cached_property
    def llvm(self) -> str:
        """The kernels as LLVM's assembly. Code from the cache does without: then it is written when somebody asks."""
        from .module import Module

        return Module(self.program.graph.name, self.runs, self.target, dtypes_of(self.program), self.table).text


def function_of(run: Run, code: Code) -> Callable[..., bool]:
    """What Python calls for a run: machine code, or what shares it out among threads."""
    if not run.team:
        return code.function(run.name)
    after = None if run.after is None else code.function(run.after.name)
    return together([code.function(piece.name) for piece in run.team], after)


def lives(program: Program, target: Target, turns: list[Batch]) -> list[Life]:
    """The temporaries of a program, the rows and panels that single kernels need included.

    Kernels that take turns are one step for what has all of its slices; what has one is written anew in each turn.
    """
    found: dict[str, Life] = {}
    number = {s: i for i, s in enumerate(program.steps)}
    ends = {s: (number[b.steps[0]], number[b.steps[-1]]) for b in turns for s in b.steps}
    slices = {name: nbytes for b in turns for name, nbytes in b.memory.items()}
    sizes = program.temporaries | slices
    numbers = {n.name for n in program.numbers}
    for i, step in enumerate(program.steps):
        if step.kernel is None:
            continue
        needed = {b: sizes[b] for b in step.kernel.buffers() if b in sizes}
        split = shares(step.kernel)
        pieces = split.at_once if split else 1
        own = {name: pieces * nbytes for name, nbytes in own_memory(step.kernel, program, target).items()}
        for name, nbytes in (needed | own).items():
            between = name in program.temporaries and name not in slices
            begin, end = ends.get(step, (i, i)) if between else (i, i)
            first = found[name].first if name in found else 0 if name in numbers else begin
            found[name] = Life(nbytes, first, end, (name,))
    return list(found.values())


def places(plan: Plan) -> dict[str, int]:
    """The byte of the arena at which each temporary begins."""
    return {name: at for at, life in zip(plan.offsets, plan.lives, strict=True) for name in life.names}


class Page:
    """Writes the Python of a program."""

    def __init__(self, program: Program, runs: list[Run], scope: dict[str, Any], lengths: Sequence[str]) -> None:
        self.program, self.runs, self.scope, self.lengths = program, runs, scope, lengths
        self.views = shown(program)
        self.names = {n.name: format_input(n) for n in program.graph.nodes}
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
                self.scope[format_input(n)] = xp.ascontiguousarray(array) if ours else array
        self.given = [] if key is None else ["arena"]
        if self.lengths:
            given = f"({', '.join(self.lengths)},)"
            self.lines.append(f"size_op, table_op, plan_op = known_op.get({given}) or learned_op{given}")
            self.lines.append("held = pool.pop() if pool else Held()")
            self.lines.append("arena = held.memory")
            self.lines.append("if arena is None or arena.nbytes < size_op: arena = grown_op(held, plan_op)")
            self.given = ["arena", "table_op"]
        elif key is not None:
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
        if self.given:
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
                self.lines.append(f"{format_input(n)} = {self.names[over] if over else new}")
                continue
            self.lines.append(f"{format_input(n)} = spare_{n.name}.take()")
            self.lines.append(f"{format_input(n)} = {new} if {format_input(n)} is None else {format_input(n)}")
            self.ends.append(f"spare_{n.name}.keep({format_input(n)})")
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
    fit = [x if type(x) in (int, float, bool) or lies_well(x) else xp.require(x, None, asked) for x in arrays]
    done = run(*fit)
    assert done
    for x, y in zip(arrays, fit, strict=True):
        if x is not y and isinstance(x, xp.ndarray) and x.flags.writeable:
            x[...] = y


def lies_well(x: Any) -> bool:
    """Whether an array lies in row order, aligned, and may be written: what `require` would find out slowly."""
    return type(x) is xp.ndarray and x.flags.carray
