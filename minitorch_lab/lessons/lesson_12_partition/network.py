"""A picture of the network that a joint graph is cut in: every value two vertices, and its bytes between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Any

from ...compiler.autodiff.aot import Joint
from ...compiler.autodiff.partition import cheap, forward_nodes, network
from ...compiler.ir.graph import Node
from .cut import out_of_reach, weight

COLUMN, ROW, LEFT, TOP = 132, 96, 96, 70  # pixels from value to value, and to the first one
HALF = 26  # from the middle of a value to each of its vertices
LINE, SAVED, AGAIN = "#868e99", "#d55e00", "#0072b2"
DASHES = 'stroke-dasharray="5 4"'


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing in a notebook, a sentence elsewhere."""

    svg: str
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f'<figure style="margin:8px 0">{self.svg}</figure>'


def drawn(both: Joint, saved: Iterable[Node] = ()) -> Picture:
    """The network of a small joint graph, and where `saved` cuts it.

    Ends that cannot be cut are marked: at the source what cannot be computed again, at the sink what the backward pass
    needs. Saved values are cut through; what the backward graph computes again is dashed.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.lessons.lesson_12_partition.cut import joint_of
        >>> both = joint_of(lambda a: a * a.sigmoid(), ml.ones(3))
        >>> drawn(both, both.primals)
        5 values. The backward pass needs primals_1, sigmoid, mul_3. Cut through: primals_1, 12 bytes in all.
    """
    kept = list(saved)
    found: Any = network(both)
    nodes = [n for n in both.graph.nodes if (n, "in") in found]
    places = placed(nodes)
    ends = [n for n in nodes if found.has_edge((n, "out"), "sink")]
    short = [n for n in nodes if found.has_edge("source", (n, "in"))]
    again = behind_cut(found, ends, set(kept)) if kept else set[Node]()
    across = LEFT + max(x for x, _ in places.values()) * COLUMN + COLUMN
    down = TOP + (max(y for _, y in places.values()) + 1) * ROW
    parts = [arc(places, a, b) for (a, _), (b, _) in edges_between(found, nodes)]
    parts += [from_source(places, n) for n in short]
    parts += [to_sink(places, n, across, down) for n in ends]
    parts += [vertex_pair(places, n, n in kept, n in again, n in forward_nodes(both)) for n in nodes]
    parts.append(label(across - 6, down - ROW / 2 + 4, "backward", 'font-weight="600"'))
    text = sentence(both, nodes, ends, kept)
    svg = (
        f'<svg viewBox="0 0 {across + 44:g} {down:g}" width="{across + 44:g}" role="img" aria-label="{escape(text)}" '
        f'style="max-width:100%;height:auto" font-size="12" font-family="sans-serif" fill="currentColor" '
        f'text-anchor="middle">{"".join(parts)}</svg>'
    )
    return Picture(svg, text)


def sentence(both: Joint, nodes: list[Node], ends: list[Node], kept: list[Node]) -> str:
    """The picture in words."""
    needs = f"{len(nodes)} values. The backward pass needs {', '.join(map(str, ends))}."
    if not kept:
        return needs
    cut = f"Cut through: {', '.join(map(str, kept))}, {weight(kept):,} bytes in all."
    missing = out_of_reach(both, kept, cheap)
    open_way = f" A way is still open: from {', '.join(map(str, missing))}." if missing else ""
    return f"{needs} {cut}{open_way}"


def placed(nodes: list[Node]) -> dict[Node, tuple[int, int]]:
    """Column and row of every value: a column further right than what it reads, the first row that is free there."""
    places: dict[Node, tuple[int, int]] = {}
    taken: dict[int, int] = {}
    for node in nodes:
        column = max((places[f][0] + 1 for f in node.feeds if f in places), default=0)
        row = taken.get(column, 0)
        taken[column] = row + 1
        places[node] = column, row
    return places


def edges_between(found: Any, nodes: list[Node]) -> list[tuple[Any, Any]]:
    """The edges from what comes out of one value to what goes into another, in order."""
    return [((f, "out"), (n, "in")) for n in nodes for f in dict.fromkeys(n.feeds) if (f, "out") in found]


def behind_cut(found: Any, ends: list[Node], kept: set[Node]) -> set[Node]:
    """The values that must be computed again: from the ends back, as far as nothing is cut."""
    pending, again = [n for n in ends if n not in kept], set[Node]()
    while pending:
        node = pending.pop()
        if node not in again:
            again.add(node)
            pending += [f for f in node.feeds if (f, "out") in found and f not in kept]
    return again


# ---- shapes ---------------------------------------------------------------------------------------------------------


def middle(places: dict[Node, tuple[int, int]], node: Node) -> tuple[float, float]:
    """Where a value stands, in pixels."""
    column, row = places[node]
    return LEFT + column * COLUMN, TOP + row * ROW


def label(x: float, y: float, text: str, more: str = "") -> str:
    """A word."""
    return f'<text x="{x:g}" y="{y:g}" {more}>{escape(text)}</text>'


def path(d: str, colour: str, more: str = "") -> str:
    """A curve."""
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="1.6" {more}/>'


def arc(places: dict[Node, tuple[int, int]], a: Node, b: Node) -> str:
    """From what comes out of `a` to what goes into `b`, in a bow over the values between."""
    (x, y), (u, v) = middle(places, a), middle(places, b)
    span = places[b][0] - places[a][0]
    lift = 0 if span == 1 else 24 + 14 * span
    return path(f"M{x + HALF + 5:g} {y:g} C{x + HALF + 40:g} {y - lift:g} {u - HALF - 40:g} {v - lift:g} "
                f"{u - HALF - 5:g} {v:g}", LINE)  # fmt: skip


def from_source(places: dict[Node, tuple[int, int]], node: Node) -> str:
    """A short end: this value cannot be computed again."""
    x, y = middle(places, node)
    start = x - HALF - 30
    return path(f"M{start:g} {y - 22:g} Q{start + 10:g} {y - 2:g} {x - HALF - 6:g} {y:g}", "currentColor") + label(
        start, y - 28, "source", 'font-size="11"'
    )


def to_sink(places: dict[Node, tuple[int, int]], node: Node, across: float, down: float) -> str:
    """A long end: the backward pass needs this value."""
    x, y = middle(places, node)
    v = down - ROW / 2
    return path(f"M{x + HALF + 4:g} {y + 3:g} C{x + HALF + 30:g} {v:g} {x + HALF + 60:g} {v:g} {across - 40:g} {v:g}",
                "currentColor", 'stroke-opacity="0.55"')  # fmt: skip


def vertex_pair(places: dict[Node, tuple[int, int]], node: Node, kept: bool, again: bool, forward: bool) -> str:
    """The two vertices of a value, its name over them and its bytes under them."""
    x, y = middle(places, node)
    colour = SAVED if kept else AGAIN if again else LINE
    dashed = DASHES if again else ""
    line = path(f"M{x - HALF:g} {y:g} H{x + HALF:g}", colour, f'{dashed} style="stroke-width:4"')
    dots = "".join(f'<circle cx="{x + s * HALF:g}" cy="{y:g}" r="5" fill="{colour}"/>' for s in (-1, 1))
    bar = f'<path d="M{x - 6:g} {y + 12:g} L{x + 6:g} {y - 12:g}" stroke="{SAVED}" stroke-width="4"/>' if kept else ""
    heavy = 'font-weight="600"' if kept else ""
    size = f"{node.nbytes:,}" if forward else f"({node.nbytes:,})"
    return line + dots + bar + label(x, y - 19, str(node), heavy) + label(x, y + 27, size, heavy)
