"""The walk in the reader's own order: what each node runs on when its turn comes, and what comes too late."""

from __future__ import annotations

from typing import Any

from ..errors import RecordingError
from ..recording import events as ev
from ..recording.ordered import Order, Ready, ids_in, ordered_walk
from ..recording.recording import Recording
from ..recording.replay import Hasty
from ..recording.values import Value
from .backward import opening
from .compute import Compute
from .model import edge_id, walked
from .numbers import describe_numbers, plural, short, times
from .pullbacks import pull_of
from .scene import scene_of
from .story import Json, Story, ask_value, holds, pins
from .turns import Walk, walk_from
from .walk import Teller, parts_text, summands
from .wrong import added, agree

RIGHT, WRONG = "backward", "wrong order"


def ordered_scene(recording: Recording, order: Order, question: str) -> dict[str, Any]:
    """The scene of the view "Backward" in which the nodes run as `order(root)` lists them.

    Raises:
        ArgumentError: What `order` returns is no list of nodes.
        RecordingError: Nothing in the recording ran backward, or a rule cannot be run again.

    Example:
        >>> from minitorch_lab.widgets.example import backward_example
        >>> scene = ordered_scene(backward_example(), lambda root: [root], "Where does my order lead?")
        >>> for step in scene["steps"][8:]:
        ...     print(step["say"])
        `exp` is not in your order: what has arrived at v2, 3, goes no further.
        `add` is not in your order: what has arrived at v3, 2, goes no further.
        Nothing has arrived at `v1`; the right gradient is 10.
    """
    model = walked(recording)
    if not model.walks:
        raise RecordingError(
            "Backward got an order, and a recording without a backward pass.",
            "The order is that of a walk, so there must be one.",
            "Call loss.backward() inside `with ml.record() as rec:`.",
        )
    begin = model.walks[0]
    listed = ids_in(recording, begin, order)
    story = Story(model, model.visited())
    before(story, recording, begin)
    walk = walk_from(recording, begin)
    Teller(story, walk, RIGHT).start()
    Ordered(story, walk).tell(listed)
    return scene_of("backward", question, story)


def before(story: Story, recording: Recording, begin: ev.Begin) -> None:
    """The forward pass, up to the walk."""
    opening(story, list(story.ops))
    compute = Compute(story, condense=True)
    for event in recording.events[: begin.n]:
        if isinstance(event, ev.Op):
            compute.op(event)
        elif isinstance(event, ev.Write):
            compute.write(event)
    compute.flush()


class Ordered:
    """Tells the walk."""

    def __init__(self, story: Story, walk: Walk) -> None:
        self.story, self.model, self.walk = story, story.model, walk
        self.expected = walk.expected
        self.box: dict[str, str] = {walk.begin.node: walk.begin.tensor}
        self.parts: dict[str, list[Value]] = {}
        self.ran_with: dict[str, Value | None] = {}
        self.phase = RIGHT

    def tell(self, listed: list[str]) -> None:
        """Every turn, what was left out, and the verdict."""
        for event in ordered_walk(self.model.recording, self.walk.begin, listed):
            if isinstance(event, Ready):
                self.ready(event)
            elif event.to in self.ran_with:
                self.late(event)
            else:
                self.send(event)
        for node in self.parts:
            if node not in self.ran_with and node in self.model.op_of:
                self.left_out(node)
        self.verdict()

    def ready(self, turn: Ready) -> None:
        """A node's turn has come; that is told only if it comes too early."""
        self.ran_with[turn.node] = turn.total
        if turn.node == self.walk.begin.node or turn.parts == self.expected[turn.node]:
            return
        self.phase = WRONG
        op, expected = self.model.op_of[turn.node], self.expected[turn.node]
        name = self.model.name(self.box.setdefault(turn.node, op.output))
        if turn.total is None:
            say = f"Your order runs `{op.op}` now. Nothing has arrived at {name}, so it has nothing to send."
        else:
            verb = "has" if turn.parts == 1 else "have"
            say = f"Your order runs `{op.op}` now. But {name} was used {times(expected)}, and only {turn.parts} of its "
            say += f"{plural(expected, 'part')} {verb} arrived."
        self.story.tell(self.phase, say, [], op.line, [op.id, op.output])

    def send(self, send: Hasty) -> None:
        """One partial adjoint arrives in time."""
        op = self.model.op_of[send.node]
        dest = self.box.setdefault(send.to, op.inputs[send.edge])
        parts, expected = self.parts.setdefault(send.to, []), self.expected[send.to]
        parts.append(send.value)
        pull = pull_of(self.model, op, send.edge, send.above, send.value)
        events: list[Json] = [pull.event(op, send.edge, send.value)]
        events.append(holds(dest, self.sum_text(send.to), "ok" if len(parts) >= expected else "wait"))
        head, tail = f"`{op.op}` sends ", f" to `{self.model.name(dest)}`: {pull.because}"
        tail += self.dropped(send, op, events) + self.joined(parts, dest)
        step = self.story.tell(self.phase, head + describe_numbers(send.value) + tail, events, op.line, [op.id, dest])
        if send.value.scalar is not None:
            ask_value(step, head, describe_numbers(send.value), pull.why)

    def sum_text(self, node: str) -> str:
        """What the box under a value says."""
        parts, expected = self.parts[node], self.expected[node]
        if len(parts) == expected > 1 and added(parts).scalar is not None:
            return f"{parts_text(parts, expected)} = {describe_numbers(added(parts))}"
        return parts_text(parts, max(expected, len(parts)))

    def dropped(self, send: Hasty, op: ev.Op, events: list[Json]) -> str:
        """The node's last part is out: what it kept may go."""
        count = len(self.model.tensors_kept(op)) if send.last else 0
        if count:
            events += pins(self.model, op, "unpin")
        return {0: "", 1: " Its pin drops."}.get(count, " Its pins drop.")

    def joined(self, parts: list[Value], dest: str) -> str:
        """The sum, where there is one."""
        if len(parts) < 2 or added(parts).scalar is None:
            return ""
        return f" `{self.model.name(dest)}` now holds {' + '.join(summands(parts))} = {describe_numbers(added(parts))}."

    def late(self, send: Hasty) -> None:
        """One partial adjoint arrives after its node has run."""
        self.phase = WRONG
        op, reader = self.model.op_of[send.node], self.model.op_of[send.to]
        dest = self.box.setdefault(send.to, op.inputs[send.edge])
        had = self.ran_with[send.to]
        ran = "with nothing" if had is None else f"with {describe_numbers(had)}"
        pull = pull_of(self.model, op, send.edge, send.above, send.value)
        text = f"{short(had)}, then {short(send.value)}" if had is not None and had.scalar is not None else "too late"
        events: list[Json] = [
            {"type": "send", "edge": edge_id(op, send.edge), "value": short(send.value), "how": pull.how},
            holds(dest, text, "wrong"),
        ]
        say = f"`{op.op}` sends {describe_numbers(send.value)} to `{self.model.name(dest)}`, too late: "
        say += f"`{reader.op}` has run already, {ran}.{self.dropped(send, op, events)}"
        self.story.tell(self.phase, say, events, op.line, [op.id, dest])

    def left_out(self, node: str) -> None:
        """A node has something and never runs."""
        self.phase = WRONG
        op, total = self.model.op_of[node], describe_numbers(added(self.parts[node]))
        name = self.model.name(self.box[node])
        say = f"`{op.op}` is not in your order: what has arrived at {name}, {total}, goes no further."
        self.story.tell(self.phase, say, [holds(self.box[node], total, "wrong")], op.line, [op.id])

    def verdict(self) -> None:
        """What each leaf ends with."""
        for turn in self.walk.turns:
            if turn.accumulate is None or turn.accumulate.tensor is None:
                continue
            leaf, truth = turn.accumulate.tensor, turn.cotangent
            name, got = self.model.name(leaf), self.parts.get(turn.node)
            right: Json = {"right": short(truth)}
            if got is None:
                say, event = f"Nothing has arrived at `{name}`; the right gradient is {describe_numbers(truth)}.", None
            elif agree(added(got), truth):
                say, event = f"`{name}` ends with {describe_numbers(added(got))}, and that is the right gradient.", None
            else:
                say = f"`{name}` ends with {describe_numbers(added(got))}; "
                say += f"the right gradient is {describe_numbers(truth)}. "
                say += "A node runs only after all readers of its value."
                event = holds(leaf, short(added(got)), "wrong") | right
            self.story.tell(self.phase, say, [] if event is None else [event], None, [leaf])
