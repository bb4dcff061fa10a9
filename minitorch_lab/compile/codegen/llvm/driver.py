"""The page of Python that runs a program: it allocates results, calls the kernels, and lets NumPy do the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....array import Array, xp
from ....func.trees import flatten
from ....ops.template import HOLE
from ...buffers import is_view, root
from ...graph import Graph, Node
from ...schedule.program import Program, Step
from ..numpy import built, statement, written
from ..numpy import value as parameter
from .arena import Arena, lives, placed
from .machine import Code, object_code
from .module import Module, Run
from .target import Target


class Kernels:
    """A compiled graph: `kernels(*arrays)` gives the list of its results.

    Attributes:
        source: The Python that runs.
        program: The schedule; as text its kernels, with the reasons.
        llvm: The kernels as LLVM's assembly.
        arena: Where the temporaries lie.
    """

    def __init__(self, program: Program, target: Target) -> None:
        self.name, self.program = program.graph.name, program
        self.arena = placed(lives(program, target))
        module = Module(program, target, self.arena.places)
        self.llvm, self.runs = module.text, module.runs
        self.code = Code(object_code(self.llvm, target), target) if self.runs else None
        self.scope: dict[str, Any] = {"np": xp, "HOLE": HOLE, "pool": [], "again": again, "kernels": self}
        for run in self.runs:
            assert self.code is not None
            self.scope[run.name] = self.code.function(run.name)
        self.source = Page(program, self.runs, self.arena, self.scope).text()
        self.fn: Callable[..., list[Array]] = built(self.source, self.name, self.scope)

    def __call__(self, *arrays: Array) -> list[Array]:
        """Run."""
        return self.fn(*arrays)

    def __repr__(self) -> str:
        """The source."""
        return self.source


class Page:
    """Writes the Python of a program."""

    def __init__(self, program: Program, runs: list[Run], arena: Arena, scope: dict[str, Any]) -> None:
        self.program, self.runs, self.arena, self.scope = program, runs, arena, scope
        self.views = shown(program)
        self.lines: list[str] = []
        self.there: set[str] = set()

    def text(self) -> str:
        """The page."""
        graph = self.program.graph
        self.scope |= {n.name: n.payload.value for n in graph.nodes if n.kind == "get_attr"}
        if self.runs:
            size = self.arena.nbytes
            self.scope["make"] = lambda: aligned(size)
            self.lines.append("arena = pool.pop() if pool else make()")
        for n in graph.nodes:
            if n.kind != "call":
                self.arrived(n)
        left = iter(self.runs)
        started: Step | None = None
        for step in self.program.steps:
            if step.node is not None:
                self.lines.append(statement_of(step.node, self.scope))
                self.arrived(step.node)
            elif started is None or started.kernel is None:
                self.launched(next(left))
            started = step
        if self.runs:
            self.lines.append("pool.append(arena)")
        results = ", ".join(written(leaf) for leaf in flatten(graph.returned)[0])
        body = "\n    ".join([*self.lines, f"return [{results}]"])
        return f"def f({', '.join(n.name for n in graph.placeholders)}):\n    {body}"

    def launched(self, run: Run) -> None:
        """The results of a run of kernels, and its call."""
        made = {w for s in run.steps for w in s.writes}
        arrays = [n for n in self.program.arrays if n.name in made]
        for n in arrays:
            shape = parameter(n.shape, "shape", self.scope)
            self.lines.append(f'{n.name} = np.empty({shape}, {parameter(n.dtype, "dtype", self.scope)})')
        given = ", ".join([*run.arrays, "arena"])
        self.lines.append(f"{run.name}({given}) or again({run.name}, {given})")
        for n in arrays:
            self.arrived(n)

    def arrived(self, n: Node) -> None:
        """After an array is there, the views of it that are asked for."""
        self.there.add(n.name)
        for view in self.views.get(n, []):
            self.lines.append(statement_of(view, self.scope))
            self.arrived(view)


def shown(program: Program) -> dict[Node, list[Node]]:
    """For every array, the views of it that NumPy or the caller must see."""
    graph = program.graph
    results = [n for n in flatten(graph.returned)[0] if isinstance(n, Node)]
    read = [f for s in program.steps if s.node for f in s.node.feeds]
    wanted: set[Node] = set()
    for n in (*results, *read):
        while is_view(n) and n not in wanted:
            wanted.add(n)
            n = n.feeds[0]
    out: dict[Node, list[Node]] = {}
    for n in graph.nodes:
        if n in wanted:
            out.setdefault(n.feeds[0], []).append(n)
    return out


def statement_of(node: Node, scope: dict[str, Any]) -> str:
    """The line of a node that NumPy runs."""
    from ...buffers import Buffers

    return statement(node, Buffers(), scope)


def aligned(size: int) -> Array:
    """An arena, which begins at a line of the cache."""
    raw = xp.empty(size + 64, "uint8")
    start = -raw.ctypes.data % 64
    return raw[start : start + size]


def again(run: Callable[..., bool], *arrays: Any) -> None:
    """Run kernels on arrays of which one does not lie in row order: that one is copied."""
    run(*(xp.require(x, None, ["C_CONTIGUOUS", "ALIGNED", "ENSUREARRAY"]) for x in arrays))


def compiled(graph: Graph, target: Target) -> Kernels:
    """The kernels of a graph in core ops."""
    from ...schedule.program import scheduled

    return Kernels(scheduled(graph), target)


__all__ = ["Kernels", "compiled", "root"]
