"""Writes the lines of a kernel: an op per line, with the user's line beside it.

What is used is named where it is first needed, so a value that does not depend on a loop stands before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from ...ir.graph import Node
from ...loops.expr import Expr, bottom_up, parts
from ...loops.ir import Kernel, Store
from .words import TYPES, format_op, number

COLUMN = 76  # where the notes beside the lines begin
WIDTH = 44  # letters of the user's line that are shown


@dataclass(eq=False, slots=True)
class Names:
    """What a page knows of buffers.

    Attributes:
        pointer: The parameter under which a buffer is known.
        texts: The text of a buffer that is no memory: a Python number, or a row in registers.
        origin: The node that an expression computes.
        whole: The type of indices.
        taken: Names that a kernel cannot give to values.
    """

    pointer: Mapping[str, str]
    texts: dict[str, str]
    origin: Mapping[Expr, Node | None]
    whole: str
    taken: set[str] = field(default_factory=set[str])


class Writer:
    """Writes the body of one kernel.

    Attributes:
        lines: What is written so far.
        known: The text of every expression that has one here.
    """

    def __init__(self, kernel: Kernel, names: Names) -> None:
        self.names, self.lines, self.pad = names, list[str](), "    "
        self.known: dict[Expr, str] = {}
        self.uses = Counter(kernel.values())
        for e in parts(kernel.values()):
            self.uses.update(e.args)
        self.count: Counter[str] = Counter()
        self.shown: set[str] = set()  # the user's lines whose text stands beside a line already

    # ---- lines ------------------------------------------------------------------------------------------------------
    def say(self, text: str, of: Expr | None = None) -> None:
        """A line; beside it the op and the user's line that an expression computes."""
        line = f"{self.pad}{text}"
        note = self.note(self.names.origin.get(of)) if of is not None else ""
        self.lines.append(f"{line:<{COLUMN}} {note}" if note else line)

    def note(self, node: Node | None) -> str:
        """`// mul  train.py:3  y = a * b`: the op of a node, and the user's line, whose text is shown once."""
        if node is None or node.op is None:
            return ""
        place, _, text = str(node.line or "").partition(": ")
        said = [node.op.name, place.replace(", line ", ":"), "" if place in self.shown else text[:WIDTH]]
        self.shown.add(place)
        return f"// {'  '.join(said)}".rstrip()

    @contextmanager
    def block(self, head: str, of: Expr | None = None) -> Generator[None]:
        """Lines in braces under `head`: what they name is known only there."""
        known, pad = dict(self.known), self.pad
        self.say(f"{head} {{".lstrip(), of)
        self.pad += "    "
        yield
        self.known, self.pad = known, pad
        self.say("}")

    # ---- values -----------------------------------------------------------------------------------------------------
    def value(self, e: Expr) -> str:
        """The text of an expression, after the lines that name its parts."""
        bottom_up(e, self.known.__contains__, self.name)
        return self.known[e]

    def name(self, e: Expr) -> None:
        """Give an expression a name; numbers, and entries that are read once, stand for themselves."""
        text = self.text(e)
        self.known[e] = self.name_expr(e, text) if e.args or (e.op == "load" and self.uses[e] > 1) else text

    def name_expr(self, e: Expr, text: str) -> str:
        """The name of an expression, after its line."""
        stem = f"{self.names.pointer[e.attr[0]]}_" if e.op == "load" else e.op
        name = f"{stem}{self.count[stem]}"
        while name in self.names.taken:
            self.count[stem] += 1
            name = f"{stem}{self.count[stem]}"
        self.count[stem] += 1
        self.say(f"const {TYPES[e.dtype]} {name} = {bare(text)};", e)
        return name

    def last(self, e: Expr) -> str:
        """The text of an expression that only the line being written uses: its own op stands there too."""
        if e in self.known or self.uses[e] > 1 or not e.args:
            return self.value(e)
        for a in e.args:
            self.value(a)
        return bare(self.text(e))

    def text(self, e: Expr) -> str:
        """An expression of arguments that have names."""
        if e.op == "const":
            return number(e.attr, e.dtype)
        if e.op == "load":
            return self.entry(*e.attr)
        if e.op == "index":
            return f"({TYPES[e.dtype]}){e.attr if e.attr.alone else f'({e.attr})'}"
        return format_op(e.op, e.dtype, [self.known[a] for a in e.args], e.args[0].dtype)

    def entry(self, buffer: str, at: object) -> str:
        """An entry of a buffer."""
        return self.names.texts[buffer] if buffer in self.names.texts else f"{self.names.pointer[buffer]}[{at}]"

    def beforehand(self, values: Iterable[Expr], axis: str) -> None:
        """Name what the values need but what does not depend on an axis, before the loop over it."""
        for e in reversed(parts(values)):
            if axis not in e.axes and (e.args or (e.op == "load" and e.attr[0] not in self.names.texts)):
                bottom_up(e, self.known.__contains__, self.name)
                if e.op == "load" and self.known[e] == self.text(e):
                    self.known[e] = self.name_expr(e, self.known[e])

    def stores(self, stores: list[Store]) -> None:
        """All values first: none may be written before another has read the old one."""
        if len(stores) == 1:
            (s,) = stores
            self.say(f"{self.entry(s.buffer, s.at)} = {self.last(s.value)};", s.value)
            return
        for s in stores:
            text = self.value(s.value)
            self.known[s.value] = self.name_expr(s.value, text) if text[-1] == "]" else text
        for s in stores:
            self.say(f"{self.entry(s.buffer, s.at)} = {self.known[s.value]};")


def bare(text: str) -> str:
    """An expression without the parentheses around all of it."""
    if text[0] != "(" or text[-1] != ")":
        return text
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return text[1:-1] if i == len(text) - 1 else text
    return text
