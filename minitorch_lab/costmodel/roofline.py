"""The roofline: how fast a program can be at most, by how many operations it does for each byte that it moves.

    attainable FLOP/s = min(peak, bandwidth × intensity)

Left of the ridge a program waits for memory, right of it for arithmetic. (S. Williams and others, Roofline, 2009.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..compiler.capture.jit import captured
from ..compiler.ir.cost import computed, size
from ..compiler.ir.graph import Graph
from ..ops.work import work
from .checks import check_amounts
from .machine import Machine
from .measure import bench


@dataclass(frozen=True, slots=True)
class Point:
    """An op, or a program, on the roofline: what it does, and what it moves for that.

    Attributes:
        name: What it is called.
        flop: Operations.
        nbytes: Bytes read and written.
        seconds: What it took, where that was measured.
    """

    name: str
    flop: float
    nbytes: float
    seconds: float | None = None

    @property
    def intensity(self) -> float:
        """Operations for each byte."""
        return self.flop / max(self.nbytes, 1)

    @property
    def reached(self) -> float | None:
        """FLOP/s that were measured."""
        return None if not self.seconds else self.flop / self.seconds


def attainable(intensity: float, machine: Machine) -> float:
    """The most FLOP/s that a program of this intensity can reach.

    Args:
        intensity: Operations for each byte that is moved.
        machine: Where.

    Raises:
        ArgumentError: The intensity is negative.

    Example:
        >>> from minitorch_lab.costmodel import A100
        >>> attainable(0.125, A100) / A100.peak < 0.001, attainable(1000, A100) == A100.peak
        (True, True)
    """
    check_amounts("attainable", intensity=intensity)
    return min(machine.peak, machine.bandwidth * intensity)


def bound_by(point: Point, machine: Machine) -> str:
    """What the point waits for: "memory" left of the ridge, "arithmetic" from it on.

    Example:
        >>> from minitorch_lab.costmodel import A100
        >>> bound_by(Point("relu", 8192, 65536), A100)
        'memory'
    """
    return "memory" if point.intensity < machine.ridge else "arithmetic"


def roofline_points(program: Graph | Callable[..., Any], *args: Any) -> list[Point]:
    """Each op of a program, with the operations and bytes that are counted in its captured graph.

    An op reads each of its operands once and writes its result. A view does nothing and is left out.

    Args:
        program: A pure function of tensors, or a graph of one.
        args: What the function is called with. It runs on shapes alone.

    Raises:
        CaptureError: The function decides by an entry of a tensor.

    Example:
        >>> import minitorch_lab as ml
        >>> point, = roofline_points(lambda x, w: x @ w, ml.zeros(32, 784), ml.zeros(784, 256))
        >>> f"{point.flop / 1e6:.1f} MFLOP, {point.nbytes / 1e6:.1f} MB, {point.intensity:.1f} FLOP/B"
        '12.8 MFLOP, 0.9 MB, 13.7 FLOP/B'
    """
    graph = program if isinstance(program, Graph) else captured(program, args, {})
    return [
        Point(
            node.name,
            work(node.op, [f.shape for f in node.feeds], node.shape) if node.op is not None else 0,
            sum(size(n)[1] for n in (*dict.fromkeys(node.feeds), node)),
        )
        for node in computed(graph)
    ]


def measure_point(name: str, program: Callable[..., Any], *args: Any, rounds: int = 21) -> Point:
    """A whole program on the roofline: its operations and bytes as captured, its time as measured here.

    Example:
        >>> import minitorch_lab as ml
        >>> point = measure_point("product", lambda a: a @ a, ml.ones(32, 32), rounds=3)
        >>> point.flop, point.reached > 0
        (65536, True)
    """
    points = roofline_points(program, *args)
    found = bench(rounds=rounds, agree=None, program=lambda: program(*args))
    return Point(name, sum(p.flop for p in points), sum(p.nbytes for p in points), found["program"].seconds.median)
