"""A compiled region: a captured program as code, on the tape as one node.

Without gradients one kernel runs. With them the forward kernel also returns what the backward kernel will need, and the
tape gets a single node whose rule is that kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...autograd.custom import Call, Flat
from ...autograd.eager import Eager
from ...autograd.short import EAGER
from ...core.array import memory_of
from ...core.interpret import autocast_mode, grad_enabled, grad_mode, stack, uncast
from ...errors import ArgumentError
from ...tensors.tensor import Tensor, storage_of, tracked
from ..autodiff.again import obstacle
from ..autodiff.aot import Joint, joint
from ..autodiff.imagined import imagined
from ..autodiff.partition import Partition, min_cut_partition
from ..ir.evaluate import evaluate
from ..ir.graph import Graph, Node
from ..passes.functionalise import functionalise
from ..targets.record import Make, Runs
from .call import RegionCall, operand
from .results import planned
from .stages import Differentiated, Passes, Values, differentiated, values
from .taped import MISS, taped

MANY = 8  # ways that are made, for arguments of other types or with other histories
Ways = dict[tuple[Any, ...], Callable[..., Any] | None]


@dataclass(eq=False, slots=True, weakref_slot=True)
class Region:
    """A captured program, compiled by `backend`. Calling it does what the program did."""

    graph: Graph
    backend: Make
    passes: Passes = None  # those of `optimize`, if none are given
    budget: float = 1.0
    pure: Any = field(init=False)
    plan: Any = field(init=False)
    recorded: bool = field(init=False)  # whether a gradient may flow through it
    closed: bool = field(init=False)  # whether it has no derivative that can be made ahead of time
    obstacle: str = field(init=False)  # why it cannot be run again to be differentiated twice, if it cannot
    owners: int = field(init=False)  # how many values it computes to return
    written: list[tuple[int, int]] = field(init=False)  # arguments into which the kernel writes, and with which result
    overwritten: frozenset[int] = field(init=False)  # the arguments that are written, by the kernel or after it
    values: Values | None = field(init=False, default=None)
    kernels: dict[tuple[int, ...], Differentiated] = field(init=False, default_factory=dict[Any, Differentiated])
    ways: Ways = field(init=False, default_factory=dict[Any, Any])

    def __post_init__(self) -> None:
        """Work out what is to be computed."""
        self.pure = functionalise(self.graph)
        self.plan, self.recorded = planned(self.pure), self.graph.recorded
        self.closed = any(n.kind == "custom" and not opens(n.payload) for n in self.graph.nodes)
        self.closed = self.closed or (self.recorded and reckons(self.plan.core))
        self.obstacle = obstacle(self.plan.core, self.plan.writes)
        self.owners = len(self.plan.core.returned) - len(self.plan.writes)
        arguments = self.plan.core.placeholders
        self.overwritten = frozenset(i for i, _, _ in self.plan.writes)
        self.written = [(i, k) for i, k, _ in self.plan.writes if arguments[i].shape]

    def __call__(self, *args: Any) -> Any:
        """Run on tensors and numbers, one per placeholder of the graph."""
        for way in self.ways.values():
            if way is not None and (out := way(self, *args)) is not MISS:
                return out
        return self.run(args)

    def run(self, args: Flat) -> Any:
        """Run on whatever arguments, on whatever tape. Inside a transform the graph runs op by op."""
        if autocast_mode.get():  # the casts of its blocks are nodes of the graph
            with uncast():
                return self.run(args)
        top = stack.get()
        tensors = [x for x in args if isinstance(x, Tensor)]
        if not isinstance(top, Eager) or any(x.level for x in tensors) or (self.plan.writes and share_memory(tensors)):
            return self.op_by_op(args)
        given = [*args, *self.pure.outside]
        wanted = self.wanted(given)
        if not wanted:
            computed = self.plain(given) if top is EAGER else self.told(top, given)
            return self.plan.result(given, computed)
        if self.closed:
            return self.op_by_op(args)
        if top is EAGER and len(self.ways) < MANY and (key := (wanted, *map(type, given))) not in self.ways:
            self.ways = {**self.ways, key: taped(self, wanted, given)}
        computed = top.custom(RegionCall(self, wanted), given)
        for i, k, recorded in self.plan.writes:
            storage_of(given[i]).version += self.plan.versions[k] - 1
            with grad_enabled(recorded and grad_mode.get()):
                given[i].copy_(computed[k])
        return self.plan.result(given, computed)

    @property
    def lengths(self) -> dict[str, int]:
        """The numbers of its symbols: a region of its own has none."""
        return {}

    def told(self, top: Eager, given: Flat) -> list[Tensor]:
        """The same on another tape than the plain one, which is told though nothing leaves a node."""
        with grad_enabled(self.recorded and grad_mode.get()):
            return top.custom(RegionCall(self, ()), given)

    def wanted(self, given: Flat) -> tuple[int, ...]:
        """The positions of the arguments that want a gradient."""
        if not (self.recorded and grad_mode.get()):
            return ()
        return tuple(i for i, x in enumerate(given) if isinstance(x, Tensor) and tracked(x) is not None)

    def op_by_op(self, args: Flat) -> Any:
        """Run the graph, and no kernel."""
        with grad_enabled(self.recorded and grad_mode.get()):
            return evaluate(self.graph, list(args))

    def plain(self, given: Flat) -> list[Tensor]:
        """What is computed, without history. What is written into arguments is written."""
        arrays = self.compiled()(*map(operand, given))
        computed = self.owned(arrays)
        for i, k, _ in self.plan.writes:  # of which `copy_` counts one
            storage_of(given[i]).version += self.plan.versions[k] - ((i, k) not in self.written)
        left = [i for i, k, _ in self.plan.writes if (i, k) not in self.written]
        with grad_enabled(False):
            for i, value in zip(left, computed[self.owners :], strict=True):
                given[i].copy_(value)
        return computed

    def owned(self, arrays: Any) -> list[Tensor]:
        """Computed values as tensors, which know how often the program has written into them."""
        computed = [Tensor(value) for value in arrays]
        for x, times in zip(computed[: self.owners], self.plan.versions, strict=False):
            if times and stack.get().counts_writes:
                storage_of(x).version = times
        return computed

    def compiled(self) -> Runs:
        """The kernel for values alone, compiled when first needed."""
        if self.values is None:
            self.values = values(self.plan.core, self.owners, self.written, self.passes, self.backend)
        return self.values.kernel

    def differentiated(self, wanted: tuple[int, ...]) -> Differentiated:
        """The kernels for these arguments, compiled when first needed."""
        found = self.kernels.get(wanted)
        if found is None:
            plan = self.plan
            tape = imagined(self.graph, self.pure.outside, wanted, plan.sources, plan.writes)
            found = differentiated(plan.core, wanted, self.passes, self.parted, self.backend, tape)
            self.kernels[wanted] = found
        return found

    def core(self) -> Graph:
        """What it computes, without what it does besides."""
        return self.plan.core

    def parted(self, both: Joint) -> Partition:
        """Where forward and backward are cut."""
        return min_cut_partition(both, self.budget)


def share_memory(tensors: list[Tensor]) -> bool:
    """Whether two of some tensors do."""
    owners = [id(memory_of(x.value)) for x in tensors]
    return len(set(owners)) < len(owners)


def settled(graph: Graph) -> bool:
    """Whether every number among the arguments has the dtype of all that it meets."""
    return not any(
        i.facts.number and i.dtype not in (met.dtype for met in node.feeds if not met.facts.number)
        for node in graph.calls
        for i in node.feeds
    )


def reckons(graph: Graph) -> bool:
    """Whether a rule of a derivative reckons with a number of Python's alone, in all the digits that one has."""
    tensors = [i for i, n in enumerate(graph.placeholders) if not n.facts.number]
    if len(tensors) == len(graph.placeholders):
        return False
    return len(of_numbers(joint(graph, tensors).graph)) > len(of_numbers(graph))


def of_numbers(graph: Graph) -> list[Node]:
    """The ops on nothing but numbers of Python's."""
    return [n for n in graph.calls if n.feeds and all(feed.facts.number for feed in n.feeds)]


def opens(call: Call) -> bool:
    """Whether a transform may look into a call: not into a Function whose forward fills a context of its own."""
    try:
        call.enter("compile")
    except ArgumentError:
        return False
    return True
