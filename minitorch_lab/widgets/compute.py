"""What is computed, and the updates after it, as the views tell them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from ..recording import events as ev
from ..recording.values import Value
from .model import pin_id
from .numbers import listed, shape, short
from .recompute import done
from .story import Json, Story, overwritten, run_op, shows, spoiled

MANY = 24  # more updates than this are one step
WRITTEN = " → "  # between what a pill held and what it holds
HELD = 3  # of more values a pill shows the first and the last
CONDENSE = 12  # with more ops than this, the ops of one line are one step


class Compute:
    """Tells ops as they come; writes that no drawn op made are told together, as an update."""

    def __init__(self, story: Story, condense: bool, units: Mapping[str, str] | None = None) -> None:
        self.story, self.model, self.drawn = story, story.model, story.made
        self.units = units or {}  # what is told together is of one line, and of one item of a repeat
        self.condense = condense and len(story.ops) > CONDENSE
        self.waiting: list[ev.Op] = []
        self.ran: list[ev.Op] = []
        self.updates: list[tuple[ev.Write, str]] = []
        self.spoiled: set[str] = set()  # pins that are known to be stale
        self.held: dict[str, list[str]] = {}  # what a pill that was written to has shown
        self.pill: dict[str, str] = {}  # a tensor that has no pill -> the pill of what it was before the write

    def op(self, op: ev.Op) -> None:
        """An op ran."""
        if op.output in self.drawn:
            self.update()
            self.waiting.append(op)

    def write(self, write: ev.Write) -> None:
        """Memory was written."""
        told = write.old != write.new and write.new in self.drawn
        if told or self.waiting:
            self.flush()
        pill = write.old if told else self.pill.get(write.old, write.old)
        if not told and write.new != write.old:
            self.pill[write.new] = write.new if write.new in self.story.shown() else pill
        if pill not in self.story.shown():
            return
        found = spoiled(self.model, write, self.ran)
        ruined = [(op, save) for op, save in found if pin_id(op, str(save.tensor)) not in self.spoiled]
        maker = self.model.maker.get(write.new)
        if ruined:
            pins: list[Json] = [{"type": "stale", "id": pin_id(op, str(save.tensor))} for op, save in ruined]
            self.spoiled |= {pin["id"] for pin in pins}
            overwritten(self.story, write, [*self.events(write, pill), *pins], pill, ruined)
        elif not told and write.new != write.old and maker is not None and not maker.grad:
            self.updates.append((write, pill))
        elif self.story.steps:
            self.story.steps[-1]["events"] += self.events(write, pill)

    def flush(self) -> None:
        """Tell the ops that are waiting, and what was updated."""
        self.update()
        groups = (
            groupby(self.waiting, key=self.together_with) if self.condense else ((None, [op]) for op in self.waiting)
        )
        for _, group in groups:
            ops = list(group)
            if len(ops) == 1:
                inside = ops[0].during is not None
                whose = "create_graph: " if self.model.run is None else "In the inner walk, "
                run_op(self.story, ops[0], "backward" if inside else "forward", whose if inside else "")
            else:
                self.together(ops)
            for op in ops:
                done(self.story, op, "forward")
        self.ran += self.waiting
        self.waiting = []

    def together_with(self, op: ev.Op) -> tuple[str | None, str | None]:
        """Ops of which this is the same are told together."""
        return op.line, self.units.get(op.id)

    def together(self, ops: list[ev.Op]) -> None:
        """The ops of one line, in one step."""
        self.story.reach(ops[-1].n)
        model, last = self.model, ops[-1].output
        counted = {name: sum(op.op == name for op in ops) for name in dict.fromkeys(op.op for op in ops)}
        names = listed([f"`{name}`" + (f" ({count:,} times)" if count > 1 else "") for name, count in counted.items()])
        fresh = [t for op in ops for t in self.story.given(op)]
        events = [shows(model, t) for t in dict.fromkeys(fresh)]
        for op in ops:
            pinned = model.pinned_at_once(op)
            events += [shows(model, op.output), *({"type": "pin", "id": pin_id(op, t)} for t in pinned)]
        say = f"{names} make {model.name(last)}: {model.describe_value(last)}."
        self.story.tell("forward", say, events, ops[-1].line, [op.id for op in ops[-3:]][::-1])

    def update(self) -> None:
        """Tell the writes that the tape did not see."""
        model, writes = self.model, [(w, pill) for w, pill in self.updates if pill in self.story.shown()]
        self.updates = []
        each = 6 if len(writes) <= MANY else len(writes)
        for k in range(0, len(writes), each):
            some = writes[k : k + each]
            events = [event for w, pill in some for event in self.events(w, pill)]
            first = f"`{model.name(some[0][1])}`"
            few = listed([f"`{model.name(pill)}`" for _, pill in some[:6]])
            names = few if each == 6 else f"{first} and {len(some) - 1:,} more tensors"
            value = (
                f": {model.describe_value(some[0][0].old)} becomes {model.describe_value(some[0][0].new)}"
                if len(some) == 1
                else ""
            )
            if len(some) == 1 and some[0][0].new in self.story.shown():
                value += f", from here on {model.name(some[0][0].new)}"
            verb, them = ("is", "it") if len(some) == 1 else ("are", "them")
            say = f"{names} {verb} written in place{value}. no_grad() is on, so the tape does not see {them}."
            self.story.reach(some[-1][0].n)
            line = model.maker[some[0][0].new].line
            self.story.tell("update", say, events, line, [pill for _, pill in some[:6]])

    def events(self, write: ev.Write, pill: str) -> list[Json]:
        """What the tensor is from here on has a pill of its own, if it is drawn; else its one pill shows both."""
        told = {"type": "write", "version": write.version}
        if write.new == write.old or write.new not in self.story.shown():
            return [{**told, "id": pill, "value": self.history(pill, write.value)}]
        fresh = [] if write.new in self.drawn else [shows(self.model, write.new)]
        return [*fresh, {**told, "id": write.new, "value": self.model.text(write.new)}]

    def history(self, pill: str, value: Value) -> str:
        """What a pill held, then what it holds: what was computed from the first still stands beside it."""
        held = self.held.setdefault(pill, [self.model.text(pill)])
        text = short(value)
        if text not in (held[-1], shape(value.shape)):
            held.append(text)
        elif text != held[-1] and held[-1] != "…":  # numbers for which there is no room
            held.append("…")
        return WRITTEN.join(held if len(held) <= HELD else [held[0], "…", held[-1]])


def updating(model_ops: list[ev.Op], ends: list[ev.End]) -> set[str]:
    """The ops of updates: they run after a walk, inside no_grad()."""
    first = ends[0].n if ends else None
    return {op.id for op in model_ops if first is not None and op.n > first and not op.grad}
