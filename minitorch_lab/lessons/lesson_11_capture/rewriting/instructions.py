"""Bytecode read into steps that are spelt alike on every Python from 3.11 to 3.13.

A compiler of bytecode thinks in steps: load this, call that, go there. What only serves the calling convention or the
speed of one version is taken off here and put back by `assemble.py`.
"""

from __future__ import annotations

import dis
import sys
from dataclasses import dataclass
from types import CodeType
from typing import Any

VERSION = sys.version_info[:2]
LEFT_OUT = {"RESUME", "COPY_FREE_VARS", "EXTENDED_ARG", "CACHE", "PRECALL", "NOP", "TO_BOOL"}
NULL_FIRST = VERSION < (3, 13)  # whether the empty slot that a call needs lies under the function or above it
BOOL_BIT = 16  # in 3.13 COMPARE_OP takes the truth of what it finds, if the next step jumps on it


@dataclass(eq=False, slots=True)
class Step:
    """One instruction. `arg` is what it names or counts, `target` is where a jump goes, `line` is the user's."""

    op: str
    arg: Any = None
    target: Step | None = None
    line: int | None = None

    @property
    def hidden(self) -> bool:
        """Whether only the calling convention needs it."""
        return self.op == "PUSH_NULL"

    @property
    def ends(self) -> bool:
        """Whether the next step is never reached from this one."""
        return self.op in ("RETURN_VALUE", "JUMP_FORWARD")


def read(code: CodeType) -> list[Step]:
    """The steps of a code object. Jumps hold on to the step they go to."""
    steps: list[Step] = []
    at: dict[int, Step] = {}  # by the offset in bytes
    jumps: list[tuple[Step, int]] = []
    skipped: list[int] = []  # offsets whose instruction has no step: a jump there goes to the next one
    line: int | None = None
    names: tuple[str, ...] = ()
    for instruction in dis.get_instructions(code):
        line = instruction.positions.lineno if instruction.positions else line
        skipped.append(instruction.offset)
        if instruction.opname == "KW_NAMES":  # 3.11, 3.12: the names of the arguments of the call that follows
            names = code.co_consts[instruction.arg or 0]
            continue
        if instruction.opname == "CALL_KW":  # 3.13: they were loaded by the last step, which becomes the call
            steps[-1].op, steps[-1].arg = "CALL_KW", (instruction.arg, steps[-1].arg)
            continue
        made = spelt(instruction, names)
        if made:
            at |= dict.fromkeys(skipped, made[0])
            skipped.clear()
        for step in made:
            step.line = line
            names = () if step.op.startswith("CALL") else names
            if "JUMP" in step.op:
                jumps.append((step, instruction.argval))
        steps += made
    for step, offset in jumps:
        step.target = at[offset]
    return steps


def spelt(i: dis.Instruction, names: tuple[str, ...]) -> list[Step]:
    """The steps that one instruction stands for: none, one, or two that this Python fused."""
    op, odd = i.opname, bool((i.arg or 0) & 1)
    if op in LEFT_OUT:
        return []
    if op in FUSED:
        return [Step(part, name) for part, name in zip(FUSED[op], i.argval, strict=True)]
    if op == "RETURN_CONST":
        return [Step("LOAD_CONST", i.argval), Step("RETURN_VALUE")]
    if op in ("JUMP_IF_FALSE_OR_POP", "JUMP_IF_TRUE_OR_POP"):
        return [Step("COPY", 1), Step(f"POP_{op.removesuffix('_OR_POP')}"), Step("POP_TOP")]
    if op == "LOAD_GLOBAL":
        return [Step(op, (i.argval, odd))]
    if op == "LOAD_ATTR" and VERSION >= (3, 12):
        return [Step("LOAD_METHOD" if odd else op, i.argval)]
    if op == "COMPARE_OP":
        return [Step(op, (i.arg or 0) & ~BOOL_BIT if VERSION >= (3, 13) else i.arg)]
    if op == "CALL" and names:
        return [Step("CALL_KW", (i.arg, names))]
    return [Step(op.replace("_FORWARD_IF", "_IF"), i.argval if op in BY_NAME else i.arg)]


FUSED = {
    "LOAD_FAST_LOAD_FAST": ("LOAD_FAST", "LOAD_FAST"),
    "STORE_FAST_LOAD_FAST": ("STORE_FAST", "LOAD_FAST"),
    "STORE_FAST_STORE_FAST": ("STORE_FAST", "STORE_FAST"),
}
FASTS = {"LOAD_FAST", "LOAD_FAST_CHECK", "STORE_FAST"}
BY_NAME = FASTS | {"LOAD_CONST", "LOAD_DEREF", "LOAD_ATTR", "LOAD_METHOD"}


def following(steps: list[Step], i: int) -> list[int]:
    """The indices of the steps that may come after step `i`."""
    target = steps[i].target
    jumps = [] if target is None else [next(k for k, step in enumerate(steps) if step is target)]
    return jumps if steps[i].ends else [i + 1, *jumps]


def live(steps: list[Step]) -> list[set[str]]:
    """For every step, the variables that may be read from there on before they are written.

    Jumps only go forward, so one sweep from the end is enough.
    """
    needed: list[set[str]] = [set() for _ in steps]
    for i in reversed(range(len(steps))):
        after = set[str]().union(*(needed[k] for k in following(steps, i)))
        step = steps[i]
        if step.op == "STORE_FAST":
            after.discard(step.arg)
        elif step.op in FASTS:
            after.add(step.arg)
        needed[i] = after
    return needed
