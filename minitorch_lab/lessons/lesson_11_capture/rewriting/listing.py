"""Bytecode as text, in the way of `dis`, made from the real code objects.

The numbers count two for every step, as bytes did before Python 3.11; what `instructions.py` takes off is left out. So
one listing says what the code does on every version. `dis.dis(function)` shows the bytes of this one.
"""

from __future__ import annotations

import dis
import opcode
from types import CodeType
from typing import Any

from .instructions import VERSION, Step, read

OPERATORS: Any = [symbol for _, symbol in getattr(opcode, "_nb_ops")]  # noqa: B009
COMPARED = {(3, 11): 0, (3, 12): 4, (3, 13): 5}  # how far to shift: from 3.12 on the low bits are for speed


def listing(code: CodeType) -> str:
    """One line per step: its number, its name, what it names.

    Example:
        >>> def f(a):
        ...     return 0.1 * a
        >>> print(listing(f.__code__))
         0 LOAD_CONST            0.1
         2 LOAD_FAST             a
         4 BINARY_OP             *
         6 RETURN_VALUE
    """
    steps = read(code)
    numbers = numbered(steps)
    shown = [step for step in steps if not step.hidden]
    return "\n".join(f"{numbers[s]:>2} {s.op:<21} {argument(s, numbers)}".rstrip() for s in shown)


def numbered(steps: list[Step]) -> dict[Step, int]:
    """The number of every step; a hidden one has that of the next."""
    numbers: dict[Step, int] = {}
    count = 0
    for step in steps:
        numbers[step] = count
        count += 0 if step.hidden else 2
    return numbers


def argument(step: Step, numbers: dict[Step, int]) -> str:
    """What a step names, as a reader would write it."""
    if step.target is not None:
        return f"to {numbers[step.target]}"
    if step.op == "LOAD_CONST":
        return getattr(step.arg, "__qualname__", None) or repr(step.arg)
    if step.op == "LOAD_GLOBAL":
        return step.arg[0]
    if step.op == "BINARY_OP":
        return OPERATORS[step.arg]
    if step.op == "COMPARE_OP":
        return comparison(step)
    if step.op == "CALL_KW":
        return f"{step.arg[0]} {step.arg[1]}"
    return "" if step.arg is None else str(step.arg)


def comparison(step: Step) -> str:
    """Which comparison a COMPARE_OP makes."""
    return dis.cmp_op[step.arg >> COMPARED[VERSION]]
