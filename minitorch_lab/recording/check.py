"""What must be true of the events of a recording: every tensor that one names is there, and was there before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import RecordingError
from . import events as ev


def checked(name: str, events: Sequence[ev.Event]) -> Sequence[ev.Event]:
    """The events of the file `name`, if they hang together.

    Raises:
        RecordingError: An event names a tensor that is not there, or an op reads what a later op makes.
    """
    known = {event.id for event in events if isinstance(event, ev.Tensor)}
    made: dict[str, int] = {event.output: event.n for event in events if isinstance(event, ev.Op)}
    for event in events:
        for tensor in tensors_of(event):
            if tensor not in known:
                raise RecordingError(
                    f"{name}: event {event.n} speaks of {tensor!r}, which is not in the recording.",
                    "Every tensor is declared by an event of its own, before it is used.",
                    "The file was changed by hand or damaged; record again.",
                )
        if isinstance(event, ev.Op) and any(made.get(tensor, -1) >= event.n for tensor in event.inputs):
            raise RecordingError(
                f"{name}: event {event.n}, the op {event.op!r}, reads what it makes itself, or what a later op makes.",
                "Ops stand in the order in which they ran, so their graph has no cycle.",
                "The file was changed by hand or damaged; record again.",
            )
    return events


def tensors_of(event: ev.Event) -> Iterator[str]:
    """The tensors that an event names."""
    match event:
        case ev.Op():
            yield from (*event.inputs, event.output)
        case ev.Name():
            yield event.id
        case ev.Segment():
            yield from event.keeps
        case ev.Begin():
            yield from (event.tensor, *(tensor for tensor, _, _ in event.more))
        case ev.Write():
            yield from (event.old, event.new)
        case ev.Save(tensor=str(tensor)) | ev.Accumulate(tensor=str(tensor)) | ev.Result(tensor=str(tensor)):
            yield tensor
        case _:
            return
