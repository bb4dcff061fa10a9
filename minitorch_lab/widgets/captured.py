"""What the view "Capture" tells of: captures that were watched, as listings, pieces, guards and moments."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any

from ..autograd.anomaly import PACKAGE
from ..compiler.capture.bytecode.guards import Answer
from ..compiler.capture.bytecode.tree import Guard, Line, Node, Segment
from ..compiler.capture.bytecode.versions import listing
from ..compiler.capture.bytecode.watching import Moment, Walk, Watch
from ..compiler.explain.program import Reading, meant
from ..compiler.ir.graph import Graph
from ..compiler.ir.graph import Node as Value

BUILTIN = re.compile(r"'(\w+)' in globals_of_\w+")
OWN = re.compile(r"'(\w+)' in (.+)\.__dict__")


@dataclass(eq=False, slots=True)
class Listing:
    """A function as bytecode. `lines` are its rows of source: number, text."""

    code: CodeType
    file: int
    first: int  # number of its first instruction in the view
    lines: list[tuple[int, str]]

    @property
    def instructions(self) -> list[Any]:
        """Its instructions, as `dis` names them."""
        return listing(self.code).instructions

    def id(self, index: int) -> str:
        """The id of an instruction."""
        return f"c:{self.first + index}"

    def line(self, index: int) -> str | None:
        """The id of the line that an instruction belongs to."""
        positions = self.instructions[index].positions
        return self.line_id(positions.lineno) if positions and positions.lineno else None

    def line_id(self, no: int) -> str:
        """The id of a line."""
        return f"l{no}" if self.file == 0 else f"l{no}.{self.file + 1}"


@dataclass(eq=False, slots=True)
class Piece:
    """What runs between two breaks: a graph, unless nothing is left of it; and the break that ends it."""

    id: str
    name: str
    segment: Segment | None
    graph: Graph | None
    ends: Line | None = None

    @property
    def calls(self) -> list[Value]:
        """Its ops, also those that nothing needs."""
        return [] if self.segment is None else [n for n in self.segment.graph.nodes if n.kind != "placeholder"]

    def needed(self, node: Value) -> bool:
        """Whether an op is still there when the graph is closed."""
        return self.graph is not None and node in self.graph.nodes


@dataclass(eq=False, slots=True)
class Asked:
    """A guard, in words: what it asks about, what it relies on, and both as a sentence."""

    subject: str
    says: str
    whole: str


@dataclass(eq=False, slots=True)
class Captured:
    """One capture: its pieces, and those of earlier captures that lead to it."""

    walk: Walk
    earlier: list[Piece]
    pieces: list[Piece]
    reading: Reading

    def plain(self, text: str) -> str:
        """A text of the program as the reader would write it: results of graphs are called by their ops."""
        made = {
            name: n.name for p in (*self.earlier, *self.pieces) if p.segment for name, n in p.segment.results.items()
        }
        return self.reading.own.sub(lambda m: made.get(m[0], m[0]), text)

    @property
    def failed(self) -> tuple[str, str]:
        """The guard for which the call was captured: what it asks about, and what it had seen and what came."""
        node, key = self.walk.start
        if not isinstance(node, Guard):
            return "", self.walk.why
        what = self.walk.why.removeprefix(f"{node.subject}: ").removesuffix(f" ({node.place})")
        return self.describe_guard(node.subject, key).subject, what

    def runs(self, broken: Line) -> str:
        """What broke a graph."""
        text = broken.text.split("\n")[-1].strip()
        name, _, value = text.partition(" = ")
        return self.plain(value if value and name.isidentifier() else text)

    def describe_guard(self, subject: str, answer: Answer) -> Asked:
        """A guard in words."""
        if subject == "grad_mode.get()":
            return Asked("gradients", said := "on" if answer[1] else "off", f"gradients are {said}")
        if (found := BUILTIN.fullmatch(subject)) and not answer[1]:
            return Asked(found[1], says := f"no global is called {found[1]}", says)
        about = self.plain(self.reading.reached(subject))
        if (found := OWN.fullmatch(about)) and not answer[1]:
            says = "not set on the object itself"
            return Asked(f"{found[2]}.{found[1]}", says, f"`{found[2]}.{found[1]}` is {says}")
        says = meant(answer)
        if answer[0] == "is" and isinstance(answer[1], FunctionType | type):
            says = f"the {'class' if isinstance(answer[1], type) else 'function'} {says}"
        return Asked(about, says, f"`{about}` is {says}")

    def within(self, piece: Piece, text: str) -> str:
        """A text of a graph as the reader would write it: what it is given by its origin, `graph_0.add` or `self.w`."""
        made: dict[str, str] = {}
        for p in (*self.earlier, *self.pieces[: self.pieces.index(piece)]):
            if p.segment is not None:
                made |= {name: f"{p.name}.{n.name}" for name, n in p.segment.results.items()}
        return self.reading.reached(self.reading.own.sub(lambda m: made.get(m[0], m[0]), text))

    def signature(self, piece: Piece) -> str:
        """graph_1(graph_0.add): what a graph is called with."""
        if piece.graph is None:
            return "no op: no graph"
        given = [self.within(piece, n.name) for n in piece.graph.placeholders]
        return f"{piece.name}({', '.join(given)})"


@dataclass(eq=False, slots=True)
class Story:
    """All captures of one function."""

    name: str
    listings: dict[CodeType, Listing] = field(default_factory=dict[CodeType, Listing])
    captures: list[Captured] = field(default_factory=list[Captured])


def story(watch: Watch) -> Story:
    """What a watch saw of the function that was captured first."""
    compiled = watch.walks[0].compiled
    walks = [walk for walk in watch.walks if walk.compiled is compiled]
    told = Story(compiled.__name__ or type(compiled.__wrapped__).__name__)
    reading = Reading(compiled)
    for walk in walks:
        for moment in walk.moments:
            listed(told, moment)
        told.captures.append(captured(walk, reading, sum(len(c.pieces) for c in told.captures)))
    return told


def ours(moment: Moment) -> bool:
    """Whether a moment belongs to code of the library, which is not shown."""
    return moment.code.co_filename.startswith(PACKAGE)


def listed(told: Story, moment: Moment) -> None:
    """Enter the function of a moment."""
    if moment.code in told.listings or ours(moment):
        return
    files = list(dict.fromkeys(one.code.co_filename for one in told.listings.values()))
    file = moment.code.co_filename
    known = [one for one in told.listings.values() if one.code.co_filename == file]
    number = known[0].file if known else len(files)
    first = sum(len(one.instructions) for one in told.listings.values())
    told.listings[moment.code] = Listing(moment.code, number, first, rows(moment.code))


def rows(code: CodeType) -> list[tuple[int, str]]:
    """The lines of a function; none where its source is not known."""
    try:
        lines, start = inspect.getsourcelines(code)
    except (OSError, TypeError):
        return []
    text = textwrap.dedent("".join(lines)).rstrip().splitlines()
    return list(enumerate(text, max(start, 1)))


def captured(walk: Walk, reading: Reading, before: int) -> Captured:
    """One capture, after so many pieces."""
    pieces = pieced(walk.path, reading, before)
    if pieces and pieces[-1].ends is not None:
        pieces.append(Piece(f"g0.{before + len(pieces) + 1}", "empty", None, None))
    return Captured(walk, pieced(walk.before, reading, 0), pieces, reading)


def pieced(steps: Iterable[Node], reading: Reading, before: int) -> list[Piece]:
    """The pieces of a stretch of the program."""
    pieces, last = list[Piece](), None
    for node in steps:
        if isinstance(node, Segment):
            graph = reading.c.of_segment.get(node)
            id = reading.ids.get(node, f"g0.{before + len(pieces) + 1}")
            last = Piece(id, graph.name if graph is not None else "nothing", node, graph)
            pieces.append(last)
        elif isinstance(node, Line) and node.breaks:
            if last is None or last.ends is not None:
                last = Piece(f"g0.{before + len(pieces) + 1}", "empty", None, None)
                pieces.append(last)
            last.ends = node
    return pieces


def asks(nodes: list[Node]) -> int:
    """How many guards are among steps of a program."""
    return sum(isinstance(node, Guard) for node in nodes)
