"""A graph as kernels: what is computed by which kernel, what lies in which buffer, and what is left to NumPy."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Generic, TypeVar

from ...func.trees import flatten
from ..ir.graph import Graph, Node
from ..ir.rewrite import draws
from ..ir.views import root
from ..loops.ir import Kernel, Store, Sweep
from ..loops.show import show
from .fuse import Fusion
from .gaps import Gaps
from .lower import Lowering
from .prepare import owners, prepared
from .recipe import USUAL, Recipe
from .translate import Translation
from .triangles import Triangles
from .values import Value


@dataclass(eq=False, slots=True)
class Step:
    """One thing that happens: a kernel is launched, or NumPy runs a node.

    `reads` and `writes` are buffers, `owners` are those whose memory it reads, which may be through a view.
    """

    reads: list[str]
    writes: list[str]
    owners: list[str]
    kernel: Kernel | None = None
    node: Node | None = None

    def __str__(self) -> str:
        """The name of the kernel or of the node."""
        return self.kernel.name if self.kernel else str(self.node)


@dataclass(eq=False, slots=True)
class Program:
    """Kernels and nodes in the order in which they run.

    Attributes:
        steps: What happens.
        values: The value that lies in each buffer.
        arrays: The nodes that must be arrays of their own: results, and what NumPy reads.
        temporaries: The buffers that live only from kernel to kernel: bytes by name.
        scratch: The rows that single kernels need for themselves.
        inplace: The argument over which a result lies, by name.
        after: The steps for which a step must wait besides those that make what it reads.
    """

    graph: Graph
    steps: list[Step] = field(default_factory=list[Step])
    values: dict[str, Value] = field(default_factory=dict[str, Value])
    arrays: list[Node] = field(default_factory=list[Node])
    temporaries: dict[str, int] = field(default_factory=dict[str, int])
    scratch: dict[str, int] = field(default_factory=dict[str, int])
    inplace: dict[str, str] = field(default_factory=dict[str, str])
    after: dict[Step, list[Step]] = field(default_factory=dict[Any, Any])

    @property
    def writes(self) -> list[Node]:
        """The last nodes of the graph: those that write results into arguments."""
        return [n for n in self.graph.nodes if n.kind == "write"]

    @property
    def results(self) -> list[Node]:
        """The nodes that somebody outside sees: those that are returned, and those that are written into arguments."""
        return [*self.returned, *(n.inputs[1] for n in self.writes)]

    @property
    def numbers(self) -> list[Node]:
        """The arguments that are Python numbers, as far as kernels read them."""
        return [n for n in self.graph.placeholders if n.facts.number and n.name in self.temporaries]

    def overwrites(self, write: Node) -> bool:
        """Whether the kernel has written the result of a write where it belongs."""
        argument, value = write.inputs
        return self.inplace.get(value.name) == argument.name

    @property
    def returned(self) -> list[Node]:
        """The nodes that the graph returns."""
        return [n for n in flatten(self.graph.returned)[0] if isinstance(n, Node)]

    def memory(self, node: Node) -> str:
        """The buffer whose memory a node shows."""
        return root(node).name

    def storage(self, buffer: str) -> str:
        """The buffer whose memory a buffer has: its own, or that of the argument over which it lies."""
        return self.inplace.get(buffer, buffer)

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels, in order."""
        return [s.kernel for s in self.steps if s.kernel is not None]

    def __str__(self) -> str:
        """The kernels as text, with their reasons, and the nodes between them."""
        said = [show(s.kernel) if s.kernel else f"numpy {s.node}: {s.node and s.node.facts}" for s in self.steps]
        return "\n".join(said)


def scheduled(graph: Graph, device: str = "cpu", recipe: Recipe = USUAL) -> Program:
    """The program of a pure graph in core ops (see `decompose`), whose kernels run on a device."""
    translation = Translation(graph, device, recipe.library)
    return Builder(graph, translation, arrays_of(graph, translation), recipe.fusion).program


def arrays_of(graph: Graph, translation: Translation) -> list[Node]:
    """The nodes that NumPy or the caller must see as arrays of their own. A view is not: it shows another's."""
    read = [*(f for o in translation.outside for f in o.feeds), *translation.views]
    seen, outside = {root(n) for n in (*read, *Program(graph).results)}, set(translation.outside)
    return [n for n in graph.nodes if n in seen and n.kind == "call" and n not in outside]


F = TypeVar("F", bound=Fusion)


class Builder(Generic[F]):
    """Puts a program together, from the groups that `fuse` finds."""

    def __init__(
        self,
        graph: Graph,
        translation: Translation,
        arrays: list[Node],
        fuse: Callable[[list[Value], dict[str, list[Value]]], F],
    ) -> None:
        self.program = Program(graph, arrays=arrays)
        self.outside, self.on_cpu = translation.outside, translation.device == "cpu"
        self.owner = {n.name: root(n).name for n in translation.views}
        self.of = translation.of
        given = {n.name: [self.of[root(f)] for f in n.feeds] for n in self.outside}
        given |= {n.name: [self.of[root(n)]] for n in translation.views}
        drawing = [n for n in self.outside if draws(n)]
        for before, n in pairwise(drawing):
            given[n.name].append(self.of[before])  # what draws keeps its order
        wanted = [self.of[n] for n in arrays]
        read = [v for values in given.values() for v in values]
        feeds: Callable[[Value], list[Value]]
        feeds = lambda v: [*v.src, *(given.get(v.attr, []) if v.op == "input" else [])]  # noqa: E731
        new = prepared([*wanted, *read], feeds, vectors=self.on_cpu)
        found = owners([new[v] for v in wanted])
        self.given = {name: [new[v] for v in values] for name, values in given.items()}
        self.fusion = fuse(found, self.given)
        self.stored = self.fusion.stored(set(found))
        self.names = self.named(dict(zip(found, arrays, strict=True)))
        self.build()

    def named(self, owners: dict[Value, Node]) -> dict[Value, str]:
        """The buffer of every value in memory; a temporary is called like its node."""
        names = {v: v.attr for v in self.fusion.order if v.op == "input"}
        names |= {v: n.name for v, n in owners.items()}
        numbers = {n.name for n in self.program.graph.placeholders if n.facts.number}
        self.program.temporaries |= {name: 8 for name in names.values() if name in numbers}
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
                steps.append(Step(reads, writes, [self.owner.get(b, b) for b in reads], kernel))
        before: Step | None = None
        for node in self.outside:
            read = [root(f).name for f in node.feeds]
            step = Step(read, [node.name], read, node=node)
            steps.append(step)
            if draws(node):
                self.program.after[step] = [before] if before else []
                before = step
        ordered = in_order(with_tails(steps, self.program), self.program.after)
        assert ordered is not None, "fusion lets no group wait for itself"
        self.program.steps = ordered
        triangles, gaps = Triangles(), Gaps()
        for kernel in self.program.kernels:
            triangles.see(kernel)
            if self.on_cpu:
                gaps.see(kernel)
        self.program.scratch = lowering.scratch
        self.program.values = {name: v for v, name in self.names.items()}


def with_tails(steps: list[Step], program: Program) -> list[Step]:
    """The steps, where a sum of what one kernel has left follows in the same launch: the loss after its rows."""
    for tail in [s for s in steps if s.kernel and all(isinstance(x, (Sweep, Store)) for x in s.kernel.body)]:
        made = [s for s in steps if s is not tail and set(s.writes) & set(tail.owners)]
        head = made[0] if made else tail
        assert tail.kernel is not None
        seen = tail.reads != tail.owners  # through a view that NumPy makes in between
        if len(made) != 1 or head.kernel is None or seen or not tail.kernel.name.startswith("rows"):
            continue
        head.kernel.body += tail.kernel.body
        left = ", ".join(sorted(set(head.writes) & set(tail.reads)))
        head.kernel.reasons += [*tail.kernel.reasons, f"{left}: what is summed at the end stays in the cache"]
        reads = [*head.reads, *(b for b in tail.reads if b not in head.writes)]
        owners = [*head.owners, *(b for b in tail.reads if b not in head.writes)]
        joined = Step(reads, [*head.writes, *tail.writes], owners, head.kernel)
        steps = [joined if s is head else s for s in steps if s is not tail]
    return steps


def in_order(steps: list[Step], after: Mapping[Step, Sequence[Step]]) -> list[Step] | None:
    """The steps, each after what it waits for, and kernels in long runs; None if some wait for each other."""
    writer = {name: s for s in steps for name in s.writes}
    waits = {s: {writer[b] for b in s.owners if b in writer} | set(after.get(s, ())) for s in steps}
    readers: dict[Step, list[Step]] = {s: [] for s in steps}
    for s, before in waits.items():
        for b in before:
            readers[b].append(s)
    kernels, nodes = deque[Step](), deque[Step]()
    for s in steps:
        if not waits[s]:
            (kernels if s.kernel else nodes).append(s)
    out: list[Step] = []
    while kernels or nodes:
        s = (kernels or nodes).popleft()
        out.append(s)
        for r in readers[s]:
            waits[r].discard(s)
            if not waits[r]:
                (kernels if r.kernel else nodes).append(r)
    return out if len(out) == len(steps) else None
