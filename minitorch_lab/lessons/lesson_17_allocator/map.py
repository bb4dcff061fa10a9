"""An allocator of the reader's two functions, and a map of what it did: every block over its address and its life."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...memory.allocator import SMALL, SMALL_SEGMENT, rounded
from ...memory.chart import COLOURS
from ..charts import Chart
from ..verdict import Verdict, attempt
from .placing import Block, Free, Merge, Place, blocks_of, placed
from .trace import APART, Request, allocator_of, serve

MIB = 1 << 20
MANY = 64  # segments; an allocator that needs more keeps nothing


class NoMap(Exception):  # noqa: N818 - it says what is in the way of a picture
    """Why a map cannot be drawn."""


@dataclass
class Served:
    """What an allocator of the reader's did.

    Attributes:
        segments: The addresses of its segments of 2 MiB.
        lives: Every block: name, address, size, category, number of the request that made it, and of that which ended
            it (of the last one, for those that stayed).
        free: What is free at the end.
    """

    segments: list[int] = field(default_factory=list[int])
    lives: list[tuple[str, int, int, str, int, int]] = field(default_factory=list[tuple[str, int, int, str, int, int]])
    free: Free = field(default_factory=list[Block])


def served(place: Place, merge: Merge, requests: Sequence[Request]) -> Served:
    """Have the reader's two functions serve requests for small blocks.

    Raises:
        NoMap: A function stopped, or gave memory that is in use or does not exist.
    """
    done, used = Served(), dict[str, tuple[int, int, str, int]]()
    for n, each in enumerate(requests):
        if each.kind == "allocate":
            size = rounded(each.nbytes)
            if size > SMALL:
                raise NoMap(f"a request for {each.nbytes:,} bytes is not small.")
            address = found(place, done, size)
            if any(a < address + size and address < a + nbytes for a, nbytes, _, _ in used.values()):
                raise NoMap(f"request {n} would lie over a block that is in use, at {address:,}.")
            used[each.name] = address, size, each.category, n
        else:
            address, size, category, born = used.pop(each.name)
            done.lives.append((each.name, address, size, category, born, n))
            given, error = attempt(merge, list(done.free), address, size)
            left = blocks_of(given)
            if error is not None or left is None:
                raise NoMap(f"merge stops, or gives no list of blocks, when request {n} is given back.")
            done.free = left
    done.lives += [(name, a, size, category, n, len(requests)) for name, (a, size, category, n) in used.items()]
    return done


def found(place: Place, done: Served, size: int) -> int:
    """Where the reader's function puts a block of this size; in a fresh segment if it finds no place."""
    answer, error = attempt(placed, place, done.free, size)
    if error is not None or isinstance(answer, str):
        raise NoMap(f"place gives no answer for a block of {size:,} bytes.")
    address, done.free = answer
    if address is not None:
        if not any(a <= address and address + size <= a + SMALL_SEGMENT for a in done.segments):
            raise NoMap(f"a block of {size:,} bytes at {address:,} would lie in no segment.")
        return address
    if len(done.segments) == MANY:
        raise NoMap(f"{MANY} segments of 2 MiB, and still more are asked for. Is what was freed ever found?")
    begin = len(done.segments) * APART
    done.segments.append(begin)
    done.free = sorted([*done.free, (begin + size, SMALL_SEGMENT - size)])
    return begin


def memory_map(place: Place, merge: Merge, requests: Sequence[Request]) -> Chart | Verdict:
    """The blocks of an allocator of the reader's two functions: addresses upwards, requests to the right.

    Args:
        place: From the free blocks and a size to an address and what is free then.
        merge: From the free blocks, an address and a size to what is free then.
        requests: What a program asked for, all of it small.
    """
    try:
        done = served(place, merge, requests)
    except NoMap as why:
        return Verdict("no map", str(why))
    theirs = allocator_of(1 << 40)
    alike = serve(requests, theirs) == {name: a for name, a, *_ in done.lives}
    where = "Every block lies" if alike else "Some blocks do not lie"
    text = (
        f"Your allocator served {len(done.lives)} blocks from {len(done.segments)} segments of 2 MiB, and the house's "
        f"needs {len(theirs.segments)}. {where} where the house's puts it."
    )
    return Chart(drawn(done, len(requests)), text)


def drawn(done: Served, count: int) -> Any:
    """The map as a plotly figure: a box for every block; segments lie one upon the other."""
    import plotly.graph_objects as go

    figure: Any = go.Figure()
    row = {begin: k for k, begin in enumerate(done.segments)}
    for name, (colour, hatch) in COLOURS.items():
        boxes = [life for life in done.lives if life[3] == name]
        if boxes:
            low = [row[a // APART * APART] * SMALL_SEGMENT / MIB + a % APART / MIB for _, a, *_ in boxes]
            figure.add_bar(
                name=name, base=low, x=[(born + died) / 2 for *_, born, died in boxes],
                y=[size / MIB for _, _, size, *_ in boxes], width=[died - born for *_, born, died in boxes],
                marker={"color": f"rgba{(*colour, 0.45)}", "line": {"color": f"rgb{colour}", "width": 1},
                        "pattern": {"shape": hatch}},
                text=[f"{block}: {size:,} bytes at {a % APART:,} of segment {row[a // APART * APART]}"
                      for block, a, size, *_ in boxes],
                textposition="none", hovertemplate="%{text}<extra></extra>",
            )  # fmt: skip
    for k in range(len(done.segments) + 1):
        figure.add_hline(y=k * SMALL_SEGMENT / MIB, line_width=1, line_color="black")
    figure.update_layout(
        template="plotly_white", barmode="overlay", height=380,
        title={"text": "Where your allocator puts every block, and for how long", "font": {"size": 14}},
        xaxis={"title": {"text": "request"}, "range": [0, count]},
        yaxis={"title": {"text": "MiB, segment upon segment"}, "rangemode": "tozero"},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"},
        margin={"l": 60, "r": 20, "t": 60, "b": 50},
    )  # fmt: skip
    return figure
