"""Checkpoints, told: what they keep and drop, and how a walk runs them again before their nodes run backward."""

from __future__ import annotations

from ..recording import events as ev
from .model import Model, Segment, nbytes, pin_id
from .numbers import describe_numbers, listed, plural, size, small
from .story import Json, Story, pins, shows
from .turns import Turn

PHASE = "recomputation"


def inner(story: Story, segment: Segment) -> list[str]:
    """The values that only ops of the checkpoint read: they go when it is done."""
    own = {op.id for op in segment.ops}
    outside = {t for op in story.ops if op.id not in own for t in op.inputs}
    roots = {walk.tensor for walk in story.model.walks}
    return [op.output for op in segment.ops if op.output not in outside | roots]


def done(story: Story, op: ev.Op, phase: str) -> None:
    """After its last op: what a checkpoint keeps, and what it lets go."""
    model = story.model
    segment = model.segments.get(str(op.segment))
    if segment is None or segment.ops[-1] is not op:
        return
    kept, dropped = total(model, segment.keeps), total(model, segment.drops)
    names = listed([f"`{model.name(t)}`" for t in segment.keeps]) if len(segment.keeps) <= 4 else "its arguments"
    say = f"The checkpoint is done. It keeps {names}, {size(kept)}. "
    if segment.drops:
        say += f"What its {plural(len(segment.ops), 'op')} would have kept is dropped: "
        say += f"{plural(len(segment.drops), 'tensor')}, {size(dropped)}."
    else:
        say += "Without it no more would be kept, so it drops nothing."
    gone: Json = {"type": "fade", "ids": [*(op.id for op in segment.ops), *inner(story, segment)]}
    story.tell(phase, say, [gone], op.line, [op.id for op in segment.ops[-3:]][::-1])


def again(story: Story, turn: Turn) -> None:
    """A checkpoint runs again, inside the turn of a node that needs what it did not keep."""
    model = story.model
    repeated = [(op, model.op[op.again]) for op in turn.ops if op.again in model.op]
    if not repeated:
        return
    first = model.op_of.get(turn.node)
    segment = model.segments[str(repeated[0][1].segment)]
    names = listed([model.name(t) for t in segment.keeps])
    who = f"`{first.op}` needs" if first is not None else "The walk needs"
    say = f"{who} what was not kept. So the checkpoint runs again, forward, from {names}."
    story.tell(PHASE, say, [], segment.ops[0].line, [*segment.keeps[:3], *([first.id] if first is not None else [])])
    for event, op in repeated:
        repeat(story, op, nested=event.segment is not None)


def repeat(story: Story, op: ev.Op, nested: bool) -> None:
    """One op runs a second time. `nested`: in a checkpoint inside the one that runs again, which drops it once more."""
    model = story.model
    events: list[Json] = [{"type": "return", "ids": [op.id, op.output]}, shows(model, op.output)]
    value = f" = {describe_numbers(model.value(op.output))}" if small(model.value(op.output)) else ""
    say = f"`{op.op}` makes {model.name(op.output)}{value} a second time"
    if nested:
        say += ", and again keeps nothing: it is inside a checkpoint of its own."
    elif any(save.dropped for save in model.tensors_kept(op)):
        events += pins(model, op, "pin")
        say += ", and now keeps what its node needs."
    else:
        say += "."
    story.tell(PHASE, say, events, op.line, [op.id])


def ran(story: Story, op: ev.Op) -> list[Json]:
    """The node of an op of a checkpoint has run backward: what was computed again vanishes."""
    segment = story.model.segments.get(str(op.segment))
    if segment is None:
        return []
    value = [op.output] if op.output in inner(story, segment) else []
    return [{"type": "fade", "ids": [op.id, *value]}]


def total(model: Model, tensors: tuple[str, ...] | list[str]) -> int:
    """Bytes of some tensors together."""
    return sum(nbytes(model.value(t)) for t in tensors)


def balance(story: Story) -> str:
    """What the checkpoints have cost and saved, as further sentences; nothing where there are none."""
    model = story.model
    count = sum(op.again is not None and op.run == model.run for op in model.recording.each(ev.Op))
    if not model.segments or not count:
        return ""
    kept = [(pin_id(op, str(s.tensor)), str(s.tensor)) for op in story.ops for s in model.tensors_kept(op)]
    held = {pin: tensor for pin, tensor in kept if model.tensors[tensor].how != "constant"}
    on: dict[str, str] = {}
    peak = 0
    for event in (event for step in story.steps for event in step["events"]):
        if event["type"] == "pin" and event["id"] in held:
            on[event["id"]] = held[event["id"]]
            peak = max(peak, total(model, list(set(on.values()))))
        elif event["type"] == "unpin":
            on.pop(event["id"], None)
    saves = {str(s.tensor) for op in story.ops for s in model.kept(op) if s.tensor is not None}
    plain = total(model, [t for t in saves if model.tensors[t].how != "constant"])
    ran_twice = f" {plural(count, 'op')} ran a second time."
    if peak < plain:
        return f"{ran_twice} The tape kept at most {size(peak)}; without checkpoints it would have kept {size(plain)}."
    return (
        f"{ran_twice} So short a checkpoint saves nothing: the tape kept {size(peak)} at its most, "
        f"and would have kept {size(plain)} without. It pays where many ops stand between what is kept."
    )
