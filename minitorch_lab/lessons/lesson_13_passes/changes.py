"""What passes do to a graph, for readers: lines that went and lines that came, and what each pass saves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import ndiff
from html import escape
from itertools import pairwise
from typing import Any

from ...compiler.capture.trace import traced
from ...compiler.ir.cost import unfused
from ...compiler.ir.graph import Graph
from ...compiler.ir.rewrite import named
from ...compiler.passes.functionalise import functionalise
from ...compiler.passes.pipeline import DEFAULT, Pass, optimize

GONE, CAME = "opacity:0.65;text-decoration:line-through", "font-weight:600"


def graph_of(fn: Callable[..., Any], *examples: Any) -> Graph:
    """The graph of `fn` for these examples.

    Example:
        >>> import minitorch_lab as ml
        >>> graph_of(lambda x: x * 2, ml.ones(3))
        graph(x: f32[3]):
            mul: f32[3] = mul(x, 2)
            return mul
    """
    return traced(fn, examples)


def pure(graph: Graph) -> Graph:
    """The graph without writes: what would be written into is a further result."""
    return functionalise(graph).graph


@dataclass(frozen=True, slots=True)
class Change:
    """Two graphs as one text: `-` before a line that went, `+` before one that came."""

    lines: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join(self.lines)

    def _repr_html_(self) -> str:
        looks = {"-": GONE, "+": CAME}
        rows: list[str] = []
        for sign, line in ((line[0], line[1:]) for line in self.lines):
            indent = line[: len(line) - len(line.lstrip())]
            words = escape(line.strip())
            marked = f'<span style="{looks[sign]}">{words}</span>' if sign in looks else words
            rows.append(sign + indent + marked)
        text = "\n".join(rows)
        return f'<pre style="margin:4px 0">{text}</pre>'


def change(before: Graph, after: Graph) -> Change:
    """What is different between two graphs, line by line.

    Example:
        >>> import minitorch_lab as ml
        >>> graph = graph_of(lambda x: (x * 1).exp(), ml.ones(2))
        >>> change(graph, optimize(graph, ["simplify"]))
          graph(x: f32[2]):
        -     mul: f32[2] = mul(x, 1)
        -     exp: f32[2] = exp(mul)
        +     exp: f32[2] = exp(x)
              return exp
    """
    lines = ndiff(str(before).splitlines(), str(after).splitlines())
    return Change(tuple(line for line in lines if not line.startswith("?")))


def stages(graph: Graph, passes: Iterable[str | Pass]) -> list[tuple[str, Graph]]:
    """The graph as recorded, and after each pass that changed something, with the name of the pass."""
    found = [("as recorded", graph)]
    for step in passes:
        graph = optimize(graph, [step])
        if str(graph) != str(found[-1][1]):
            found.append((step if isinstance(step, str) else step.__name__, graph))
    return found


def ledger(graph: Graph, passes: Iterable[str | Pass] = DEFAULT) -> str:
    """Nodes, operations and bytes moved, op by op, as recorded and after each pass that changed something.

    Example:
        >>> import minitorch_lab as ml
        >>> print(ledger(graph_of(lambda x: (x * 1).exp() + (x / 1).exp(), ml.ones(100))))
        pass          nodes        FLOPs        bytes
        as recorded       7          500        4,400
        simplify          5          300        2,800
        cse               4          200        1,600
    """
    rows = [f"{'pass':12}{'nodes':>7}{'FLOPs':>13}{'bytes':>13}"]
    for name, stage in stages(graph, passes):
        cost = unfused(stage)
        rows.append(f"{name:12}{len(stage.nodes):7,}{cost.flops:13,}{cost.nbytes:13,}")
    return "\n".join(rows)


def taken_off(graph: Graph, passes: Iterable[str | Pass] = DEFAULT) -> dict[str, int]:
    """How many bytes less are moved after each pass that changed something.

    Example:
        >>> import minitorch_lab as ml
        >>> taken_off(graph_of(lambda x: (x * 1).exp() + (x / 1).exp(), ml.ones(100)))
        {'simplify': 1600, 'cse': 1200}
    """
    found = stages(graph, passes)
    bytes_of = [unfused(stage).nbytes for _, stage in found]
    return {name: a - b for (name, _), (a, b) in zip(found[1:], pairwise(bytes_of), strict=True)}


def entry_by_entry(graph: Graph, shape: tuple[int, ...]) -> list[str]:
    """The ops that go over a value of this shape entry by entry.

    Example:
        >>> import minitorch_lab as ml
        >>> entry_by_entry(graph_of(lambda x: (x + 1).relu().sum(), ml.ones(3)), (3,))
        ['add', 'relu']
    """
    return [named(n) for n in graph.calls if n.shape == shape and n.op is not None and n.op.entrywise]
