"""A backward walk, cut into turns: all that happens while one node runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..recording import events as ev
from ..recording.recording import Recording
from ..recording.values import Value
from .model import Model


@dataclass(slots=True)
class Turn:
    """One node's turn."""

    node: str
    cotangent: Value
    n: int
    hooks: list[ev.Hook] = field(default_factory=list[ev.Hook])
    sends: list[ev.Send] = field(default_factory=list[ev.Send])
    sums: list[ev.Sum] = field(default_factory=list[ev.Sum])
    ops: list[ev.Op] = field(default_factory=list[ev.Op])
    accumulate: ev.Accumulate | None = None
    returned: bool = False  # what arrived is a result of the walk, and no .grad
    freed: bool = False

    @property
    def given(self) -> Value:
        """The cotangent that the rule runs on: what the hooks left."""
        seen = [hook.after for hook in self.hooks if hook.edge is None]
        return seen[-1] if seen else self.cotangent

    def changed(self, edge: int) -> ev.Hook | None:
        """What the hooks made of what goes along `edge`, from the first to the last, if there are any."""
        seen = [hook for hook in self.hooks if hook.edge == edge]
        return seen[0]._replace(after=seen[-1].after) if seen else None


@dataclass(slots=True)
class Walk:
    """One backward walk."""

    begin: ev.Begin
    turns: list[Turn] = field(default_factory=list[Turn])
    hooked: list[ev.Hooked] = field(default_factory=list[ev.Hooked])
    error: str | None = None
    end: int = 0  # the event that closes it

    def gradients(self, model_nodes: Mapping[str, ev.Node]) -> list[ev.Accumulate]:
        """What arrived at leaves whose tensor the recording knows, and what the walk returns."""
        found = [(turn.accumulate, turn.returned) for turn in self.turns if turn.accumulate is not None]
        return [e for e, back in found if e.tensor is not None and (back or model_nodes[e.node].op is None)]

    @property
    def returns(self) -> bool:
        """Whether it hands its gradients out, and touches no .grad."""
        return self.begin.call != "backward"

    @property
    def roots(self) -> list[tuple[str, str, Value]]:
        """(tensor, node, seed) of everything that the walk starts from."""
        return [(self.begin.tensor, self.begin.node, self.begin.seed), *self.begin.more]

    @property
    def expected(self) -> Counter[str]:
        """How many parts arrive at each node; the seed of a root is one if others follow."""
        counts = Counter(send.to for turn in self.turns for send in turn.sends)
        return counts + Counter(node for _, node, _ in self.roots if counts[node])


def bypassed(model: Model, walk: Walk, tensor: str) -> bool:
    """Whether a walk hands out the gradient of a leaf whose tray is its .grad, which stays as it is."""
    return walk.returns and model.wants_gradient(tensor) and tensor not in model.returned


def walk_from(recording: Recording, begin: ev.Begin) -> Walk:
    """The walk that starts with the event `begin`, cut into turns."""
    walk = Walk(begin)
    for event in recording.events[begin.n + 1 :]:
        if isinstance(event, ev.End) and event.walk == begin.walk:
            walk.error, walk.end = event.error, event.n
            break
        _sort(walk, event)
    return walk


def _sort(walk: Walk, event: ev.Event) -> None:
    if isinstance(event, ev.Hooked):
        walk.hooked.append(event)
        return
    if isinstance(event, ev.Step):
        walk.turns.append(Turn(event.node, event.cotangent, event.n))
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
        case ev.Result():
            turn.accumulate = ev.Accumulate(event.n, event.walk, event.node, event.tensor, None, event.value)
            turn.returned = True
        case ev.Free():
            for owner in (one for one in reversed(walk.turns) if one.node == event.node):  # most often the last one
                owner.freed = True
                break
        case _:
            pass
