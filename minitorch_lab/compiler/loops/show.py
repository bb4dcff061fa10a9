"""A kernel as text: as an expression per store, or as a line per op, each under the name of its node."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from .expr import Expr, bottom_up, parts
from .ir import Contract, Kernel, Loop, Pieces, Reduce, Stmt, Store, Sweep, Tile


def show(kernel: Kernel) -> str:
    """The kernel as a page, with the reasons. What is used twice gets a name, v0, v1, … where it is first needed."""
    head = [f"kernel {kernel.name}", *(f"  # {r}" for r in kernel.reasons)]
    return "\n".join([*head, *(line.text for line in Page(kernel).written())])


class Line(NamedTuple):
    """A line of generated code, and the node whose value it makes; None for a loop."""

    text: str
    node: Any


def listing(kernel: Kernel) -> list[Line]:
    """The kernel with a line for every op, so that an op can be found in it.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.compiler.schedule.program import scheduled
        >>> x = ml.ones(1000)
        >>> kernel, = scheduled(ml.jit.trace(lambda a, b, c: (a + b) * c, x, x + 1, x + 2).graph).kernels
        >>> for line in listing(kernel):
        ...     print(line.text)
        for j in 1000:
          add = a[j] + b[j]
          mul[j] = add * c[j]
    """
    return Listing(kernel).written()


def way(s: Loop | Sweep | Contract) -> str:
    """How a machine runs a statement, where somebody has decided that."""
    return "" if s.way is None else f", {s.way}"


class Page:
    """Writes the lines of one kernel."""

    loop = "sweep"  # how a pass over a row is called

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.lines: list[Line] = []
        self.uses = Counter(kernel.values())
        for e in parts(kernel.values()):
            self.uses.update(e.args)
        self.known: dict[Expr, str] = {}
        self.count = 0

    def written(self) -> list[Line]:
        """The lines."""
        self.body(self.kernel.body, self.indent)
        return self.lines

    indent = "  "

    def line(self, text: str, e: Expr | None = None) -> None:
        """Add a line, which makes the value of `e`."""
        self.lines.append(Line(text, None if e is None else self.kernel.stands.get(e)))

    def body(self, body: list[Stmt], pad: str) -> None:
        """Some statements."""
        for s in body:
            if isinstance(s, Loop):
                self.line(f"{pad}for {s.axis} in {s.extent}{way(s)}:")
                self.body(s.body, pad + "  ")
            elif isinstance(s, Pieces):
                self.line(f"{pad}pieces in {s.count}:")
                self.body(s.body, pad + "  ")
                if s.rest:
                    self.line(f"{pad}the last piece:")
                    self.body(s.rest, pad + "  ")
            elif isinstance(s, Store):
                self.stores([s], pad)
            elif isinstance(s, Sweep):
                self.line(f"{pad}{self.loop} {s.axis} in {s.extent}{way(s)}:")
                for r in s.reduces:
                    self.reduce(r, pad + "  ")
                self.stores(s.stores, pad + "  ")
            elif isinstance(s, Contract):
                self.contraction(s, pad)
                self.stores(s.stores, pad + "  ")
            else:
                self.tile(s, pad)
                self.stores(s.stores, pad + "  ")

    def contraction(self, s: Contract, pad: str) -> None:
        """A contraction: its loops, what it adds up, and what is left out."""
        product = f"{self.format_expr(s.a, pad)} * {self.format_expr(s.b, pad)}"
        self.line(f"{pad}contract {trips(s.axes)}: {s.var} sum= {product} for {trips(s.over)}{limits(s)}{way(s)}")

    def tile(self, t: Tile, pad: str) -> None:
        """A contraction."""
        self.line(f"{pad}tile m in {t.m}, n in {t.n}: {t.var} {t.op}= {self.product(t, pad)} for k in {t.k}{bounds(t)}")

    def product(self, t: Tile, pad: str) -> str:
        """What a contraction adds up."""
        b = self.format_expr(t.b, pad)
        return f"{self.format_expr(t.a, pad)} * {b}" if t.a else b

    def reduce(self, r: Reduce, pad: str) -> None:
        """A reduction of a row."""
        self.line(f"{pad}{r.var} {r.op}= {self.format_expr(r.value, pad)}")

    def stores(self, stores: list[Store], pad: str) -> None:
        """Some stores."""
        for s in stores:
            self.line(f"{pad}{s.buffer}[{s.at}] = {self.format_expr(s.value, pad)}", s.value)

    def name(self, e: Expr) -> str | None:
        """The name of an expression that has a line of its own: what is used twice."""
        if self.uses[e] < 2 or not e.args:
            return None
        self.count += 1
        return f"v{self.count - 1}"

    def format_expr(self, root: Expr, pad: str) -> str:
        """An expression, after the lines that name its parts."""

        def make(e: Expr) -> None:
            text = self.text(e)
            name = self.name(e)
            if name is not None:
                self.line(f"{pad}{name} = {text}", e)
            self.known[e] = name or text

        bottom_up(root, self.known.__contains__, make)
        return self.known[root]

    def text(self, e: Expr) -> str:
        """An expression of parts that have been said."""
        return e.text([self.known[a] for a in e.args])


class Listing(Page):
    """The same with a name for the value of every node. What is stored at once has the name of its buffer."""

    loop, indent = "for", ""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel)
        inside = parts(kernel.values())
        self.vars = {e.attr: e for e in inside if e.op == "var"}
        self.stored = {s.value for s in kernel.stores() if self.uses[s.value] == 1}
        whole = [(e, a) for e in inside for a in e.args] + [
            (self.vars[r.var], r.value) for s in kernel.statements() if isinstance(s, Sweep) for r in s.reduces
        ]
        self.inner = {a for e, a in whole if kernel.stands.get(a) is kernel.stands.get(e)}  # part of what a node is

    def name(self, e: Expr) -> str | None:
        """The name of its node; of what no node stands for, none."""
        node = self.kernel.stands.get(e)
        return None if node is None or not e.args or e in self.stored or e in self.inner else node.name

    def reduce(self, r: Reduce, pad: str) -> None:
        """A reduction of a row."""
        self.line(f"{pad}{self.gathered(r.var, r.op, self.format_expr(r.value, pad))}", self.vars[r.var])

    def tile(self, t: Tile, pad: str) -> None:
        """A contraction: the line of its sum stands under that of its tile."""
        self.line(f"{pad}tile m in {t.m}, n in {t.n}:")
        text = self.gathered(t.var, t.op, self.product(t, pad + "  "))
        self.line(f"{pad}  {text} for k in {t.k}{bounds(t)}", self.vars[t.var])

    def contraction(self, s: Contract, pad: str) -> None:
        """A contraction over several axes: the same."""
        self.line(f"{pad}contract {trips(s.axes)}:")
        product = f"{self.format_expr(s.a, pad + '  ')} * {self.format_expr(s.b, pad + '  ')}"
        text = f"{self.gathered(s.var, 'sum', product)} for {trips(s.over)}{limits(s)}"
        self.line(f"{pad}  {text}", self.vars[s.var])

    def gathered(self, var: str, op: str, value: str) -> str:
        """One step of a reduction."""
        name = self.text(self.vars[var])
        return f"{name} += {value}" if op == "sum" else f"{name} = {op}({name}, {value})"

    def text(self, e: Expr) -> str:
        """Without the outermost brackets, and with the nodes' own names."""
        if e.op == "var":
            node = self.kernel.stands.get(e)
            return e.attr if node is None else node.name
        text = super().text(e)
        alone = e in self.stored or self.name(e) is not None
        return text[1:-1] if alone and text.startswith("(") else text


def bounds(t: Tile) -> str:
    """The bounds of a contraction, and whether zeros on the left are left out."""
    gaps = f", but for gaps of {t.a.attr[0]}" if t.gaps and t.a else ""
    return "".join(f", {x} <= {y}{f' + {d}' if d else ''}" for x, y, d in t.within) + gaps


def trips(axes: dict[str, int]) -> str:
    """Some loops."""
    return ", ".join(f"{a} in {n}" for a, n in axes.items())


def limits(s: Contract) -> str:
    """What a contraction leaves out."""
    found = " and ".join(f"0 <= {i.at} < {i.extent}" for i in s.inside)
    return found and f", where {found}"
