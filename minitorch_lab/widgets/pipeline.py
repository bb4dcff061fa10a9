"""The view "Pipeline": what every pass does to a graph, line by line, why, and what that saves.

It has no recording: its clock counts its own steps. What a pass saves is told by the terms of the iron law,
time = data / bandwidth + work / (peak · utilisation) + overhead, for the graph run op by op.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from ..compiler.ir.cost import unfused
from ..compiler.ir.graph import Graph, Node
from ..compiler.ir.printer import line_of
from ..compiler.passes.pipeline import Step
from .frame import Json, framed
from .linking import Links
from .numbers import listed, plural, size, times
from .regions import Lines, use_reader_names

QUESTION = "What do the passes do to a graph?"
NO_GRAD = "  # no_grad"  # what a line of a graph ends in where no gradients are recorded: no matter to a pass


@dataclass(eq=False, slots=True)
class Row:
    """One value over all passes: when it comes, how it is made from then on, when it goes."""

    id: str
    node: Node
    born: int
    texts: list[tuple[int, str]]
    died: int | None = None
    renamed: str | None = None  # the id that it had before


@dataclass(eq=False, slots=True)
class Change:
    """What one pass did to the rows."""

    added: list[Row] = field(default_factory=list[Row])
    removed: list[Row] = field(default_factory=list[Row])
    changed: list[Row] = field(default_factory=list[Row])

    @property
    def rows(self) -> list[Row]:
        """All of them."""
        return [*self.removed, *self.changed, *self.added]


class Merged:
    """The graphs of all passes as one list of rows, in which each keeps its place."""

    def __init__(self, id: str, first: Graph, words: Mapping[str, str]) -> None:
        self.id, self.words = id, words
        self.rows: list[Row] = []
        self.living: dict[str, Row] = {}
        self.taken: dict[str, int] = {}
        for node in first.nodes:
            self.add(node, 0, len(self.rows))

    def text(self, node: Node) -> str:
        """A node as a line."""
        line = f"{node.name}: {node.facts}" if node.kind == "placeholder" else line_of(node)
        return use_reader_names(line.removesuffix(NO_GRAD), self.words)

    def add(self, node: Node, at: int, place: int) -> Row:
        """A new row."""
        name = "return" if node.kind == "output" else node.name
        self.taken[name] = count = self.taken.get(name, 0) + 1
        row = Row(f"{self.id}/{name}" + (f".{count}" if count > 1 else ""), node, at, [(at, self.text(node))])
        self.rows.insert(place, row)
        self.living[name] = row
        return row

    def change(self, after: Graph, at: int) -> Change:
        """What is different now. A value that only has another name is renamed, not removed and added."""
        change, nodes = Change(), {("return" if n.kind == "output" else n.name): n for n in after.nodes}
        for name in [name for name in self.living if name not in nodes]:
            row = self.living.pop(name)
            row.died = at
            change.removed.append(row)
        place = 0
        for name, node in nodes.items():
            row = self.living.get(name)
            if row is None:
                row = self.add(node, at, place)
                change.added.append(row)
            elif (text := self.text(node)) != row.texts[-1][1]:
                row.texts.append((at, text))
                row.node = node
                change.changed.append(row)
            place = self.rows.index(row) + 1
        renamed(change)
        return change


def renamed(change: Change) -> None:
    """Mark what is as before under another name."""
    free = list(change.removed)
    for row in change.added:
        made = row.texts[0][1].partition(":")[2]
        same = next((old for old in free if made and old.texts[-1][1].partition(":")[2] == made), None)
        if same is not None:
            row.renamed = same.id
            free.remove(same)


def pipeline_scene(steps: Sequence[Step], id: str, words: Mapping[str, str], question: str = QUESTION) -> Json:
    """The scene of the view "Pipeline"."""
    merged = Merged(id, steps[0].before, words)
    told: list[Json] = [{"phase": "start", "say": f"{question} {introduced(steps)}", "at": 0}]
    stages: list[Json] = []
    links, number = Links(), 0
    for idle, group in groupby(steps, key=lambda step: str(step.before) == str(step.after)):
        for part in [list(group)] if idle else [[step] for step in group]:
            ids = [f"q:{number + k}" for k in range(len(part))]
            number, at = number + len(part), len(told)
            change = Change() if idle else merged.change(part[0].after, at)
            say = nothing(part) if idle else did(part[0], change)
            told.append({"phase": phase(part), "say": say, "focus": [*ids, *(r.id for r in change.rows)], "at": at})
            stages += [stage(q, step, change, at) for q, step in zip(ids, part, strict=True)]
            links.star(ids[0], (row.id for row in change.rows))
    told.append({"phase": "end", "say": ended(steps), "at": len(told)})
    lines = Lines(row.node for row in merged.rows)
    for row in merged.rows:
        links.pair(row.id, lines.id(row.node.line))
    panel: Json = {
        "kind": "passes",
        "id": "passes",
        "label": "Graph, pass by pass",
        "rows": [drawn(row) for row in merged.rows],
        "stages": stages,
        "before": measured(steps[0].before),
    }
    details = {row.id: describe_row(row) for row in merged.rows} | {s["id"]: facts(s) for s in stages} | lines.details
    return framed("pipeline", question, told, [panel], source=lines.source, links=links.json(), details=details)


# ---- the picture -----------------------------------------------------------------------------------------


def measured(graph: Graph) -> Json:
    """Ops, bytes moved and operations of a graph that runs op by op."""
    cost = unfused(graph)
    return {"ops": len(graph.calls), "bytes": cost.nbytes, "flops": cost.flops}


def stage(id: str, step: Step, change: Change, at: int) -> Json:
    """One pass, as the panel holds it."""
    again = sum(row.renamed is not None for row in change.added)
    return {
        "id": id,
        "at": at,
        "name": step.name,
        "removed": len(change.removed) - again,
        "added": len(change.added) - again,
        "changed": len(change.changed),
        "renamed": again,
        "after": measured(step.after),
    }


def drawn(row: Row) -> Json:
    """A row, as the panel holds it."""
    return {
        "id": row.id,
        "born": row.born,
        **({"died": row.died} if row.died is not None else {}),
        **({"from": row.renamed} if row.renamed is not None else {}),
        "texts": [{"at": at, "text": text} for at, text in row.texts],
    }


def describe_row(row: Row) -> str:
    """The facts about a row."""
    by = f" · made by {row.node.made_by}" if row.node.made_by else ""
    return f"`{row.texts[-1][1]}`{by}"


def facts(one: Mapping[str, Any]) -> str:
    """The facts about a pass."""
    kinds = ("removed", "added", "changed", "renamed")
    return f"pass `{one['name']}` · " + (" · ".join(f"{one[k]} {k}" for k in kinds if one[k]) or "nothing to do")


# ---- sentences -------------------------------------------------------------------------------------------


def phase(part: Sequence[Step]) -> str:
    """A pass by name; several that do nothing together."""
    return part[0].name if len(part) == 1 else "nothing to do"


def introduced(steps: Sequence[Step]) -> str:
    """What is to be seen."""
    active = sum(str(step.before) != str(step.after) for step in steps)
    return (
        f"{plural(len(steps), 'pass')} go over a graph of "
        f"{plural(len(steps[0].before.calls), 'op')}, one after the other; {active} of them find something."
    )


def nothing(part: Sequence[Step]) -> str:
    """Passes that leave the graph as it is."""
    names = list(dict.fromkeys(step.name for step in part))
    return f"{listed([f'`{name}`' for name in names])} {'finds' if len(names) == 1 else 'find'} nothing to do."


def did(step: Step, change: Change) -> str:
    """What one pass did, why, and what that saves."""
    again = [row for row in change.added if row.renamed is not None]
    counts = [
        ("removes", len(change.removed) - len(again)),
        ("adds", len(change.added) - len(again)),
        ("changes", len(change.changed)),
        ("renames", len(again)),
    ]
    what = listed([f"{verb} {plural(count, 'line')}" for verb, count in counts if count]) or "moves lines"
    why = "; ".join(f"{reason}, {times(count)}" for reason, count in step.done.items())
    return f"`{step.name}` {what}" + (f": {why}. " if why else ". ") + saved(step.before, step.after)


def saved(before: Graph, after: Graph) -> str:
    """Which terms of the iron law are smaller, or larger, where each op is a kernel."""
    old, new = measured(before), measured(after)
    terms = [
        ("overhead", new["ops"] - old["ops"], lambda n: plural(n, "kernel")),
        ("data", new["bytes"] - old["bytes"], size),
        ("work", new["flops"] - old["flops"], lambda n: plural(n, "operation")),
    ]
    moved = [f"{name} {'−' if by < 0 else '+'}{text(abs(by))}" for name, by, text in terms if by]
    return f"Iron law, op by op: {', '.join(moved)}." if moved else "No term of the iron law moves yet."


def ended(steps: Sequence[Step]) -> str:
    """All passes together."""
    first, last = measured(steps[0].before), measured(steps[-1].after)
    return (
        f"{first['ops']} → {plural(last['ops'], 'op')}, {size(first['bytes'])} → {size(last['bytes'])} moved. "
        f"{saved(steps[0].before, steps[-1].after)}"
    )
