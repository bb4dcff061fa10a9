"""The backward walk, told node by node: what is sent, what waits, what is added, which pins drop."""

from __future__ import annotations

from collections.abc import Sequence

from ..recording import events as ev
from ..recording.values import Value
from .formulas import prose
from .hooks import fire, fire_on_node, marked
from .model import atom, edge_id
from .numbers import describe_numbers, listed, number, ordinal, plural, short, times
from .pullbacks import bracketed, dropping, pull_of, sentence
from .recompute import again, ran
from .results import placed, sending, takes
from .story import Json, Story, ask_node, ask_value, holds, pins, run_op
from .turns import Turn, Walk, bypassed

FEW = 4  # more parts than this are counted, not written out


def parts_text(parts: Sequence[Value], expected: int) -> str:
    """What the box of a node says: 3 + ?, then 3 + 2 = 5.

    Example:
        >>> three, two = (Value((), "float32", x, x, x, (x,)) for x in (3.0, 2.0))
        >>> parts_text([three], 2), parts_text([two], 1)
        ('3 + ?', '2')
    """
    if expected == 1:
        return short(parts[0])
    if expected > FEW or any(part.scalar is None for part in parts):
        return f"{len(parts)} of {expected}"
    return " + ".join([*summands(parts), *["?"] * (expected - len(parts))])


def summands(parts: Sequence[Value]) -> list[str]:
    """The parts as they stand in a sum; negative ones in brackets, except the first."""
    texts = [short(part) for part in parts]
    return texts[:1] + [bracketed(text) for text in texts[1:]]


class Teller:
    """Tells one walk."""

    def __init__(self, story: Story, walk: Walk, phase: str) -> None:
        self.story, self.model, self.walk, self.phase = story, story.model, walk, phase
        self.expected = walk.expected
        self.leaf_hooks = {t.node for t in walk.turns if t.hooks and t.node not in self.model.op_of}
        self.parts: dict[str, list[Value]] = {}
        self.ways: dict[str, list[str]] = {}  # node -> the edges by which its parts came
        self.box: dict[str, str] = {}  # node -> the tensor under which its parts add up
        self.places: dict[str, dict[str, Value]] = {}  # node with several results -> op that takes one -> its gradient
        self.dropped = False

    def tell(self) -> None:
        """The whole walk."""
        self.start()
        turns = self.walk.turns
        for k, turn in enumerate(turns):
            self.turn(turn, turns[k + 1 :])
        if self.walk.error is not None:
            self.refuse(self.walk.error)

    def start(self) -> None:
        """Every root gets its seed."""
        marks: list[Json] = [
            {"type": "hooked", "id": at} for hooked in self.walk.hooked for at in marked(self.story, hooked)
        ]
        self.story.reach(self.walk.begin.n)
        for tensor, node, seed in self.walk.roots:
            self.seed(tensor, node, seed, marks)
            marks = []

    def seed(self, tensor: str, node: str, seed: Value, marks: list[Json]) -> None:
        """A root starts with its seed."""
        begin, name = self.walk.begin, self.model.name(tensor)
        self.box[node] = tensor
        if self.expected[node]:
            self.parts[node] = [seed]
        head, text = f"`{name}` starts with ", describe_numbers(seed)
        tail = ": the gradient that you gave it." if begin.given else ": it changes one for one with itself."
        waits = self.expected[node] > 1
        events = [*marks, holds(tensor, parts_text([seed], self.expected[node] or 1), "wait" if waits else "ok")]
        step = self.story.tell(self.phase, head + text + tail, events, begin.line, [tensor])
        if seed.scalar is not None and not begin.given:
            ask_value(step, head, text, f"d{atom(name)}/d{atom(name)} is 1. Backward always starts there.")

    def turn(self, turn: Turn, later: list[Turn]) -> None:
        """One node runs."""
        self.story.reach(turn.n)
        op = self.model.op_of.get(turn.node)
        again(self.story, turn)
        for inner in turn.ops:
            if inner.node in self.model.op_of and inner.output in self.story.made:
                where = "its hook" if op is None else f"the rule of `{op.op}`"
                run_op(self.story, inner, self.phase, f"Inside {where}, ")
        for hook in turn.hooks:
            if hook.edge is None and hook.node in self.box:
                fire(self.story, self.phase, hook, self.box[hook.node])
        if op is None:
            if turn.accumulate is not None:
                self.accumulate(turn, turn.accumulate)
            else:
                self.outside(turn)
            return
        if turn.accumulate is not None:
            self.retained(turn.accumulate, turn.returned)
        news: list[str] = []
        for k, send in enumerate(turn.sends):
            self.send(op, turn, send, k)
            if len(self.parts[send.to]) == 1 and self.expected[send.to] > 1:
                news.append(send.to)
        self.drop(op, turn)
        for node in dict.fromkeys(news):
            if len(self.parts[node]) < self.expected[node]:
                self.wait(node, later)

    def send(self, op: ev.Op, turn: Turn, send: ev.Send, k: int) -> None:
        """One partial adjoint goes out."""
        dest = self.box.setdefault(send.to, op.inputs[send.edge])
        self.parts.setdefault(send.to, []).append(send.value)
        if takes(self.model, op):
            self.put(op, turn, send)
            return
        hook = turn.changed(send.edge)
        value = send.value if hook is None else hook.before
        pull = pull_of(self.model, op, send.edge, turn.given, value)
        carried = pull.event(op, send.edge, value)
        arrived, missing = len(self.parts[send.to]), self.expected[send.to] > 1 or send.to in self.leaf_hooks
        text = parts_text(self.parts[send.to], self.expected[send.to])
        state = self.state(dest, "wait" if missing else "ok")
        events = [carried, holds(dest, text, state, self.arrived(send.to, edge_id(op, send.edge)))]
        extra = self._fills(send) + self._drops(op, turn, k, events)
        head, text, tail = sentence(op.op, self.model.name(dest), value, pull)
        step = self.story.tell(self.phase, head + text + tail + extra, events, op.line, [op.id, dest])
        if value.scalar is not None:
            ask_value(step, head, text, self._whole_sum(turn) + pull.why)
        if hook is not None:
            changed: Json = {key: carried[key] for key in ("type", "edge", "how")} | {"value": short(send.value)}
            fire_on_node(self.story, self.phase, (op, hook), changed, dest)
        if arrived > 1:
            self.add(send, turn.sums[k].value, op)

    def arrived(self, node: str, edge: str = "") -> list[Json]:
        """The parts of a sum that is written out, each with the edge that brought it: `edge` the last one."""
        ways, parts = self.ways.setdefault(node, []), self.parts[node]
        ways += [edge] if edge else []
        if self.expected[node] > FEW or any(part.scalar is None for part in parts):
            return []
        ways = [""] * (len(parts) - len(ways)) + ways  # a seed came by no edge
        return [{"edge": way, "text": text} for way, text in zip(ways, summands(parts), strict=True)]

    def put(self, op: ev.Op, turn: Turn, send: ev.Send) -> None:
        """The gradient of one result of several takes its place beside the others."""
        dest, expected, g = op.inputs[0], self.expected[send.to], turn.given
        there = self.places.setdefault(send.to, {})
        there[op.id] = g
        left = expected - len(there)
        text = placed(self.model, dest, there, more=left > 0)
        events = [
            {"type": "send", "edge": edge_id(op, 0), "value": short(g), "how": short(g)},
            holds(dest, text, "wait" if left else "ok"),
        ]
        say = f"`{op.op}` sends {describe_numbers(g)}{sending(self.model, op, left, expected)}"
        self.story.tell(self.phase, say, events, op.line, [op.id, dest])

    def state(self, tensor: str, state: str) -> str:
        """How a box looks: a tray through which a gradient only passes, because it is handed out, is never full."""
        return "wait" if bypassed(self.model, self.walk, tensor) else state

    def _whole_sum(self, turn: Turn) -> str:
        parts = self.parts.get(turn.node, [])
        if len(parts) < 2 or turn.cotangent.scalar is None:
            return ""
        whole, last = describe_numbers(turn.cotangent), describe_numbers(parts[-1])
        return f"The whole sum goes down, {whole}, not its last part {last}. "

    def _fills(self, send: ev.Send) -> str:
        leaf = self.model.nodes[send.to].op is None and send.to not in self.leaf_hooks
        fills = leaf and not self.walk.returns and self.expected[send.to] == 1 and not self._held(send.to)
        return " The tray fills." if fills else ""

    def _held(self, leaf: str) -> Value | None:
        """What the leaf's .grad held before this walk."""
        found = (t.accumulate.old for t in self.walk.turns if t.node == leaf and t.accumulate is not None)
        return next(found, None)

    def _drops(self, op: ev.Op, turn: Turn, k: int, events: list[Json]) -> str:
        if k + 1 < len(turn.sends):
            return ""
        count = len(self.model.tensors_kept(op))
        events += ran(self.story, op)
        if not turn.freed or not count:
            begin = self.walk.begin  # the tape of a transform can always be walked again, which goes without saying
            if not count or not begin.retain or begin.call == "vjp":
                return ""
            return f" Its pins stay: {'create' if begin.create else 'retain'}_graph is on."
        events += pins(self.model, op, "unpin")
        return dropping(self.model, op)

    def add(self, send: ev.Send, total: Value, op: ev.Op) -> None:
        """A further part has arrived: the sum."""
        parts, dest = self.parts[send.to], self.box[send.to]
        name, done = self.model.name(dest), len(parts) == self.expected[send.to]
        written = " + ".join(summands(parts)) if len(parts) <= FEW and total.scalar is not None else ""
        head = f"`{name}` now holds {written} = " if written else f"`{name}` now holds "
        tail = f": the {ordinal(len(parts))} arrival is added."
        box = (
            f"{written} = {describe_numbers(total)}"
            if written and done
            else short(total)
            if done
            else parts_text(parts, self.expected[send.to])
        )
        whole = describe_numbers(total) if written and done else None
        events = [holds(dest, box, self.state(dest, "ok" if done else "wait"), self.arrived(send.to), whole)]
        step = self.story.tell(self.phase, head + describe_numbers(total) + tail, events, op.line, [dest])
        if total.scalar is not None:
            last = describe_numbers(parts[-1])
            why = f"`{name}` was used {times(self.expected[send.to])}; what each use brings back is added"
            ask_value(
                step,
                head,
                describe_numbers(total),
                f"{why}{': ' + written if written else ''}. Keeping only the last arrival would give {last}.",
            )

    def wait(self, node: str, later: list[Turn]) -> None:
        """A node that has its first part must wait for the others."""
        made, expected = self.model.op_of.get(node), self.expected[node]
        name, arrived = self.model.name(self.box[node]), len(self.parts[node])
        following = next((t.node for t in later if t.node in self.model.op_of), None)
        runs = self.model.op_of[following] if following is not None else None
        who = f"`{made.op}`" if made is not None else f"`{name}`"
        have = "has" if arrived == 1 else "have"
        say = f"{who} must wait: {name} was used {times(expected)}, and only {arrived} of its "
        say += f"{plural(expected, 'part')} {have} arrived."
        if node in self.places:
            say = f"{who} must wait: {expected} of its results were used, and only {plural(arrived, 'gradient')} "
            say += f"{have} arrived."
        focus = [self.box[node]] + ([made.id] if made is not None else [])
        step = self.story.tell(self.phase, say, [], made.line if made else self.model.line(self.box[node]), focus)
        if runs is not None and following != node:
            missing = [
                self.model.op_of[t.node].op
                for t in later
                for s in t.sends
                if s.to == node and t.node in self.model.op_of
            ]
            why = (
                f"{name} still lacks what comes through {listed([f'`{m}`' for m in missing])}. "
                "A node runs after all readers of its value have run."
            )
            ask_node(step, runs.id, [self.model.op_of[n].id for n in self.ready(later)], why)

    def ready(self, later: list[Turn]) -> list[str]:
        """The ops all of whose parts have arrived and that have not run: any of them may run next."""
        return [
            t.node
            for t in later
            if t.node in self.model.op_of and len(self.parts.get(t.node, [])) == self.expected[t.node] > 0
        ]

    def drop(self, op: ev.Op, turn: Turn) -> None:
        """Once in a walk: what would go to a constant is not computed."""
        g = turn.given.scalar
        edges = self.model.nodes[turn.node].edges
        for i, tensor in enumerate(op.inputs[: len(edges)]):
            if (
                self.dropped
                or edges[i] is not None
                or self.model.tensors[tensor].how != "constant"
                or not prose(op.op).passing(i)
            ):
                continue
            if g is None:
                continue
            self.dropped = True
            text = number(-g if (op.op, i) == ("sub", 1) else g)
            say = f"`{op.op}` would also send {text} to the constant {self.model.name(tensor)}. "
            say += "Nobody asked for it: it is dropped."
            self.story.tell(self.phase, say, [holds(tensor, text, "drop")], op.line, [tensor])

    def outside(self, turn: Turn) -> None:
        """The walk reaches a node that was made before the recording began."""
        dest = self.box.get(turn.node)
        if dest is not None:
            say = f"`{self.model.name(dest)}` was made before the recording: from here on the walk goes on unseen."
            self.story.tell(self.phase, say, [], None, [dest])

    def retained(self, event: ev.Accumulate, returned: bool) -> None:
        """A tensor that is no leaf keeps its gradient, or hands it out, because the reader asked for it."""
        dest = self.box.get(event.node)
        if dest is not None:
            name, value = self.model.name(dest), describe_numbers(event.new)
            say = f"`{self.model.grad(dest)}` keeps {value}: retain_grad() asked for it."
            if returned:
                say = f"{value} is the gradient by `{name}`: it was asked for."
            self.story.tell(self.phase, say, [], None, [dest])

    def accumulate(self, turn: Turn, event: ev.Accumulate) -> None:
        """A leaf takes what arrived; said only where it held something before, or a hook changed it."""
        dest = self.box.get(turn.node)
        if dest is None:
            return
        if event.old is None:
            if turn.hooks:
                self.story.steps[-1]["events"].append(holds(dest, short(event.new)))
            return
        name, old, new = self.model.grad(dest), describe_numbers(event.old), describe_numbers(event.new)
        arrived = describe_numbers(turn.given)
        plus = bracketed(arrived)
        if event.new.scalar is None:
            head, box = f"`{name}` held {old}; what arrives is added: ", short(event.new)
        else:
            head, box = f"`{name}` was {old}, and {arrived} arrives: {old} + {plus} = ", f"{old} + {plus} = {new}"
        step = self.story.tell(self.phase, f"{head}{new}. backward() adds.", [holds(dest, box)], None, [dest])
        if event.new.scalar is not None:
            why = (
                f"backward() adds to .grad, it never replaces it: {old} + {plus}. "
                "Call zero_grad() between two walks to start from 0."
            )
            ask_value(step, head, new, why)

    def refuse(self, error: str) -> None:
        """The walk ends with an error."""
        op = self.model.op_of.get(self.walk.turns[-1].node) if self.walk.turns else None
        events = [{"type": "refuse", "id": op.id}] if op is not None else []
        who = f"`{op.op}` refuses" if op is not None else "backward() stops"
        self.story.tell(
            self.phase, f"{who}: {error}", events, op.line if op else self.walk.begin.line, [op.id] if op else []
        )
