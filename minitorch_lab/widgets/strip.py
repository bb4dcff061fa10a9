"""The tape as a strip: one frame for each node, or for each item of what repeats, in the order of their recording."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ..recording import events as ev
from .clock import Clock
from .folded import parts_of
from .folding import Fold
from .model import Model, pin_id
from .numbers import plural
from .turns import walk_from

MOST = 240  # a strip of more frames shows nothing that one can follow
LABEL = "The tape: written to the right, read to the left"

Json = dict[str, Any]


def strip_of(model: Model, ops: Sequence[ev.Op], folds: Sequence[Fold]) -> list[Json]:
    """The panel, as a list of one; empty where no node was recorded, or too many.

    Example:
        >>> from minitorch_lab.widgets.example import tape_example
        >>> model = Model(tape_example())
        >>> panel = strip_of(model, model.ops, [])[0]
        >>> [(frame["label"], [keep["text"] for keep in frame["keeps"]]) for frame in panel["frames"]]
        [('mul', ['2']), ('add', [])]
    """
    clock, reads = Clock(model.recording), reads_of(model)
    parts = parts_of([fold.repeat for fold in folds], model)
    names = {fold.repeat.part(k): name for fold in folds for k, name in enumerate(fold.repeat.names)}
    groups = defaultdict[str, list[ev.Op]](list)
    for op in ops:
        if op.node is not None:
            groups[parts.get(op.id, op.id)].append(op)
    frames = [frame(model, of, names.get(of), group, clock, reads) for of, group in groups.items()]
    frames.sort(key=lambda one: one["at"])
    return [{"kind": "tape", "id": "tape", "label": LABEL, "frames": frames}] if 0 < len(frames) <= MOST else []


def frame(
    model: Model, of: str, name: str | None, ops: Sequence[ev.Op], clock: Clock, reads: dict[str, dict[str, int]]
) -> Json:
    """One frame: an op, or all ops of an item, which has a name."""
    pins = [(pin_id(op, str(s.tensor)), str(s.tensor)) for op in ops for s in model.tensors_kept(op)]
    each = [{"pins": [pin], "text": model.tag(tensor)} for pin, tensor in dict(pins).items()]
    all = [{"pins": list(dict(pins)), "text": plural(len(dict(pins)), "tensor")}] if pins else []
    seen = [[clock.until(walk[str(op.node)]) for op in ops if str(op.node) in walk] for walk in reads.values()]
    return {
        "id": f"tape:{of}",
        "op": of,
        "label": name or ops[0].op,
        "keeps": each if name is None else all,
        "at": clock.until(ops[-1].n),
        "reads": [[min(moments), max(moments)] for moments in seen if moments],
    }


def reads_of(model: Model) -> dict[str, dict[str, int]]:
    """For every walk, and every node that it comes to: the event with which the node's turn begins."""
    walks = [walk_from(model.recording, begin) for begin in model.walks]
    return {walk.begin.walk: {turn.node: turn.n for turn in walk.turns} for walk in walks}
