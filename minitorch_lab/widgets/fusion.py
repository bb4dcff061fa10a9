"""The view "Fusion": the graph before, kernels forming rule by rule, the schedule after, and the bytes that move."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from itertools import pairwise

from ..compiler.capture.trace import trace
from ..compiler.ir.graph import Graph
from ..compiler.schedule.story import Decision, Launch, Stage, Story, story
from ..core.array import float32, xp
from ..tensors.factories import tensor
from ..tensors.tensor import Tensor
from .example import compiled
from .frame import Json, framed
from .fusion_picture import (
    Cells,
    Hulls,
    amount,
    code_id,
    graph_of,
    inner,
    listing_panel,
    most_used,
    op_id,
    traffic_panel,
    value_id,
)
from .linking import Links
from .numbers import listed, number, plural

QUESTION = "What becomes one kernel, and what does that save?"
EXAMPLE = "Why is one kernel faster than three?"
ONE_BY_ONE, DECIDED, REFUSED = 8, 14, 6  # launches, decisions and refusals that are told one by one
NAMED = 6  # ops that a sentence names

WHY = {
    "pointwise into its consumer": "both work entry by entry, at the same points",
    "reduction joins its row": "both run over the same rows",
    "epilogue of the tile": "it is done to each tile while that is in registers",
    "prologue of the reduction": "each entry is made just before it is added up",
}

TEXT: str = """\
def step(A, B, C, D):
    t = A + B
    u = t * C
    return D + u
"""


def fusion_example() -> Graph:
    """E = D + (A + B) · C on a thousand numbers."""
    file = "<fusion example>"
    linecache.cache[file] = len(TEXT), None, TEXT.splitlines(keepends=True), file
    space: dict[str, object] = {}
    exec(compiled(TEXT, file), space)  # our own text, above
    vectors: tuple[Tensor, ...] = tuple(tensor(xp.full(1000, k), float32) for k in range(4))
    return trace(space["step"], *vectors).graph  # pyright: ignore[reportArgumentType]


def fusion_scene(graph: Graph, question: str = QUESTION, source: Sequence[tuple[int, str]] = ()) -> Json:
    """The scene of the view "Fusion".

    Args:
        graph: A pure graph whose sizes are numbers.
        question: The heading.
        source: The reader's lines with their numbers. Left out, those lines from which ops come.
    """
    told = story(graph)
    return Scene(told, question, source).json()


class Scene:
    """Puts the steps and the pictures together."""

    def __init__(self, told: Story, question: str, source: Sequence[tuple[int, str]]) -> None:
        self.story, self.question = told, question
        self.first, self.last = told.stages[0], told.stages[-1]
        self.hulls, self.cells = Hulls(told), Cells(told)
        self.lines = Lines(told, source)
        self.steps: list[Json] = []
        self.ran: list[int] = []  # the step in which each launch of the first stage runs
        self.shown = [(0, self.first)]  # the stages, and from which step on

    def json(self) -> Json:
        """The scene."""
        before = plural(len(self.first.launches), "launch")
        self.step("start", f"{self.question} Op by op there are {before}, and each reads and writes memory.", [], [])
        self.op_by_op()
        for stages in self.chapters():
            self.fused(*stages)
        self.closing()
        links, details = self.link_ops()
        return framed(
            "fusion",
            self.question,
            self.steps,
            [
                traffic_panel(self.story, self.shown, self.ran, self.cells),
                listing_panel(self.shown),
            ],
            source=self.lines.json(),
            links=links,
            details=details,
            legend=["input", "op", "value", "faded", "hull", "read", "write-cell"],
        ) | {"graph": graph_of(self.story)}

    def step(self, phase: str, say: str, focus: Sequence[str], events: Sequence[Json], line: str | None = None) -> None:
        """One step more."""
        at = len(self.steps)
        self.steps.append(
            {"phase": phase, "say": say, "focus": list(focus), "events": list(events), "line": line, "at": at}
        )

    # ---- op by op ------------------------------------------------------------------------------------------
    def op_by_op(self) -> None:
        """The launches of the first stage: one by one, or, where there are many, all at once."""
        launches = self.first.launches
        one = len(launches) <= ONE_BY_ONE
        for k in range(len(launches)) if one else [len(launches) - 1]:
            new = [launches[k]] if one else launches
            names = [name for launch in new for name in launch.members]
            self.ran += [len(self.steps)] * len(new)
            total = sum(launch.nbytes for launch in launches[: k + 1])
            say = reads_and_writes(new[0], total) if one else f"{len(new)} ops read and write {total:,} bytes."
            self.step("op by op", say, self.touched(names[:NAMED]), self.run(new, k), self.lines.of(names[-1]))

    def run(self, new: Sequence[Launch], k: int) -> list[Json]:
        """The values that some launches read and write appear, and their hulls."""
        known = {e.name: e for e in self.story.entries}
        names = dict.fromkeys(name for launch in new for name, _ in (*launch.reads, *launch.writes))
        values = [known[name] for name in (*names, *(m for launch in new for m in launch.members)) if name in known]
        events: list[Json] = [
            {"type": "value", "id": value_id(e.name), "value": amount(e.nbytes)} for e in dict.fromkeys(values)
        ]
        return events + self.hulls.events(self.first.launches[: k + 1])

    # ---- decisions -----------------------------------------------------------------------------------------
    def chapters(self) -> list[tuple[Stage, Stage]]:
        """Pairs of stages, before and after each decision; where there are many, each kernel that is done."""
        stages = self.story.stages
        pairs = list(pairwise(stages))
        joined = [(a, b) for a, b in pairs if b.decision is not None and b.decision.joined]
        if len(joined) <= DECIDED:
            refused = [pair for pair in pairs if pair not in joined]
            return [pair for pair in pairs if pair in joined or len(refused) <= REFUSED]
        done = {launch.members for launch in self.last.launches}
        ends = [b for a, b in joined if {x.members for x in b.launches} & done - {x.members for x in a.launches}]
        ends += [b for _, b in joined if b not in ends and b is self.last]
        return list(pairwise([stages[0], *ends]))

    def fused(self, before: Stage, after: Stage) -> None:
        """One step: what was decided, why, and what it saves."""
        decision = after.decision
        assert decision is not None
        saved = before.nbytes - after.nbytes
        whole = len({x.members for x in after.launches} - {x.members for x in before.launches}) == 1
        new = next((x for x in after.launches if x.members not in {y.members for y in before.launches}), None)
        many = len(before.launches) - len(after.launches) > 1 and new is not None and whole
        say, tail = self.together(new, saved) if many and new else self.decided(decision, before, after)
        names = new.members[-NAMED:] if many and new else (decision.by, decision.of)
        self.step(
            "fuse", f"{say}{tail}", self.touched(names), self.hulls.events(after.launches), self.lines.of(names[0])
        )
        if saved:
            self.steps[-1]["predict"] = hidden(f"{say}{tail}", f"{saved:,}", after)
        self.shown.append((len(self.steps) - 1, after))

    def together(self, launch: Launch, saved: int) -> tuple[str, str]:
        """Many ops have become one kernel."""
        ops = listed([f"`{name}`" for name in launch.members[:NAMED]])
        more = f" and {len(launch.members) - NAMED} more" if len(launch.members) > NAMED else ""
        return f"{ops}{more} are one kernel", f": {saved:,} bytes less."

    def decided(self, decision: Decision, before: Stage, after: Stage) -> tuple[str, str]:
        """One decision in words; and what it saves."""
        of, by, saved = f"`{decision.of}`", f"`{decision.by}`", before.nbytes - after.nbytes
        if decision.kind == "launch":
            return f"{by} follows in the same launch", f": {of} is still in the cache. One launch less."
        if decision.kind == "recompute":
            return f"{of} is cheap, and its readers compute it again", f" where it was read: {saved:,} bytes less."
        if not decision.joined:
            return f"{by} does not join {of}: {decision.why}.", f" So {of} is written, and read again."
        gone = {name for x in after.launches for name in inner(x)} - {
            name for x in before.launches for name in inner(x)
        }
        stays = f"{of} stays in a register" if decision.of in gone else f"{of} is read once less"
        return f"{by} joins {of}: {WHY.get(decision.why, decision.why)}.", f" {stays}, {saved:,} bytes less."

    def closing(self) -> None:
        """The schedule, and which terms of the iron law it moves."""
        a, b = self.first, self.last
        flops = sum(launch.flops for launch in a.launches)
        launches = f"{len(b.launches)} launch{'es' * (len(b.launches) != 1)} instead of {len(a.launches)}"
        times = f", {number(round(a.nbytes / b.nbytes, 2))} × less" if b.nbytes < a.nbytes else ""
        say = f"{launches}, {b.nbytes:,} bytes instead of {a.nbytes:,}{times}. {moved_terms(a, b, flops)}"
        self.step("schedule", say, list(self.hulls.named(b.launches))[:NAMED], [])

    # ---- what belongs together -----------------------------------------------------------------------------
    def touched(self, names: Sequence[str]) -> list[str]:
        """The op, its value and its lines of code."""
        known = {e.name: e for e in self.story.entries}
        ops = [name for name in names if name in known and known[name].op]
        return [*map(op_id, ops[:1]), *map(value_id, names[1:2]), *map(op_id, ops[1:]), *map(code_id, ops)]

    def link_ops(self) -> tuple[dict[str, list[str]], dict[str, str]]:
        """An op with its line, its value, its code, its kernel and its accesses; and a fact about each."""
        links, details = Links(), dict[str, str]()
        for entry in self.story.entries:
            op, value, line = op_id(entry.name), value_id(entry.name), self.lines.of(entry.name)
            kind = f"{entry.nbytes:,} bytes"
            details[value] = f"{entry.name} · {kind}" + (f" · made by {entry.op}" if entry.op else " · an argument")
            if entry.op:
                links.star(op, [line, value, code_id(entry.name)])
                links.star(line, [value, code_id(entry.name)])
                links.pair(value, code_id(entry.name))
                reads = f" · reads {listed(list(entry.feeds))}" if entry.feeds else ""
                details[op] = f"{entry.op}{reads} · writes {entry.name}, {kind}"
                details[code_id(entry.name)] = f"the code of {entry.name}" + (f" · line {line[1:]}" if line else "")
        for cell in self.cells.all:
            links.star(cell["id"], [cell["of"], value_id(cell["text"])])
            does = "reads" if cell["rw"] == "read" else "writes"
            details[cell["id"]] = f"{cell['of'].partition('/')[2]} {does} {cell['text']} · {cell['bytes']:,} bytes"
        for id, launch in self.hulls.named(self.last.launches).items():
            links.star(id, [i for name in launch.members for i in (op_id(name), code_id(name))])
            links.star(id, self.cells.of(launch))
        for id, launch in {**self.hulls.named(self.first.launches), **self.hulls.named(self.last.launches)}.items():
            details[id] = describe_kernel(launch)
        return links.json(), {
            **details,
            **{row["id"]: f"line {row['no']} · {row['text'].strip()}" for row in self.lines.json()},
        }


class Lines:
    """The lines from which the ops come."""

    def __init__(self, told: Story, source: Sequence[tuple[int, str]]) -> None:
        places = {e.name: e.node.line for e in told.entries if e.op and e.node is not None and e.node.line is not None}
        self.file = most_used(place.file for place in places.values())
        here = {name: place for name, place in places.items() if place.file == self.file}
        self.line = {name: place.line for name, place in here.items()}
        used = {place.line: linecache.getline(place.file, place.line) for place in here.values()}
        self.rows = dict(source) or {no: text for no, text in sorted(used.items()) if text.strip()}

    def of(self, name: str) -> str | None:
        """The id of the line of an op."""
        return f"l{self.line[name]}" if self.line.get(name) in self.rows else None

    def json(self) -> list[Json]:
        """The lines, without the indentation that they share."""
        texts = [text.rstrip("\n") for text in self.rows.values()]
        indent = min((len(t) - len(t.lstrip()) for t in texts if t.strip()), default=0)
        return [{"id": f"l{no}", "no": no, "text": t[indent:]} for no, t in zip(self.rows, texts, strict=True)]


# ---- sentences -------------------------------------------------------------------------------------------


def reads_and_writes(launch: Launch, total: int) -> str:
    """`add` reads A and B and writes add: 3 × 4,000 = 12,000 bytes."""
    sizes = [n for _, n in (*launch.reads, *launch.writes)]
    added = f"{len(sizes)} × {sizes[0]:,}" if len(set(sizes)) == 1 else " + ".join(f"{n:,}" for n in sizes)
    reads = listed([f"`{name}`" for name in dict.fromkeys(name for name, _ in launch.reads)])
    so_far = "" if total == launch.nbytes else f", {total:,} so far"
    who = f"`{launch.members[-1]}`" + (", which NumPy runs," if launch.numpy else "")
    return f"{who} reads {reads} and writes its result: {added} = {launch.nbytes:,} bytes{so_far}."


def moved_terms(a: Stage, b: Stage, flops: int) -> str:
    """The terms of time = data / bandwidth + work / (peak · utilisation) + overhead that are smaller."""
    terms = ["data / bandwidth"] if b.nbytes < a.nbytes else []
    terms += ["overhead"] if len(b.launches) < len(a.launches) else []
    if not terms:
        return "Nothing of it can be fused: no term of the iron law moves. The work stays as it is."
    what = "one term" if len(terms) == 1 else "two terms"
    return f"That moves {what} of the iron law: {listed(terms)}. The work, {plural(flops, 'operation')}, stays."


def hidden(say: str, answer: str, stage: Stage) -> Json:
    """The bytes of a sentence, asked for."""
    why = f"What is not written need not be read: {stage.nbytes:,} bytes are left."
    return {"kind": "value", "answer": answer, "at": say.index(answer), "length": len(answer), "why": why}


def describe_kernel(launch: Launch) -> str:
    """The facts about a kernel."""
    what = "runs in NumPy" if launch.numpy else plural(len(launch.members), "op") + " in one kernel"
    intensity = number(round(float(launch.intensity), 3))
    return f"{listed(list(launch.members))} · {what} · {launch.nbytes:,} bytes · {intensity} operations a byte"
