"""Which temporaries may share memory: two whose lives do not overlap.

Values are given slots in the order in which they are made, the best fitting free one first (linear scan). A value that
an op may overwrite with its result passes its slot on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .graph import Graph, Node


@dataclass(eq=False, slots=True)
class Buffers:
    """The slot of every temporary that has one, and the bytes of every slot."""

    slot: dict[Node, int] = field(default_factory=dict[Node, int])
    sizes: list[int] = field(default_factory=list[int])


def assign(graph: Graph, writes_out: Callable[[Node], bool], entrywise: Callable[[Node], bool]) -> Buffers:
    """Slots for the temporaries of a pure graph.

    Args:
        graph: The graph.
        writes_out: Whether the op of a node can write its result into memory that it is given.
        entrywise: Whether it may do so into one of its own inputs.

    Example:
        >>> import minitorch_lab as ml
        >>> graph = ml.jit.trace(lambda a: (a * 2 + 1).tanh().exp(), ml.ones(8)).graph
        >>> found = assign(graph, lambda n: True, lambda n: True)
        >>> {str(n): i for n, i in found.slot.items()}, found.sizes
        ({'mul': 0, 'add': 0, 'tanh': 0}, [32])
    """
    buffers = Buffers()
    ends = last_reads(graph)
    free: list[int] = []
    leaving = {root(n) for n in graph.nodes[-1].feeds}
    for step, node in enumerate(graph.nodes):
        if node.kind != "call" or is_view(node):
            continue
        dying = [n for n in buffers.slot if ends[n] == step]
        if writes_out(node) and node not in leaving and node.nbytes:
            reusable = [buffers.slot[n] for n in dying if entrywise(node) and fits(n, node)]
            if reusable:
                taken = reusable[0]
            else:
                taken = best(free, buffers.sizes, node.nbytes)
                if taken is None:
                    taken = len(buffers.sizes)
                    buffers.sizes.append(0)
            buffers.slot[node] = taken
            buffers.sizes[taken] = max(buffers.sizes[taken], node.nbytes)
            free = [i for i in free if i != taken]
            free += [buffers.slot[n] for n in dying if buffers.slot[n] != taken]
        else:
            free += [buffers.slot[n] for n in dying]
    return buffers


def fits(old: Node, new: Node) -> bool:
    """Whether the memory of `old` can hold `new` entry by entry."""
    return old.shape == new.shape and old.dtype == new.dtype


def best(free: list[int], sizes: list[int], nbytes: int) -> int | None:
    """The smallest free slot that is large enough; else the largest one, which will grow."""
    enough = [i for i in free if sizes[i] >= nbytes]
    if enough:
        return min(enough, key=lambda i: sizes[i])
    return max(free, key=lambda i: sizes[i]) if free else None


def last_reads(graph: Graph) -> dict[Node, int]:
    """The step at which the memory of a value is read last: by itself, or by a view of it."""
    ends: dict[Node, int] = {}
    for step, node in enumerate(graph.nodes):
        ends.setdefault(node, step)
        for feed in node.feeds:
            ends[root(feed)] = step
    return ends


def is_view(node: Node) -> bool:
    """Whether a node may show the memory of its input instead of having its own."""
    return node.op is not None and node.op.put is not None and len(node.inputs) == 1


def root(node: Node) -> Node:
    """The node whose memory `node` shows."""
    while is_view(node):
        node = node.feeds[0]
    return node
