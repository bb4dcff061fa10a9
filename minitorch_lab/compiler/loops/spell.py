"""A kernel spelled out: a text that two kernels have in common only if they do the same in the same way.

It is what compiled code is filed under, so nothing may be missing. The fields of statements are not listed here, they
are read off: one that is added later is spelled, too. What buffers and results of reductions are called has no meaning;
they are numbered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from .affine import Affine
from .expr import Expr, bottom_up
from .ir import Kernel


def spelled(kernel: Kernel, buffers: Mapping[str, str]) -> str:
    """All that a kernel does: a line for every expression, then the statements. `buffers` names its memory anew.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.compiler.schedule.program import scheduled
        >>> kernel, = scheduled(ml.jit.trace(lambda a: a * 2, ml.ones(9)).graph).kernels
        >>> print(spelled(kernel, {"a": "B0", "mul": "B1"}))
        v0 = load f32 () (B0, j) j
        v1 = const f32 () 2
        v2 = mul f32 (v0, v1) None j
        (Sweep j, 9, (), ((Store B1, j, v2)), None)
    """
    speller = Speller(buffers)
    body = speller.format_part(kernel.body)
    return "\n".join([*speller.lines, body[1:-1]])


class Speller:
    """Spells. Equal expressions are one object, and have one line."""

    def __init__(self, buffers: Mapping[str, str]) -> None:
        self.buffers = buffers
        self.lines: list[str] = []
        self.known: dict[Expr, str] = {}
        self.vars: dict[str, str] = {}

    def format_part(self, x: Any) -> str:
        """A part of a statement."""
        if isinstance(x, Expr):
            bottom_up(x, self.known.__contains__, self.line)
            return self.known[x]
        if isinstance(x, Affine) or not (is_dataclass(x) or isinstance(x, list | tuple | dict)):
            return str(x)
        if is_dataclass(x):
            parts = [self.field(f.name, getattr(x, f.name)) for f in fields(x)]
            return f"({type(x).__name__} {', '.join(parts)})"
        parts = [
            self.format_part(list(p) if isinstance(x, dict) else p) for p in (x.items() if isinstance(x, dict) else x)
        ]
        return f"({', '.join(parts)})"

    def field(self, name: str, x: Any) -> str:
        """A field of a statement."""
        return self.buffers[x] if name == "buffer" else self.var(x) if name == "var" else self.format_part(x)

    def var(self, name: str) -> str:
        """The result of a reduction."""
        return self.vars.setdefault(name, f"r{len(self.vars)}")

    def line(self, e: Expr) -> None:
        """An expression, whose arguments have their lines."""
        args = ", ".join(self.known[a] for a in e.args)
        name = self.known[e] = f"v{len(self.known)}"
        self.lines.append(f"{name} = {e.op} {e.dtype} ({args}) {self.attribute(e)} {' '.join(sorted(e.axes))}".rstrip())

    def attribute(self, e: Expr) -> str:
        """What an expression has besides its arguments. Numbers have all of their digits."""
        if e.op == "load":
            buffer, at = e.attr
            return f"({self.buffers[buffer]}, {at})"
        return self.var(e.attr) if e.op == "var" else str(e.attr) if e.op == "index" else repr(e.attr)
