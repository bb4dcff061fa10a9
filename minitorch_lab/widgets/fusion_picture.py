"""The pictures of the view "Fusion": the graph with its kernels, the bytes that they move, and their loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ..compiler.schedule.story import Entry, Launch, Stage, Story
from .frame import Json
from .layout import Placement, Unit, place
from .picture import CHAR, HEIGHT, NEAR, SMALL

ABOVE, BELOW = 58.0, 33.0  # what a hull and its label need over and under the line of an op
LONGEST = 38  # characters of a line of code that has room beside the picture


def op_id(name: str) -> str:
    """The id of the op that computes a value."""
    return f"g1/{name}"


def value_id(name: str) -> str:
    """The id of a value."""
    return f"t:{name}"


def code_id(name: str) -> str:
    """The id of the lines of code of an op."""
    return f"w:{name}"


def amount(nbytes: int) -> str:
    """Bytes as a pill shows them.

    Example:
        >>> amount(4000), amount(802_816), amount(4_194_304)
        ('4,000 B', '802,816 B', '4.19 MB')
    """
    return f"{nbytes:,} B" if nbytes < 1_000_000 else f"{nbytes / 1e6:.3g} MB"


# ---- the graph -------------------------------------------------------------------------------------------


def graph_of(story: Story) -> Json:
    """The ops of a program, each with the value that it makes."""
    names = {e.name for e in story.entries}
    read = {f for e in story.entries for f in e.feeds}
    entries = [e for e in story.entries if e.op or e.name in read]
    spots = place([unit(e, names) for e in arguments_beside_readers(entries)])
    nodes, edges = list[Json](), list[Json]()
    for entry in entries:
        nodes += boxes(entry, spots)
    right = {node["id"]: node["x"] + node["w"] / 2 for node in nodes}
    for entry in entries:
        for feed in [f for f in entry.feeds if f in names]:
            points = spots.via[feed, entry.name]
            via = [[round(x), y] for x, y in points if x > right[value_id(feed)] + 4]
            edge: Json = {"id": f"{feed}>{entry.name}", "from": value_id(feed), "to": op_id(entry.name)}
            edges.append(edge | ({"via": via} if via else {}))
        if entry.op:
            edges.append({"id": f"{entry.name}>", "from": op_id(entry.name), "to": value_id(entry.name)})
    return {"width": round(spots.width), "height": round(spots.height), "nodes": nodes, "edges": edges, "pins": []}


def arguments_beside_readers(entries: Sequence[Entry]) -> list[Entry]:
    """Arguments in the order of their first readers, then the ops."""
    first: dict[str, int] = {}
    for k, entry in enumerate(entries):
        for feed in entry.feeds:
            first.setdefault(feed, k)
    return sorted((e for e in entries if not e.feeds), key=lambda e: first.get(e.name, 0)) + [
        e for e in entries if e.feeds
    ]


def pill_width(entry: Entry) -> float:
    """Wide enough for its bytes, and for "register" in small letters."""
    return even(max(len(amount(entry.nbytes)) * CHAR, 8 * SMALL if entry.op else 0) + 18)


def op_width(entry: Entry) -> float:
    """The width of an op; nothing for an argument."""
    return even(max(48.0, len(entry.op) * CHAR + 16)) if entry.op else 0.0


def slot(entry: Entry) -> float:
    """The width of a pill with its name."""
    return max(pill_width(entry), len(entry.name) * SMALL + 4)


def unit(entry: Entry, names: set[str]) -> Unit:
    """What moves as one piece: the op with its value."""
    width = op_width(entry) + NEAR + (pill_width(entry) + slot(entry)) / 2 if entry.op else slot(entry)
    up = ABOVE if entry.op else 38.0
    return Unit(entry.name, even(width), up, BELOW if entry.op else 17.0, tuple(f for f in entry.feeds if f in names))


def boxes(entry: Entry, spots: Placement) -> list[Json]:
    """The op and its pill, or the pill of an argument."""
    left, y, wide, op = spots.left[entry.name], spots.line[entry.name], pill_width(entry), op_width(entry)
    x = left + op + NEAR + wide / 2 if op else left + slot(entry) / 2
    pill: Json = {"id": value_id(entry.name), "kind": "value" if op else "input", "label": entry.name}
    box: Json = {"id": op_id(entry.name), "kind": "op", "label": entry.op, "x": round(left + op / 2), "w": op}
    sized: Json = {"y": y, "h": HEIGHT}
    return [*([box | sized] if op else []), pill | {"x": round(x), "w": wide} | sized]


def even(x: float) -> float:
    """An even number of px."""
    return float(2 * round(x / 2 + 0.49))


# ---- what changes from stage to stage --------------------------------------------------------------------


class Hulls:
    """The outlines around what is one launch, and what happens to them and to the values inside."""

    def __init__(self, story: Story) -> None:
        self.number = {e.name: k for k, e in enumerate(story.entries)}
        self.shown: dict[str, tuple[tuple[str, ...], str]] = {}  # members and label by id
        self.gone: set[str] = set()

    def named(self, launches: Iterable[Launch]) -> dict[str, Launch]:
        """The id of every launch: the first of its ops that no other is named after, so that it keeps it."""
        out: dict[str, Launch] = {}
        for launch in launches:
            ids = [f"h:{self.number[name]}" for name in sorted(launch.members, key=self.number.__getitem__)]
            out[next((id for id in ids if id not in out), f"{ids[0]}.{len(out)}")] = launch
        return out

    def events(self, launches: Sequence[Launch]) -> list[Json]:
        """What happens in the graph so that it shows these launches."""
        named = self.named(launches)
        wanted = {id: (launch.members, f"K{k}") for k, (id, launch) in enumerate(named.items(), 1)}
        events: list[Json] = [
            {"type": "hull", "id": id, "ids": [], "label": ""} for id in self.shown if id not in wanted
        ]
        for id, (members, label) in wanted.items():
            if self.shown.get(id) != (members, label):
                inside = inner(named[id])
                ids = [*map(op_id, members), *map(value_id, inside)]
                events.append({"type": "hull", "id": id, "ids": ids, "label": label})
        gone = {name for launch in launches for name in inner(launch)}
        new = sorted(gone - self.gone, key=self.number.__getitem__)
        events += [{"type": "value", "id": value_id(name), "value": "register"} for name in new]
        events += [{"type": "fade", "ids": list(map(value_id, new))}] if new else []
        self.shown, self.gone = wanted, self.gone | gone
        return events


def inner(launch: Launch) -> list[str]:
    """What a launch computes and does not write."""
    written = {name for name, _ in launch.writes}
    return [name for name in launch.members if name not in written]


# ---- traffic ---------------------------------------------------------------------------------------------


class Cells:
    """One cell for each time that a value is read from memory or written to it."""

    def __init__(self, story: Story) -> None:
        self.entry = {e.name: e for e in story.entries}
        self.all: list[Json] = []
        self.known: dict[tuple[str, str, int, str], str] = {}
        self.first = [self.fresh(launch) for launch in story.stages[0].launches]

    def fresh(self, launch: Launch) -> list[str]:
        """The cells of a launch op by op."""
        return [self.cell(rw, name, n, launch.members[-1]) for rw, name, n in accesses(launch)]

    def cell(self, rw: str, name: str, nbytes: int, op: str) -> str:
        """A cell, made once: an op reads and writes a value."""
        key = rw, name, nbytes, op
        if key not in self.known:
            self.known[key] = f"x:{len(self.all)}"
            entry = self.entry.get(name)
            role = "temporary" if entry is not None and entry.op and not entry.returned else "value"
            self.all.append(
                {"id": self.known[key], "text": name, "of": op_id(op), "rw": rw, "bytes": nbytes, "role": role}
            )
        return self.known[key]

    def of(self, launch: Launch) -> list[str]:
        """The cells of a launch: those of its ops, as far as they are left."""
        out: list[str] = []
        for rw, name, nbytes in accesses(launch):
            own = (op for op in launch.members if (rw, name, nbytes, op) in self.known)
            out.append(self.cell(rw, name, nbytes, next(own, launch.members[-1])))
        return sorted(out, key=lambda id: int(id[2:]))


def accesses(launch: Launch) -> list[tuple[str, str, int]]:
    """What a launch reads and writes."""
    return [("read", *moved) for moved in launch.reads] + [("write", *moved) for moved in launch.writes]


def traffic_panel(story: Story, shown: Sequence[tuple[int, Stage]], ran: Sequence[int], cells: Cells) -> Json:
    """The panel of traffic. `shown`: from when on each stage; `ran`: when each launch of the first stage has run."""
    hulls = Hulls(story)
    stages: list[Json] = []
    for at, stage in shown:
        named = hulls.named(stage.launches)
        rows = [
            {"id": id, "label": f"K{k}", "ids": cells.of(launch)} for k, (id, launch) in enumerate(named.items(), 1)
        ]
        stages.append({"at": at, "rows": rows, **spent(stage)})
    first = hulls.named(story.stages[0].launches)
    steps = [
        {"at": at, "id": id, "label": f"K{k}", "ids": ids}
        for k, (at, id, ids) in enumerate(zip(ran, first, cells.first, strict=True), 1)
    ]
    return {
        "kind": "traffic",
        "id": "traffic",
        "label": "Memory traffic",
        "cells": cells.all,
        "first": steps,
        "stages": stages,
    }


def spent(stage: Stage) -> Json:
    """The three terms of the iron law: data, work, overhead."""
    flops = sum(launch.flops for launch in stage.launches)
    return {"bytes": stage.nbytes, "flops": flops, "launches": len(stage.launches)}


# ---- code ------------------------------------------------------------------------------------------------


def listing_panel(shown: Sequence[tuple[int, Stage]]) -> Json:
    """The panel of the generated loops, stage by stage."""
    stages: list[Json] = []
    for at, stage in shown:
        rows = [row for k, launch in enumerate(stage.launches, 1) for row in rows_of(launch, f"K{k}")]
        if not stages or rows != stages[-1]["rows"]:
            stages.append({"at": at, "rows": rows})
    longest = max((len(row["text"]) for stage in stages for row in stage["rows"]), default=0)
    return {
        "kind": "listing",
        "id": "code",
        "label": "Generated loops",
        "side": longest <= LONGEST,
        "stages": stages,
    }


def rows_of(launch: Launch, tag: str) -> list[Json]:
    """The lines of a launch; the first has its number."""
    return [
        {
            "id": None if line.node is None else code_id(line.node.name),
            "tag": tag if k == 0 else "",
            "text": line.text,
        }
        for k, line in enumerate(launch.lines)
    ]


def most_used(files: Iterable[str]) -> str:
    """The file that most ops come from."""
    return next(iter(Counter(files).most_common(1)), ("", 0))[0]
