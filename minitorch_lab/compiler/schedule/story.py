"""How a schedule comes about: op by op, then decision by decision, each with the launches and the bytes that are left.

Every stage is a whole program: its launches are lowered to loops like those that run, and their loads and stores are
counted. So what a decision saves is a difference of two programs, and the last stage is the schedule itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ...ops.work import work
from ..ir.graph import Graph, Node
from ..ir.views import root
from ..loops.affine import Index
from ..loops.ir import Kernel
from ..loops.show import Line, listing
from ..passes.cse import cse
from ..passes.dce import dce
from ..passes.decompose import decompose
from .fuse import Fusion
from .group import Group
from .lower import Lowering
from .program import Builder, Program, Step, arrays_of
from .translate import Translation
from .values import Value, base

Moved = tuple[str, int]  # a buffer, and its bytes


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch of a stage: a kernel, or a node that NumPy runs.

    Attributes:
        members: The names of the ops that it computes.
        reads: What it reads from memory.
        writes: What it writes there.
        flops: Its operations.
        lines: Its loops.
    """

    members: tuple[str, ...]
    reads: tuple[Moved, ...]
    writes: tuple[Moved, ...]
    flops: int
    lines: tuple[Line, ...]
    numpy: bool = False

    @property
    def nbytes(self) -> int:
        """The bytes that it moves."""
        return sum(n for _, n in (*self.reads, *self.writes))

    @property
    def intensity(self) -> Fraction:
        """Operations for each byte."""
        return Fraction(self.flops, max(self.nbytes, 1))


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided. `joined`: whether the values `of` and `by`, which reads it, are in one kernel since then.

    `kind` is `"fuse"`; `"recompute"`, where readers compute `of` again; or `"launch"`, where two kernels run as one.
    `why` is the rule, or the reason against it.
    """

    kind: str
    of: str
    by: str
    joined: bool
    why: str


@dataclass(frozen=True, slots=True)
class Stage:
    """The program after a decision; before any, op by op, it is None."""

    decision: Decision | None
    launches: tuple[Launch, ...]

    @property
    def nbytes(self) -> int:
        """The bytes that all launches move."""
        return sum(launch.nbytes for launch in self.launches)


@dataclass(frozen=True, slots=True)
class Entry:
    """A value of the graph: an argument, or what an op computes; its readers know it by its name."""

    name: str
    nbytes: int
    node: Node | None
    op: str  # nothing for an argument
    feeds: tuple[str, ...]
    returned: bool


@dataclass(frozen=True, slots=True)
class Story:
    """The values of a program, and its stages."""

    graph: Graph
    program: Program
    entries: tuple[Entry, ...]
    stages: tuple[Stage, ...]


def story(graph: Graph) -> Story:
    """How the schedule of a pure graph comes about.

    Example:
        >>> import minitorch_lab as ml
        >>> found = story(ml.jit.trace(lambda a, b: ((a + b) * 2).relu(), ml.ones(1000), ml.zeros(1000)).graph)
        >>> for stage in found.stages:
        ...     print(len(stage.launches), stage.nbytes, stage.decision and stage.decision.why)
        3 28000 None
        2 20000 pointwise into its consumer
        1 12000 pointwise into its consumer
    """
    core = dce(cse(decompose(graph)))
    translation = Translation(core)
    return Telling(Builder(core, translation, arrays_of(core, translation), Watched)).story()


class Watched(Fusion):
    """Fusion that remembers what it decided."""

    def __init__(self, outputs: list[Value], inputs: dict[str, list[Value]]) -> None:
        self.decisions: list[tuple[Value, Value, Group | str, str]] = []
        super().__init__(outputs, inputs)

    def decided(self, u: Value, v: Value, outcome: Group | str) -> None:
        """Remember it, and why."""
        why = outcome.reasons[-1].partition(":")[0] if isinstance(outcome, Group) else outcome
        self.decisions.append((u, v, outcome, why))


class OpByOp(Fusion):
    """An op is one launch, though it may be several values. No two ops are together."""

    def merged(self, a: Group, b: Group, u: Value, v: Value, index: Index) -> Group | str:
        """Only what is one op."""
        return super().merged(a, b, u, v, index) if u.node is v.node else "they are two ops"


class Telling:
    """Makes the stages of a program that was built."""

    def __init__(self, builder: Builder[Watched]) -> None:
        self.program, self.fusion, self.stored = builder.program, builder.fusion, builder.stored
        self.first = OpByOp(list(builder.fusion.outputs), builder.given).group
        self.names = self.named(builder.names)
        self.value = {name: v for v, name in self.names.items()}
        self.place = {n.name: k for k, n in enumerate(builder.program.graph.nodes)}
        self.known: dict[Any, Launch] = {}

    def named(self, given: dict[Value, str]) -> dict[Value, str]:
        """A buffer for every value that is computed, should it lie in memory."""
        names, taken = dict(given), set(given.values())
        for v in self.fusion.order:
            if v in self.fusion.group and v not in names:
                stem = v.node.name if v.node is not None else v.op
                names[v] = next(n for n in (f"{stem}{'′' * i}" for i in range(len(taken) + 1)) if n not in taken)
                taken.add(names[v])
        return names

    def name_value(self, v: Value) -> str:
        """By what name a reader knows a value: that of its op."""
        return self.names[v] if v.node is None or v.op == "input" else v.node.name

    def story(self) -> Story:
        """All of it."""
        joined: dict[Value, Group] = {}
        stages = [Stage(None, self.launches(self.first, self.leaving(self.first)))]
        for u, v, outcome, why in self.fusion.decisions:
            one_op = u.node is v.node
            if one_op and (isinstance(outcome, str) or len({w.node for w in outcome.home}) == 1):
                continue  # it is one launch from the start
            if isinstance(outcome, Group):
                joined |= dict.fromkeys(outcome.home, outcome)
            group = self.partition(joined)
            launches = self.launches(group, self.leaving(group))
            if one_op:  # belongs to the decision before it
                stages[-1] = replace(stages[-1], launches=launches)
            else:
                decision = Decision("fuse", self.name_value(u), self.name_value(v), isinstance(outcome, Group), why)
                stages.append(Stage(decision, launches))
        stages += self.recomputed(self.partition(joined))
        stages += self.together()
        return Story(self.program.graph, self.program, tuple(self.entries()), tuple(stages))

    def partition(self, joined: dict[Value, Group]) -> dict[Value, Group]:
        """The group of every value, where these are joined, and the others are still op by op."""
        broken = {v for v in self.first if any(w in joined for w in self.first[v].home)}
        return {v: joined.get(v) or (self.fusion.maker.own(v) if v in broken else g) for v, g in self.first.items()}

    # ---- stages -----------------------------------------------------------------------------------------------------
    def leaving(self, group: dict[Value, Group]) -> set[Value]:
        """The values that leave their kernel."""
        return {v for v, g in group.items() if self.fusion.leaving(v, g)}

    def recomputed(self, group: dict[Value, Group]) -> list[Stage]:
        """A stage for every value that its readers compute again."""
        stored, stages = self.leaving(group), list[Stage]()
        for v in [v for v in group if v in stored and v not in self.stored]:
            stored.discard(v)
            by = self.name_value(self.fusion.users[v][-1])
            why = "it is cheap, and what it is made of lies in memory"
            stages.append(Stage(Decision("recompute", self.name_value(v), by, True, why), self.launches(group, stored)))
        return stages

    def together(self) -> list[Stage]:
        """The last stage, where kernels follow each other in one launch."""
        told: list[Decision] = []
        for step in self.program.steps:
            made = [self.value[w] for w in step.writes]
            if step.kernel is not None and len({self.fusion.group[v] for v in made}) > 1:
                of = next(self.name_value(self.value[b]) for b, _ in step.kernel.loads() if b in step.writes)
                why = "what is summed at the end stays in the cache"
                told.append(Decision("launch", of, self.name_value(made[-1]), True, why))
        return [Stage(told[-1], tuple(map(self.as_run, self.program.steps)))] if told else []

    def as_run(self, step: Step) -> Launch:
        """The launch of a step of the program."""
        if step.kernel is None:
            return self.numpy(step)
        groups = dict.fromkeys(self.fusion.group[self.value[w]] for w in step.writes)
        return self.launch(step.kernel, [v for g in groups for v in g.home], self.program.scratch)

    def launches(self, group: dict[Value, Group], stored: set[Value]) -> tuple[Launch, ...]:
        """The launches of these groups, and the nodes that NumPy runs, in the order of the graph."""
        groups = [g for g in dict.fromkeys(group.values()) if any(v in stored for v in g.home)]
        found = one_each([self.lowered(g, group, stored) for g in groups])
        found += [self.numpy(step) for step in self.program.steps if step.node is not None]
        return tuple(sorted(found, key=lambda launch: max(self.place.get(name, 0) for name in launch.members)))

    def lowered(self, g: Group, group: dict[Value, Group], stored: set[Value]) -> Launch:
        """The launch of one group, made once for all stages in which it is the same."""
        near = {*g.home, *(base(s) for v in g.home for s in v.src)}
        key = g, frozenset(v for v in near if v in stored)
        if key not in self.known:
            own = replace(g, reasons=[])
            lowering = Lowering({v: own if v in g.home else group[v] for v in group}, self.lying(stored), stored)
            kernel = lowering.kernel(own)
            self.known[key] = self.launch(kernel, list(g.home), lowering.scratch)
        return self.known[key]

    def lying(self, stored: set[Value]) -> dict[Value, str]:
        """The buffer of what lies in memory."""
        return {v: name for v, name in self.names.items() if v in stored or v not in self.fusion.group}

    def launch(self, kernel: Kernel, home: Sequence[Value], scratch: Iterable[str]) -> Launch:
        """A kernel that computes these values, counted."""
        values = self.value
        writes, reads = (
            tuple((self.name_value(values[b]), values[b].nbytes) for b in dict.fromkeys(names) if b not in scratch)
            for names in ((s.buffer for s in kernel.stores()), (b for b, _ in kernel.loads()))
        )
        members, nodes = dict.fromkeys(map(self.name_value, home)), [v.node for v in home if v.node is not None]
        return Launch(tuple(members), reads, writes, flops(nodes), tuple(listing(kernel)))

    def numpy(self, step: Step) -> Launch:
        """A node that is left to NumPy."""
        node = step.node
        assert node is not None
        assert node.op is not None
        reads = tuple((root(f).name, root(f).nbytes) for f in dict.fromkeys(node.feeds))
        line = Line(f"{node.name} = np: {node.op.name}({', '.join(name for name, _ in reads)})", node)
        return Launch((node.name,), reads, ((node.name, node.nbytes),), flops([node]), (line,), numpy=True)

    # ---- values -----------------------------------------------------------------------------------------------------
    def entries(self) -> list[Entry]:
        """The values, sources first, an op's together."""
        returned = {root(n).name for n in self.program.results}
        left = {step.node.name: step.node for step in self.program.steps if step.node is not None}
        out: dict[str, Entry] = {}
        for v in self.fusion.order:
            name = self.name_value(v) if v in self.names else ""
            if v in self.fusion.group:
                op = v.node.op.name if v.node is not None and v.node.op is not None else v.op
                before = out[name].feeds if name in out else ()
                feeds = dict.fromkeys((*before, *(f for s in v.src for f in self.feeds(s) if f != name)))
                out[name] = Entry(name, v.nbytes, v.node, op, tuple(feeds), name in returned)
            elif v.op == "input":
                node = left.get(v.attr)
                feeds = {} if node is None else dict.fromkeys(root(f).name for f in node.feeds)
                op = "" if node is None or node.op is None else node.op.name
                out[name] = Entry(name, v.nbytes, v.node, op, tuple(feeds), name in returned)
        return list(out.values())

    def feeds(self, v: Value) -> list[str]:
        """What has to be known for `v`: itself, or for a number that readers compute, what it is made of."""
        v = base(v)
        if v in self.names:
            return [self.name_value(v)]
        return [name for s in v.src for name in self.feeds(s)]


def flops(nodes: Sequence[Node]) -> int:
    """The operations of some nodes, each counted once."""
    return sum(work(n.op, [f.shape for f in n.feeds], n.shape) for n in dict.fromkeys(nodes) if n.op is not None)


def one_each(launches: Sequence[Launch]) -> list[Launch]:
    """The launches; those of a single op, such as a sum over two axes, are one."""
    out: dict[Any, Launch] = {}
    for k, launch in enumerate(launches):
        key = launch.members if len(launch.members) == 1 else k
        one = out.get(key)
        out[key] = launch if one is None else replace(
            one, reads=one.reads + launch.reads, writes=one.writes + launch.writes, lines=one.lines + launch.lines
        )  # fmt: skip
    return list(out.values())
