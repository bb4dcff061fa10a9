"""Runs the rules of recorded nodes again, on the recorded values: what would the walk have sent in another order?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..autograd.node import Leaf, Node
from ..autograd.pullback import OnArrays
from ..autograd.tape import next_order
from ..core.array import xp
from ..core.interpret import GROUND, interpreting
from ..errors import RecordingError
from ..ops.narrow import suited
from ..ops.op import OPS
from . import events as ev
from .recording import Recording
from .store import Described
from .values import Value, summarise


def missing(what: str) -> RecordingError:
    """The error of a rule that cannot be run again."""
    return RecordingError(
        f"The recording does not hold {what}.",
        "A rule is run again on what was recorded, so that must be there in full.",
        "Record with a larger record(values=...), the number of elements that are kept.",
    )


class Replay:
    """The nodes of a recording, made again one by one."""

    def __init__(self, recording: Recording) -> None:
        self.nodes = {n.id: n for n in recording.each(ev.Node)}
        self.ops = {op.node: op for op in recording.each(ev.Op) if op.node is not None}
        self.values = {(t.id, t.version): t.value for t in recording.each(ev.Tensor)}
        self.values |= {(w.new, w.version): w.value for w in recording.each(ev.Write)}
        self.saves: dict[str, list[ev.Save]] = {}
        for save in recording.each(ev.Save):
            self.saves.setdefault(save.node, []).append(save)
        self.rules = OnArrays(GROUND, retain=True)

    def pull(self, name: str, g: Any) -> list[Any]:
        """What the node `name` sends along its edges when its cotangent is the array `g`; None where an edge ends.

        Raises:
            RecordingError: The recording does not hold what the rule needs.
        """
        event = self.nodes[name]
        if event.op not in OPS or name not in self.ops:
            raise missing(f"the op of node {name}")
        node: Node = Node.__new__(Node)
        node.op, node.hooks, node.shape, node.order = suited(OPS[event.op], (g,)), None, event.shape, next_order()
        node.edges = tuple(None if e is None else self._end(e) for e in event.edges)
        node.params = {key: describe_param(value) for key, value in self.ops[name].params.items()}
        saves = self.saves.get(name, [])
        node.saved = {save.name: self._kept(save) for save in saves if save.name != "*" or save.tensor is None}
        rest = [self._kept(save) for save in saves if save.name == "*" and save.tensor is not None]
        if rest:
            node.saved["*"] = tuple(rest)
        with interpreting(GROUND):
            return self.rules.pull(node, g)

    def _end(self, edge: str) -> Node:
        if edge not in self.nodes:
            raise missing(f"the node {edge}")
        return Leaf(self.nodes[edge].shape)

    def _kept(self, save: ev.Save) -> Any:
        if save.tensor is None or save.fact is not None:
            return describe_param(save.fact)
        value = self.values.get((save.tensor, save.version))
        if value is None:
            raise missing(f"{save.tensor} at version {save.version}")
        return array_of(value)


def describe_param(thing: Any) -> Any:
    """A parameter or a fact, unless it is one that could only be described."""
    if any(isinstance(part, Described) for part in (thing if isinstance(thing, tuple) else (thing,))):
        raise missing(repr(thing))
    return thing


def array_of(value: Value) -> Any:
    """The array that `value` summarises.

    Raises:
        RecordingError: It had more elements than the recording keeps.
    """
    if value.data is None:
        raise missing(f"the elements of a tensor of shape {value.shape}")
    if value.dtype in ("int", "float", "bool"):
        return value.data[0]
    return xp.array(value.data, dtype=value.dtype).reshape(value.shape)


@dataclass(frozen=True, slots=True)
class Hasty:
    """One partial adjoint of a walk that does not wait. `above` is what its node ran on."""

    node: str
    above: Value
    edge: int
    to: str
    value: Value
    late: bool  # the node it goes to has run already
    last: bool  # nothing more comes from its node


def hasty_walk(recording: Recording, begin: ev.Begin) -> Iterator[Hasty]:
    """The same backward pass without a topological order: a node runs as soon as a first part arrives, depth first.

    Raises:
        RecordingError: The recording does not hold what a rule needs.
    """
    replay, ran = Replay(recording), {begin.node}
    pending = [_sends(replay, begin.node, array_of(begin.seed))]
    while pending:
        found = next(pending[-1], None)
        if found is None:
            pending.pop()
            continue
        node, above, edge, to, part, last = found
        late = to in ran
        yield Hasty(node, summarise(above), edge, to, summarise(part), late, last)
        if not late and replay.nodes[to].op is not None:
            ran.add(to)
            pending.append(_sends(replay, to, part))


def _sends(replay: Replay, node: str, g: Any) -> Iterator[tuple[str, Any, int, str, Any, bool]]:
    edges = replay.nodes[node].edges
    live = [k for k, edge in enumerate(edges) if edge is not None]
    for k, part in enumerate(replay.pull(node, g)):
        edge = edges[k]
        if edge is not None:
            yield node, g, k, edge, part, k == live[-1]
