"""Two scenes on one axis: steps that tell of the same thing share a column, the others stand alone in theirs.

Ids and times of both are renamed by the keys that hold them, so a panel need not know that it is compared.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from math import ceil
from typing import Any

from ..errors import ArgumentError
from .frame import Json, framed
from .linking import Links, is_line
from .numbers import size, span

IDS = {"id", "ids", "from", "to", "op", "of", "line", "edge", "focus"}
TIMES = {"at", "born", "died", "until"}
SIDES = "A", "B"
GAP = 40  # pixels between two graphs

Pair = tuple[int | None, int | None]


def compared(first: Json, second: Json, names: tuple[str, str]) -> Json:
    """Both scenes as one: pictures of a kind one under the other, on one scale and one scrubber.

    Raises:
        ArgumentError: They are of different views, or the names do not tell them apart.
    """
    if first["view"] != second["view"] or names[0] == names[1]:
        raise ArgumentError(
            f"Compare got {first['title']} and {second['title']}, called {names[0]!r} and {names[1]!r}.",
            "It lays two views of one kind over each other, under two names.",
            'Did you mean Compare(Memory(a), Memory(b), names=("plain", "checkpointed"))?',
        )
    columns = aligned(first, second)
    same = {row["id"] for row in first["source"] if row in second["source"]}
    wide = 1 + max(longest(first), longest(second))
    sides = [Side(scene, k, columns, same, wide) for k, scene in enumerate((first, second))]
    both = [side.panels(names) for side in sides]
    panels = [panel for pair in zip(*both, strict=True) for panel in scaled(pair)]
    question = f"What is different: {names[0]} or {names[1]}?"
    steps = [*make_steps(sides, columns, names), verdict(first, second, names, (len(columns) + 1) * wide - 1)]
    scene = framed(
        "compare",
        question,
        steps,
        panels,
        recording=f"{first.get('recording')}+{second.get('recording')}",
        source=[*first["source"], *(sides[1].source(names[1]))],
        links=merge_links(sides, columns),
        details={**sides[0].details(), **sides[1].details()},
        legend=list(dict.fromkeys([*first["legend"], *second["legend"]])),
    )
    folds = [side.renamed(fold) for side in sides for fold in side.scene.get("folds", [])]
    scene |= {"folds": folds} if folds else {}
    graphs = [side.renamed(side.scene["graph"]) for side in sides if "graph" in side.scene]
    return {**scene, "graph": stacked(graphs[0], graphs[1], names)} if len(graphs) == 2 else scene


class Side:
    """One of the two scenes, with its new ids and its new times.

    Step k of the common axis ends at time (k + 1) · wide − 1; what happens in it keeps its order.
    """

    def __init__(self, scene: Json, side: int, columns: Sequence[Pair], same: set[str], wide: int) -> None:
        self.scene, self.side, self.same = scene, SIDES[side], same
        self.ends = [step["at"] for step in scene["steps"]]
        self.column = {pair[side]: k for k, pair in enumerate(columns) if pair[side] is not None}
        self.wide = wide

    def id(self, id: str) -> str:
        """The new name of an id; a line that both sources share keeps its own."""
        return id if id in self.same else f"{self.side}/{id}"

    def time(self, at: float) -> float:
        """The new name of a time; what was there before stays before."""
        if at < 0:
            return at
        k = min(bisect_left(self.ends, at), len(self.ends) - 1)
        while k and self.ends[k - 1] == self.ends[k] >= at:
            k -= 1
        begin = self.ends[k - 1] if k else -1
        return self.column[k] * self.wide + min(max(at - begin - 1, 0), self.wide - 1)

    def renamed(self, thing: Any, key: str = "") -> Any:
        """`thing` with new ids and times."""
        if isinstance(thing, Mapping):
            return {name: self.renamed(part, name) for name, part in thing.items()}
        if isinstance(thing, list):
            return [self.renamed(part, key) for part in thing]
        if key in IDS and isinstance(thing, str):
            return self.id(thing)
        return self.time(thing) if key in TIMES and isinstance(thing, int | float) else thing

    def panels(self, names: tuple[str, str]) -> list[Json]:
        """The panels, each with the name of its side."""
        name = names[SIDES.index(self.side)]
        return [{**self.renamed(panel), "label": f"{panel['label']}: {name}"} for panel in self.scene.get("panels", [])]

    def source(self, name: str) -> list[Json]:
        """The lines that are not in the other source."""
        own = [row for row in self.scene["source"] if row["id"] not in self.same]
        return [{**row, "id": self.id(row["id"]), "text": f"{row['text']}  # {name}"} for row in own]

    def details(self) -> dict[str, str]:
        """The facts under their new ids."""
        return {self.id(id): text for id, text in self.scene["details"].items()}


def longest(scene: Json) -> int:
    """How many events the longest step covers; a step may cover a part of one."""
    return ceil(max(b - a for a, b in pairwise([-1, *(step["at"] for step in scene["steps"])])))


def aligned(first: Json, second: Json) -> list[Pair]:
    """The columns of the common axis: which step of each side stands in it. Steps match by phase, line and subject.

    Where both go through the same phases, the forward pass of one is over when that of the other is.
    """
    passes = [chunks(scene["steps"]) for scene in (first, second)]
    if [name for name, _, _ in passes[0]] != [name for name, _, _ in passes[1]]:
        passes = [[("", 0, len(scene["steps"]))] for scene in (first, second)]
    keys = [[key(scene, step) for step in scene["steps"]] for scene in (first, second)]
    columns: list[Pair] = []
    for (_, a, b), (_, c, d) in zip(*passes, strict=True):
        for tag, i, j, k, m in SequenceMatcher(None, keys[0][a:b], keys[1][c:d], autojunk=False).get_opcodes():
            ours, theirs = range(a + i, a + j), range(c + k, c + m)
            if tag == "equal":
                columns += list(zip(ours, theirs, strict=True))
            else:
                columns += [(one, None) for one in ours] + [(None, one) for one in theirs]
    return columns


def chunks(steps: Sequence[Json]) -> list[tuple[str, int, int]]:
    """(phase, first step, step after the last) of stretches; what a walk computes again belongs to it."""
    found: list[tuple[str, int, int]] = []
    for k, step in enumerate(steps):
        phase = "backward" if step["phase"] == "recomputation" else step["phase"]
        if found and found[-1][0] == phase:
            found[-1] = phase, found[-1][1], k + 1
        else:
            found.append((phase, k, k + 1))
    return found


def key(scene: Json, step: Json) -> tuple[str, str, str]:
    """What a step tells of: its phase, the text of its line, and the first thing that its sentence names."""
    texts = {row["id"]: row["text"].strip() for row in scene["source"]}
    named = step["say"].split("`")
    return (
        step["phase"],
        texts.get(step["line"] or "", ""),
        named[1] if len(named) > 1 and step["phase"] != "start" else "",
    )


def make_steps(sides: Sequence[Side], columns: Sequence[Pair], names: tuple[str, str]) -> list[Json]:
    """One step for each column."""
    steps: list[Json] = []
    for k, pair in enumerate(columns):
        own = [
            (name, side, side.scene["steps"][i])
            for name, side, i in zip(names, sides, pair, strict=True)
            if i is not None
        ]
        says = list(dict.fromkeys(step["say"] for _, _, step in own))
        if len(own) == 1:
            say = f"Only {own[0][0]}: {says[0]}"
        else:
            say = says[0] if len(says) == 1 else " ".join(f"{name}: {step['say']}" for name, _, step in own)
        parts = [side.renamed({part: step[part] for part in ("line", "focus", "events")}) for _, side, step in own]
        steps.append(
            {
                "phase": own[0][2]["phase"],
                "say": say,
                "line": parts[0]["line"],
                "focus": [id for part in parts for id in part["focus"][:4]],
                "events": [event for part in parts for event in part["events"]],
                "at": (k + 1) * sides[0].wide - 1,
            }
        )
    return steps


def verdict(first: Json, second: Json, names: tuple[str, str], at: int) -> Json:
    """What is different in the end, in numbers."""
    parts: list[str] = []
    for one, other in zip(first.get("panels", []), second.get("panels", []), strict=False):
        if one["kind"] == other["kind"] == "memory":
            parts.append(difference("peak", one["peak"]["bytes"], other["peak"]["bytes"], names, size))
        if one["kind"] == other["kind"] == "timeline":
            parts.append(difference("time", length(one), length(other), names, span))
            parts += [
                f"In {name} {panel['captured']} captured: its ops ran one by one there, as eager code does. "
                "Only a later call runs the kernels."
                for name, panel in zip(names, (one, other), strict=True)
                if "captured" in panel
            ]
    return {"phase": "difference", "say": " ".join(parts) or "Both are over.", "at": at}


def difference(what: str, a: int, b: int, names: tuple[str, str], text: Callable[[int], str]) -> str:
    """The peak of plain is 4 KiB, that of checkpointed 3 KiB: 1 KiB less."""
    change = "as much" if a == b else f"{text(abs(a - b))} {'less' if b < a else 'more'}"
    return f"The {what} of {names[0]} is {text(a)}, that of {names[1]} {text(b)}: {change}."


def length(panel: Json) -> int:
    """ns of all runs of a timeline."""
    return sum(run["python"] + run["kernel"] + run["together"] for run in panel["runs"])


def scaled(pair: Sequence[Json]) -> list[Json]:
    """Two panels of one kind have one scale."""
    tops = {"memory": lambda panel: panel["peak"]["bytes"], "timeline": length}
    top = tops.get(pair[0]["kind"])
    return [panel if top is None else {**panel, "top": max(map(top, pair))} for panel in pair]


def merge_links(sides: Sequence[Side], columns: Sequence[Pair]) -> dict[str, list[str]]:
    """The links of both; and ops that run in one column are the same op, twice."""
    links = Links()
    for side in sides:
        for id, others in side.scene["links"].items():
            links.star(side.id(id), [side.id(other) for other in others])
    for a, b in columns:
        if a is not None and b is not None:
            ops = [
                [side.id(id) for id in side.scene["steps"][k]["focus"] if id.startswith("o") and not is_line(id)]
                for side, k in zip(sides, (a, b), strict=True)
            ]
            for one, other in zip(*ops, strict=False):
                links.pair(one, other)
    return links.json()


def stacked(above: Json, below: Json, names: tuple[str, str]) -> Json:
    """Two graphs as one, in bands with their names."""
    down = above["height"] + GAP
    moved = {**below, "nodes": [{**node, "y": node["y"] + down} for node in below["nodes"]]}
    moved["pins"] = [{**pin, "y": pin["y"] + down} for pin in below["pins"]]
    moved["edges"] = [
        {**edge, "via": [[x, y + down] for x, y in edge["via"]]} if "via" in edge else edge for edge in below["edges"]
    ]
    bands = [{"label": names[0], "y": 0, "h": above["height"]}, {"label": names[1], "y": down, "h": below["height"]}]
    return {
        "width": max(above["width"], below["width"]),
        "height": down + below["height"],
        **{part: [*above[part], *moved[part]] for part in ("nodes", "edges", "pins")},
        "bands": bands,
    }
