"""A compiled region: a captured program as code, on the tape as one node.

Without gradients one kernel runs. With them the forward kernel also returns what the backward kernel will need, and the
tape gets a single node whose rule is that kernel.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..array import memory_of
from ..autograd.context import FunctionContext
from ..autograd.custom import Again, Call, Flat
from ..autograd.eager import Eager
from ..autograd.node import freed
from ..autograd.short import EAGER
from ..errors import ArgumentError
from ..interpret import grad_enabled, grad_mode, stack
from ..tensor import Tensor, grounded, storage_of, tracked
from .again import Given, gradients_again, obstacle, refused
from .aot import Joint
from .backends import Backend, Runs
from .evaluate import evaluate
from .graph import Graph, Node
from .partition import Partition, min_cut_partition
from .passes.functionalise import functionalise
from .results import planned
from .stages import Differentiated, Memory, Passes, Values, differentiated, values


@dataclass(eq=False, slots=True, weakref_slot=True)
class Region:
    """A captured program, compiled by `backend`. Calling it does what the program did."""

    graph: Graph
    backend: Backend
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

    def __post_init__(self) -> None:
        """Work out what is to be computed."""
        self.pure = functionalise(self.graph)
        self.plan, self.recorded = planned(self.pure), self.graph.recorded
        self.closed = any(n.facts.number or (n.kind == "custom" and not opens(n.payload)) for n in self.graph.nodes)
        self.obstacle = obstacle(self.plan.core, self.plan.writes)
        self.owners = len(self.plan.core.returned) - len(self.plan.writes)
        arguments = self.plan.core.placeholders
        self.overwritten = frozenset(i for i, _, _ in self.plan.writes)
        self.written = [(i, k) for i, k, _ in self.plan.writes if arguments[i].shape]

    def __call__(self, *args: Any) -> Any:
        """Run on tensors and numbers, one per placeholder of the graph. Inside a transform the graph runs op by op."""
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
        computed = top.custom(RegionCall(self, wanted), given)
        for i, k, recorded in self.plan.writes:
            with grad_enabled(recorded and grad_mode.get()):
                given[i].copy_(computed[k])
        return self.plan.result(given, computed)

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
        arrays = self.compiled()(*[grounded(x).value if isinstance(x, Tensor) else x for x in given])
        computed = [Tensor(value) for value in arrays]
        for i, _ in self.written:
            storage_of(given[i]).version += 1
        left = [i for i, k, _ in self.plan.writes if (i, k) not in self.written]
        with grad_enabled(False):
            for i, value in zip(left, computed[self.owners :], strict=True):
                given[i].copy_(value)
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
            found = differentiated(self.plan.core, wanted, self.passes, self.parted, self.backend)
            self.kernels[wanted] = found
        return found

    def core(self) -> Graph:
        """What it computes, without what it does besides."""
        return self.plan.core

    def parted(self, both: Joint) -> Partition:
        """Where forward and backward are cut."""
        return min_cut_partition(both, self.budget)


class RegionCall(Call):
    """One call of a region that wants gradients: the rules are its kernels."""

    def __init__(self, region: Region, wanted: tuple[int, ...]) -> None:
        self.region, self.wanted, self.name = region, wanted, f"Compiled_{region.graph.name}"
        self.single = False
        self.asked: list[int] = []  # the results from which the last walk came
        self.freed: set[Node] = set()  # the ops of which walks have used up what they had saved
        self.given: Given | None = None  # the arguments, for a walk that is to be differentiated in turn

    def run(self, args: Flat) -> list[Any]:
        """The results, where no derivative is wanted."""
        if not self.wanted:
            return self.region.plain(args)
        kernels = self.region.differentiated(self.wanted)
        values = kernels.forward(*[grounded(x).value for x in args])
        return [Tensor(value) for value in values[: len(kernels.joint.outputs)]]

    def forward(self, ctx: FunctionContext, args: Flat, again: Again) -> list[Any]:
        """Run the forward kernel, and keep what it hands on."""
        kernels = self.region.differentiated(self.wanted)
        given = [grounded(x).value for x in args]
        self.given = None if self.region.obstacle else Given(args, given)
        values = kernels.forward(*given)
        count = len(kernels.joint.outputs)
        outs = [Tensor(value) for value in values[:count]]
        if len(kernels.joint.moving) < count:
            moving = kernels.joint.moving
            ctx.mark_non_differentiable(*(x for i, x in enumerate(outs) if i not in moving))
        ctx.set_materialize_grads(False)
        kept = zip(values[count:], kernels.memories, strict=True)
        ctx.save_for_backward(*[outs[at.result] if at.result >= 0 else self.saved(x, at, args) for x, at in kept])
        return outs

    def saved(self, value: Any, at: Memory, args: Flat) -> Tensor:
        """A value to save that is no result: a copy, if it lies in an argument that the region is about to write."""
        if at.argument < 0:
            return Tensor(value)
        if at.argument in self.region.overwritten:
            return Tensor(value.copy())
        return Tensor(value, None, storage_of(args[at.argument]))

    def backward(self, ctx: FunctionContext, grads: Flat) -> Any:
        """Run the backward kernel; or the ops themselves, if the walk is to be differentiated in turn.

        Raises:
            GradientError: What the walk needs was freed, or written since; or the ops cannot be run again.
        """
        kernels, node = self.region.differentiated(self.wanted), ctx.node
        moving = kernels.joint.moving
        self.asked = [i for i in moving if grads[i] is not None]
        if any(self.freed & kernels.ways[i].freed for i in self.asked):
            raise freed(node)
        count = len(self.region.plan.core.placeholders)
        if grad_mode.get():
            if self.given is None:
                raise refused(self.name, self.region.obstacle)
            cotangents = {i: grads[i] for i in self.asked}
            again = gradients_again(self.region.core(), self.given, self.wanted, cotangents, node, self.retain)
            return tuple(map(again.get, range(count)))
        saved, tangents = range(len(kernels.parts.saved)), [grads[i] for i in self.asked]
        gradients, run = range(len(self.wanted)), kernels.backward
        if len(self.asked) < len(moving):
            walk, run = kernels.walk(tuple(k for k, i in enumerate(moving) if i in self.asked))
            saved, gradients = walk.saved, walk.gradients
        given = [x.value for x in (*map(ctx.saved_tensor, saved), *tangents)]
        values = separate(run(*given), given)
        found = {self.wanted[k]: value for k, value in zip(gradients, values, strict=True)}
        arrives = set[int]().union(*(kernels.ways[i].arrives for i in self.asked))
        return tuple(Tensor(found[i]) if i in arrives else None for i in range(count))

    def spent(self) -> bool:
        """Whether no walk from any result can use what was saved any more."""
        kernels = self.region.differentiated(self.wanted)
        self.freed.update(*(kernels.ways[i].freed for i in self.asked))
        over = all(self.freed & kernels.ways[i].freed for i in kernels.joint.moving)
        self.given = None if over else self.given
        return over


def separate(values: list[Any], given: list[Any]) -> list[Any]:
    """Gradients in memory of their own: a kernel may give one value for two of them, or hand on what it was given."""
    taken, found = {id(x) for x in given}, list[Any]()
    for value in values:
        found.append(value.copy() if id(value) in taken else value)
        taken.add(id(value))
    return found


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


def opens(call: Call) -> bool:
    """Whether a transform may look into a call: not into a Function whose forward fills a context of its own."""
    try:
        call.enter("compile")
    except ArgumentError:
        return False
    return True
