"""What a compiled function has become, as data: its graphs, why each ends, what is guarded, what was captured anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ....autograd.anomaly import Place
from ...ir.graph import Graph
from ...runtime.optimized import compiled_part
from .tree import Guard, Leaf, Line, Node, Segment


@dataclass(frozen=True, eq=False)
class Piece:
    """What runs between two breaks: a graph, perhaps an empty one. Each that follows a break is a continuation.

    Attributes:
        graph: Its tensor ops.
        after: Why the graph before it ended; empty for the piece that begins the call.
        place: On which line.
    """

    graph: Graph
    after: str = ""
    place: Place | None = None


def pieces(compiled: Any) -> list[Piece]:
    """The pieces of all paths that calls have taken, in the order of the program."""
    compiled, found = compiled_part(compiled), list[Piece]()
    start = compiled.root.children.get(None)
    pending: list[tuple[Node | None, Line | None]] = [(start, None)]
    while pending:
        node, after = pending.pop()
        found += piece(compiled, node, after, pending)
    return found


def piece(compiled: Any, node: Node | None, after: Line | None, pending: list[Any]) -> list[Piece]:
    """The piece that begins at a node; what begins where it ends is added to `pending`."""
    graph = Graph("empty")
    graph.output(())
    reason, place = (after.breaks, after.place) if after else ("", None)
    while node is not None:
        if isinstance(node, Segment):
            graph = compiled.of_segment.get(node, graph)
        if isinstance(node, Guard) and len(node.children) > 1 and not graph.calls:
            pending += [(child, after) for child in reversed(node.children.values())]
            return []
        if isinstance(node, Line) and node.breaks:
            pending.append((node.children.get(None), node))
            return [Piece(graph, reason, place)]
        if isinstance(node, Leaf) or not node.children:
            return [Piece(graph, reason, place)]
        first, *others = node.children.values()
        pending += [(other, after) for other in reversed(others)]
        node = first
    return []


def report(compiled: Any) -> dict[str, Any]:
    """Everything at once.

    Example:
        >>> import minitorch_lab as ml
        >>> f = ml.compile(lambda x: x if x > 0 else 0.1 * x)
        >>> _ = f(ml.tensor(1.0)), f(ml.tensor(-1.0))
        >>> told = report(f)
        >>> told["graphs"], told["empty"], told["continuations"], told["breaks"]
        (3, 1, 2, ['Python decides by an entry of a tensor'])
    """
    parts = pieces(compiled)
    return {
        "graphs": len(parts),
        "empty": sum(not p.graph.calls for p in parts),
        "continuations": sum(bool(p.after) for p in parts),
        "breaks": [line.breaks for line in compiled.breaks],
        "places": [line.place for line in compiled.breaks],
        "pieces": parts,
        "captures": compiled.captures,
        "recompilations": list(compiled.recompiles),
        "program": compiled.text,
        "eager": compiled.reason,
    }
