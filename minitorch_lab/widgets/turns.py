"""A backward walk, cut into turns: all that happens while one node runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..record import events as ev
from ..record.recording import Recording
from ..record.values import Value


@dataclass(slots=True)
class Turn:
    """One node's turn."""

    node: str
    cotangent: Value
    hooks: list[ev.Hook] = field(default_factory=list[ev.Hook])
    sends: list[ev.Send] = field(default_factory=list[ev.Send])
    sums: list[ev.Sum] = field(default_factory=list[ev.Sum])
    ops: list[ev.Op] = field(default_factory=list[ev.Op])
    accumulate: ev.Accumulate | None = None
    freed: bool = False

    @property
    def given(self) -> Value:
        """The cotangent that the rule runs on: what the hooks left."""
        seen = [hook.after for hook in self.hooks if hook.edge is None]
        return seen[-1] if seen else self.cotangent

    def changed(self, edge: int) -> ev.Hook | None:
        """The hook that replaced what goes along `edge`, if one did."""
        return next((hook for hook in self.hooks if hook.edge == edge), None)


@dataclass(slots=True)
class Walk:
    """One backward walk."""

    begin: ev.Begin
    turns: list[Turn] = field(default_factory=list[Turn])
    error: str | None = None

    def gradients(self, model_nodes: Mapping[str, ev.Node]) -> list[ev.Accumulate]:
        """What arrived at leaves whose tensor the recording knows."""
        found = [turn.accumulate for turn in self.turns if turn.accumulate is not None]
        return [event for event in found if event.tensor is not None and model_nodes[event.node].op is None]

    @property
    def expected(self) -> Counter[str]:
        """How many parts arrive at each node."""
        return Counter(send.to for turn in self.turns for send in turn.sends)


def walk_from(recording: Recording, begin: ev.Begin) -> Walk:
    """The walk that starts with the event `begin`, cut into turns."""
    walk = Walk(begin)
    for event in recording.events[begin.n + 1 :]:
        if isinstance(event, ev.End) and event.walk == begin.walk:
            walk.error = event.error
            break
        _sort(walk, event)
    return walk


def _sort(walk: Walk, event: ev.Event) -> None:
    if isinstance(event, ev.Step):
        walk.turns.append(Turn(event.node, event.cotangent))
        return
    turn = walk.turns[-1] if walk.turns else None
    if turn is None:
        return
    match event:
        case ev.Hook():
            turn.hooks.append(event)
        case ev.Send():
            turn.sends.append(event)
        case ev.Sum():
            turn.sums.append(event)
        case ev.Op():
            turn.ops.append(event)
        case ev.Accumulate():
            turn.accumulate = event
        case ev.Free():
            turn.freed = True
        case _:
            pass
