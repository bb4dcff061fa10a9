"""The account: what a block of code held in memory, when, for what, and which line made it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from ..autograd.eager import Eager
from ..core.interpret import interpreting, stack
from ..errors import RecordingError
from .ledger import Block, Event, Ledger, Moment
from .table import Composition, overview
from .watch import Accounting


class Account:
    """What `account()` gives: totals in bytes, the timeline, and every block of memory.

    While its block runs the figures are those of now; afterwards they are those of its end.
    """

    def __init__(self, ledger: Ledger, layer: Accounting) -> None:
        self._ledger, self._layer = ledger, layer

    def _settled(self) -> Ledger:
        self._layer.settle()
        return self._ledger

    @property
    def live(self) -> int:
        """Bytes alive."""
        return sum(self.live_by_category.values())

    @property
    def live_by_category(self) -> dict[str, int]:
        """Bytes alive, by category."""
        return self.timeline[-1].live

    @property
    def peak(self) -> int:
        """The most bytes that were alive at one time."""
        return max(moment.total for moment in self.timeline)

    @property
    def peak_by_category(self) -> dict[str, int]:
        """The most bytes of each category that were alive at one time, each at its own time."""
        timeline = self.timeline
        return {name: max(moment.live[name] for moment in timeline) for name in timeline[0].live}

    @property
    def timeline(self) -> list[Moment]:
        """What was alive after each birth and each death, from the beginning on."""
        return list(self._settled().timeline())

    @property
    def events(self) -> list[Event]:
        """Births and deaths in the order in which they happened. What was there before has no birth."""
        return list(self._settled().events)

    @property
    def blocks(self) -> list[Block]:
        """Every block of memory that was met."""
        return list(self._settled().blocks)

    @property
    def ops(self) -> dict[str, int]:
        """How many ops ran, by phase: forward, recomputation, update; for backward, how many parts the rules sent."""
        return dict(self._layer.ops)

    def at_peak(self) -> Composition:
        """What was alive when most was: the first such moment, and its blocks, largest first."""
        moment = max(self.timeline, key=lambda moment: moment.total)
        return self.at(moment.n)

    def at(self, n: int) -> Composition:
        """What was alive right after event `n`."""
        return Composition(self.timeline[n], self._settled().alive(n))

    def figure(self, title: str = "", **layout: Any) -> Any:
        """A plotly figure: bytes alive, stacked by category, over the events; the peak is marked.

        Raises:
            ModuleNotFoundError: plotly is not installed.
        """
        from .chart import figure

        return figure(self.timeline, title, **layout)

    def __repr__(self) -> str:
        """Live and peak bytes by category, as a table."""
        return overview(self.timeline)


@contextmanager
def account() -> Generator[Account]:
    """Count what the storages of tensors hold while the block runs: every birth, every death, and whose it was.

    It watches the thread that opens it. Views share memory, which is counted once. A death is noted when the memory is
    released, at the very moment. Categories are: parameter (a leaf that asks for a gradient), gradient (what has
    arrived at a leaf), activation (made by a recorded op, or kept for the walk), input (data that no op under the
    account made), optimizer state (what an optimizer makes and keeps), temporary (anything else: cotangents on their
    way, unrecorded results). Parameters, gradients and optimizer states that were there before count from the
    beginning; inputs from their first use.

    What a kernel allocates and releases inside one op, and arithmetic inside one rule, is no storage of anybody's and
    is not counted.

    Raises:
        RecordingError: An account is open already, or a mode, a checkpoint or a transform runs the ops.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.ones(1000, requires_grad=True)
        >>> with ml.memory.account() as account:
        ...     loss = (w * 2).exp().sum()
        ...     loss.backward()
        >>> account.live, account.peak
        (8004, 12008)
        >>> account.live_by_category["gradient"]
        4000
    """
    top: Any = stack.get()
    if not isinstance(top, Eager) or (hasattr(top, "under") and getattr(top, "alone", True)):
        raise RecordingError(
            f"account() was opened while {type(top).__name__} runs the ops.",
            "One account at a time watches the tape; modes, checkpoints and transforms then stand on top of it.",
            "Open account() first, and inference_mode(), checkpoint() or func.grad inside it.",
        )
    ledger = Ledger()
    layer = Accounting(top, ledger)
    account = Account(ledger, layer)
    try:
        with interpreting(layer):
            yield account
    finally:
        layer.end()
