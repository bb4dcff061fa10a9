"""One call of a region that wants gradients: what its node on the tape asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ...autograd.context import FunctionContext
from ...autograd.custom import Again, Call, Flat, Slots
from ...autograd.node import Node, freed
from ...core.interpret import grad_mode
from ...errors import GradientError
from ...func.trees import flatten
from ...tensors.tensor import Tensor, grounded, storage_of
from ..autodiff.again import Given, gradients_again, refused, taken_apart
from ..autodiff.imagined import Place, Since
from ..autodiff.partition import behind
from .results import Source
from .stages import Memory


class RegionCall(Call):
    """One call of a region that wants gradients: the rules are its kernels."""

    single = False
    asked: Sequence[int] = ()  # the results from which the last walk came
    given: Given | None = None  # the arguments, for a walk that is to be differentiated in turn
    shown: Mapping[str, Any] = MappingProxyType({})  # the nodes of views of results of which the cotangent is watched
    since: Mapping[Place, Since] = MappingProxyType({})  # what may be written later, and the version it had at first
    numbers: Mapping[int, Any] = MappingProxyType({})  # those of the saved values that are Python's numbers

    def __init__(self, region: Any, wanted: tuple[int, ...]) -> None:
        self.region, self.wanted, self.name = region, wanted, name_of(region)
        self.freed: set[Node] = set()  # the ops of which walks have used up what they had saved

    def run(self, args: Flat) -> list[Any]:
        """The results, where no derivative is wanted."""
        if not self.wanted:
            return self.region.plain(args)
        kernels = self.region.differentiated(self.wanted)
        values = kernels.forward(*map(operand, args))
        return self.region.owned(values[: len(kernels.joint.outputs)])

    def forward(self, ctx: FunctionContext, args: Flat, again: Again) -> list[Any]:
        """Run the forward kernel, and keep what it hands on."""
        kernels = self.region.differentiated(self.wanted)
        given = list(map(operand, args))
        self.given = Given(args, given)
        values = kernels.forward(*given)
        count = len(kernels.joint.outputs)
        outs = self.region.owned(values[:count])
        if len(kernels.joint.moving) < count:
            moving = kernels.joint.moving
            ctx.mark_non_differentiable(*(x for i, x in enumerate(outs) if i not in moving))
        self.since = self.versions(args, outs)
        ctx.set_materialize_grads(False)
        kept = list(zip(values[count:], kernels.memories, strict=True))
        self.numbers = {k: x for k, (x, at) in enumerate(kept) if at.number}
        ctx.save_for_backward(*[self.saved(x, at, args, outs) for x, at in kept])
        return outs

    def saved(self, value: Any, at: Memory, args: Flat, outs: list[Any]) -> Tensor | None:
        """A value to save: a copy of what the region is about to write, and of what eager execution would let go."""
        if at.number:
            return None
        place = Place(at.result < 0, max(at.result, at.argument))
        if place.position < 0 or (at.result >= self.region.owners):
            return Tensor(value)
        written = place.argument and place.position in self.region.overwritten
        if written or place not in self.region.differentiated(self.wanted).tape.holds:
            return Tensor(value.copy())
        return outs[place.position] if at.result >= 0 else Tensor(value, None, storage_of(args[place.position]))

    def versions(self, args: Flat, outs: list[Any]) -> dict[Place, Since]:
        """The storages that a walk may ask for, each with the version that it had before the region wrote into it."""
        found = dict[Place, Since]()
        for place in self.region.differentiated(self.wanted).tape.holds:
            storage = storage_of((args if place.argument else outs)[place.position])
            found[place] = storage, storage.version if place.argument else 0
        return found

    def backward(self, ctx: FunctionContext, grads: Flat) -> Any:
        """Run the backward kernel; or the ops themselves, if the walk is to be differentiated in turn.

        Raises:
            GradientError: What the walk needs was freed, or written since; or the ops cannot be run again.
        """
        kernels, node = self.region.differentiated(self.wanted), ctx.node
        moving = kernels.joint.moving
        self.asked = [i for i in moving if grads[i] is not None]
        met = kernels.tape.walk(self.asked, self.to)
        kernels.tape.check(met, self.since, self.freed, self.retain)
        count = len(self.region.plan.core.placeholders)
        if grad_mode.get():
            if self.region.obstacle or self.given is None:
                raise refused(self.name, self.region.obstacle)
            cotangents = {i: grads[i] for i in self.asked}
            again = gradients_again(self.region.core(), self.given, self.wanted, cotangents, node, self.retain)
            return tuple(map(again.get, range(count)))
        saved, tangents = range(len(kernels.parts.saved)), [grads[i] for i in self.asked]
        gradients, run = range(len(self.wanted)), kernels.backward
        if len(self.asked) < len(moving):
            walk, run = kernels.walk(tuple(k for k, i in enumerate(moving) if i in self.asked))
            saved, gradients = walk.saved, walk.gradients
        held = [self.numbers[k] if k in self.numbers else ctx.saved_tensor(k).value for k in saved]
        given = [*held, *(g.value for g in tangents)]
        values = separate(run(*given), given)
        found = {self.wanted[k]: value for k, value in zip(gradients, values, strict=True)}
        return tuple(Tensor(found[i]) if i in met.arrives else None for i in range(count))

    def expose(self, node: Any, end: Any, views: tuple[Any, ...]) -> None:
        """Run the ops on the tape after all, if the cotangent of a result is watched from which another was computed.

        Raises:
            GradientError: They cannot be run again.
        """
        core, plan = self.region.core(), self.region.plan
        ends = {k: part for k, found in node.op.parts.items() if (part := found()) is not None}
        leaves = flatten(core.returned)[0]
        i = next(k for k, part in ends.items() if part is end)
        if self.given is None or not any(leaves[i] in behind([leaves[k]]) for k in ends if k != i):
            return
        shown = [s.views for s in plan.sources if isinstance(s, Source) and not s.argument and s.index == i]
        self.shown = {**self.shown, **{n.name: v for chain in shown for n, v in zip(chain, views, strict=False)}}
        taken_apart(core, self.region.overwritten, self.given, node, ends, self.shown)

    def used_up(self, node: Any, g: Any) -> GradientError:
        """The error of another walk after that: that of the first op that has nothing left."""
        kernels = self.region.differentiated(self.wanted)
        grads = g if isinstance(g, Slots) else (g,)
        met = kernels.tape.walk((i for i in kernels.joint.moving if grads[i] is not None), self.to)
        return freed(next((step.node for step in met.steps if step.node in self.freed), node))

    def spent(self) -> bool:
        """Whether no walk from any result can use what was saved any more."""
        kernels = self.region.differentiated(self.wanted)
        self.freed |= kernels.tape.walk(self.asked, self.to).freed
        over = all(self.freed & kernels.tape.walk([i]).freed for i in kernels.joint.moving)
        self.given = None if over else self.given
        return over


def name_of(region: Any) -> str:
    """What the node of a region is called."""
    return f"Compiled_{region.plan.core.name}"


def operand(x: Any) -> Any:
    """What a kernel takes for an argument: the array of a tensor, a number as it is."""
    return grounded(x).value if isinstance(x, Tensor) else x


def separate(values: list[Any], given: list[Any]) -> list[Any]:
    """Gradients in memory of their own: a kernel may give one value for two of them, or hand on what it was given."""
    taken, found = {id(x) for x in given}, list[Any]()
    for value in values:
        found.append(value.copy() if id(value) in taken else value)
        taken.add(id(value))
    return found
