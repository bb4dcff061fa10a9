"""Running a script: a small machine that walks the blocks. No line of the user's Python runs."""

from __future__ import annotations

from typing import Any

from .ir import Block, Constant, Instruction


def run(block: Block, args: list[Any], outer: dict[Any, Any] | None = None) -> list[Any]:
    """What comes out of a block for these arguments; it reads the values of the blocks around it."""
    values: dict[Any, Any] = {} if outer is None else dict(outer)
    values.update(zip(block.params, args, strict=True))
    for step in block.body:
        values.update(zip(step.outputs, KINDS[step.kind](step, values), strict=True))
    return [read(x, values) for x in block.results]


def read(x: Any, values: dict[Any, Any]) -> Any:
    """The value of an operand."""
    if isinstance(x, list):
        return [read(part, values) for part in x]
    return x.value if isinstance(x, Constant) else values[x]


def called(step: Instruction, values: dict[Any, Any]) -> list[Any]:
    """A call."""
    assert step.fn is not None
    keywords = {k: read(v, values) for k, v in step.keywords.items()}
    result = step.fn(*(read(x, values) for x in step.inputs), **keywords)
    return [result] if step.outputs else []


def chosen(step: Instruction, values: dict[Any, Any]) -> list[Any]:
    """One of the two branches."""
    then, other = step.blocks
    return run(then if read(step.inputs[0], values) else other, [], values)


def repeated(step: Instruction, values: dict[Any, Any]) -> list[Any]:
    """Rounds, as long as the condition holds."""
    condition, body = step.blocks
    carried = [read(x, values) for x in step.inputs]
    while run(condition, carried, values)[0]:
        carried = run(body, carried, values)
    return carried


def counted(step: Instruction, values: dict[Any, Any]) -> list[Any]:
    """Rounds, one for each number of a range."""
    start, stop, stride = (read(x, values) for x in step.inputs[:3])
    carried = [read(x, values) for x in step.inputs[3:]]
    for i in range(start, stop, stride):
        carried = run(step.blocks[0], [i, *carried], values)
    return carried


KINDS = {"call": called, "if": chosen, "while": repeated, "for": counted}
