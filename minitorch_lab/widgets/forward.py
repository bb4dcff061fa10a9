"""The view "Forward": every op moves its value and its tangent, side by side, from left to right (dual numbers)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..errors import RecordingError
from ..recording import events as ev
from ..recording.moves import push_forward
from ..recording.recording import Recording
from ..recording.values import Value, summarise
from .model import Model, atom, edge_id
from .numbers import describe_numbers, listed, number, ordinal, short
from .pullbacks import bracketed, slope
from .scene import scene_of
from .story import Json, Story, ask_value, holds, result, shows

QUESTION = "How does the result move when the inputs move?"
PASSES = ("first", "second", "third")


def forward_scene(recording: Recording, question: str = QUESTION) -> dict[str, Any]:
    """The scene of the view "Forward".

    Raises:
        RecordingError: Nothing in the recording ran in forward mode.

    Example:
        >>> from minitorch_lab.widgets.example import forward_example
        >>> for step in forward_scene(forward_example())["steps"][1:]:
        ...     print(step["say"])
        `x` is 2 and moves: its tangent is 1.
        `pow` makes a = 2² = 4; its tangent is 1 × 4 = 4, with n × xⁿ⁻¹.
        `sin` makes b = sin(2) = 0.9093; its tangent is 1 × (−0.4161) = −0.4161, with cos of x.
        `mul` makes y = 4 × 0.9093 = 3.637; its tangent is 4 × 0.9093 + (−0.4161) × 4 = 1.973.
        The result y is 3.637, and its tangent is 1.973: move x by a little, and y moves 1.973 times as much.
    """
    Model(recording)
    passes = passes_of(recording)
    if not passes:
        raise RecordingError(
            "Forward got a recording without forward mode.",
            "This view follows the tangents that jvp (or jacfwd) carries along.",
            "Call ml.func.jvp(f, (x,), (v,)) inside `with ml.record() as rec:`, or show ml.widgets.Backward(rec).",
        )
    model = passes[0]
    root = model.ops[-1].output
    model.called |= {root: "result"} if model.name(root) == root else {}
    story = Story(model, model.ops)
    opening(story, passes)
    for k, other in enumerate(passes):
        Pass(story, other, k, len(passes)).tell()
    return scene_of("forward", question, story)


def passes_of(recording: Recording) -> list[Model]:
    """The first jvp, and those after it that run the same ops: further passes over the same graph."""
    runs = [run for run in recording.runs if run.transform == "jvp"]
    models = [model for run in runs if (model := Model(recording, run.id)).ops]
    return [model for model in models if program(model) == program(models[0])]


def program(model: Model) -> list[tuple[str, tuple[int, ...], str | None]]:
    """The ops of a run, with each tensor by its place in the run: the same for two runs of one function."""
    place = {t: k for k, t in enumerate([*model.sources(model.ops), *(op.output for op in model.ops)])}
    return [(op.op, tuple(place[t] for t in op.inputs), op.line) for op in model.ops]


def opening(story: Story, passes: list[Model]) -> None:
    """What is asked."""
    first = story.model
    root, place = first.name(first.ops[-1].output), first.sources(first.ops)
    root = "the result" if root == "result" else root
    moving = dict.fromkeys(place[m.sources(m.ops).index(t)] for m in passes for t in moving_in(m))
    names = listed([first.name(t) for t in moving])
    asked = f"How does {root} move when {names} {'moves' if len(moving) == 1 else 'move'}?"
    if len(passes) > 1:
        asked += f" Forward mode follows one direction at a time, so there are {len(passes)} passes."
    story.tell("start", f"{asked} Every op computes its value and its tangent in one step; nothing is kept.")


def moving_in(model: Model) -> list[str]:
    """The inputs that have a tangent other than 0."""
    return [t for t in model.sources(model.ops) if (v := model.tensors[t].tangent) is not None and not still(v)]


def still(tangent: Value | None) -> bool:
    """Whether it is 0 everywhere."""
    return tangent is None or (tangent.low == 0.0 == tangent.high)


class Share(NamedTuple):
    """What one moving input adds to a tangent: `how`, its tangent × the derivative, which `why` names."""

    i: int
    value: Value
    how: str
    why: str


def sum_of(shares: list[Share], tangent: Value) -> str:
    """The sum of the shares, written out as far as they are numbers: "4 × 0.9093 + (−0.4161) × 4 = "."""
    if not shares or tangent.scalar is None or not all(share.how for share in shares):
        return ""
    written, *rest = [share.how for share in shares]
    for term in rest:
        written += f" {term}" if term.startswith("− ") else f" + {term if ' × ' in term else bracketed(term)}"
    return "" if written == describe_numbers(tangent) else f"{written} = "


class Pass:
    """One pass: `own` is its run; the graph is that of the first."""

    def __init__(self, story: Story, own: Model, k: int, count: int) -> None:
        self.story, self.own, self.first = story, own, story.model
        self.again = k > 0
        which = PASSES[k] if k < len(PASSES) else ordinal(k + 1)
        self.phase = "forward" if count == 1 else f"{which} pass"

    def tell(self) -> None:
        """The inputs, every op, the result."""
        self.inputs()
        for op, drawn in zip(self.own.ops, self.first.ops, strict=True):
            self.op(op, drawn)
        self.conclude_pass()

    def tangent(self, tensor: str) -> Value | None:
        """How a tensor of this pass moves."""
        return self.own.tensors[tensor].tangent

    def inputs(self) -> None:
        """What moves at the start, and how fast."""
        own, first = self.own.sources(self.own.ops), self.first.sources(self.first.ops)
        told = [(t, d) for t, d in zip(own, first, strict=True) if self.tangent(t) is not None]
        events: list[Json] = [{"type": "clear", "ids": self.passed()}] if self.again else []
        for k, (t, drawn) in enumerate(told):
            tangent = self.tangent(t)
            assert tangent is not None
            value = f" is {self.first.describe_value(drawn)} and" if not self.again else ""
            say = f"`{self.first.name(drawn)}`{value} "
            say += (
                "stands still: its tangent is 0."
                if still(tangent)
                else f"moves: its tangent is {describe_numbers(tangent)}."
            )
            fresh = [] if self.again else [shows(self.first, drawn)]
            box = [*fresh, tangent_box(drawn, short(tangent))]
            events = [*events, *box]
            if k == len(told) - 1 or len(told) <= 3:
                line = self.first.line(drawn) or self.run_line()
                self.story.tell(self.phase, say, events, line, [drawn])
                events = []

    def run_line(self) -> str | None:
        """The line that asked for the pass."""
        return next(run.line for run in self.own.recording.runs if run.id == self.own.run)

    def passed(self) -> list[str]:
        """What the pass before has left in the picture."""
        events = [event for step in self.story.steps for event in step["events"]]
        ids = [e["edge"] for e in events if e["type"] == "push"]
        ids += [e["id"] for e in events if e["type"] == "sum"]
        return list(dict.fromkeys(ids))

    def op(self, op: ev.Op, drawn: ev.Op) -> None:
        """One op: its value, and how it moves."""
        self.story.reach(op.n)
        events: list[Json] = []
        head = f"`{op.op}`: the tangent of {self.first.name(drawn.output)} is "
        if not self.again:
            events += [shows(self.first, t) for t in self.story.given(drawn) if self.tangent(t) is None]
            events.append(shows(self.first, drawn.output))
            before, answer = result(self.own, op)
            head = f"{before}{answer}; its tangent is "
        tangent = self.tangent(op.output)
        if tangent is None:
            say = f"{head}0: nothing that it is made from moves."
            self.story.tell(self.phase, say, events, op.line, [drawn.id])
            return
        shares = self.shares(op)
        for share in shares:
            events.append({"type": "push", "edge": edge_id(drawn, share.i), "value": short(share.value)})
        events.append(tangent_box(drawn.output, short(tangent)))
        head += sum_of(shares, tangent)
        tail = f", {shares[0].why}." if len(shares) == 1 and shares[0].why else "."
        step = self.story.tell(
            self.phase, head + describe_numbers(tangent) + tail, events, op.line, [drawn.id, drawn.output]
        )
        if tangent.scalar is not None:
            why = "Each input's tangent times the derivative by it; what several inputs bring is added."
            ask_value(step, head, describe_numbers(tangent), why)

    def shares(self, op: ev.Op) -> list[Share]:
        """What each moving input adds to the tangent; where that cannot be computed again, only what moves it."""
        values = [self.own.value(t, op.n) for t in op.inputs]
        batched = any(self.own.tensors[t].batch for t in (*op.inputs, op.output))
        moving = [(i, v) for i, t in enumerate(op.inputs) if (v := self.tangent(t)) is not None]
        several = any(tangent.shape != values[i].shape for i, tangent in moving)  # jacfwd: all directions at once
        try:
            if not batched and not several:
                return [self.share(op, values, i, tangent) for i, tangent in moving]
        except RecordingError:  # an op of the reader's own, or elements that were not kept
            pass
        return [Share(i, tangent, "", "") for i, tangent in moving]

    def share(self, op: ev.Op, values: list[Value], i: int, tangent: Value) -> Share:
        """One input's part: its tangent times the derivative by it."""
        part = push_forward(op, values, i, tangent)
        if tangent.scalar is None or part.scalar is None:
            return Share(i, part, "", "")
        unit = summarise(1.0)._replace(shape=tangent.shape, dtype=tangent.dtype)  # for the derivative itself
        factor = push_forward(op, values, i, unit).scalar
        assert factor is not None
        if op.op in ("add", "sub") and abs(factor) == 1:
            return Share(
                i, part, describe_numbers(tangent) if factor == 1 else f"− {bracketed(describe_numbers(tangent))}", ""
            )
        names = [atom(self.own.name(t)) for t in op.inputs]
        how = f"{bracketed(describe_numbers(tangent))} × {bracketed(number(factor))}"
        return Share(i, part, how, f"with {slope(op.op, i, names)}" if slope(op.op, i, names) else "")

    def conclude_pass(self) -> None:
        """What the pass has found."""
        root, drawn = self.own.ops[-1].output, self.first.ops[-1].output
        tangent, name = self.tangent(root), self.first.name(drawn)
        moving = moving_in(self.own)
        the = "The result" if name == "result" else f"The result {name}"
        if tangent is None:
            say = f"{the} does not move."
        else:
            say = f"{the} is {self.own.describe_value(root)}, and its tangent is {describe_numbers(tangent)}"
            only = self.own.tensors[moving[0]].tangent if len(moving) == 1 else None
            unit = only is not None and only.scalar == 1 and tangent.scalar is not None
            if unit:
                source = self.own.name(moving[0])
                it = "the result" if name == "result" else name
                say += f": move {source} by a little, and {it} moves {number(tangent.scalar or 0)} times as much."
            else:
                say += ": so it moves along the direction that was given."
        self.story.tell(self.phase, say, [], self.run_line(), [drawn])


def tangent_box(tensor: str, text: str) -> Json:
    """The box under a value with its tangent."""
    return holds(tensor, text, "tangent")
