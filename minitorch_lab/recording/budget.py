"""How much a recording keeps in full: so many entries in all, the smallest tensors first."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .recording import Recording
from .values import Value

MOST = 2**17  # entries: half a megabyte of float32


def hold(recording: Recording, most: int = MOST) -> None:
    """Where all values together have more than `most` entries, keep the largest as summaries only.

    The same entries count once, however many events speak of them. Tensors of one size are treated alike: it is as if
    `record(values=...)` had been called with fewer.
    """
    data = {value.data for event in recording.events for value in values_of(event) if value.data is not None}
    if sum(map(len, data)) <= most:
        return
    sizes, total, cap = Counter(map(len, data)), 0, 0
    for size in sorted(sizes):
        total += size * sizes[size]
        if total > most:
            break
        cap = size
    for event in recording.events:
        changed = {key: cut(part, cap) for key, part in event._asdict().items() if any(values_of((part,)))}
        if changed:
            recording.complete_event(event.n, **changed)


def values_of(fields: tuple[Any, ...]) -> list[Value]:
    """The values in the fields of an event."""
    found = [field for field in fields if isinstance(field, Value)]
    inner = [part for field in fields if isinstance(field, tuple) and not isinstance(field, Value) for part in field]
    return found + [value for part in inner if isinstance(part, tuple) for value in part if isinstance(value, Value)]


def cut(part: Any, cap: int) -> Any:
    """A field, its values without entries where there are more than `cap`."""
    if isinstance(part, Value):
        return part if part.numel <= cap else part._replace(data=None)
    return tuple(cut(inner, cap) for inner in part) if isinstance(part, tuple) else part
