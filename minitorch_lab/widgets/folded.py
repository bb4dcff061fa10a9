"""A scene with repeats: the graph with boxes in their places, and which steps go by when a box is passed as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from ..recording import events as ev
from .folding import Fold
from .model import Model, edge_id
from .numbers import plural
from .picture import Picture
from .repeats import Repeat, repeats_of

Json = dict[str, Any]


def folds_of(model: Model, ops: Sequence[ev.Op], least: int | None) -> list[Fold]:
    """The repeats whose items are all drawn alike."""
    drawn = {op.id for op in ops}
    return [fold for fold in (Fold(model, repeat, drawn) for repeat in repeats_of(model, least)) if fold.whole]


def overview(model: Model, ops: Sequence[ev.Op], folds: Sequence[Fold], steps: Sequence[Json], notes: bool) -> Json:
    """The graph of `ops`, with a box for every fold."""
    inner = {op.id for fold in folds for item in fold.items for op in item}
    ends = {fold.items[-1][-1].id: fold.box() for fold in folds}
    rows = [ends.get(op.id, op) for op in ops if op.id in ends or op.id not in inner]
    edges = {
        edge_id(box, k): edge
        for fold, box in zip(folds, ends.values(), strict=True)
        for k, (_, edge) in enumerate(fold.edges())
    }
    drawn = {real: named for named, real in edges.items()}
    texts = [
        {"events": [{**e, "edge": drawn[e["edge"]]} if e.get("edge") in drawn else e for e in step["events"]]}
        for step in steps
    ]
    graph = Picture(model, rows, texts, notes).graph()
    for edge in graph["edges"]:
        edge["id"] = edges.get(edge["id"], edge["id"])
    boxes = {fold.repeat.id for fold in folds}
    for node in graph["nodes"]:
        if node["id"] in boxes:
            node["kind"] = "fold"
    return graph


def parts_of(repeats: Iterable[Repeat], model: Model) -> dict[str, str]:
    """For the ops of repeats, their nodes, what they make and what only one item reads: the id of that item."""
    found: dict[str, str] = {}
    shared: set[str] = set()
    for repeat in repeats:
        for k, item in enumerate(repeat.items):
            for op in item:
                found[op.id] = found[op.output] = repeat.part(k)
                if op.node is not None:
                    found[op.node] = repeat.part(k)
        for k, item in enumerate(repeat.items):
            for tensor in (t for op in item for t in op.inputs if t not in model.maker):
                if found.setdefault(tensor, repeat.part(k)) != repeat.part(k):
                    shared.add(tensor)
    return {id: part for id, part in found.items() if id not in shared}


def marked(steps: Sequence[Json], folds: Sequence[Fold], model: Model) -> None:
    """Every step that happens in an item says so; the last one of an item says what it has done as a whole."""
    parts = parts_of([fold.repeat for fold in folds], model)
    of = {fold.repeat.part(k): (fold, k) for fold in folds for k in range(len(fold.items))}
    before: Json = {}
    for step in steps:
        part = part_of(step, parts, before)
        if part is not None:
            step["of"] = part
            if step.get("predict", {}).get("kind") == "node":
                del step["predict"]  # what runs next may be out of sight
        before = step

    def unit(step: Json) -> str | None:
        fold, k = of.get(step.get("of", ""), (None, 0))
        return None if fold is None else fold.repeat.unit(k)

    for (which, phase), group in groupby(steps, key=lambda step: (unit(step), step["phase"])):
        own = list(group)
        if which is not None:
            fold, k = of[own[-1]["of"]]
            own[-1]["brief"] = ran(model, fold, k) if phase == "forward" else walked(fold, k, own)


def part_of(step: Json, parts: dict[str, str], before: Json) -> str | None:
    """The item in which a step happens: that of its op. What waits or is added in a walk belongs to the rule before."""
    focus = step["focus"]
    if step["phase"] == "update" or not focus:
        return None
    if focus[0].startswith("o"):
        return parts.get(focus[0])
    goes_on = any(id.startswith("o") for id in focus) or any(event["type"] == "sum" for event in step["events"])
    return before.get("of") if goes_on and before.get("phase") == step["phase"] != "forward" else None


def name_of(fold: Fold, k: int) -> str:
    """What is told together: an item, or all of them."""
    repeat = fold.repeat
    return repeat.title if repeat.unit(k) == repeat.id else repeat.names[k]


def ran(model: Model, fold: Fold, k: int) -> str:
    """One sentence for the forward pass of an item."""
    all = fold.repeat.unit(k) == fold.repeat.id
    count, out = len(fold.items[k]) * (len(fold.items) if all else 1), fold.items[k][-1].output
    return f"`{name_of(fold, k)}` runs {plural(count, 'op')} and makes {model.name(out)}: {model.describe_value(out)}."


def walked(fold: Fold, k: int, steps: Sequence[Json]) -> str:
    """One sentence for the walk through an item."""
    sends = sum(event["type"] == "send" for step in steps for event in step["events"])
    freed = sum(event["type"] == "unpin" for step in steps for event in step["events"])
    drops = f"{plural(freed, 'pin')} {'drops' if freed == 1 else 'drop'}" if freed else ""
    done = f"send {plural(sends, 'gradient')}" if sends else "are read"
    return f"The rules of `{name_of(fold, k)}` {done}{f', and {drops}' if drops else ''}."
