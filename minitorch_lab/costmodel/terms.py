"""The iron law: time = bytes / bandwidth + operations / (peak × utilisation) + launches × dispatch.

Each term has a remedy of its own: fusion and smaller dtypes move fewer bytes, better kernels raise the utilisation,
compilation launches less often. So the first question to a slow program is which term it is made of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..compiler.capture.jit import captured
from ..compiler.ir.cost import computed, fused, unfused
from ..compiler.ir.graph import Graph
from ..errors import ArgumentError
from .checks import check_amounts
from .machine import Machine

TERMS = ("data", "work", "overhead")


@dataclass(frozen=True, slots=True)
class Demand:
    """What a program asks of a machine: operations, bytes to move, launches."""

    flop: float
    nbytes: float
    launches: float = 1


@dataclass(frozen=True, slots=True)
class Terms:
    """Seconds that each term of the law takes."""

    data: float
    work: float
    overhead: float

    @property
    def hardware(self) -> float:
        """What the hardware is busy for, data and work one after the other."""
        return self.data + self.work

    @property
    def total(self) -> float:
        """The whole."""
        return self.hardware + self.overhead

    @property
    def dominant(self) -> str:
        """The name of the largest term: what to mend first."""
        return max(TERMS, key=lambda name: getattr(self, name))


def iron_law(demand: Demand, machine: Machine, utilisation: float = 1.0) -> Terms:
    """The terms of a program's time.

    Args:
        demand: What it asks for.
        machine: Of whom.
        utilisation: The part of the machine's peak that its kernels reach, above 0 and at most 1.

    Returns:
        Seconds, term by term.

    Raises:
        ArgumentError: An amount is negative, or the utilisation is out of range.

    Example:
        >>> from minitorch_lab.costmodel import A100
        >>> step = iron_law(Demand(flop=39.1e6, nbytes=4.2e6, launches=6), A100)
        >>> [round(1e6 * t, 1) for t in (step.work, step.data, step.overhead)], step.dominant
        ([0.1, 2.1, 30.0], 'overhead')
    """
    check_amounts("iron_law", flop=demand.flop, nbytes=demand.nbytes, launches=demand.launches)
    check_amounts("iron_law", positive=("utilisation",), utilisation=utilisation)
    if utilisation > 1:
        raise ArgumentError(
            f"iron_law got utilisation={utilisation!r}.",
            "No kernel is faster than the machine's peak, which is 1.",
            "Is it a percentage, or is the machine's peak that of another dtype?",
        )
    work = demand.flop / (machine.peak * utilisation)
    return Terms(demand.nbytes / machine.bandwidth, work, demand.launches * machine.dispatch)


def saved_terms(before: Terms, after: Terms) -> dict[str, float]:
    """Seconds that an optimisation has taken out of each term; negative where it has added some.

    Example:
        >>> saved_terms(Terms(2e-6, 1e-6, 30e-6), Terms(1e-6, 1e-6, 5e-6))
        {'data': 1e-06, 'work': 0.0, 'overhead': 2.5e-05}
    """
    return {name: getattr(before, name) - getattr(after, name) for name in TERMS}


def demand_of(program: Graph | Callable[..., Any], *args: Any, as_one: bool = False) -> Demand:
    """What a program asks for, counted in the graph that it is captured as.

    Args:
        program: A pure function of tensors, or a graph of one.
        args: What the function is called with. It runs on shapes alone.
        as_one: Count it as one fused kernel, which moves what goes in and comes out and is launched
            once. Else op by op.

    Raises:
        CaptureError: The function decides by an entry of a tensor.

    Example:
        >>> import minitorch_lab as ml
        >>> add_relu = lambda a, b: (a + b).relu()
        >>> x, y = ml.ones(1000), ml.ones(1000)
        >>> demand_of(add_relu, x, y)
        Demand(flop=2000, nbytes=20000, launches=2)
        >>> demand_of(add_relu, x, y, as_one=True)
        Demand(flop=2000, nbytes=12000, launches=1)
    """
    graph = program if isinstance(program, Graph) else captured(program, args, {})
    cost = fused(graph) if as_one else unfused(graph)
    return Demand(cost.flops, cost.nbytes, 1 if as_one else len(computed(graph)))
