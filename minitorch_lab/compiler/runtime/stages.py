"""The stages between a pure graph and its kernels. What each made, and how long it took, is kept for `explain`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeVar

from ..autodiff.aot import Joint, joint
from ..autodiff.imagined import Tape
from ..autodiff.partition import Partition
from ..autodiff.walked import Walk, walk_from
from ..ir.graph import Graph, Node
from ..ir.replay import values_only
from ..ir.views import root
from ..memory.arena import Arena, one_arena
from ..passes.pipeline import Pass, Step, optimize, optimize_joint
from ..targets.record import Make, Runs
from .results import writing

T = TypeVar("T")
Seconds = dict[str, float]  # by stage: joint, passes, partition, codegen
Passes = Sequence[str | Pass] | None


@dataclass(eq=False, slots=True)
class Values:
    """A kernel for values alone: `first` is what the passes were given, `graph` what they made of it."""

    first: Graph
    graph: Graph
    kernel: Runs
    steps: list[Step]
    seconds: Seconds


@dataclass(eq=False, slots=True)
class Differentiated:
    """The two kernels for one set of arguments that want a gradient.

    `first` is the joint graph as it was derived, `joint` what the passes made of it, `parts` how that was cut.
    """

    first: Joint
    joint: Joint
    parts: Partition
    forward: Runs
    backward: Runs
    steps: list[Step]
    seconds: Seconds
    memories: list[Memory]  # of the saved values
    tape: Tape  # that eager execution would leave
    backend: Make
    arena: Arena  # forward and backward run in turn
    walks: dict[tuple[int, ...], tuple[Walk, Runs]] = field(default_factory=dict[Any, Any])

    def walk(self, asked: tuple[int, ...]) -> tuple[Walk, Runs]:
        """The walk from some of the results that have a tangent, and its kernel, compiled when first needed."""
        if asked not in self.walks:
            found = walk_from(self.parts.backward, len(self.parts.saved), asked)
            with one_arena(self.arena):
                self.walks[asked] = found, self.backend(found.graph)
        return self.walks[asked]


def values(core: Graph, owners: int, writes: list[tuple[int, int]], passes: Passes, backend: Make) -> Values:
    """The kernel of a pure graph where no gradient is wanted; it writes some results into arguments itself."""
    seconds: Seconds = {}
    steps: list[Step] = []
    first = values_only(core)
    graph = writing(timed(seconds, "passes", lambda: optimize(first, passes, steps)), owners, writes)
    return Values(first, graph, timed(seconds, "codegen", lambda: backend(graph)), steps, seconds)


def differentiated(
    core: Graph,
    wanted: tuple[int, ...],
    passes: Passes,
    parted: Callable[[Joint], Partition],
    backend: Make,
    tape: Tape,
) -> Differentiated:
    """The kernels of a pure graph of which the arguments at the positions `wanted` want a gradient."""
    seconds: Seconds = {}
    steps: list[Step] = []
    first = timed(seconds, "joint", lambda: joint(core, wanted))
    both = timed(seconds, "passes", lambda: optimize_joint(first, passes, steps))
    parts = timed(seconds, "partition", lambda: parted(both))
    with one_arena() as arena:
        forward, backward = timed(seconds, "codegen", lambda: (backend(parts.forward), backend(parts.backward)))
    memories = [memory_of(node, both) for node in parts.saved]
    return Differentiated(first, both, parts, forward, backward, steps, seconds, memories, tape, backend, arena)


@dataclass(frozen=True, slots=True)
class Memory:
    """Whose memory a saved value shows, so that a write to it before the walk is noticed: by position, or -1.

    A number of Python's has none.
    """

    result: int
    argument: int
    number: bool


def memory_of(node: Node, both: Joint) -> Memory:
    """The result that a saved value is, or else the argument that it is a view of."""
    owner = root(node)
    result = both.outputs.index(node) if node in both.outputs else -1
    return Memory(result, both.primals.index(owner) if owner in both.primals else -1, node.facts.number)


def timed(seconds: Seconds, stage: str, work: Callable[[], T]) -> T:
    """What `work` gives; the time goes into `seconds`."""
    start = perf_counter()
    made: Any = work()
    seconds[stage] = perf_counter() - start
    return made
