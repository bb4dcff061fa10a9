"""A machine in three numbers: how fast it computes, how fast it moves bytes, and what it costs to ask it.

After S. Williams, A. Waterman and D. Patterson, Roofline, 2009, with the price of a launch as a third number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from ..core.array import float32
from ..ops.factory import full
from .checks import check_amounts
from .measure import Bench, bench


@dataclass(frozen=True, slots=True)
class Machine:
    """What the laws must know of a machine.

    Attributes:
        name: What it is called.
        peak: The most operations per second, in FLOP/s.
        bandwidth: The most bytes per second between memory and arithmetic, in B/s.
        dispatch: Seconds from asking for one op until it begins.

    Example:
        >>> round(A100.ridge), round(A100_FLOAT32.ridge, 1)
        (153, 9.6)
    """

    name: str
    peak: float
    bandwidth: float
    dispatch: float = 0.0

    def __post_init__(self) -> None:
        check_amounts(
            "Machine", positive=("peak", "bandwidth"), peak=self.peak, bandwidth=self.bandwidth, dispatch=self.dispatch
        )

    @property
    def ridge(self) -> float:
        """FLOP per byte from which on arithmetic, and not memory, is what a program waits for."""
        return self.peak / self.bandwidth


# NVIDIA's data sheet of the A100 with 40 GB: float16 on tensor cores, float32 outside them.
A100 = Machine("A100, float16", peak=312e12, bandwidth=2.039e12, dispatch=5e-6)
A100_FLOAT32 = Machine("A100, float32", peak=19.5e12, bandwidth=2.039e12, dispatch=5e-6)


def measure_machine(*, side: int = 512, entries: int = 2**24, rounds: int = 21) -> Machine:
    """This machine, as eager ops see it: one thread, or as many as NumPy's products take.

    The peak is that of a product of two float32 matrices, the bandwidth that of a sum of two vectors too long for any
    cache (two read, one written), the dispatch that of an op on one entry. Medians of interleaved rounds.

    Args:
        side: Rows and columns of the matrices.
        entries: Entries of each vector.
        rounds: Rounds that count.

    Example:
        >>> here = measure_machine(side=64, entries=1000, rounds=3)
        >>> here.peak > 0 and here.bandwidth > 0 and here.dispatch > 0
        True
    """
    a, x, one = (full(shape=shape, value=1.0, dtype=float32) for shape in ((side, side), (entries,), ()))

    def seconds(program: Any) -> float:
        found: Bench = bench(rounds=rounds, agree=None, program=program)
        return found["program"].seconds.median

    return Machine(
        "this machine",
        peak=2 * side**3 / seconds(partial(a.__matmul__, a)),
        bandwidth=3 * x.nbytes / seconds(partial(x.__add__, x)),
        dispatch=seconds(partial(one.__add__, one)),
    )
