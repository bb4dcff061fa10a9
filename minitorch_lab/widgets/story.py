"""Steps: one idea, one sentence, the events it draws. And the sentences of the forward pass, which both views tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..recording import events as ev
from .formulas import formula, keeps
from .model import Model, pin_id
from .numbers import describe_numbers, listed, number, several, shape, short, small
from .results import takes

Json = dict[str, Any]

LONGEST = 48  # a formula of more characters is not written out
WRITTEN = 24  # one of more is not drawn under its op


class Story:
    """The steps of a scene, as they are told. `ops` are the ops that are drawn."""

    def __init__(self, model: Model, ops: Sequence[ev.Op]) -> None:
        self.model, self.ops = model, ops
        self.made = {op.output: op for op in ops}
        self.steps: list[Json] = []
        self.introduced: set[str] = set()
        self.at = 0  # the event that is told

    def reach(self, n: int) -> None:
        """What is told from here on happened at event `n`, or not before what was told already."""
        self.at = max(self.at, n)

    def shown(self) -> set[str]:
        """The tensors that have a pill."""
        return self.made.keys() | {t for op in self.ops for t in op.inputs}

    def given(self, op: ev.Op) -> list[str]:
        """The inputs of `op` that no drawn op made and that were not introduced: constants, data. Each comes once."""
        known = self.made.keys() | self.introduced
        new = [t for t in dict.fromkeys(op.inputs) if t not in known and not self.model.wants_gradient(t)]
        self.introduced.update(new)
        return new

    def tell(
        self, phase: str, say: str, events: Sequence[Json] = (), line: str | None = None, focus: Sequence[str] = ()
    ) -> Json:
        """Add a step."""
        step: Json = {
            "phase": phase,
            "say": say,
            "line": line,
            "focus": list(focus),
            "events": list(events),
            "at": self.at,
        }
        self.steps.append(step)
        return step


def ask_value(step: Json, before: str, answer: str, why: str) -> None:
    """Have the reader predict `answer`, which stands in the sentence right after `before`."""
    plain = answer.replace("−", "-").replace(",", "")
    accept = list(dict.fromkeys((answer, plain)))
    ask = {"kind": "value", "answer": answer, "accept": accept, "at": len(before), "length": len(answer), "why": why}
    step["predict"] = ask


def ask_node(step: Json, answer: str, accept: list[str], why: str) -> None:
    """Have the reader predict which node runs next."""
    step["predict"] = {"kind": "node", "answer": answer, "accept": accept, "why": why}


# ---- what the events of a step look like -----------------------------------------------------------------


def shows(model: Model, tensor: str) -> Json:
    """The value of `tensor` appears in its pill."""
    return {"type": "value", "id": tensor, "value": model.text(tensor)}


def holds(tensor: str, text: str, state: str = "ok", parts: Sequence[Json] = (), total: str | None = None) -> Json:
    """The box or tray under `tensor` says `text`: these `parts`, each with its edge, and the `total` that they make."""
    event: Json = {"type": "sum", "id": tensor, "text": text, "state": state}
    return event | ({"parts": list(parts)} if parts else {}) | ({} if total is None else {"total": total})


def pins(model: Model, op: ev.Op, verb: str) -> list[Json]:
    """`pin` or `unpin` events for everything that `op` keeps."""
    return [{"type": verb, "id": pin_id(op, str(s.tensor))} for s in model.tensors_kept(op)]


def spoiled(model: Model, write: ev.Write, seen: Sequence[ev.Op]) -> list[tuple[ev.Op, ev.Save]]:
    """What the ops `seen` so far keep and `write` overwrote."""
    return [
        (op, save)
        for op in seen
        for save in model.tensors_kept(op)
        if save.version < write.version
        and model.tensors[str(save.tensor)].memory == write.memory
        and model.freed.get(str(op.node), write.n + 1) > write.n
    ]


def unnoticed(write: ev.Write, save: ev.Save) -> bool:
    """Whether the counter that went up is not the one that the tape looks at."""
    return bool(write.counter and save.counter) and write.counter != save.counter


# ---- sentences -------------------------------------------------------------------------------------------


def introduce(story: Story, sources: list[str], phase: str) -> None:
    """Say which tensors want a gradient, before anything is computed from them."""
    model = story.model
    leaves = [t for t in sources if model.wants_gradient(t) and t not in model.writes]
    if len(leaves) <= 2:
        for t in leaves:
            say = f"`{model.name(t)}` holds {model.describe_value(t)}. "
            say += "It is a leaf: a tray waits under it for its gradient."
            story.tell(phase, say, [shows(model, t)], model.line(t), [t])
        return
    names = listed([f"`{model.name(t)}`" for t in leaves]) if len(leaves) <= 6 else f"{len(leaves)} tensors"
    say = f"{names} are leaves: under each a tray waits for its gradient."
    story.tell(phase, say, [shows(model, t) for t in leaves], None, leaves[:6])


def run_op(story: Story, op: ev.Op, phase: str, prefix: str = "") -> Json:
    """The step in which `op` runs. `prefix` says inside of what, if it is not the reader's own line."""
    story.reach(op.n)
    model, tail = story.model, "." if takes(story.model, op) else _tail(story.model, op)
    before, answer = result(model, op)
    before = prefix + before
    fresh = [shows(model, t) for t in story.given(op)]
    pinned: list[Json] = [{"type": "pin", "id": pin_id(op, t)} for t in model.pinned_at_once(op)]
    numbers = _formula(model, op) if small(model.value(op.output)) else None
    how = {"how": numbers} if numbers and len(numbers) <= WRITTEN else {}
    events = [*fresh, shows(model, op.output) | how, *pinned]
    step = story.tell(phase, f"{before}{answer}{tail}", events, op.line, [op.id])
    scalar = model.value(op.output).scalar
    if scalar is not None:
        written = formula(op.op, [model.name(t) for t in op.inputs])
        why = f"{model.name(op.output)} is {written}. With the numbers: {f'{numbers} = ' if numbers else ''}{answer}."
        ask_value(step, before, answer, why)
    return step


def result(model: Model, op: ev.Op) -> tuple[str, str]:
    """("`mul` makes v4 = 2 × 3 = ", "6"), or the shape where the numbers are too many."""
    name, value = model.name(op.output), model.value(op.output)
    if takes(model, op) and not model.batch(op.output):
        return f"`{op.op}` of {model.name(op.inputs[0])} is {name}: ", describe_numbers(value)
    write = model.writes.get(op.output)
    if write is not None and write.op != op.op:  # it follows from the write of another op
        write = None
    head = f"`{op.op}` makes {name}" if write is None else f"`{op.op}` writes {name} in place, version {write.version}:"
    if model.batch(op.output):
        event = model.tensors[op.output]
        many = f"{head} for all {' × '.join(map(str, event.batch))} examples at once, for each of them "
        return (
            (f"{many}of shape ", shape(model.example(op.output))) if model.example(op.output) else (many, "one number")
        )
    base = model.tensors[op.output].base
    if base is not None and write is None:
        return f"{head}, a view of {model.name(base)} on the same memory, of shape ", shape(value.shape)
    written = _formula(model, op)
    joint = " = " if write is None else " "
    if written is not None and small(value):
        return f"{head}{joint}{written} = ", describe_numbers(value)
    if small(value):
        return f"{head}{joint}", describe_numbers(value)
    if several(value):
        return f"{head} at once", ""
    return f"{head}{' ' if write else ', '}of shape {shape(value.shape)} with mean ", number(value.mean)


def _formula(model: Model, op: ev.Op) -> str | None:
    operands = [model.value(t, op.n) for t in op.inputs]
    if not operands or not all(map(small, operands)):
        return None
    written = formula(op.op, [describe_numbers(v) for v in operands])
    return written if len(written) <= LONGEST else None


def _tail(model: Model, op: ev.Op) -> str:
    if model.mapped:
        return "." if model.batch(op.output) else ", once for all examples."
    if op.node is None:
        return f". The tape records nothing: {_why_no_node(model, op)}."
    if op.segment is not None:
        return ", and its node keeps nothing: it is inside a checkpoint."
    joint = " and" if small(model.value(op.output)) and model.tensors[op.output].base is None else ", and"
    return f"{joint} {keeps(op.op, *model.wants(op))}."


def _why_no_node(model: Model, op: ev.Op) -> str:
    if op.op == "detach":
        return "detach leaves the history behind"
    if not op.grad:
        return "no_grad() is on"
    if not op.inputs:
        return "it depends on nothing"
    tracked = any(model.tensors[t].node is not None for t in op.inputs)
    return f"{op.op} has no derivative" if tracked else "no input wants a gradient"


def overwritten(
    story: Story, write: ev.Write, events: Sequence[Json], pill: str, ruined: Sequence[tuple[ev.Op, ev.Save]]
) -> None:
    """An in-place write that spoils what ops have kept: said where it happens, not only where backward refuses."""
    model = story.model
    keepers = listed([f"`{name}`" for name in dict.fromkeys(op.op for op, _ in ruined)])
    writer = model.writer(write)
    through = f", written through {model.name(writer)}," if writer not in (None, pill) else ""
    say = f"The memory under {model.name(pill)}{through} now holds {describe_numbers(write.value)}, "
    say += f"version {write.version}. "
    if any(unnoticed(write, save) for _, save in ruined):
        kept = str(ruined[0][1].tensor)
        say += f"{keepers} kept {model.name(kept)}, which shows the same memory, but `.data` has a counter of its own: "
        say += f"for {model.name(kept)} nobody has counted this write, and backward will not refuse."
        same = model.value(kept).shape == write.value.shape and kept != pill
        events = [*events, *([{"type": "value", "id": kept, "value": short(write.value)}] if same else [])]
    else:
        say += f"But {keepers} kept version {write.version - 1}: backward will refuse."
    phase = story.steps[-1]["phase"] if story.steps else "forward"
    story.tell("forward" if phase == "start" else phase, say, events, model.line_of(write), [pill])
