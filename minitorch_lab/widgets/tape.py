"""The view "Tape": ops run, values appear, and the tape grows beside the line that caused it."""

from __future__ import annotations

from typing import Any

from ..recording import events as ev
from ..recording.recording import Recording
from .compute import Compute, updating
from .folded import folds_of
from .model import Model, atom, taped
from .numbers import describe_numbers, listed, number, plural, shape, short, small
from .pullbacks import dropping
from .repeats import MANY
from .scene import scene_of
from .story import Json, Story, holds, introduce, pins, shows
from .strip import strip_of
from .turns import Turn, Walk, bypassed, walk_from

QUESTION = "What does the tape remember?"
ONE = "What runs for each example?"


def tape_scene(recording: Recording, question: str = QUESTION, fold: int | None = MANY) -> dict[str, Any]:
    """The scene of the view "Tape". What repeats is folded where there are at least `fold` ops.

    Example:
        >>> from minitorch_lab.widgets.example import tape_example
        >>> for step in tape_scene(tape_example())["steps"]:
        ...     print(step["say"])
        What does the tape remember? Each op runs at once; where an input wants a gradient, it leaves a node behind.
        `x` holds 1. It is a leaf: a tray waits under it for its gradient.
        `mul` makes y = 1 × 2 = 2 and keeps 2: it is the derivative by the other input.
        `add` makes z = 2 + 1 = 3 and keeps nothing: its derivative is 1, whatever came in.
        `add` is read: it kept nothing.
        `mul` is read: its rule uses 2, which it kept. Its pin drops.
        `z.backward()` ran the nodes in reverse order: `add`, `mul`. What they kept is freed; `x.grad` is 2.
    """
    model = taped(recording)
    after = updating(model.ops, recording.each(ev.End))
    whole = model.run is not None  # of a transform's program the inner walk is a part
    ops = [op for op in model.ops if (whole or op.during is None or op.node is not None) and op.id not in after]
    story = Story(model, ops)
    if not ops:
        story.tell("start", "Nothing ran in this recording. Put the lines to watch inside `with ml.record() as rec:`.")
    elif model.mapped:
        question = ONE if question == QUESTION else question
        mapped(story, ops)
    else:
        say = f"{question} Each op runs at once; where an input wants a gradient, it leaves a node behind."
        story.tell("start", say)
        introduce(story, model.sources(ops), "forward")
    folds = folds_of(model, ops, fold)
    compute = Compute(story, condense=False)
    for event in recording.events:
        match event:
            case ev.Op():
                compute.op(event)
            case ev.Write():
                compute.write(event)
            case ev.Begin() if event.run == model.run:
                compute.flush()
                walked(story, walk_from(recording, event))
            case _:
                pass
    compute.flush()
    if model.mapped:
        together(story, ops)
    failed(story)
    scene = scene_of("tape", question, story, None, folds)
    return scene | {"panels": strip_of(model, ops, folds)}


def mapped(story: Story, ops: list[ev.Op]) -> None:
    """What vmap does: it runs the program of one example for all of them; some inputs have a batch axis, some not."""
    model = story.model
    inputs = [t for t in model.sources(ops) if model.tensors[t].how != "constant"]
    sizes = next((model.tensors[t].batch for t in inputs if model.tensors[t].batch), ())
    count = " × ".join(map(str, sizes))
    say = f"{ONE} vmap runs your function once, on {count} examples at a time. This is the program of one of them."
    story.tell("start", say)
    for t in inputs:
        name = model.name(t)
        if model.batch(t):
            one = shape(model.example(t)) if model.example(t) else "a single number"
            say = (
                f"`{name}` holds {count} examples. The batch axis stands apart: inside the function `{name}` is {one}."
            )
        else:
            say = f"`{name}` has no batch axis: all examples share it."
        story.tell("forward", say, [shows(model, t)], model.line(t), [t])


def together(story: Story, ops: list[ev.Op]) -> None:
    """What comes out of vmap, where it is one tensor."""
    model = story.model
    read = {t for op in ops for t in op.inputs}
    ends = [op.output for op in ops if op.output not in read and model.batch(op.output)]
    if len(ends) == 1:
        value, name = model.value(ends[0]), model.name(ends[0])
        say = f"Outside, the results of all examples stand together again: {name} has shape {shape(value.shape)}"
        say += f" and mean {number(value.mean)}."
        run = next(run for run in model.recording.runs if run.id == model.run)
        story.tell("forward", say, [], run.line, ends)


def walked(story: Story, walk: Walk) -> None:
    """A backward walk: every node that is read, in one step, and what comes of it."""
    model, begin = story.model, walk.begin
    turns = [(model.op_of[t.node], t) for t in walk.turns if t.node in model.op_of]
    for op, turn in turns[: len(turns) - (walk.error is not None)]:
        read(story, op, turn)
    story.reach(walk.end)
    events: list[Json] = []
    names = [f"`{op.op}`" for op, _ in turns]
    ran = ", ".join(names[:6]) + (f" and {len(names) - 6:,} more" if len(names) > 6 else "")
    root = model.name(begin.tensor)
    calls = {"backward": f"`{atom(root)}.backward()`", "grad": f"`autograd.grad({root}, …)`"}
    nodes = "node" if len(names) == 1 else "nodes"
    say = f"{calls.get(begin.call, 'The walk')} ran the {nodes} in reverse order: {ran}."
    if walk.error is not None:
        refusing = [{"type": "refuse", "id": turns[-1][0].id}] if turns else []
        story.tell(
            "backward",
            f"{say} There it stopped: {walk.error}",
            [*events, *refusing],
            begin.line,
            [op.id for op, _ in turns[-1:]],
        )
        return
    filled = walk.gradients(model.nodes)
    events += [holds(str(a.tensor), short(a.new)) for a in filled if not bypassed(model, walk, str(a.tensor))]
    freed = any(turn.freed for _, turn in turns)
    left = result_of(model, walk, filled)
    kept = (
        "What they kept is freed"
        if freed
        else f"What they kept stays: {'create' if begin.create else 'retain'}_graph is on"
        if begin.retain
        else "They kept nothing"
    )
    story.tell("backward", f"{say} {kept}; {left}.", events, begin.line, [str(a.tensor) for a in filled[:3]])


def read(story: Story, op: ev.Op, turn: Turn) -> None:
    """A node is read."""
    story.reach(turn.n)
    model, names = story.model, [story.model.name(t) for t in story.model.pinned_at_once(op)]
    kept = listed(names) if len(names) <= 4 else plural(len(names), "tensor")
    what = f"its rule uses {kept}, which it kept." if names else "it kept nothing."
    if op.segment is not None:
        what = "it is inside a checkpoint, which runs again for it."
    drops = dropping(model, op) if turn.freed and names else ""
    unpinned = pins(model, op, "unpin") if turn.freed else []
    story.tell("backward", f"`{op.op}` is read: {what}{drops}", unpinned, op.line, [op.id])


def result_of(model: Model, walk: Walk, filled: list[ev.Accumulate]) -> str:
    """What a walk has found, as the end of a sentence."""
    if not filled:
        return "no leaf of the recording got a gradient"
    if len(filled) > 3 or not all(small(event.new) for event in filled):
        what, done = ("gradient", "returned") if walk.returns else ("tray", "filled")
        return f"{plural(len(filled), what)} {'is' if len(filled) == 1 else 'are'} {done}"
    found = listed([f"{holder(model, walk, str(event.tensor))} is {describe_numbers(event.new)}" for event in filled])
    left = [f"`{model.grad(str(e.tensor))}`" for e in filled if bypassed(model, walk, str(e.tensor))]
    stay = "stays as it was" if len(left) == 1 else "stay as they were"
    return f"{found}, and {listed(left)} {stay}" if left else found


def holder(model: Model, walk: Walk, tensor: str) -> str:
    """Where a gradient of `tensor` is to be found."""
    return f"the gradient by `{model.name(tensor)}`" if walk.returns else f"`{model.grad(tensor)}`"


def failed(story: Story) -> None:
    """The block was left by an exception."""
    for error in story.model.recording.each(ev.Error):
        story.reach(error.n)
        phase = story.steps[-1]["phase"] if story.steps else "forward"
        first = error.message.partition("\n")[0]
        if story.steps and first in story.steps[-1]["say"]:
            continue  # the walk has said it
        story.tell(phase, f"Here the code stops with {error.type}: {first}", [], error.line)
