"""The graph of a scene: every box with its size and place, every edge with its way. All in pixels.

Widths come from the longest text that a box ever shows, so that nothing moves from step to step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ..recording import events as ev
from .layout import Placement, Unit, place
from .model import Model, edge_id, pin_id
from .numbers import ordinal

Json = dict[str, Any]

CHAR, SMALL, CHIP = 7.83, 6.63, 7.23  # width of a character at 13, 11 and 12 px monospace
HEIGHT = 34.0
NEAR = 24.0  # between an op and its pill
ABOVE, NAMED, BELOW, SUM, TRAY, HOOK = 17.0, 38.0, 17.0, 50.0, 68.0, 18.0
PIN, PIN_GAP, PINNED = 50.0, 6.0, 62.0
STEEP = 96.0  # an edge that falls by more than this would run through a note
EASE = 32.0  # a curve that leaves a pill is level for at least this long
NOTE, NOTE_WIDTH, FEW = "keeps nothing", 72.0, 8  # only small pictures have room for notes


class Texts:
    """The widest texts that the steps put into each place."""

    def __init__(self, steps: Sequence[Json]) -> None:
        self.pill: dict[str, int] = defaultdict(int)
        self.sum: dict[str, int] = defaultdict(int)
        self.chip: dict[str, int] = defaultdict(int)
        self.hook: dict[str, int] = defaultdict(int)
        for event in (event for step in steps for event in step["events"]):
            self._see(event)

    def _see(self, event: Json) -> None:
        match event:
            case {"type": "value" | "write", "id": name, "value": text}:
                self.pill[name] = max(self.pill[name], len(text))
            case {"type": "sum", "id": name, "text": text}:
                right = event.get("right")
                self.sum[name] = max(self.sum[name], len(text) + (3 + len(right) if right else 0))
            case {"type": "send" | "push", "edge": name, "value": text}:
                self.chip[name] = max(self.chip[name], len(text))
            case {"type": "hook", "id": name, "text": text}:
                self.hook[name] = max(self.hook[name], len(text))
            case _:
                pass


class Picture:
    """Boxes for `ops` and for what they read and make."""

    def __init__(self, model: Model, ops: Sequence[ev.Op], steps: Sequence[Json], notes: bool) -> None:
        self.model, self.ops, self.texts, self.notes = model, ops, Texts(steps), notes
        self.made = {op.output: op for op in ops}
        self.sources = model.sources(ops)
        self.alone = [] if ops else list(self.texts.pill)
        made_by = model.bands()  # what no walk has made: 0
        walks = sorted({made_by.get(op.id, 0) for op in ops})
        self.band = {op.output: walks.index(made_by.get(op.id, 0)) for op in ops}  # 0 is the first that is drawn
        for source in self.sources:
            self.band[source] = min(self.band[op.output] for op in ops if source in op.inputs)

    def graph(self) -> Json:
        """The graph: nodes, edges and pins with their places."""
        units = [self._source(t) for t in [*self.sources, *self.alone]] + [self._unit(op) for op in self.ops]
        spots = place(_readers_last(units))
        nodes, pins = [], []
        for tensor in [*self.sources, *self.alone]:
            width = self._pill_width(tensor)
            x = spots.left[tensor] + self._slot(tensor) / 2
            nodes.append(self._pill(tensor, x, spots.line[tensor], width))
        for op in self.ops:
            nodes += self._op_and_pill(op, spots)
            pins += self._pins(op, spots)
        return {
            "width": round(spots.width),
            "height": round(spots.height),
            "nodes": nodes,
            "edges": self._edges(spots, nodes),
            "pins": pins,
        } | self._bands(spots)

    def _bands(self, spots: Placement) -> Json:
        """The layers below the first, each with its label; nothing where there is only one."""
        labels = [made_by_walk(k) for k in range(1, len(spots.bands))]
        bands = [
            {"label": label, "y": top, "h": bottom - top}
            for label, (top, bottom) in zip(labels, spots.bands[1:], strict=True)
        ]
        return {"bands": bands} if bands else {}

    # ---- sizes --------------------------------------------------------------------------------------------
    def _pill_width(self, tensor: str) -> float:
        const = self.model.kind(tensor, tensor in self.made) == "const"
        text = max(self.texts.pill[tensor], len(self.model.name(tensor)) if const else 0)
        return _even(max(40.0 if const else 56.0, text * CHAR + 18 + self._batch_width(tensor)))

    def _batch_width(self, tensor: str) -> float:
        """The part of a pill that shows the batch axis."""
        label = self.model.batch(tensor)
        return len(label) * SMALL + 14 if label else 0.0

    def _op_width(self, op: ev.Op) -> float:
        return _even(max(48.0, len(op.op) * CHAR + 16))

    def _slot(self, tensor: str) -> float:
        """The width of a pill with all that stands above and below it."""
        const = self.model.kind(tensor, tensor in self.made) == "const"
        name = 0.0 if const else len(self.model.name(tensor)) * SMALL + 4
        tray = (len(self._tray(tensor)) * SMALL + 4) if self._has_tray(tensor) else 0.0
        total = self.texts.sum[tensor] * CHAR + 20 if self.texts.sum[tensor] else 0.0
        return max(self._pill_width(tensor), name, tray, total, self.texts.hook[tensor] * SMALL)

    def _has_tray(self, tensor: str) -> bool:
        return tensor not in self.made and self.model.wants_gradient(tensor)

    def _tray(self, tensor: str) -> str:
        return self.model.tray(tensor)

    def _down(self, tensor: str) -> float:
        base = TRAY if self._has_tray(tensor) else SUM if self.texts.sum[tensor] else BELOW
        return base + (HOOK if self.texts.hook[tensor] else 0.0)

    def _source(self, tensor: str) -> Unit:
        up = ABOVE if self.model.kind(tensor, False) == "const" else NAMED
        return Unit(tensor, self._slot(tensor), up, self._down(tensor), band=self.band.get(tensor, 0))

    def _note(self, op: ev.Op) -> bool:
        return self.notes and len(self.ops) <= FEW and op.node is not None and not self.model.tensors_kept(op)

    def _lead(self, op: ev.Op) -> float:
        """How far what stands above an op, its note or its pins, sticks out to its left."""
        above = NOTE_WIDTH if self._note(op) else self._across(op)
        return max(0.0, _even((above - self._op_width(op)) / 2))

    def _across(self, op: ev.Op) -> float:
        """The width of the pins of an op, side by side."""
        tags = self._tags(op)
        return sum(width for _, _, width in tags) + PIN_GAP * max(0, len(tags) - 1)

    def _near(self, op: ev.Op) -> float:
        """The distance from an op to its pill: enough for the note above the one and the name above the other."""
        if not self._note(op):
            return NEAR
        name = len(self.model.name(op.output)) * SMALL
        both = (NOTE_WIDTH + name - self._op_width(op) - self._pill_width(op.output)) / 2
        return _even(max(NEAR, both + 8.0))

    def _tags(self, op: ev.Op) -> list[tuple[str, str, float]]:
        """(tensor, label, width) of the pins of `op`."""
        held = dict.fromkeys(str(s.tensor) for s in self.model.tensors_kept(op))
        labels = [(t, self.model.tag(t)) for t in held]
        return [(t, label, round(len(label) * SMALL + 14)) for t, label in labels]

    def _unit(self, op: ev.Op) -> Unit:
        own = (
            self._lead(op)
            + self._op_width(op)
            + self._near(op)
            + (self._pill_width(op.output) + self._slot(op.output)) / 2
        )
        tags = self._across(op)
        note = NOTE_WIDTH if self._note(op) else 0.0
        chips = [
            self.texts.chip[edge_id(op, k)] * CHIP + 12
            for k in range(len(op.inputs))
            if self.texts.chip[edge_id(op, k)]
        ]
        up = PINNED if tags or note else NAMED
        width, chip = _even(max(own, tags, note)), max(chips, default=0.0)
        return Unit(op.output, width, up, self._down(op.output), op.inputs, chip, self.band[op.output])

    # ---- boxes --------------------------------------------------------------------------------------------
    def _pill(self, tensor: str, x: float, y: float, width: float) -> Json:
        kind = self.model.kind(tensor, tensor in self.made)
        node: Json = {
            "id": tensor,
            "kind": kind,
            "label": self.model.name(tensor),
            "x": round(x),
            "y": y,
            "w": width,
            "h": HEIGHT,
        }
        if self.model.batch(tensor):
            node["batch"] = {"label": self.model.batch(tensor), "w": round(self._batch_width(tensor))}
        total = _even(self.texts.sum[tensor] * CHAR + 16)
        if self._has_tray(tensor):
            node["tray"] = {"label": self._tray(tensor), "w": max(width, total)}
        elif self.texts.sum[tensor]:
            node["sum"] = {"w": max(44.0, total)}
        return node

    def _op_and_pill(self, op: ev.Op, spots: Placement) -> list[Json]:
        left, y, wide = spots.left[op.output] + self._lead(op), spots.line[op.output], self._op_width(op)
        box: Json = {
            "id": op.id,
            "kind": "op",
            "label": op.op,
            "x": round(left + wide / 2),
            "y": y,
            "w": wide,
            "h": HEIGHT,
        }
        if self._note(op) and all(abs(self._from(op, t, spots) - y) <= STEEP for t in op.inputs):
            box["note"] = NOTE
        pill = self._pill_width(op.output)
        return [box, self._pill(op.output, left + wide + self._near(op) + pill / 2, y, pill)]

    def _from(self, op: ev.Op, tensor: str, spots: Placement) -> float:
        """The line from which the edge of `tensor` comes to `op`."""
        via = spots.via[tensor, op.output]
        return via[-1][1] if via else spots.line[tensor]

    def _pins(self, op: ev.Op, spots: Placement) -> list[Json]:
        middle = spots.left[op.output] + self._lead(op) + self._op_width(op) / 2
        x, y, pins = middle - self._across(op) / 2, spots.line[op.output] - PIN, []
        for tensor, label, width in self._tags(op):
            pins.append(
                {"id": pin_id(op, tensor), "op": op.id, "of": tensor, "label": label, "x": round(x + width / 2), "y": y}
            )
            x += width + PIN_GAP
        return pins

    def _edges(self, spots: Placement, nodes: list[Json]) -> list[Json]:
        right = {node["id"]: node["x"] + node["w"] / 2 for node in nodes}
        edges: list[Json] = []
        for op in self.ops:
            for k, tensor in enumerate(op.inputs):
                edge: Json = {"id": edge_id(op, k), "from": tensor, "to": op.id}
                via = self._way(op, tensor, spots, right[tensor])
                edges.append(edge | ({"via": [[round(x), y] for x, y in via]} if via else {}))
            edges.append({"id": f"{op.id}>{op.output}", "from": op.id, "to": op.output})
        return edges

    def _way(self, op: ev.Op, tensor: str, spots: Placement, right: float) -> list[list[float]]:
        """The points that the edge from `tensor` passes, without those beside its pill that it would pass anyway."""
        via, line = spots.via[tensor, op.output], spots.line[tensor]
        fall = (via[1][1] if len(via) > 1 else spots.line[op.output]) - line
        pill, name = self._pill_width(tensor), len(self.model.name(tensor)) * SMALL
        below = (self._slot(tensor) - pill) / 2 if fall <= 0 and name <= pill else 0.0
        ease = EASE if abs(fall) <= 160 else 4.0
        return [point for point in via if point[0] > right + below + ease]


def made_by_walk(k: int) -> str:
    """The label of the band of the ops that the k-th recorded walk has made.

    Example:
        >>> made_by_walk(1), made_by_walk(2)
        ('made by the backward walk', 'made by the second backward walk')
    """
    return "made by the backward walk" if k == 1 else f"made by the {ordinal(k)} backward walk"


def _even(x: float) -> float:
    return float(2 * round(x / 2 + 0.49))


def _readers_last(units: list[Unit]) -> list[Unit]:
    """Sources in the order of their first readers, so that they stand beside them."""
    first: dict[str, int] = {}
    for k, unit in enumerate(units):
        for i in unit.inputs:
            first.setdefault(i, k)
    sources = sorted((u for u in units if u.source), key=lambda u: first.get(u.id, 0))
    return sources + [u for u in units if not u.source]
