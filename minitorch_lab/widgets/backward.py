"""The view "Backward": the forward pass in short, then the walk against the edges, node by node, with its numbers."""

from __future__ import annotations

from typing import Any

from ..errors import RecordingError
from ..recording import events as ev
from ..recording.recording import Recording
from .compute import Compute
from .folded import folds_of
from .model import Model, atom, walked
from .numbers import listed, number, plural, short
from .paths import made_of
from .recompute import balance
from .repeats import MANY, units_of
from .scene import scene_of
from .story import Json, Story, holds, introduce
from .tape import failed, result_of
from .turns import Walk, bypassed, walk_from
from .walk import Teller
from .wrong import wrong_steps

CALLS = {"backward": "backward()", "grad": "autograd.grad()", "vjp": "The walk"}
QUESTION = "Where does a gradient come from?"


def backward_scene(recording: Recording, question: str = QUESTION, fold: int | None = MANY) -> dict[str, Any]:
    """The scene of the view "Backward". What repeats is folded where there are at least `fold` ops.

    Raises:
        RecordingError: Nothing in the recording ran backward, or only that ran.

    Example:
        >>> from minitorch_lab.widgets.example import backward_example
        >>> scene = backward_scene(backward_example())
        >>> for step in scene["steps"][5:9]:
        ...     print(step["say"])
        `v4` starts with 1: it changes one for one with itself.
        `mul` sends 3 to `v2`: 1 (from above) × 3 (the saved v3).
        `mul` sends 2 to `v3`: 1 (from above) × 2 (the saved v2). Its pins drop.
        `exp` must wait: v2 was used twice, and only 1 of its 2 parts has arrived.
    """
    model = walked(recording)
    if not model.walks:
        raise RecordingError(
            "Backward got a recording without a backward pass.",
            "This view walks the graph from a tensor whose backward() was recorded.",
            "Call loss.backward() inside `with ml.record() as rec:`, or show ml.widgets.Tape(rec).",
        )
    ops = model.visited()
    if not ops:
        raise RecordingError(
            "Backward got a recording in which backward() ran, but not what it walks over.",
            "The view draws the ops that were recorded before backward() was called.",
            "Put the lines that compute the loss inside `with ml.record() as rec:`, too.",
        )
    story = Story(model, ops)
    opening(story, ops)
    folds = folds_of(model, ops, fold)
    compute = Compute(story, condense=True, units=units_of(one.repeat for one in folds))
    walks = tell(story, compute, recording)
    failed(story)
    wrong = wrong_steps(story, walks[0]) if len(walks) == 1 else None
    return scene_of("backward", question, story, wrong, folds)


def opening(story: Story, ops: list[ev.Op]) -> None:
    """The question of this run, and its leaves."""
    model, sources = story.model, story.model.sources(ops)
    name_result(model)
    root = atom(model.name(model.walks[0].tensor))
    leaves = [t for t in sources if model.wants_gradient(t) and t not in model.writes]
    if len(leaves) == 1 and model.value(leaves[0]).scalar is not None:
        name = model.name(leaves[0])
        what = "the derivative of the result by " if root == "result" else f"d{root}/d"
        asked = f"What is {what}{name} at {name} = {short(model.value(leaves[0]))}?"
    else:
        names = [model.name(t) for t in leaves]
        by = listed(names) if 0 < len(names) <= 6 else "each leaf"
        asked = f"How does {'the result' if root == 'result' else root} change with {by}?"
    story.tell("start", f"{asked} First the values, then the gradients, one step at a time.")
    introduce(story, sources, "forward")


def tell(story: Story, compute: Compute, recording: Recording) -> list[Walk]:
    """Everything, in the order in which it happened. Returns the walks."""
    model, walks = story.model, list[Walk]()
    for event in recording.events:
        match event:
            case ev.Op():
                if event.during is None or event.during not in model.nodes_walked:
                    compute.op(event)
            case ev.Write():
                compute.write(event)
            case ev.Begin() if event.run == model.run:
                compute.flush()
                walk = walk_from(recording, event)
                before = len(story.steps)
                teller = Teller(story, walk, phase_of(story.model, walk))
                teller.tell()
                if walks:
                    clear(story, before)
                conclude_walk(story, walk, teller.phase)
                walks.append(walk)
            case _:
                pass
    compute.flush()
    return walks


def phase_of(model: Model, walk: Walk) -> str:
    """A walk over nodes that an earlier walk made is a double backward."""
    second = any(model.op_of[t.node].during is not None for t in walk.turns if t.node in model.op_of)
    return "double backward" if second else "backward"


def clear(story: Story, first: int) -> None:
    """At the first step of a second walk, what travelled before leaves the picture; the trays stay."""
    model = story.model
    leaves = {t for t in model.tensors if model.wants_gradient(t) and t not in model.returned}
    events = [event for step in story.steps[:first] for event in step["events"]]
    gone = [e["edge"] for e in events if e["type"] == "send"] + [
        e["id"] for e in events if e["type"] == "sum" and e["id"] not in leaves
    ]
    again: Json = {"type": "clear", "ids": list(dict.fromkeys(gone))}
    story.steps[first]["events"].insert(0, again)


def conclude_walk(story: Story, walk: Walk, phase: str) -> None:
    """What the walk has found."""
    if walk.error is not None:
        return
    story.reach(walk.end)
    model, line = story.model, walk.begin.line
    arrived = walk.gradients(model.nodes)
    for event in arrived:
        sentence = made_of(model, walk, event.node, event)
        if sentence is not None:
            story.tell(phase, sentence, [], line, [str(event.tensor)])
    if not arrived:
        return
    root, over = model.name(walk.begin.tensor), f"{CALLS[walk.begin.call]} is over"
    single = [(model.name(str(a.tensor)), a.new.scalar) for a in arrived]
    name, slope = single[0]
    plain = not walk.begin.given and phase == "backward" and not any(turn.hooks for turn in walk.turns)
    if len(arrived) == 1 and slope is not None and plain and arrived[0].old is None:
        root = "the result" if root == "result" else root
        tail = f"Move {name} by a little, and {root} moves {number(slope)} times as much."
        say = f"{over}: {result_of(model, walk, arrived)}. {tail}{left_nodes(model, walk)}{balance(story)}"
        story.tell(phase, say, emptied(model, walk, arrived), line, [str(arrived[0].tensor)])
        return
    told = result_of(model, walk, arrived)
    story.tell(
        phase,
        f"{over}: {told}.{left_nodes(model, walk)}{balance(story)}",
        emptied(model, walk, arrived),
        line,
        [str(a.tensor) for a in arrived[:6]],
    )


def emptied(model: Model, walk: Walk, arrived: list[ev.Accumulate]) -> list[Json]:
    """What was handed out leaves the trays of leaves: they show .grad again, as it was."""
    leaves = [str(event.tensor) for event in arrived if bypassed(model, walk, str(event.tensor))]
    if not leaves:
        return []
    filled = [event for event in model.recording.each(ev.Accumulate) if event.n < walk.begin.n]
    before = {str(event.tensor): short(event.new) for event in filled}  # of each the last
    return [{"type": "clear", "ids": leaves}, *(holds(t, before[t]) for t in leaves if t in before)]


def left_nodes(model: Model, walk: Walk) -> str:
    """What a walk under create_graph has put on the tape."""
    count = sum(op.node in model.nodes_walked for turn in walk.turns for op in turn.ops)
    return (
        f" The walk itself was recorded: {plural(count, 'new node')}, which a second walk can go over." if count else ""
    )


def name_result(model: Model) -> None:
    """What a function returns to a transform has often no name of the reader's."""
    root = model.walks[0].tensor
    if model.run is not None and model.name(root) == root:
        model.called[root] = "result"
