"""The steps of the view "Capture": what is told of captures, and when each thing of the pictures appears."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..compiler.capture.bytecode.tree import Guard, Line
from ..compiler.capture.bytecode.watching import Moment, Thing
from ..compiler.ir.graph import Node as Value
from ..compiler.ir.printer import line_of
from .captured import Asked, Captured, Listing, Piece, Story, asks, ours
from .frame import Json
from .instructions import SILENT, instruction, mnemonic
from .linking import Links
from .numbers import listed, plural

ALL = 90  # of so many instructions the first capture tells each; of more, those at which something happens
MOST = 400  # steps in all


@dataclass(slots=True)
class Gathered:
    """What silent instructions, and those of the library, have done since the last step."""

    nodes: list[Value] = field(default_factory=list[Value])
    asked: list[Asked] = field(default_factory=list[Asked])
    breaks: list[Line] = field(default_factory=list[Line])
    through: list[str] = field(default_factory=list[str])


class Telling:
    """Makes the steps, and notes when each thing of the picture appears."""

    def __init__(self, told: Story) -> None:
        self.story = told
        self.steps: list[Json] = []
        self.stages: list[Json] = []
        self.things: dict[Thing, int] = {}
        self.ids = {n: f"{p.id}/{n.name}" for c in told.captures for p in c.pieces for n in p.calls}
        self.texts = {n: c.within(p, line_of(n)) for c in told.captures for p in c.pieces for n in p.calls}
        self.born: dict[Any, int] = {}  # when a node, a piece, a break or a guard appears
        self.ran: dict[Line, int] = {}  # when what broke the graph has run
        self.guards: list[Json] = []
        self.whole: dict[str, str] = {}  # each of them as a sentence
        self.links = Links()
        self.breaks = [p.ends for c in told.captures for p in c.pieces if p.ends is not None]
        self.cuts: dict[Line, str] = {}  # the instruction at which a graph broke
        self.stacks: dict[int, Sequence[Thing]] = {}

    @property
    def now(self) -> int:
        """The time of the step that comes next."""
        return len(self.steps)

    def step(self, phase: str, say: str, focus: Iterable[str | None] = (), line: str | None = None) -> None:
        """Add a step."""
        ids = list(dict.fromkeys(id for id in focus if id is not None))
        self.steps.append({"phase": phase, "say": say, "focus": ids, "line": line, "at": self.now})

    # ---- captures ---------------------------------------------------------------------------------------------------
    def capture(self, number: int, one: Captured) -> None:
        """One capture, from the guard that failed to the end."""
        if one.walk.why:
            self.failed(one)
        self.stacks, gathered = {}, Gathered()
        self.born[one] = self.now
        theirs = [m for m in one.walk.moments if not ours(m)]
        if one.pieces:
            self.born[one.pieces[0]] = self.now
        for k, moment in enumerate(one.walk.moments):
            self.gather(one, gathered, moment)
            if ours(moment) or self.now >= MOST:
                continue
            further = next((m for m in theirs[theirs.index(moment) + 1 :][:1]), None) if len(theirs) <= ALL else None
            every = number == 0 and len(theirs) <= ALL
            if k == 0 or self.tells(moment, gathered, every):
                self.moment(one, moment, gathered, k == 0, further)
                gathered = Gathered()
            self.stacks[moment.depth] = moment.stack
        self.over(one)

    def gather(self, one: Captured, gathered: Gathered, moment: Moment) -> None:
        """What a moment adds."""
        gathered.nodes += [n for n in moment.nodes if n in self.ids]
        gathered.breaks += [s for s in moment.steps if isinstance(s, Line) and s.breaks]
        for subject, answer in moment.asked:
            if "_seen" not in subject and subject != "":
                gathered.asked.append(one.describe_guard(subject, answer))
        if ours(moment) and moment.code.co_qualname not in gathered.through:
            gathered.through.append(moment.code.co_qualname)

    def tells(self, moment: Moment, gathered: Gathered, every: bool) -> bool:
        """Whether a moment is a step of its own."""
        happened = gathered.nodes or gathered.breaks or moment.error
        name = self.opname(moment)
        told = name not in SILENT or (name == "RESUME" and moment.depth > 0)
        return bool(happened) or (every and told) or (not moment.depth and name.startswith("RETURN"))

    def opname(self, moment: Moment) -> str:
        """The name of an instruction."""
        return str(self.story.listings[moment.code].instructions[moment.index].opname)

    # ---- moments ----------------------------------------------------------------------------------------------------
    def moment(self, one: Captured, moment: Moment, gathered: Gathered, begins: bool, further: Moment | None) -> None:
        """One instruction; a break is three steps."""
        listing = self.story.listings[moment.code]
        at, line = listing.id(moment.index), listing.line(moment.index)
        ids = [self.ids[n] for n in gathered.nodes]
        self.links.star(at, ids)
        self.links.star(line, ids)
        for node in gathered.nodes:
            self.born.setdefault(node, self.now)
        if begins:
            asked = self.answered(one) + gathered.asked
            self.stage(moment, listing)
            self.step("capture", self.beginning(one, asked), [at, *self.relied(asked, line)], line)
            return
        if gathered.breaks:
            for broken in gathered.breaks:
                self.broke(one, broken, listing, moment, gathered.asked)
            return
        guards = self.relied(gathered.asked, line)
        i = listing.instructions[moment.index]
        ops = [self.texts[n] for n in gathered.nodes]
        offset = listing.instructions[further.index].offset if further and further.code is moment.code else 0
        say = instruction(i, self.stacks.get(moment.depth, ()), moment.stack, ops, offset)
        if i.opname == "RESUME":
            say = f"`{moment.code.co_qualname}` can be looked into: its instructions are next, and the graph goes on."
        if moment.error:
            say = f"`{mnemonic(i)}` raises {moment.error}"
        say += through(gathered.through) + relies(gathered.asked)
        self.stage(moment, listing)
        self.step("capture", say, [at, *ids, *guards], line)

    def answered(self, one: Captured) -> list[Asked]:
        """What the guard that failed asks for in this branch of the program."""
        node, key = one.walk.start
        return (
            [one.describe_guard(node.subject, key)] if isinstance(node, Guard) and "_seen" not in node.subject else []
        )

    def beginning(self, one: Captured, asked: Sequence[Asked]) -> str:
        """How a capture starts."""
        count = len(self.story.listings[one.walk.moments[0].code].instructions)
        if one.walk.why:
            return f"The same {plural(count, 'instruction')}, for a branch of its own in the program.{relies(asked)}"
        return (
            f"`{self.story.name}` is {plural(count, 'instruction')}. A machine goes through them in place of Python."
            f"{relies(asked)}"
        )

    def broke(self, one: Captured, broken: Line, listing: Listing, moment: Moment, asked: list[Asked]) -> None:
        """A graph ends, Python runs, the continuation begins."""
        at, line, id = listing.id(moment.index), listing.line(moment.index), self.break_id(broken)
        place = next(k for k, p in enumerate(one.pieces) if p.ends is broken)
        before, after = one.pieces[place], one.pieces[place + 1]
        self.links.star(id, [at, line])
        self.born[broken], self.cuts[broken] = self.now, at
        self.stage(moment, listing, stack=self.stacks.get(moment.depth, ()))
        self.step("break", f"Graph break: {broken.breaks}. {closed(before)}", [id, at], line)
        self.ran[broken] = self.now
        self.stage(moment, listing)
        self.step("run", f"`{one.runs(broken)}` runs for real, as in Python, after that graph.", [id, at], line)
        self.born[after] = self.now
        self.stage(moment, listing)
        goes = "into a graph of its own" if after.graph is not None else "into no graph: there is no op"
        self.step(
            "capture",
            f"The continuation: what comes now goes {goes}.{relies(asked)}",
            [after.id, *self.relied(asked, line)],
            line,
        )

    def over(self, one: Captured) -> None:
        """A capture ends."""
        reason, graphs = one.walk.compiled.reason, [p for p in one.pieces if p.graph is not None]
        if reason:
            self.step("run", f"The capture is given up: {reason}. `{self.story.name}` runs as Python from now on.")
            return
        parts = [
            part
            for p in (*one.earlier, *one.pieces)
            for part in ([f"`{p.graph.name}`"] if p.graph else []) + after(one, p)
        ]
        counts = [
            ("graph", len(graphs)),
            ("break", sum(p.ends is not None for p in one.pieces)),
            ("new guard", asks(one.walk.path)),
        ]
        made = ", ".join(plural(count, what) for what, count in counts if count)
        say = f"{made or 'Nothing new'}. A call for which the guards hold runs {listed(parts)}, and no bytecode."
        self.step("run", say, [p.id for p in graphs])

    def failed(self, one: Captured) -> None:
        """A guard that a call did not meet."""
        was, now = one.failed
        known = [g for g in self.guards if g["subject"] == was and "died" not in g]
        for guard in known[-1:]:
            guard["died"], guard["now"] = self.now, now
        self.stages.append({**self.stages[-1], "at": self.now})
        say = f"Another call. Guard failed: `{was}`: {now}; compiling again."
        self.step("guard", say, [g["id"] for g in known[-1:]])

    # ---- what appears -----------------------------------------------------------------------------------------------
    def relied(self, asked: Sequence[Asked], line: str | None) -> list[str]:
        """The ids of new guards."""
        made: list[str] = []
        for one in asked:
            id = f"q{len(self.guards) + 1}"
            self.guards.append({"id": id, "subject": one.subject, "says": one.says, "born": self.now})
            self.whole[id] = one.whole
            self.links.pair(id, line)
            made.append(id)
        return made

    def break_id(self, broken: Line) -> str:
        """The id of a break."""
        return f"b{self.breaks.index(broken) + 1}"

    def stage(self, moment: Moment, listing: Listing, stack: Sequence[Thing] | None = None) -> None:
        """What machine shows at the next step."""
        held = moment.stack if stack is None else stack
        self.stages.append(
            {
                "at": self.now,
                "code": list(self.story.listings).index(moment.code),
                "op": listing.id(moment.index),
                "stack": [self.thing(t) for t in held],
                "variables": [[name, self.thing(t)] for name, t in moment.variables.items()],
            }
        )

    def thing(self, thing: Thing) -> int:
        """The place of a value in the list of all."""
        return self.things.setdefault(thing, len(self.things))


def relies(asked: Sequence[Asked]) -> str:
    """New guards, in words."""
    if not asked:
        return ""
    if len(asked) > 2:
        return f" {len(asked)} new guards: the graphs rely on {listed([f'`{a.subject}`' for a in asked[:3]])}" + (
            " and others." if len(asked) > 3 else "."
        )
    return f" It relies on: {listed([a.whole for a in asked])}."


def through(names: Sequence[str]) -> str:
    """The functions of the library that the machine went through."""
    shown = [f"`{name}`" for name in names[:3]] + (["others"] if len(names) > 3 else [])
    return f" It went through {listed(shown)} of the library." if names else ""


def closed(piece: Piece) -> str:
    """How a graph ends."""
    if piece.graph is None:
        return "Up to here there is no op: that graph is empty."
    gives = [n.name for n in piece.graph.nodes[-1].feeds]
    return f"`{piece.graph.name}` ends here, and gives {listed([f'`{name}`' for name in gives])}."


def after(one: Captured, piece: Piece) -> list[str]:
    """What runs after a graph."""
    return [f"`{one.runs(piece.ends)}`"] if piece.ends is not None else []
