"""The view "Capture" of what calls have left behind: the program of a compiled function, path by path.

Nothing ran while somebody watched, so there is no bytecode in it: the steps are those of the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .frame import Json, framed
from .linking import Links
from .numbers import listed, plural


def explained_scene(told: Mapping[str, Any], question: str) -> Json:
    """The scene of the view "Capture", from what `Explanation.to_dict` tells."""
    made = Program(told)
    counts = told["counts"]
    empty = f" ({counts['empty']} of them empty)" if counts["empty"] else ""
    say = (
        f"{question} `{told['function']['name']}` has become {plural(counts['graphs'], 'graph')}{empty}, with "
        f"{plural(counts['breaks'], 'break')} and {plural(counts['guards'], 'guard')}: what runs if the guards hold."
    )
    lines = told["function"]["lines"]
    panels: list[Json] = [
        {"kind": "pieces", "id": "pieces", "label": "Graphs and breaks", "captures": made.paths},
        {"kind": "guards", "id": "guards", "label": "Guards", "rows": made.guards},
    ]
    return framed(
        "capture",
        question,
        [{"phase": "start", "say": say, "at": 0}, *made.steps],
        panels,
        source=[{"id": f"l{row['number']}", "no": row["number"], "text": row["text"]} for row in lines],
        links=made.links.json(),
        details=made.details | {f"l{r['number']}": f"line {r['number']} · {r['text'].strip()}" for r in lines},
    )


class Program:
    """Goes through the tree of a program, parents before children. A path is what follows one answer of a guard."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        self.told = told
        self.steps: list[Json] = []
        self.paths: list[Json] = []
        self.guards: list[Json] = []
        self.links, self.details = Links(), dict[str, str]()
        self.known = {guard["id"]: guard for guard in told["guards"]}
        self.regions = {region["id"]: region for region in told["regions"]}
        self.breaks = {found["id"]: found for found in told["breaks"]}
        before: Json = {"id": None}
        for step in told["tree"]:
            if step["parent"] != before["id"] or not self.paths:
                self.path(step)
            {"guard": self.guard, "graph": self.graph, "break": self.broke}.get(step["kind"], self.passed)(step)
            before = step

    def add(self, phase: str, say: str, focus: list[str], place: Mapping[str, Any] | None) -> None:
        """Add a step; what it is about lights up with its line."""
        line = f"l{place['line']}" if place is not None else None
        self.links.star(line, focus)
        self.steps.append({"phase": phase, "say": say, "focus": focus, "line": line, "at": len(self.steps) + 1})

    def path(self, step: Mapping[str, Any]) -> None:
        """Another answer, and what follows it."""
        parent = next((s for s in self.told["tree"] if s["id"] == step["parent"]), None)
        asked = self.known[parent["ref"]]["stands_for"] if parent is not None and parent["ref"] in self.known else ""
        label = f"where {asked} is {step['answer']}" if asked else "first path"
        self.paths.append({"at": len(self.steps) + 1, "label": label, "pieces": []})

    def guard(self, step: Mapping[str, Any]) -> None:
        """A question, and the answers that the program knows."""
        guard = self.known[step["ref"]]
        says = " or ".join(answer["means"] for answer in guard["answers"])
        self.guards.append(
            {"id": guard["id"], "subject": guard["stands_for"], "says": says, "born": len(self.steps) + 1}
        )
        self.details[guard["id"]] = f"guard · `{guard['stands_for']}` is {says}"
        self.add("guard", f"A guard: `{guard['stands_for']}` is {says}. Else the call is captured.",
                 [guard["id"]], step["place"])  # fmt: skip

    def graph(self, step: Mapping[str, Any]) -> None:
        """A graph runs."""
        region = self.regions[step["ref"]]
        nodes = [n for n in self.told["graphs"][region["captured"]]["nodes"] if n["kind"] != "placeholder"]
        at = len(self.steps) + 1
        rows: list[Json] = [{"id": f"{region['id']}/{n['name']}", "text": n["text"], "at": at} for n in nodes]
        given = ", ".join(a["stands_for"] for a in region["arguments"])
        self.paths[-1]["pieces"].append(
            {
                "id": region["id"],
                "at": len(self.steps) + 1,
                "head": f"{region['name']}({given})",
                "rows": rows,
                "cut": None,
            }
        )
        for row, node in zip(rows, nodes, strict=True):
            self.details[row["id"]] = f"`{node['text']}` · {region['name']}"
            if node["place"] is not None:
                self.links.pair(row["id"], f"l{node['place']['line']}")
        self.details[region["id"]] = f"{region['name']} · {plural(len(rows), 'op')}"
        names = listed([f"`{n['name']}`" for n in nodes[:4]]) + (" and others" if len(nodes) > 4 else "")
        self.add("run", f"`{region['name']}` runs: {names}.", [region["id"], *(row["id"] for row in rows)], None)

    def broke(self, step: Mapping[str, Any]) -> None:
        """Python runs."""
        found, at = self.breaks[step["ref"]], len(self.steps) + 1
        pieces = self.paths[-1]["pieces"]
        if not pieces or pieces[-1]["cut"] is not None:
            empty = f"g0.{at}"
            pieces.append({"id": empty, "at": at, "head": "no op: no graph", "rows": [], "cut": None})
        pieces[-1]["cut"] = {"id": found["id"], "at": at, "until": at, "reason": found["reason"], "runs": step["text"]}
        self.details[found["id"]] = f"graph break · {found['reason']}"
        self.add(
            "break", f"Graph break: {found['reason']}. `{step['text']}` runs for real.", [found["id"]], step["place"]
        )

    def passed(self, step: Mapping[str, Any]) -> None:
        """Other lines of the program are no step."""
