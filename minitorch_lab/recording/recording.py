"""A recording: what the engine did while a block of code ran, as one stream of events."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

from ..core.words import plural
from . import store
from .events import Birth, Death, Event, Name, Ran, Run, Tensor

E = TypeVar("E")


class Recording:
    """The events of one `with ml.record() as rec:` block, in order. The schema is in `minitorch_lab.recording.events`.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor(3.0, requires_grad=True)
        >>> with ml.record() as rec:
        ...     y = x * x
        ...     y.backward()
        >>> rec
        <Recording of 1 op and 1 backward walk, 26 events>
    """

    def __init__(self) -> None:
        self._events: list[Event] = []
        self.complete = False  # until the block has ended

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, in the order in which they happened."""
        return tuple(self._events)

    def emit(self, kind: type[E], *fields: Any) -> E:
        """Add an event of `kind`; its counter is set here."""
        event = cast(Any, kind)(len(self._events), *fields)
        self._events.append(event)
        return event

    def amend(self, tensor: str, **fields: Any) -> None:
        """Complete, afterwards, what is known of a tensor."""
        self.complete_event(self.tensor(tensor).n, **fields)

    def complete_event(self, n: int, **fields: Any) -> None:
        """Complete, afterwards, event number `n`."""
        self._events[n] = cast(Any, self._events[n])._replace(**fields)

    def tensor(self, name: str) -> Tensor:
        """The event that declared the tensor `name`."""
        return next(e for e in self._events if isinstance(e, Tensor) and e.id == name)

    def each(self, kind: type[E]) -> list[E]:
        """The events of one kind, in order."""
        return [event for event in self._events if isinstance(event, kind)]

    @cached_property
    def names(self) -> dict[str, Name]:
        """What the reader calls each tensor, by tensor id. Known when the block is over."""
        return {name.id: name for name in self.each(Name)}

    @property
    def runs(self) -> list[Run]:
        """The transforms that ran (vjp, for grad too; jvp; vmap) in the order in which they began: outer ones first."""
        return self.each(Run)

    @cached_property
    def id(self) -> str:
        """A short id of what was recorded: the same run gives the same id. Views of one recording share it.

        When memory is released is Python's business, and time is the machine's: births, deaths and times do not count.
        """
        text = "\n".join(repr(event[1:]) for event in self._events if not isinstance(event, Birth | Death | Ran))
        return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:10]

    def __len__(self) -> int:
        return len(self._events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def __repr__(self) -> str:
        from .events import Begin, Op

        ops = sum(op.inside is None and op.again is None for op in self.each(Op))  # as the reader would count
        walks = len(self.each(Begin))
        counted = f"{plural(ops, 'op')} and {plural(walks, 'backward walk')}"
        return f"<Recording of {counted}, {len(self)} events>"

    def save(self, path: str | Path) -> None:
        """Write the recording to a file, JSON under gzip, in the schema "minitorch-lab.recording/2"."""
        store.write(path, self.events)

    @classmethod
    def load(cls, path: str | Path) -> Recording:
        """Read a recording that `save` wrote.

        Raises:
            FileNotFoundError: There is no such file.
            RecordingError: It is no recording, one of another version, cut short, or damaged.
        """
        recording = cls()
        recording._events.extend(store.read_events(path))
        recording.complete = True
        return recording
