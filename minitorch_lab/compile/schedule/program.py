"""A graph as kernels: what is computed by which kernel, what lies in which buffer, and what is left to NumPy."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from ...func.trees import flatten
from ..buffers import is_view, root
from ..graph import Graph, Node
from ..loops.ir import Kernel
from ..loops.lower import Lowering
from ..loops.show import show
from ..rewrite import draws
from .fuse import Fusion
from .prepare import owners, prepared
from .translate import Translation
from .values import Value


@dataclass(eq=False, slots=True)
class Step:
    """One thing that happens: a kernel is launched, or NumPy runs a node."""

    reads: list[str]
    writes: list[str]
    kernel: Kernel | None = None
    node: Node | None = None


@dataclass(eq=False, slots=True)
class Program:
    """Kernels and nodes in the order in which they run.

    Attributes:
        steps: What happens.
        values: The value that lies in each buffer.
        arrays: The nodes that must be arrays of their own: results, and what NumPy reads.
        temporaries: The buffers that live only from kernel to kernel: bytes by name.
    """

    graph: Graph
    steps: list[Step] = field(default_factory=list[Step])
    values: dict[str, Value] = field(default_factory=dict[str, Value])
    arrays: list[Node] = field(default_factory=list[Node])
    temporaries: dict[str, int] = field(default_factory=dict[str, int])
    scratch: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels, in order."""
        return [s.kernel for s in self.steps if s.kernel is not None]

    def __str__(self) -> str:
        """The kernels as text, with their reasons, and the nodes between them."""
        said = [show(s.kernel) if s.kernel else f"numpy {s.node}: {s.node and s.node.facts}" for s in self.steps]
        return "\n".join(said)


def scheduled(graph: Graph) -> Program:
    """The program of a pure graph in core ops (see `decompose`)."""
    translation = Translation(graph)
    return Builder(graph, translation, arrays_of(graph, translation)).program


def arrays_of(graph: Graph, translation: Translation) -> list[Node]:
    """The nodes that NumPy or the caller must see as arrays of their own. A view is not: it shows another's."""
    results = [n for n in flatten(graph.returned)[0] if isinstance(n, Node)]
    read = [f for o in translation.outside for f in o.feeds]
    seen = {root(n) for n in (*read, *results)}
    return [n for n in graph.nodes if n in seen and n.kind == "call" and n not in translation.outside]


class Builder:
    """Puts a program together."""

    def __init__(self, graph: Graph, translation: Translation, arrays: list[Node]) -> None:
        self.program = Program(graph, arrays=arrays)
        self.outside = translation.outside
        self.of = translation.of
        given = {n.name: [self.of[root(f)] for f in n.feeds] for n in self.outside}
        drawing = [n for n in self.outside if draws(n)]
        for before, n in zip(drawing, drawing[1:], strict=False):
            given[n.name].append(self.of[before])  # what draws keeps its order
        wanted = [self.of[n] for n in arrays]
        read = [v for values in given.values() for v in values]
        new = prepared([*wanted, *read], lambda v: [*v.src, *(given.get(v.attr, []) if v.op == "input" else [])])
        found = owners([new[v] for v in wanted])
        self.given = {name: [new[v] for v in values] for name, values in given.items()}
        self.fusion = Fusion(found, self.given)
        self.stored = self.fusion.stored(set(found))
        self.names = self.named(dict(zip(found, arrays, strict=True)))
        self.build()

    def named(self, owners: dict[Value, Node]) -> dict[Value, str]:
        """The buffer of every value in memory; a temporary is called like its node."""
        names = {v: v.attr for v in self.fusion.order if v.op == "input"}
        names |= {v: n.name for v, n in owners.items()}
        taken = {n.name for n in self.program.graph.nodes}
        for v in self.fusion.order:
            if v in self.stored and v not in names:
                stem = v.node.name if v.node else v.op
                name = next(n for n in (f"{stem}_t{i or ''}" for i in range(len(taken) + 1)) if n not in taken)
                taken.add(name)
                names[v] = name
                self.program.temporaries[name] = v.nbytes
        return names

    def build(self) -> None:
        """Find the kernels, and the order of all steps."""
        lowering = Lowering(self.fusion.group, self.names, self.stored)
        steps: list[Step] = []
        for group in self.fusion.groups():
            if any(v in self.stored for v in group.home):
                kernel = lowering.kernel(group)
                writes = list(dict.fromkeys(s.buffer for s in kernel.stores() if s.buffer not in lowering.scratch))
                reads = [b for b in kernel.buffers() if b not in writes and b not in lowering.scratch]
                steps.append(Step(reads, writes, kernel))
        drawn: list[str] = []
        for node in self.outside:
            steps.append(Step([*(root(f).name for f in node.feeds), *(drawn if draws(node) else [])], [node.name], node=node))
            drawn = [node.name] if draws(node) else drawn
        self.program.steps = in_order(steps)
        self.program.scratch = lowering.scratch
        self.program.values = {name: v for v, name in self.names.items()}


def in_order(steps: list[Step]) -> list[Step]:
    """The steps, each after what it reads, and kernels in long runs."""
    writer = {name: i for i, s in enumerate(steps) for name in s.writes}
    waits = [{writer[b] for b in s.reads if b in writer} for s in steps]
    readers: list[list[int]] = [[] for _ in steps]
    for i, w in enumerate(waits):
        for j in w:
            readers[j].append(i)
    ready = {True: deque[int](), False: deque[int]()}  # kernels, and nodes
    for i, w in enumerate(waits):
        if not w:
            ready[steps[i].kernel is not None].append(i)
    out: list[Step] = []
    while ready[True] or ready[False]:
        i = (ready[True] or ready[False]).popleft()
        out.append(steps[i])
        for j in readers[i]:
            waits[j].discard(i)
            if not waits[j]:
                ready[steps[j].kernel is not None].append(j)
    return out
