"""The clock of a recording: its events, cut into moments. The steps of every view end where a moment ends."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from ..recording import events as ev
from ..recording.recording import Recording

# A moment begins with one of these, or with the birth of what is there for it; what follows belongs to it.
OPENING = (ev.Op, ev.Begin, ev.Step, ev.End)


def ahead(birth: ev.Birth, walking: bool) -> bool:
    """Whether a block belongs to what runs next: an op that is the first to read it, or a walk that it starts."""
    return birth.phase != "before" and (birth.category == "input" or (birth.phase == "backward" and not walking))


def openings(recording: Recording) -> Iterator[int]:
    """The events with which moments begin."""
    walking, first = False, None
    for event in recording.events:
        if isinstance(event, OPENING):
            yield event.n if first is None else first
            walking, first = isinstance(event, ev.Begin) or (walking and not isinstance(event, ev.End)), None
        elif first is None and isinstance(event, ev.Birth) and ahead(event, walking):
            first = event.n


class Clock:
    """Which events belong to one moment: to an op that ran, or to a node's turn in a walk.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.recording.events import Op
        >>> with ml.record() as rec:
        ...     y = ml.tensor(2.0, requires_grad=True) * 3 + 1
        >>> first, second = rec.each(Op)
        >>> clock = Clock(rec)
        >>> first.n <= clock.until(first.n) < second.n
        True
    """

    def __init__(self, recording: Recording) -> None:
        self.starts = list(openings(recording))
        self.last = max(0, len(recording.events) - 1)

    def until(self, n: int) -> int:
        """The last event of the moment to which event `n` belongs."""
        k = bisect_right(self.starts, n)
        return self.starts[k] - 1 if k < len(self.starts) else self.last

    def since(self, n: int) -> int:
        """The event with which that moment begins; 0 for what comes before all of them."""
        k = bisect_right(self.starts, n)
        return self.starts[k - 1] if k else 0
