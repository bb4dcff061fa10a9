"""A recording as a row of moments: an op that ran, or a node's turn in a walk, and what memory did meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ..recording import events as ev
from ..recording.recording import Recording
from .clock import Clock, ahead
from .model import Model

STEPS = 80  # with more moments than this, those of one line and one phase are told together


@dataclass(slots=True, eq=False)
class Moment:
    """One op or one node's turn.

    Attributes:
        id: That of the op, or of the node.
        n: The event that opens it.
        until: The last event that belongs to it.
        phase: forward, backward, recomputation or update.
        op: The op that ran, or the op whose node's turn it is.
        what: How a sentence calls it: "`mul`", or "the rule of `mul`".
        births: Blocks that were born in it, or right before it and for it: what it is the first to read, the seed.
        deaths: Ids of blocks that died in it.
        sends: What a node's rule sent: to which node, of which shape.
        ran: How long it took, if that is known.
    """

    id: str
    n: int
    until: int
    phase: str
    op: ev.Op | None
    what: str
    births: list[ev.Birth] = field(default_factory=list[ev.Birth])
    deaths: list[str] = field(default_factory=list[str])
    sends: list[ev.Send] = field(default_factory=list[ev.Send])
    ran: ev.Ran | None = None

    @property
    def opens(self) -> int:
        """The first event that belongs to it: its own, or the birth of what is there for it."""
        return min([self.n, *(birth.n for birth in self.births)])

    @property
    def line(self) -> str | None:
        """The line that ran; of a node, the forward line of its op."""
        return self.op.line if self.op is not None else None


def moments_of(model: Model) -> list[Moment]:
    """The moments of a recording, in order. What a transform computes with belongs to the op that it stands for."""
    recording = model.recording
    clock, found, walking = Clock(recording), list[Moment](), False
    updated, early, gone = updates(recording), list[ev.Birth](), list[str]()
    for event in recording.events:
        match event:
            case ev.Op() if event.inside is None:
                phase = "backward" if walking else "update" if event.id in updated else "forward"
                phase = "recomputation" if event.again is not None else phase
                found.append(
                    Moment(event.id, event.n, clock.until(event.n), phase, event, f"`{event.op}`", early, gone)
                )
                early, gone = [], []
            case ev.Step():
                found.append(turn(model, event, clock))
                found[-1].births, found[-1].deaths, early, gone = early, gone, [], []
            case ev.Begin() | ev.End():
                walking = isinstance(event, ev.Begin)
            case ev.Ran() if found and found[-1].id == event.of:
                found[-1].ran = event
            case ev.Send() if found:
                found[-1].sends.append(event)
            case ev.Birth() if event.phase == "before":
                pass  # it was met now, and was there
            case ev.Birth() if not found or ahead(event, walking):
                early.append(event)
            case ev.Birth():
                found[-1].births.append(event)
            case ev.Death() if found:
                (gone if early else found[-1].deaths).append(event.id)
            case _:
                continue
    for last in found[-1:]:
        last.births, last.deaths = last.births + early, last.deaths + gone
    begins = {event.n for event in recording.each(ev.Begin)}
    for one, following in pairwise(found):
        end = clock.since(following.n) - 1
        end = clock.since(end) - 1 if end in begins else end  # with its begin a walk starts, and its first step
        one.until = max(one.until, end)
    return found


def turn(model: Model, step: ev.Step, clock: Clock) -> Moment:
    """The turn of a node: that of an op, or of a leaf."""
    op = model.op_of.get(step.node)
    if op is not None:
        return Moment(step.node, step.n, clock.until(step.n), "backward", op, f"the rule of `{op.op}`")
    tensors = [t.id for t in model.tensors.values() if t.node == step.node]
    name = f"`{model.name(tensors[0])}`" if tensors else "a leaf"
    return Moment(step.node, step.n, clock.until(step.n), "backward", None, name)


def updates(recording: Recording) -> set[str]:
    """The ops that run after a walk, inside no_grad()."""
    ends = [end.n for end in recording.each(ev.End)]
    return {op.id for op in recording.each(ev.Op) if ends and op.n > ends[0] and not op.grad}


def grouped(
    moments: Sequence[Moment], lines: bool = False, units: Mapping[str, str] | None = None
) -> list[list[Moment]]:
    """The moments that are told in one step: each alone, or, where they are many, those of one line and one phase.

    A leaf's turn belongs to the node before it. An update is one step in any case; with `lines` all of a line are.
    `units` names what an op of a repeat is told with: what that does in one phase is one step.
    """
    groups: list[list[Moment]] = []
    many, known, now = lines or len(moments) > STEPS, units or {}, None
    for one in moments:
        last = groups[-1][-1] if groups else None
        unit = known.get(one.op.id) if one.op is not None and one.phase != "update" else None
        leaf = one.op is None and last is not None and last.phase == one.phase
        alike = unit == now and (unit is not None or many or one.phase == "update")
        same = alike and last is not None and last.phase == one.phase and (unit is not None or last.line == one.line)
        if leaf or same:
            groups[-1].append(one)
        else:
            groups.append([one])
        now = now if leaf else unit
    return groups
