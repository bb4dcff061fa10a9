"""Functions with several results: each is taken out of the whole, and on the way back its gradient takes that place."""

from __future__ import annotations

from collections.abc import Mapping

from ..recording import events as ev
from ..recording.values import Value
from .model import Model
from .numbers import several, short

MANY = "(…)"
FITS = 22  # characters


def takers(model: Model, whole: str) -> list[ev.Op]:
    """The ops that take one result each out of `whole`, in the order of the results."""
    return [op for op in model.ops if op.inputs == (whole,)]


def takes(model: Model, op: ev.Op) -> bool:
    """Whether `op` only takes one result out of several."""
    return len(op.inputs) == 1 and several(model.value(op.inputs[0]))


def placed(model: Model, whole: str, arrived: Mapping[str, Value], more: bool) -> str:
    """The gradients of all results side by side: (?, 0.4794) while more will come, then (0.8776, 0.4794)."""
    parts = [short(arrived[op.id]) if op.id in arrived else "?" if more else "–" for op in takers(model, whole)]
    text = f"({', '.join(parts)})"
    return text if len(text) <= FITS else MANY


def sending(model: Model, op: ev.Op, left: int, count: int) -> str:
    """What follows the gradient in the sentence: where it goes, and whether it was the last of `count`."""
    result = model.name(op.output)
    say = f" to `{model.name(op.inputs[0])}`, into the place of `{result}`."
    if left or count == 1:
        return say
    return f"{say} Now {'both' if count == 2 else f'all {count}'} are there."
