"""Graphs as text: one line per value, the table of `torch.fx`, and Python source."""

from __future__ import annotations

from typing import Any


def printed(graph: Any, indent: str = "") -> str:
    """One line per value: its name, its dtype and shape, and how it is made; blocks are indented under their node."""
    arguments = ", ".join(f"{n.name}: {n.facts}" for n in graph.placeholders)
    lines = [f"{indent}{graph.name}({arguments}):"]
    for node in graph.nodes:
        if node.kind != "placeholder":
            lines.append(f"{indent}    {line_of(node)}")
        lines += [printed(block, indent + "        ") for block in node.blocks]
    return "\n".join(lines)


def line_of(node: Any) -> str:
    """`mul: f32[1] = mul(0.1, a)`."""
    if node.kind == "output":
        return f"return {format_param(node.inputs[0])}"
    if node.kind == "get_attr":
        return f"{node.name}: {node.facts}"
    return f"{node.name}: {node.facts} = {expression(node)}{'' if node.grad else '  # no_grad'}"


def expression(node: Any) -> str:
    """`mul(0.1, a)`."""
    inputs = [format_param(i) for i in node.inputs]
    if node.kind == "part":
        return f"{inputs[0]}[{node.params['index']}]"
    return f"{target(node)}({', '.join([*inputs, *(f'{k}={format_param(v)}' for k, v in node.params.items())])})"


def target(node: Any) -> str:
    """What a node calls: the name of an op, with an underscore if it writes; `if` and `while`; a Function's name."""
    if node.kind == "custom":
        return node.payload.name
    return node.kind if node.op is None else node.op.name + ("_" if node.kind == "write" else "")


def format_param(x: Any) -> str:
    """A node by its name, a dtype by its name, others as Python writes them."""
    if isinstance(x, (tuple, list)):
        parts = ", ".join(format_param(part) for part in x)
        return f"[{parts}]" if isinstance(x, list) else f"({parts}{',' if len(x) == 1 else ''})"
    if isinstance(x, dict):
        return "{" + ", ".join(f"{k!r}: {format_param(v)}" for k, v in x.items()) + "}"
    if isinstance(x, slice):
        return ":".join("" if part is None else str(part) for part in (x.start, x.stop))
    return "..." if x is ... else getattr(x, "name", None) or repr(x)


def table(graph: Any) -> str:
    """The graph as `torch.fx` tabulates it.

    Example:
        >>> import minitorch_lab as ml
        >>> print(table(ml.jit.trace(lambda a: 0.1 * a, ml.randn(1)).graph))
        opcode       name    target  args      kwargs
        -----------  ------  ------  --------  ------
        placeholder  a       a       ()        {}
        call         mul     mul     (0.1, a)  {}
        output       output  output  (mul,)    {}
    """
    rows: list[tuple[str, ...]] = [("opcode", "name", "target", "args", "kwargs")]
    for n in graph.nodes:
        called = n.name if n.op is None else target(n)
        rows.append((n.kind, n.name, called, format_param(tuple(n.inputs)), format_param(n.params)))
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    rows.insert(1, tuple("-" * w for w in widths))
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def code(graph: Any) -> str:
    """The graph as a Python function, each value let go after its last use.

    Example:
        >>> import minitorch_lab as ml
        >>> print(code(ml.jit.trace(lambda a: (0.1 * a).exp(), ml.randn(1)).graph))
        def forward(a: "f32[1]"):
            mul: "f32[1]" = mul(0.1, a);  a = None
            exp: "f32[1]" = exp(mul);  mul = None
            return exp
    """
    lines = [f"def forward({', '.join(f'{n.name}: {quoted(n)}' for n in graph.placeholders)}):"]
    for node, ends in zip(graph.nodes, graph.last_uses(), strict=True):
        if node.kind == "output":
            lines.append(f"    {line_of(node)}")
        elif node.kind != "placeholder":
            made = f"self.{node.name}" if node.kind == "get_attr" else expression(node)
            over = [n.name for n in ends if n is not node]
            gone = f";  {' = '.join([*over, 'None'])}" if over else ""
            lines.append(f"    {node.name}: {quoted(node)} = {made}{gone}")
    return "\n".join(lines)


def quoted(node: Any) -> str:
    """The dtype and shape as an annotation."""
    return f'"{node.facts}"'
