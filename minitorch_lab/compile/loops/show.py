"""A kernel as text. What is used twice gets a name, v0, v1, … where it is first needed."""

from __future__ import annotations

from collections import Counter

from .expr import Expr, bottom_up, parts
from .ir import Contract, Kernel, Loop, Stmt, Store, Sweep


def show(kernel: Kernel) -> str:
    """The kernel as a page."""
    return Page(kernel).text()


class Page:
    """Writes the lines of one kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.lines = [f"kernel {kernel.name}", *(f"  # {r}" for r in kernel.reasons)]
        self.uses = Counter(kernel.values())
        for e in parts(kernel.values()):
            self.uses.update(e.args)
        self.known: dict[Expr, str] = {}
        self.count = 0

    def text(self) -> str:
        """The page."""
        self.body(self.kernel.body, "  ")
        return "\n".join(self.lines)

    def body(self, body: list[Stmt], pad: str) -> None:
        """Some statements."""
        for s in body:
            if isinstance(s, Loop):
                self.lines.append(f"{pad}for {s.axis} in {s.extent}:")
                self.body(s.body, pad + "  ")
            elif isinstance(s, Store):
                self.stores([s], pad)
            elif isinstance(s, Sweep):
                self.lines.append(f"{pad}sweep {s.axis} in {s.extent}:")
                for r in s.reduces:
                    self.lines.append(f"{pad}  {r.var} {r.op}= {self.said(r.value, pad + '  ')}")
                self.stores(s.stores, pad + "  ")
            elif isinstance(s, Contract):
                self.contraction(s, pad)
            else:
                b = self.said(s.b, pad)
                product = f"{self.said(s.a, pad)} * {b}" if s.a else b
                self.lines.append(f"{pad}tile m in {s.m}, n in {s.n}: {s.var} {s.op}= {product} for k in {s.k}")
                self.stores(s.stores, pad + "  ")

    def contraction(self, s: Contract, pad: str) -> None:
        """A contraction: its loops, what it adds up, and what is left out."""
        axes, over = (", ".join(f"{a} in {n}" for a, n in found.items()) for found in (s.axes, s.over))
        product = f"{self.said(s.a, pad)} * {self.said(s.b, pad)}"
        limits = " and ".join(f"0 <= {i.at} < {i.extent}" for i in s.inside)
        self.lines.append(f"{pad}contract {axes}: {s.var} sum= {product} for {over}{limits and f', where {limits}'}")
        self.stores(s.stores, pad)

    def stores(self, stores: list[Store], pad: str) -> None:
        """Some stores."""
        for s in stores:
            value = self.said(s.value, pad)
            self.lines.append(f"{pad}{s.buffer}[{s.at}] = {value}")

    def said(self, root: Expr, pad: str) -> str:
        """An expression, after the lines that name its parts."""

        def make(e: Expr) -> None:
            text = e.text([self.known[a] for a in e.args])
            if self.uses[e] > 1 and e.args:
                name = f"v{self.count}"
                self.count += 1
                self.lines.append(f"{pad}{name} = {text}")
                text = name
            self.known[e] = text

        bottom_up(root, self.known.__contains__, make)
        return self.known[root]
