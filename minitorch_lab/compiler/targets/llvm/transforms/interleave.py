"""Interleaving: copies of a long computation, step by step beside each other instead of one after the other.

A processor looks only some hundred instructions ahead for one that is ready. Where the computation of one vector is as
long as that, each step waits for the one before, and the next vector is not in sight yet. Written abreast, three
vectors have three steps ready at any time. On a Zen 5 that took 17 % off tanh(ab + c) σ(d) + exp(-a²) on 64 k entries
and 13 % off layer norm with GELU (with AVX2 18 and 9 %). Copies share constants and tables; where those of three
functions take most of the registers, two copies are faster than three (by a quarter on a Zen 4).
"""

from __future__ import annotations

from ....loops.expr import parts
from ....loops.ir import Kernel, Sweep, values_of
from .kinds import Machine, sweeps
from .unroll import fitting

LONG = 24  # ops, where a polynomial counts as 15: softmax is faster as it is, GELU is not


def interleave_copies(kernel: Kernel, machine: Machine) -> None:
    """Every pass with a long computation."""
    for s, _, _ in sweeps(kernel):
        if is_long(s):
            s.way.abreast = True
            s.way.count = fitting(copies(s), s, machine) if s.way.count > 1 else 1


def is_long(s: Sweep) -> bool:
    """Whether one vector of a pass takes so many instructions that the next one is out of sight."""
    return sum(15 if e.costly else 1 for e in parts(values_of(s)) if e.args) >= LONG


def copies(s: Sweep) -> int:
    """How many vectors of a long computation fit into the registers beside its constants."""
    return 2 if len({e.op for e in parts(values_of(s)) if e.costly}) > 2 else 3
