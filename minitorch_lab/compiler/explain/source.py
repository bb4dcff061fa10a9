"""A graph as a Python function of its arguments, one line per op, that runs as it stands."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from itertools import count
from typing import Any

from ...core.array import xp
from ...func.trees import flatten
from ...ops import FUNCTIONS
from ..ir.graph import Graph, Node

INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/", "matmul": "@"}
number = count(1).__next__


def write_source(graph: Graph, pretty: bool) -> str:
    """The text: imports, the ops by name, the function `f`. `pretty` takes the public name of an op where it has one.

    Example:
        >>> import minitorch_lab as ml
        >>> print(write_source(ml.jit.trace(lambda a: (a * 2).tanh(), ml.ones(1)).graph, True))
        import minitorch_lab as ml
        <BLANKLINE>
        def f(a):
            v1 = a * 2
            v2 = ml.tanh(v1)
            return v2
    """
    names: dict[Node, str] = {}
    ops: dict[str, None] = {}
    lines: list[str] = []
    for node in graph.nodes:
        if node.kind == "placeholder":
            names[node] = "abcdeghijklmnopqrstuwxyz"[len(names)] if len(names) < 24 else f"x{len(names)}"
        elif node.kind == "output":
            lines.append(f"    return {returned(node.inputs[0], names)}")
        else:
            inputs = [names[i] if isinstance(i, Node) else literal(i) for i in node.inputs]
            names[node] = f"v{len(lines) + 1}"
            text = public(node, inputs) if pretty else ""
            if not text:
                ops[name_of(node)] = None
                inputs += [f"{k}={literal(v)}" for k, v in node.params.items()]
                text = f"{name_of(node)}({', '.join(inputs)})"
            lines.append(f"    {names[node]} = {text}" if node.grad else silent(names[node], text))
    head = f"def f({', '.join(names[n] for n in graph.placeholders)}):"
    imports = ["from minitorch_lab.ops.op import OPS", "", *(f'{name} = OPS["{name}"]' for name in ops)] if ops else []
    return "\n".join(["import minitorch_lab as ml", *imports, "", head, *lines])


def public(node: Node, inputs: list[str]) -> str:
    """A call as a user writes it; nothing where that would need more than the inputs."""
    name = name_of(node)
    if node.params:
        return ""
    if name in INFIX:
        return f" {INFIX[name]} ".join(inputs)
    return f"ml.{name}({', '.join(inputs)})" if name in FUNCTIONS else ""


def name_of(node: Node) -> str:
    """The name of an op."""
    return node.op.name if node.op is not None else node.kind


def silent(name: str, text: str) -> str:
    """A line of which no gradient is wanted."""
    return f"    with ml.no_grad():\n        {name} = {text}"


def returned(tree: Any, names: dict[Node, str]) -> str:
    """What the function returns: one value, or several."""
    found = [names[x] for x in flatten(tree)[0] if isinstance(x, Node)]
    return found[0] if len(found) == 1 else f"({', '.join(found)})"


def literal(x: Any) -> str:
    """A number or parameter as Python writes it."""
    if isinstance(x, xp.dtype):
        return f"ml.{x.name}"
    if type(x) in (tuple, list):
        text = ", ".join(map(literal, x))
        return f"[{text}]" if type(x) is list else f"({text}{',' if len(x) == 1 else ''})"
    return repr(x)


def defined(source: str) -> Callable[..., Any]:
    """The function that a source defines, with lines that errors can show."""
    file = f"<minified {number()}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    space: dict[str, Any] = {"__name__": "minified"}
    exec(compile(source, file, "exec"), space)
    return space["f"]
