"""What an instruction did, in words: what it took off the stack, what it put there, what entered the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..compiler.capture.bytecode.watching import Thing
from .numbers import listed, plural

SILENT = {
    "RESUME", "PRECALL", "PUSH_NULL", "NOP", "COPY_FREE_VARS", "MAKE_CELL", "KW_NAMES", "CACHE", "TO_BOOL",
    "END_FOR", "POP_TOP", "RETURN_GENERATOR", "BEFORE_WITH", "PUSH_EXC_INFO", "POP_EXCEPT", "SWAP", "COPY",
}  # fmt: skip
FEW = 3  # so many ops of one instruction are told by name


def mnemonic(i: Any) -> str:
    """An instruction as `dis` writes it: BINARY_OP +."""
    return f"{i.opname} {i.argrepr}".rstrip() if i.argrepr and not i.argrepr.startswith("to ") else i.opname


def name_value(thing: Thing) -> str:
    """A value, as a sentence calls it."""
    if thing.kind == "tensor":
        return f"`{label(thing)}`"
    return f"`{thing.text}`" if thing.kind == "callable" else thing.text


def label(thing: Thing) -> str:
    """A value, as the picture calls it: a tensor by the op that made it, or by its name."""
    if thing.kind != "tensor":
        return thing.text
    made = thing.node is not None and thing.node.kind != "placeholder"
    return thing.node.name if thing.node is not None and made else thing.name or "tensor"


def compare_stacks(before: Sequence[Thing], after: Sequence[Thing]) -> tuple[list[Thing], list[Thing]]:
    """What an instruction took off the stack, and what it put there.

    Example:
        >>> a, b, c = (Thing(t, "value") for t in "abc")
        >>> [[t.text for t in side] for side in compare_stacks([a, b], [a, c])]
        [['b'], ['c']]
    """
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    return [t for t in before[same:] if t.kind != "empty"], [t for t in after[same:] if t.kind != "empty"]


def instruction(i: Any, before: Sequence[Thing], after: Sequence[Thing], ops: Sequence[str], further: int) -> str:
    """One sentence. `ops` have entered the graph; `further` is the offset at which the machine goes on."""
    (taken, put), top = compare_stacks(before, after), after[-1] if after else None
    name, took = f"`{mnemonic(i)}`", listed([name_value(t) for t in taken])
    if ops:
        return f"{name} takes {took} off the stack. {entered(ops)}"
    if i.opname.startswith("STORE_FAST") and taken:
        return f"{name} takes {took} off the stack: from now on it is called `{i.argval}`."
    if "JUMP" in i.opname and taken:
        way = f"jumps to {further}" if further == i.argval else "goes on with the next instruction"
        return f"{name} takes {took} off the stack, and {way}."
    if "JUMP" in i.opname:
        return f"{name} goes on at {further}."
    if i.opname.startswith("RETURN"):
        return f"{name} gives {name_value(top) if top is not None else 'None'} to the caller."
    if put and not taken:
        return f"{name} puts {listed([name_value(t) for t in put])} on the stack."
    if taken and put:
        return f"{name} takes {took} off the stack and puts {listed([name_value(t) for t in put])} there."
    return f"{name} takes {took} off the stack." if taken else f"{name} moves no value."


def entered(ops: Sequence[str]) -> str:
    """What entered the graph."""
    if len(ops) == 1:
        return f"A tensor is among them: it runs, and `{ops[0]}` enters the graph."
    names = [f"`{op.partition(':')[0]}`" for op in ops]
    told = listed(names) if len(ops) <= FEW else f"{names[0]} and others"
    return f"{plural(len(ops), 'op')} run and enter the graph: {told}."
