"""A recording, indexed the way the views ask: which op made a tensor, what a node keeps, what everything is called."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import RecordingError
from ..recording import events as ev
from ..recording.recording import Recording
from ..recording.values import Value
from .formulas import formula
from .numbers import describe_numbers, shape, short

SHORT = 10  # characters
LONGEST = 60  # characters of a name; what is longer is cut
MOST = 200_000  # events

WRITES = re.compile(r"′+( \[t\d+\])?$")  # what the name of a tensor has after writes in place

KINDS = {"leaf": "leaf", "parameter": "param", "constant": "const"}


def check(recording: Recording) -> None:
    """Refuse what no view can tell."""
    if not recording.complete:
        raise RecordingError(
            "This recording is still running.",
            "Names, lines and the last events are known when its block has ended.",
            "Show the view after the `with` block, not inside it.",
        )
    if len(recording) > MOST:
        raise RecordingError(
            f"This recording has {len(recording):,} events.",
            f"A view tells at most {MOST:,} of them: more are no story, and would keep a browser busy for minutes.",
            "Record one step instead of the whole training, or a smaller model.",
        )


class Model:
    """Look-ups over the events of one recording: of what the reader ran, or of what `run`, a transform, made of it.

    Raises:
        RecordingError: The recording is still running, or it is too long to be shown.
    """

    def __init__(self, recording: Recording, run: str | None = None) -> None:
        check(recording)
        self.recording = recording
        self.tensors = {t.id: t for t in recording.each(ev.Tensor)}
        self.nodes = {n.id: n for n in recording.each(ev.Node)}
        self.writes = {write.new: write for write in recording.each(ev.Write) if write.old != write.new}
        self.rewrites: dict[str, list[ev.Write]] = defaultdict(list)  # of tensors that do not know of the write
        for write in recording.each(ev.Write):
            if write.old == write.new:
                self.rewrites[write.new].append(write)
        self.run = run
        self.mapped = any(one.id == run and one.transform == "vmap" for one in recording.runs)
        self.called: dict[str, str] = {}  # names that a view gives, above those of the reader
        ops = [op for op in recording.each(ev.Op) if op.run == run and not self.became_leaf(op)]
        self.ops = [op for op in ops if op.again is None]  # what a checkpoint runs again is the same op
        self.op = {op.id: op for op in self.ops}
        self.segments = segments_of(recording, self.ops)
        self.maker = {op.output: op for op in self.ops}
        self.op_of = {op.node: op for op in self.ops if op.node is not None}
        for op in self.ops:
            if self.name(op.output) == op.output:
                self.called[op.output] = self.named_by_formula(op) or op.output
        self.saves: dict[str, list[ev.Save]] = defaultdict(list)
        for save in recording.each(ev.Save):
            self.saves[save.node].append(save)
        self.freed = {free.node: free.n for free in recording.each(ev.Free)}
        self.walks = [walk for walk in recording.each(ev.Begin) if walk.run == run]
        kept = {event.tensor for event in recording.each(ev.Accumulate)}
        self.returned = {event.tensor for event in recording.each(ev.Result)} - kept
        own = {walk.walk for walk in self.walks}
        self.nodes_walked = {step.node for step in recording.each(ev.Step) if step.walk in own}

    def named_by_formula(self, op: ev.Op) -> str:
        """What the reader has not named is called by how it was made: x², 3 × x². "" where that is long or unclear."""
        names = [self.name(t) for t in op.inputs]
        clear = names and all(len(name) <= SHORT and "+" not in name and "−" not in name[1:] for name in names)
        text = formula(op.op, names) if clear else ""
        return text if len(text) <= SHORT else ""

    def bands(self) -> dict[str, int]:
        """For every op, the number of the walk that made it; 0 for those of the reader's own lines."""
        walks, open_walks, found = 0, list[int](), dict[str, int]()
        own = {op.id for op in self.ops}
        for event in self.recording.events:
            if isinstance(event, ev.Begin):
                walks += 1
                open_walks.append(walks)
            elif isinstance(event, ev.End):
                open_walks.pop()
            elif isinstance(event, ev.Op) and event.id in own:
                found[event.id] = open_walks[-1] if open_walks and event.during is not None else 0
        return found

    def became_leaf(self, op: ev.Op) -> bool:
        """Whether what a factory made was then asked for its gradient: it is a source, and not on the tape."""
        return self.tensors[op.output].how != "op" and op.output not in self.writes

    def name(self, tensor: str) -> str:
        """What the reader calls a tensor; a constant is called by its value."""
        if tensor in self.called:
            return self.called[tensor]
        if self.tensors[tensor].how == "constant":
            return short(self.value(tensor))
        known = self.recording.names.get(tensor)
        text = known.name if known is not None else tensor
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

    def expression(self, tensor: str) -> str:
        """The reader's expression for it, as typed, or ""."""
        known = self.recording.names.get(tensor)
        return known.text if known is not None else ""

    def line_of(self, write: ev.Write) -> str | None:
        """The line of the op that wrote."""
        before = [op.line for op in self.ops if op.n < write.n]
        return before[-1] if before else None

    def writer(self, write: ev.Write) -> str | None:
        """The tensor that was written to, when `write` only tells of an alias."""
        found = [w.old for w in self.writes.values() if w.memory == write.memory and w.version == write.version]
        return found[0] if write.old == write.new and found else None

    def line(self, tensor: str) -> str | None:
        """The line that made it, as far as the reader's code tells."""
        return self.tensors[tensor].line

    def value(self, tensor: str, at: int = 0) -> Value:
        """Its value when it was made, or after the writes that came before event number `at`."""
        later = [write.value for write in self.rewrites.get(tensor, []) if write.n < at]
        return later[-1] if later else self.tensors[tensor].value

    def text(self, tensor: str) -> str:
        """What its pill shows; under vmap, of one example its shape."""
        return shape(self.example(tensor)) if self.tensors[tensor].batch else short(self.value(tensor))

    def tag(self, tensor: str) -> str:
        """What the tag of a pin says: a name, and its number if there is room."""
        name, text = self.name(tensor), self.text(tensor)
        plain = self.value(tensor).scalar is not None and self.tensors[tensor].how != "constant"
        return f"{name}={text}" if plain and len(name) + len(text) <= 11 else name

    def example(self, tensor: str) -> tuple[int, ...]:
        """The shape of one example: without the batch axes."""
        event = self.tensors[tensor]
        return event.value.shape[len(event.batch) :]

    def batch(self, tensor: str) -> str:
        """How many examples there are, as its pill says it; "" without a batch axis."""
        sizes = self.tensors[tensor].batch
        return f"B={'×'.join(map(str, sizes))}" if sizes else ""

    def describe_value(self, tensor: str) -> str:
        """What a sentence says of its value."""
        return describe_numbers(self.value(tensor))

    def kept(self, op: ev.Op) -> list[ev.Save]:
        """What the node of `op` keeps; nothing when it has no node."""
        return self.saves[op.node] if op.node is not None else []

    def tensors_kept(self, op: ev.Op) -> list[ev.Save]:
        """Those of them that keep a tensor, one for each tensor."""
        held = {save.tensor: save for save in self.kept(op) if save.tensor is not None}
        for tensor in self.held_at(op):
            held.setdefault(tensor, ev.Save(op.n, str(op.node), "", tensor, 0, None))
        return list(held.values())

    def held_at(self, op: ev.Op) -> tuple[str, ...]:
        """What a checkpoint keeps, at its first op: the arguments, from which it can run again."""
        segment = self.segments.get(str(op.segment))
        return segment.keeps if segment is not None and segment.ops[0] is op else ()

    def pinned_at_once(self, op: ev.Op) -> list[str]:
        """The tensors that `op` keeps as soon as it has run; in a checkpoint the others come when it runs again."""
        return [str(s.tensor) for s in self.tensors_kept(op) if not s.dropped or s.tensor in self.held_at(op)]

    def wants(self, op: ev.Op) -> tuple[list[str], dict[str, str]]:
        """The rule's parameter names, and the names of the tensors among them."""
        saves = [save for save in self.kept(op) if save.fact != ()]
        return [s.name for s in saves], {s.name: self.name(s.tensor) for s in saves if s.tensor is not None}

    def visited(self) -> list[ev.Op]:
        """The ops whose nodes some backward walk reached, in the order in which they ran."""
        nodes = self.nodes_walked | {walk.node for walk in self.walks}
        return [op for op in self.ops if op.node in nodes]

    def sources(self, ops: Iterable[ev.Op]) -> list[str]:
        """The tensors that `ops` read and did not make, in the order in which they are first read."""
        made: set[str] = set()
        found: dict[str, None] = {}
        for op in ops:
            found.update(dict.fromkeys(t for t in op.inputs if t not in made))
            made.add(op.output)
        return [t for t in found if t not in made]

    def kind(self, tensor: str, made: bool) -> str:
        """Which shape draws it; `made`: by an op that is drawn."""
        moves = self.tensors[tensor].tangent is not None
        return "value" if made or moves else KINDS.get(self.tensors[tensor].how, "input")

    def tray(self, tensor: str) -> str:
        """What the tray of a leaf is called: its .grad, unless its gradients are only ever returned."""
        return self.grad(tensor) if tensor not in self.returned else f"gradient by {self.name(tensor)}"

    def grad(self, tensor: str) -> str:
        """What the reader calls its gradient: one attribute, however often the tensor was written to."""
        return f"{WRITES.sub('', self.name(tensor))}.grad"

    def wants_gradient(self, tensor: str) -> bool:
        """Whether it is a leaf with a tray."""
        return self.tensors[tensor].how in ("leaf", "parameter")


@dataclass(frozen=True)
class Segment:
    """One checkpoint: its ops, what it keeps, and what its ops would have kept without it."""

    id: str
    keeps: tuple[str, ...]
    ops: list[ev.Op]
    drops: list[str]


def segments_of(recording: Recording, ops: list[ev.Op]) -> dict[str, Segment]:
    """The checkpoints that hold some of `ops`."""
    found: dict[str, Segment] = {}
    saves = [save for save in recording.each(ev.Save) if save.dropped and save.tensor is not None]
    made = {op.output for op in ops}
    for event in recording.each(ev.Segment):
        own = [op for op in ops if op.segment == event.id]
        nodes = {op.node for op in own}
        wanted = dict.fromkeys(str(save.tensor) for save in saves if save.node in nodes)
        if own:
            keeps = tuple(dict.fromkeys(event.keeps))
            found[event.id] = Segment(event.id, keeps, own, [t for t in wanted if t in made and t not in keeps])
    return found


def walked(recording: Recording) -> Model:
    """The ops that the walks of a recording go over: those of backward(), or those of the outermost transform."""
    runs = {walk.run for walk in recording.each(ev.Begin)}
    chosen = None if None in runs else next((run.id for run in recording.runs if run.id in runs), None)
    return Model(recording, chosen)


def taped(recording: Recording) -> Model:
    """The ops whose tape a recording shows: the reader's own, else those of one example under vmap, else of a tape."""
    plain = Model(recording)
    if not recording.runs or any(op.node is not None for op in plain.ops):
        return plain
    vmaps = [run.id for run in recording.runs if run.transform == "vmap"]
    return Model(recording, (vmaps or [recording.runs[0].id])[0])


def nbytes(value: Value) -> int:
    """Bytes of the elements of `value`.

    Example:
        >>> nbytes(Value((2, 3), "float32", 0.0, 0.0, 0.0, None))
        24
    """
    digits = "".join(c for c in value.dtype if c.isdigit())
    return value.numel * (int(digits) // 8 if digits else 1 if value.dtype == "bool" else 8)


def edge_id(op: ev.Op, k: int) -> str:
    """The id of the edge into input `k` of `op`: one tensor read twice has two edges."""
    tensor = op.inputs[k]
    again = op.inputs[:k].count(tensor)
    return f"{tensor}>{op.id}" + (f".{again}" if again else "")


def pin_id(op: ev.Op, tensor: str) -> str:
    """The id of the pin with which `op` keeps `tensor`."""
    return f"p:{op.id}:{tensor}"


def atom(name: str) -> str:
    """A name that can be followed by a dot: x, or (x * 2).

    Example:
        >>> atom("fc1.weight"), atom("x * 2"), atom("x[0]*x[1]")
        ('fc1.weight', '(x * 2)', '(x[0]*x[1])')
    """
    stem = re.sub(r" \(\d+\)(?=′*$)", "", name)
    plain = stem.replace(".", "").replace("_", "").replace("′", "").isalnum() or stem.endswith((")", "]"))
    return name if plain and not any(sign in stem for sign in " +-*/@") else f"({name})"
