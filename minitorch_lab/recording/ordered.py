"""A recorded tape, walked again in the reader's own order: the rules run on what was recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..autograd.node import NOTHING, Leaf, Node, next_order
from ..errors import ArgumentError
from ..ops.op import OPS
from . import events as ev
from .recording import Recording
from .replay import Hasty, Replay, array_of, missing
from .values import Value, summarise

Order = Callable[[Node], Sequence[Node]]


@dataclass(frozen=True, slots=True)
class Ready:
    """The turn of a node: `parts` partial adjoints have arrived at it, and it runs on their sum, or on nothing."""

    node: str
    parts: int
    total: Value | None


def graph_of(recording: Recording) -> dict[str, Node]:
    """The nodes of a recording, made again with the edges that they had. Their order numbers fall, as the engine's do.

    Raises:
        RecordingError: An op of the recording is not one of the engine's.
    """
    nodes: dict[str, Node] = {}
    events = recording.each(ev.Node)
    for event in events:
        nodes[event.id] = again(event)
    for event in events:
        nodes[event.id].edges = tuple(None if edge is None else nodes[edge] for edge in event.edges)
    return nodes


def again(event: ev.Node) -> Node:
    """One node, still without edges."""
    if event.op is None:
        return Leaf(event.shape)
    if event.op not in OPS:
        raise missing(f"the rules of {event.op}, an op of the reader's own")
    node = Node.__new__(Node)
    node.op, node.saved, node.params, node.hooks = OPS[event.op], NOTHING, NOTHING, None
    node.shape, node.order = event.shape, next_order()
    return node


def ids_in(recording: Recording, begin: ev.Begin, order: Order) -> list[str]:
    """What `order` makes of the graph, as ids.

    Raises:
        ArgumentError: It is no list of nodes of this graph.
    """
    nodes = graph_of(recording)
    ids = {node: name for name, node in nodes.items()}
    listed: Any = order(nodes[begin.node])
    if not isinstance(listed, (list, tuple)):
        raise ArgumentError(
            f"order(root) returned a {type(listed).__name__}.", "An order is a list of nodes, the root first."
        )
    for thing in listed:
        if not isinstance(thing, Node) or thing not in ids:
            raise ArgumentError(
                f"order(root) returned a list with {thing!r} in it.",
                "An order lists nodes that can be reached from the root.",
                "Did you mean the first part of a pair of next_functions, where it is not None?",
            )
    return [ids[node] for node in listed]


def ordered_walk(recording: Recording, begin: ev.Begin, order: Sequence[str]) -> Iterator[Ready | Hasty]:
    """The walk in which the nodes run in the given order, each once, on the parts that have arrived by then.

    Raises:
        RecordingError: The recording does not hold what a rule needs.
    """
    replay, ran = Replay(recording), set[str]()
    arrived: dict[str, list[Any]] = {begin.node: [array_of(begin.seed)]}
    for name in order:
        event = replay.nodes[name]
        if event.op is None or name in ran:
            continue
        ran.add(name)
        parts = arrived.get(name, [])
        total = sum(parts[1:], parts[0]) if parts else None
        yield Ready(name, len(parts), None if total is None else summarise(total))
        if total is None:
            continue
        live = [k for k, edge in enumerate(event.edges) if edge is not None]
        for k, part in enumerate(replay.pull(name, total)):
            edge = event.edges[k]
            if edge is not None:
                arrived.setdefault(edge, []).append(part)
                yield Hasty(name, summarise(total), k, edge, summarise(part), edge in ran, k == live[-1])
