"""The same walk without a topological order: every node runs as soon as one part has arrived.

The numbers are computed, by the same rules on the same values. Where a value was read twice they come out wrong, and
this tells where and why.
"""

from __future__ import annotations

from ..errors import RecordingError
from ..recording.replay import Hasty, array_of, hasty_walk
from ..recording.values import Value, summarise
from .numbers import describe_numbers, listed, short, small, spread
from .pullbacks import dropping, pull_of, sentence
from .story import Json, Story, ask_value, holds, pins
from .turns import Walk

PHASE = "wrong order"
MOST = 300  # a walk of more nodes is not walked wrongly


def wrong_steps(story: Story, walk: Walk) -> list[Json] | None:
    """The steps of the wrong walk, from the very start; None where it would come out right, or cannot be computed."""
    twice = any(count > 1 and story.model.nodes[node].op is not None for node, count in walk.expected.items())
    batched = any(story.model.tensors[t].batch for t in story.made)  # the rules would see all examples as one
    if (
        batched
        or not twice
        or walk.error is not None
        or len(walk.turns) > MOST
        or any(turn.hooks for turn in walk.turns)
    ):
        return None
    try:
        wrong = Wrong(story, walk, list(hasty_walk(story.model.recording, walk.begin)))
        return wrong.tell() if wrong.differs() else None
    except RecordingError:  # some tensor is larger than what the recording keeps
        return None


class Wrong:
    """Tells the wrong walk."""

    def __init__(self, story: Story, walk: Walk, sends: list[Hasty]) -> None:
        self.right, self.model, self.walk, self.sends = story, story.model, walk, sends
        self.story = Story(story.model, story.ops)
        self.story.reach(walk.begin.n)
        self.expected = walk.expected
        self.box: dict[str, str] = {walk.begin.node: walk.begin.tensor}
        self.ran_with: dict[str, Value] = {}
        self.totals: dict[str, list[Value]] = {}
        leaves = [event.node for event in walk.gradients(self.model.nodes)]
        self.truth = {t.node: t.cotangent for t in walk.turns if t.node in leaves}
        self.late: list[Hasty] = []

    def differs(self) -> bool:
        """Whether any leaf ends with another gradient."""
        found: dict[str, list[Value]] = {}
        for send in self.sends:
            found.setdefault(send.to, []).append(send.value)
        return any(not agree(added(found.get(leaf, [])), truth) for leaf, truth in self.truth.items())

    def tell(self) -> list[Json]:
        """All steps: what is the same comes first, word for word."""
        opening = f"`{self.model.name(self.walk.begin.tensor)}` starts with "
        start = next(k for k, step in enumerate(self.right.steps) if step["say"].startswith(opening))
        self.story.steps += self.right.steps[: start + 1]
        for send in self.sends:
            self.send(send)
            self.as_right()
        self.verdict()
        return self.story.steps

    def as_right(self) -> None:
        """As long as the walk goes as the right one does, take the right one's step."""
        k = len(self.story.steps) - 1
        same = k < len(self.right.steps) and self.right.steps[k]["say"] == self.story.steps[k]["say"]
        if same and all(step["phase"] != PHASE for step in self.story.steps[:k]):
            self.story.steps[k] = self.right.steps[k]

    def send(self, send: Hasty) -> None:
        """One partial adjoint."""
        op = self.model.op_of[send.node]
        dest = self.box.setdefault(send.to, op.inputs[send.edge])
        pull = pull_of(self.model, op, send.edge, send.above, send.value)
        self.totals.setdefault(send.to, []).append(send.value)
        carried = pull.event(op, send.edge, send.value)
        events = [
            carried,
            holds(dest, self.late_text(send), "wrong") if send.late else holds(dest, *self.box_text(send)),
        ]
        events += pins(self.model, op, "unpin") if send.last else []
        name = self.model.name(dest)
        head, text, tail = sentence(op.op, name, send.value, pull)
        hasty = self.expected[send.node] > 1
        if send.late:
            self.late.append(send)
            reader, first = self.model.op_of[send.to].op, describe_value(", with ", self.ran_with[send.to])
            tail = f"{f' to `{name}`' if small(send.value) else ''}, too late: `{reader}` has run already{first}."
        else:
            self.ran_with.setdefault(send.to, send.value)
            tail += dropping(self.model, op) if send.last else ""
            if hasty:
                only = describe_value("", send.above) or "one part"
                source = self.model.name(self.box[send.node])
                head = f"`{op.op}` does not wait: with only {only} at {source}, it {head.partition('` ')[2]}"
        step = self.story.tell(PHASE, head + text + tail, events, op.line, [op.id, dest])
        if hasty and send.value.scalar is not None and not send.late:
            known = describe_numbers(send.above)
            why = f"Out of order, `{op.op}` knows only the {known} that has arrived so far. {pull.why}"
            ask_value(step, head, text, why)

    def late_text(self, send: Hasty) -> str:
        """What the box says of a part that comes too late."""
        first = self.ran_with[send.to]
        return f"{short(first)}, then {short(send.value)}" if first.scalar is not None else "a part came late"

    def box_text(self, send: Hasty) -> tuple[str, str]:
        """What the box under the value says, and in which state."""
        parts = self.totals[send.to]
        if (
            self.expected[send.to] > 1
            and len(parts) < self.expected[send.to]
            and self.model.nodes[send.to].op is not None
        ):
            return f"{short(parts[-1])} + ?", "wait"
        return short(added(parts)), "ok"

    def verdict(self) -> None:
        """Where the numbers went wrong, and why."""
        where = {
            self.model.name(self.box[send.to]): describe_value("the ", send.value) or "a part" for send in self.late
        }
        came = listed([f"{what} that came late to {name}" for name, what in list(where.items())[:2]])
        verb = "was" if len(where) == 1 else "were"
        why = f"{came[:1].upper()}{came[1:]} {verb} never sent on. So a node runs only after all readers of its value."
        for leaf, truth in self.truth.items():
            got = added(self.totals.get(leaf, []))
            if agree(got, truth) or leaf not in self.box:
                continue
            event = holds(self.box[leaf], short(got), "wrong")
            event |= {"right": short(truth)} if truth.scalar is not None else {}
            say = (
                f"`{self.model.name(self.box[leaf])}` keeps {amount(got)}; the right gradient is {amount(truth)}. {why}"
            )
            self.story.tell(PHASE, say, [event], None, [self.box[leaf]])


def describe_value(before: str, value: Value) -> str:
    """A value that fits into a sentence, with what stands before it; else nothing."""
    return before + describe_numbers(value) if small(value) else ""


def amount(value: Value) -> str:
    """A value, or its range."""
    return describe_numbers(value) if small(value) else f"values {spread(value)}"


def added(parts: list[Value]) -> Value:
    """The sum of partial adjoints."""
    if not parts:
        return summarise(0.0)
    total = array_of(parts[0])
    for part in parts[1:]:
        total = total + array_of(part)
    return summarise(total)


def agree(a: Value, b: Value) -> bool:
    """Whether two gradients agree to rounding."""
    if a.data is None or b.data is None or len(a.data) != len(b.data):
        return False
    scale = max((abs(x) for x in b.data), default=0.0)
    return all(abs(x - y) <= 1e-5 * scale or (x != x and y != y) for x, y in zip(a.data, b.data, strict=True))
