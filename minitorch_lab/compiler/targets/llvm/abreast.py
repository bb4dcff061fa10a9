"""Instructions of several copies, step by step beside each other (see `transforms/interleave.py`)."""

from __future__ import annotations

from typing import Any


def abreast(block: Any, first: int) -> None:
    """Put the instructions of a block from number `first` on into the order of the steps that lead to them.

    Stores come last: no copy reads an entry that another one writes.
    """
    steps: dict[Any, int] = {}
    for i in block.instructions[first:]:
        steps[i] = 1 + max((steps[x] for x in i.operands if x in steps), default=0)
    block.instructions[first:] = sorted(steps, key=lambda i: (i.opname == "store", steps[i]))
