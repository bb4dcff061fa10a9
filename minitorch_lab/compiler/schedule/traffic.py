"""What a schedule moves: launches, and bytes read from memory and written to it.

Op by op every value goes to memory and comes back; a kernel reads each of its operands once, and writes its results.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..ir.cost import computed, unfused
from ..ir.graph import Graph
from ..ir.views import root
from ..loops.ir import Kernel
from .program import Program


@dataclass(frozen=True, slots=True)
class Traffic:
    """How often something is launched, the operations it does, and the bytes it moves."""

    launches: int
    flops: int
    nbytes: int

    @property
    def intensity(self) -> Fraction:
        """Operations for each byte."""
        return Fraction(self.flops, max(self.nbytes, 1))

    def __str__(self) -> str:
        """`2 launches, 16,000 bytes`."""
        return f"{self.launches} launch{'es' if self.launches != 1 else ''}, {self.nbytes:,} bytes"


def before(graph: Graph) -> Traffic:
    """Op by op.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.compiler.schedule.program import scheduled
        >>> graph = ml.jit.trace(lambda a: (a + 1).relu(), ml.ones(1000)).graph
        >>> print(before(graph), "→", after(scheduled(graph)))
        2 launches, 16,000 bytes → 1 launch, 8,000 bytes
    """
    cost = unfused(graph)
    return Traffic(len(computed(graph)), cost.flops, cost.nbytes)


def after(program: Program) -> Traffic:
    """As scheduled. A row that stays in the cache while its kernel needs it is not counted."""
    total = 0
    for step in program.steps:
        if step.kernel is not None:
            total += count_bytes(program, step.kernel)
        elif step.node is not None:
            total += sum(root(f).nbytes for f in dict.fromkeys(step.node.feeds)) + step.node.nbytes
    return Traffic(len(program.steps), unfused(program.graph).flops, total)


def count_bytes(program: Program, kernel: Kernel) -> int:
    """The bytes of what a kernel reads and writes: an argument that it reads and writes over counts twice."""
    stores = {s.buffer for s in kernel.stores()}
    loads = {b for b, _ in kernel.loads()}
    return sum(program.values[b].nbytes for side in (stores, loads) for b in side if b not in program.scratch)
