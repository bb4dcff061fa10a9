"""The IR of scripts: typed values, each assigned once, in nested blocks (static single assignment).

What differs between the branches of an `if`, or from round to round of a loop, comes out of the block as a result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...ir.printer import format_param

Type = Any  # "Tensor", "int", "float", "bool", "str", "None", "ints", "dtype", "device", or a tuple of types


@dataclass(eq=False, slots=True)
class Value:
    """A value: its name and its type."""

    name: str
    type: Type

    def __repr__(self) -> str:
        """The name."""
        return self.name


@dataclass(eq=False, slots=True)
class Constant:
    """A value that is known: a number, a string, a dtype, None."""

    value: Any
    type: Type

    def __repr__(self) -> str:
        """As Python writes it."""
        return format_param(self.value)


@dataclass(eq=False, slots=True)
class Block:
    """A straight line of instructions: its parameters, and what comes out of it."""

    params: list[Value] = field(default_factory=list[Value])
    body: list[Instruction] = field(default_factory=list[Any])
    results: list[Any] = field(default_factory=list[Any])


@dataclass(eq=False, slots=True)
class Instruction:
    """One step. `kind` is `"call"`, `"if"`, `"while"` or `"for"`; `fn` is what a call calls, `line` the user's line."""

    kind: str
    name: str
    inputs: list[Any]
    outputs: list[Value]
    line: int
    keywords: dict[str, Any] = field(default_factory=dict[str, Any])
    fn: Callable[..., Any] | None = None
    blocks: list[Block] = field(default_factory=list[Block])


def type_text(t: Type) -> str:
    """How a type is written."""
    return f"tuple[{', '.join(map(type_text, t))}]" if isinstance(t, tuple) else "tuple[int, ...]" if t == "ints" else t


def printed(name: str, block: Block, result: Type) -> str:
    """A script as text."""
    params = ", ".join(f"{p}: {type_text(p.type)}" for p in block.params)
    return "\n".join([f"{name}({params}) -> {type_text(result)}:", *lines(block, "return")])


def lines(block: Block, leave: str, indent: str = "    ") -> list[str]:
    """The instructions of a block, and how it is left."""
    text: list[str] = []
    for step in block.body:
        text += [indent + part for part in instruction(step)]
    return [*text, f"{indent}{leave} {', '.join(map(repr, block.results))}".rstrip()]


def instruction(step: Instruction) -> list[str]:
    """One instruction, its blocks indented under it."""
    made = ", ".join(f"{v}: {type_text(v.type)}" for v in step.outputs)
    made = f"{made} = " if made else ""
    if step.kind == "call":
        parts = [*map(repr, step.inputs), *(f"{k}={v!r}" for k, v in step.keywords.items())]
        return [f"{made}{step.name}({', '.join(parts)})"]
    if step.kind == "if":
        then, other = step.blocks
        return [f"{made}if {step.inputs[0]}:", *lines(then, "yield"), "else:", *lines(other, "yield")]
    carried = step.inputs if step.kind == "while" else step.inputs[3:]
    params = step.blocks[-1].params if step.kind == "while" else step.blocks[-1].params[1:]
    start = ", ".join(f"{p} = {v}" for p, v in zip(params, carried, strict=True))
    if step.kind == "while":
        condition, body = step.blocks
        return [f"{made}while ({start}):", *lines(condition, "test"), "do:", *lines(body, "yield")]
    bounds = ", ".join(map(repr, step.inputs[:3]))
    return [f"{made}for {step.blocks[0].params[0]} in range({bounds}) ({start}):", *lines(step.blocks[0], "yield")]
