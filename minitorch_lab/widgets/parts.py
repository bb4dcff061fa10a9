"""Which blocks and runs belong to which item of a repeat: panels draw those of one item as one while it is folded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .folded import parts_of
from .model import Model
from .moments import Moment
from .repeats import Repeat, repeats_of, units_of

Json = dict[str, Any]


class Parts:
    """The items of a recording, and what of a panel is in each."""

    def __init__(self, model: Model) -> None:
        self.repeats = repeats_of(model)
        self.of = parts_of(self.repeats, model)
        self.units = units_of(self.repeats)
        self.named = {one.id: one.title for one in self.repeats}
        self.named |= {one.part(k): name for one in self.repeats for k, name in enumerate(one.names)}
        self.held: dict[str, list[str]] = {one.part(k): [] for one in self.repeats for k in range(len(one.items))}

    def hold(self, id: str, nearest: Iterable[str | None]) -> str | None:
        """The item of the first of `nearest` that is in one; `id` is then part of it."""
        part = next((self.of[one] for one in nearest if one in self.of), None)
        if part is not None:
            self.held[part].append(id)
        return part

    def describe_common(self, ran: Sequence[Moment]) -> str:
        """What several ops have in common: their item, or their line."""
        of = {self.units.get(moment.op.id) for moment in ran if moment.op is not None}
        part = of.pop() if len(of) == 1 else None
        return "one line" if part is None else f"`{self.named[part]}`"

    def json(self) -> list[Json]:
        """As a scene holds them, without graphs."""
        return [fold_of(one, self.held) for one in self.repeats]


def part_of(part: str | None) -> Json:
    """What a row of a panel says of its item, if it is in one."""
    return {} if part is None else {"of": part}


def fold_of(repeat: Repeat, held: Mapping[str, list[str]]) -> Json:
    """One repeat."""
    items = [
        {"id": repeat.part(k), "label": name, "ids": [], "of": held[repeat.part(k)]}
        for k, name in enumerate(repeat.names)
    ]
    return {"id": repeat.id, "label": repeat.label, "ids": [], "items": items}


def together(first: Sequence[Json], second: Sequence[Json]) -> list[Json]:
    """The folds of two views of one recording: the graph of the one, the parts of both."""
    found = {fold["id"]: fold for fold in first}
    for fold in second:
        known = found.get(fold["id"])
        if known is None:
            found[fold["id"]] = fold
            continue
        ours = known if "graph" in known or "graph" not in fold else fold
        pairs = zip(ours["items"], known["items"], fold["items"], strict=True)
        items = [{**item, "of": list(dict.fromkeys([*a["of"], *b["of"]]))} for item, a, b in pairs]
        found[fold["id"]] = {**ours, "items": items}
    return list(found.values())
