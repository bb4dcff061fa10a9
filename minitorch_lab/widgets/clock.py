"""The clock of a recording: its events, cut into moments. The steps of every view end where a moment ends."""

from __future__ import annotations

from bisect import bisect_right

from ..recording import events as ev
from ..recording.recording import Recording

# A moment begins with one of these; what follows, such as births and deaths of memory, belongs to it.
OPENING = (ev.Op, ev.Begin, ev.Step, ev.End)


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
        self.starts = [event.n for event in recording.events if isinstance(event, OPENING)]
        self.last = max(0, len(recording.events) - 1)

    def until(self, n: int) -> int:
        """The last event of the moment to which event `n` belongs."""
        k = bisect_right(self.starts, n)
        return self.starts[k] - 1 if k < len(self.starts) else self.last

    def since(self, n: int) -> int:
        """The event with which that moment begins; 0 for what comes before all of them."""
        k = bisect_right(self.starts, n)
        return self.starts[k - 1] if k else 0
