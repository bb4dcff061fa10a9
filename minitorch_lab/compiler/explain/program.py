"""The program of a compiled function as data: its tree of steps, with its guards and breaks, and its lines."""

from __future__ import annotations

import re
from types import CodeType
from typing import Any

from ...autograd.anomaly import PACKAGE, Place
from ..capture.bytecode.compiled import Compiled
from ..capture.bytecode.guards import Answer, test, worded
from ..capture.bytecode.shapes import ANY
from ..capture.bytecode.tree import Guard, Leaf, Line, Node, Segment, leading
from ..ir.graph import Facts, Graph
from .fusion import place_of

LONGEST = 60  # a longer expression is left as it is
GLOBAL = re.compile(r"\bglobals_of_\w+\['(\w+)'\]")
CALLED = re.compile(r"\b(graph_\d+)\(")
ASKS = ("if ", "return eager")


class Reading:
    """What the tree holds. `regions` are its graphs: id, graph, and of each argument whether it wants a gradient."""

    def __init__(self, compiled: Compiled) -> None:
        self.c = compiled
        self.ids = {segment: f"g{i}" for i, segment in enumerate(compiled.of_segment, 1)}
        self.text = " ".join(compiled.text.split())
        self.own = re.compile(rf"\b{re.escape(compiled.prefix)}\d+\b")
        self.made: dict[str, str] = {}  # names of the program, and how they are made
        pairs = zip(compiled.function.__code__.co_freevars, compiled.function.__closure__ or (), strict=True)
        named = ((compiled.pooled.get(id(cell)), name) for name, cell in pairs)
        self.cells = {f"{pooled}.cell_contents": name for pooled, name in named if pooled is not None}
        self.steps: list[Any] = []
        self.guards: list[Any] = []
        self.breaks: list[Any] = []
        self.broke: list[Line] = []  # the step of each break
        self.regions: list[tuple[str, Graph, dict[str, bool]]] = []
        self.read()

    def read(self) -> None:
        """Go through the tree, parents before children; what came first comes first."""
        pending: list[Any] = [(child, None, "", (None, None)) for child in self.c.root.children.values()]
        while pending:
            node, parent, answer, since = pending.pop()
            number = self.step(node, parent, answer, since)
            since = self.passed(node, since)
            key = "" if not isinstance(node, Guard) else None
            for given, child in reversed(node.children.items()):
                told = worded(given) if key is None else ""
                pending.append((child, number or parent, told or (answer if number is None else ""), since))

    def passed(self, node: Node, since: tuple[Any, Any]) -> tuple[Any, Any]:
        """The last break, and the graph since then, after a node."""
        if isinstance(node, Line) and node.breaks:
            return self.breaks[-1], None
        if node in self.ids:
            if since[0] is not None:
                since[0]["after"].append(self.ids[node])
            return None, self.ids[node]
        return since

    def step(self, node: Node, parent: str | None, answer: str, since: tuple[Any, Any]) -> str | None:
        """The id of a step, if the program has it: lines that nothing needs are left out of it."""
        place, ref = where(node), None
        if isinstance(node, Guard):
            if "_seen" in node.subject:  # whether an object is another than those before: asked of all at once
                return None
            kind, text, ref = "guard", node.subject, self.guard(node, place)
        elif isinstance(node, Segment):
            if node not in self.ids:
                return None
            graph = self.c.of_segment[node]
            kind, text, ref = "graph", graph.name, self.ids[node]
            self.regions.append((ref, graph, wants(node)))
        elif isinstance(node, Leaf):
            kind, text = node.text.split(" ")[0], node.text
        else:
            assert isinstance(node, Line)
            runs = self.runs(node)
            if node.breaks:
                kind, text, ref = "break", node.text, self.broken(node, place, since[1])
            elif runs:
                kind, text = "python", node.text
            else:
                return None
        name = f"s{len(self.steps) + 1}"
        self.steps.append(
            {"id": name, "parent": parent, "kind": kind, "ref": ref, "text": text, "answer": answer,
             "place": place_of(place)}
        )  # fmt: skip
        return name

    def runs(self, node: Line) -> bool:
        """Whether the program has a line, or makes its value where it asks for it."""
        name, _, made = node.text.partition(" = ")
        if made and name.isidentifier():
            self.made.setdefault(name, made)
        return " ".join(node.text.split()) in self.text or f"{name} := " in self.text

    def guard(self, node: Guard, place: Place | None) -> str:
        """The id of a guard: what it asks, and which answers the program knows."""
        name = f"q{len(self.guards) + 1}"
        known = [{"test": test(node.subject, key, self.c.pool), "means": meant(key)} for key in node.children]
        stands = self.reached(node.subject)
        self.guards.append(
            {"id": name, "subject": node.subject, "stands_for": stands, "answers": known, "place": place_of(place)}
        )
        return name

    def reached(self, subject: str) -> str:
        """The subject with the program's own names written out: `v9` as `self.l.weight`."""
        for _ in range(20):
            longer = self.own.sub(lambda m: self.made.get(m[0], m[0]), subject)
            if longer == subject or len(longer) > LONGEST:
                break
            subject = longer
        for cell, name in self.cells.items():
            subject = subject.replace(cell, name)
        return GLOBAL.sub(r"\1", subject)

    def broken(self, node: Line, place: Place | None, before: str | None) -> str:
        """The id of a break."""
        name = f"b{len(self.breaks) + 1}"
        self.broke.append(node)
        self.breaks.append({"id": name, "reason": node.breaks, "place": place_of(place), "before": before, "after": []})
        return name

    # ---- the program ------------------------------------------------------------------------------------------------
    def lines(self) -> list[Any]:
        """The lines of the program: of which kind, what each refers to, and for which line of the user's it stands."""
        graphs = {graph.name: name for name, graph, _ in self.regions}
        breaks = {step["text"].split("\n")[0].strip(): step["ref"] for step in self.steps if step["kind"] == "break"}
        trails = getattr(self.c, "trails", {})
        out: list[Any] = []
        asking = False  # whether a predicate of several lines goes on
        for number, text in enumerate(self.c.text.splitlines(), 1):
            bare, called, ref = text.strip(), CALLED.search(text), None
            if asking or bare.startswith(ASKS):
                kind, asking = "guard", not bare.startswith(")") and (asking or bare.endswith("("))
            elif called and called[1] in graphs:
                kind, ref = "graph", graphs[called[1]]
            elif bare in breaks:
                kind, ref = "break", breaks[bare]
            else:
                kind = "return" if bare.startswith(("return ", "raise ")) else "python"
            place = place_of(first(trails.get(number, ())))
            out.append({"number": number, "text": text, "kind": kind, "ref": ref, "place": place})
        return out


def where(node: Node) -> Place | None:
    """The user's line of a step."""
    return getattr(node, "place", None) or first(node.trail)


def first(trail: Any) -> Place | None:
    """The innermost line of a trail that is the user's."""
    return next((Place(code.co_filename, line) for code, line in trail if not inside(code.co_filename)), None)


def inside(file: str) -> bool:
    """Whether a file is ours."""
    return file.startswith(PACKAGE)


def meant(key: Answer) -> str:
    """An answer in words: for a tensor, all that is asked of it."""
    if key[0] == "is" and isinstance(key[1], CodeType):
        return f"the code of {key[1].co_qualname}"
    if key[0] != "tensor":
        return worded(key)
    _, kind, dtype, shape, strides, device, grad = key
    known = all(type(n) is int for n in shape)
    laid = f", strides {strides}" if known and strides != plain_strides(shape, dtype.itemsize) else ""
    lengths: Any = tuple("≥2" if n is ANY else n for n in shape)
    return f"a {kind.__name__} {Facts(lengths, dtype)} on {device}{laid}, {'wants a' if grad else 'no'} gradient"


def plain_strides(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """The strides of a contiguous array."""
    out: list[int] = []
    for n in reversed(shape):
        out.append(size)
        size *= n
    return tuple(reversed(out))


def wants(segment: Segment) -> dict[str, bool]:
    """Which arguments of a graph want gradients: so said the guards above it, or the graph that made them."""
    if not any(n.grad for n in segment.graph.calls):
        return {}
    known: dict[str, bool] = {}
    for node, key in leading(*segment.parent or ()):
        if isinstance(node, Guard) and key is not None and key[0] == "tensor":
            known.setdefault(node.subject, key[-1])
        if isinstance(node, Segment):
            for made in node.made:
                if made.like is not None:
                    known.setdefault(made.name, made.like[2])
    return {node.name: known.get(name, False) for name, node in segment.inputs.items()}
