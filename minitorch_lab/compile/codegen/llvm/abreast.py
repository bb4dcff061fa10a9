"""Copies of a long computation, step by step beside each other instead of one after the other.

A processor looks only some hundred instructions ahead for one that is ready. Where the computation of one vector is as
long as that, each step waits for the one before, and the next vector is not in sight yet. Written abreast, three
vectors have three steps ready at any time. On a Zen 5 that took 17 % off tanh(ab + c) σ(d) + exp(-a²) on 64 k entries
and 13 % off layer norm with GELU (with AVX2 18 and 9 %). Copies share constants and tables; where those of three
functions take most of the registers, two copies are faster than three (by a quarter on a Zen 4).
"""

from __future__ import annotations

from typing import Any

from ...loops.expr import COSTLY, parts
from ...loops.ir import Sweep, values_of

LONG = 24  # ops, where a polynomial counts as 15: softmax is faster as it is, GELU is not


def is_long(s: Sweep) -> bool:
    """Whether one vector of a pass takes so many instructions that the next one is out of sight."""
    return sum(15 if e.op in COSTLY else 1 for e in parts(values_of(s)) if e.args) >= LONG


def copies(s: Sweep) -> int:
    """How many vectors of a long computation fit into the registers beside its constants."""
    return 2 if len({e.op for e in parts(values_of(s)) if e.op in COSTLY}) > 2 else 3


def abreast(block: Any, first: int) -> None:
    """Put the instructions of a block from number `first` on into the order of the steps that lead to them.

    Stores come last: no copy reads an entry that another one writes.
    """
    steps: dict[Any, int] = {}
    for i in block.instructions[first:]:
        steps[i] = 1 + max((steps[x] for x in i.operands if x in steps), default=0)
    block.instructions[first:] = sorted(steps, key=lambda i: (i.opname == "store", steps[i]))
