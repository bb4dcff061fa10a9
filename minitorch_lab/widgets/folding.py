"""Repeats in a graph, folded: one box stands for all items, and one picture of an item serves for each of them.

The picture is that of the second item, whose inputs are as those of all that follow. Every id in it is a slot; for each
item the scene lists the ids that stand in these slots.
"""

from __future__ import annotations

import copy
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..recording import events as ev
from .linking import Links
from .model import Model, edge_id, pin_id
from .numbers import plural
from .picture import Picture
from .repeats import Repeat

Json = dict[str, Any]
Place = tuple[int, str]
FEW = 3  # so many edges from one value into a box are drawn; more are one


class Fold:
    """One repeat, as far as it is drawn."""

    def __init__(self, model: Model, repeat: Repeat, drawn: set[str]) -> None:
        self.model, self.repeat = model, repeat
        self.items = [[op for op in item if op.id in drawn] for item in repeat.items]
        places = [slots(model, item) for item in self.items]
        self.places = places[1]
        self.alike = all(missing(self.places, other) for other in places)
        self.slots = [[other.get(place, "") for place in self.places] for other in places]  # "": it keeps less
        self.inside = {op.output for item in self.items for op in item}

    @property
    def whole(self) -> bool:
        """Whether all items are drawn alike; a box can stand for them only then."""
        shapes = {tuple(op.op for op in item) for item in self.items}
        return self.alike and len(shapes) == 1 and len(self.items[0]) > 0 and self.repeat.result in self.inside

    def entering(self) -> Iterator[tuple[str, str]]:
        """(tensor, edge) of what comes in from the graph around: what the first item reads, and what all read."""
        readers = [{t for op in item for t in op.inputs if t not in self.inside} for item in self.items]
        shared = set.intersection(*readers)
        carried = {t for op in self.items[1] for t in op.inputs} & self.inside - {op.output for op in self.items[1]}
        for op, second in zip(self.items[0], self.items[1], strict=True):
            for k, (tensor, other) in enumerate(zip(op.inputs, second.inputs, strict=True)):
                if other in carried and tensor not in self.inside:
                    yield tensor, edge_id(op, k)
        for tensor in dict.fromkeys(t for op in self.items[1] for t in op.inputs if t in shared):
            yield tensor, f"{tensor}>{self.repeat.id}"
        for item in self.items:
            for tensor in dict.fromkeys(t for op in item for t in op.inputs if t not in self.inside | shared):
                if tensor in self.model.maker and item is not self.items[0]:
                    yield tensor, f"{tensor}>{self.repeat.id}"

    def edges(self) -> list[tuple[str, str]]:
        """The edges into the box, and where each comes from; many from one value are one."""
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for tensor, edge in self.entering():
            found[tensor][edge] = None
        return [
            (tensor, edge)
            for tensor, edges in found.items()
            for edge in (edges if len(edges) <= FEW else [f"{tensor}>{self.repeat.id}"])
        ]

    def box(self) -> ev.Op:
        """All items as one op."""
        first, repeat = self.items[0][0], self.repeat
        inputs = tuple(tensor for tensor, _ in self.edges())
        return ev.Op(first.n, repeat.id, repeat.title, inputs, repeat.result, {}, None, True, first.line, None)

    # ---- the picture of one item ----------------------------------------------------------------------------
    def picture(self, steps: Sequence[Json]) -> Json:
        """The graph of an item, with room for what any of them ever shows."""
        item, model = self.items[1], copy.copy(self.model)
        model.called = {**model.called, **self.labels()}
        graph = Picture(model, item, [{"events": list(self.seen(steps))}], notes=False).graph()
        for node in graph["nodes"]:
            if node["kind"] != "op" and node["id"] in self.model.maker:
                node["kind"] = "value"
        of = {pin_id(op, tensor): tensor for op in item for tensor in kept(self.model, op)}
        for pin in graph["pins"]:
            pin["label"] = model.called[of[pin["id"]]]
        return graph

    def labels(self) -> dict[str, str]:
        """What the tensors of an item are called, without what tells items apart."""
        named: dict[str, set[str]] = defaultdict(set)
        for ids, path in zip(self.slots, self.repeat.names, strict=True):
            for slot, id in zip(self.slots[1], ids, strict=True):
                if id in self.model.tensors:
                    named[slot].add(plain(self.model.name(id), path))
        return {slot: self.label(slot, names) for slot, names in named.items()}

    def label(self, slot: str, names: set[str]) -> str:
        """The name that all items have in common, with k for a number that they have not; else the op that makes it."""
        names = names if len(names) == 1 else {re.sub(r"\d+", "k", name) for name in names}
        common = names.pop() if len(names) == 1 else ""
        return common or (f"{self.model.maker[slot].op}(…)" if slot in self.model.maker else "…")

    def seen(self, steps: Sequence[Json]) -> Iterator[Json]:
        """All that the steps draw in any item, as if it were drawn in the one."""
        places: dict[str, set[str]] = defaultdict(set)
        for ids in self.slots:
            for slot, id in zip(self.slots[1], ids, strict=True):
                places[id].add(slot)
        for event in (event for step in steps for event in step["events"]):
            for key in ("id", "edge"):
                for slot in places.get(event.get(key), ()):
                    yield {**event, key: slot}

    def json(self, steps: Sequence[Json]) -> Json:
        """As a scene holds it."""
        items = [
            {"id": self.repeat.part(k), "label": name, "ids": ids, "of": []}
            for k, (name, ids) in enumerate(zip(self.repeat.names, self.slots, strict=True))
        ]
        out = self.slots[1].index(self.items[1][-1].output)
        head = {"id": self.repeat.id, "label": self.repeat.label, "ids": self.slots[1], "out": out}
        return {**head, "items": items, "graph": self.picture(steps)}


def boxed(links: Links, folds: Sequence[Fold]) -> None:
    """A box lights up with the lines that its items run, and they with it; so does each item."""
    for fold in folds:
        for k, item in enumerate(fold.items):
            for id in (fold.repeat.id, fold.repeat.part(k)):
                links.star(id, (op.line for op in item))


def about_folds(folds: Sequence[Fold]) -> dict[str, str]:
    """The facts about each box, and about each item."""
    out: dict[str, str] = {}
    for fold in folds:
        count, names = len(fold.items), fold.repeat.names
        ops = plural(len(fold.items[0]), "op")
        out[fold.repeat.id] = f"{count} times the same · {names[0]} to {names[-1]} · {ops} each · Enter opens it"
        for k, name in enumerate(names):
            out[fold.repeat.part(k)] = f"{name} · {ops} · {k + 1} of {count}"
    return out


def slots(model: Model, item: Sequence[ev.Op]) -> dict[Place, str]:
    """Every id in the picture of an item, by its place: which op, and what of it."""
    found: dict[Place, str] = {}
    for i, op in enumerate(item):
        found |= {(i, "op"): op.id, (i, "out"): op.output, (i, "to out"): f"{op.id}>{op.output}"}
        for k, tensor in enumerate(op.inputs):
            found |= {(i, f"in {k}"): tensor, (i, f"edge {k}"): edge_id(op, k)}
        known = [*op.inputs, op.output]
        for k, tensor in enumerate(kept(model, op)):
            role = f"pin {known.index(tensor)}" if tensor in known else f"pin of {k}"
            found[i, role] = pin_id(op, tensor)
    return found


def missing(places: Mapping[Place, str], other: Mapping[Place, str]) -> bool:
    """Whether an item has all that the second one has, but for pins: the first one's input may want no gradient."""
    return other.keys() <= places.keys() and all(what.startswith("pin") for _, what in places.keys() - other.keys())


def kept(model: Model, op: ev.Op) -> list[str]:
    """The tensors that an op keeps."""
    return [str(save.tensor) for save in model.tensors_kept(op)]


def plain(name: str, path: str) -> str:
    """A name without the path of its item, its number and its primes; nothing for what has none but an id.

    Example:
        >>> plain("blocks.3.qkv.weight", "blocks.3"), plain("heads (4)", "blocks.3"), plain("gelu(t7)", "")
        ('qkv.weight', 'heads', '')
    """
    if re.search(r"\bt\d+\b", name):
        return ""
    return re.sub(r"( \(\d+\))?′*( \[t\d+\])?$", "", name.removeprefix(f"{path}."))
