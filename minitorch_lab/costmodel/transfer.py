"""The bandwidth ladder: what it takes to bring bytes from one place to another, and what hides it.

time = latency + bytes / bandwidth
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.array import float32
from ..ops.factory import full
from .checks import check_amounts
from .machine import Machine
from .measure import Spread, bench

# Bytes per second, one way, from the makers' data sheets.
LADDER = {"PCIe 3.0 x16": 15.8e9, "PCIe 4.0 x16": 32e9, "NVLink 3.0": 300e9, "HBM2e": 2.039e12}


def transfer_time(nbytes: float, bandwidth: float, latency: float = 0.0) -> float:
    """Seconds that a copy takes.

    Args:
        nbytes: How much is copied.
        bandwidth: Bytes per second.
        latency: Seconds before the first byte arrives.

    Raises:
        ArgumentError: An amount is negative, or the bandwidth is zero.

    Example:
        >>> {name: f"{1e3 * transfer_time(4e6, rate):.3f} ms" for name, rate in LADDER.items()}
        {'PCIe 3.0 x16': '0.253 ms', 'PCIe 4.0 x16': '0.125 ms', 'NVLink 3.0': '0.013 ms', 'HBM2e': '0.002 ms'}
    """
    check_amounts("transfer_time", positive=("bandwidth",), nbytes=nbytes, bandwidth=bandwidth, latency=latency)
    return latency + nbytes / bandwidth


def missed_work(seconds: float, machine: Machine) -> float:
    """The operations that a machine could have done while it waited.

    Example:
        >>> from minitorch_lab.costmodel import A100
        >>> f"{missed_work(transfer_time(1e9, LADDER['PCIe 4.0 x16']), A100) / 1e12:.2f} TFLOP"
        '9.75 TFLOP'
    """
    check_amounts("missed_work", seconds=seconds)
    return seconds * machine.peak


def overlapped_time(copy: float, compute: float, steps: int = 1) -> float:
    """Seconds for some steps if the copy for the next one runs while this one computes.

    Every step but the first then takes the longer of the two; one after the other they would take the sum.

    Args:
        copy: Seconds to bring the data of a step.
        compute: Seconds to compute it.
        steps: How many.

    Raises:
        ArgumentError: An amount is negative.

    Example:
        >>> overlapped_time(3.0, 5.0, steps=10), 10 * (3.0 + 5.0)
        (53.0, 80.0)
    """
    check_amounts("overlapped_time", positive=("steps",), copy=copy, compute=compute, steps=steps)
    return copy + (steps - 1) * max(copy, compute) + compute


def measure_ladder(sizes: Sequence[int] = (2**12, 2**16, 2**20, 2**24), rounds: int = 21) -> dict[int, Spread]:
    """This machine's own ladder: bytes per second of a copy, by its size. Each cache that it outgrows is a step down.

    Args:
        sizes: Bytes to copy, each at least 4.
        rounds: Rounds that count.

    Returns:
        For each size the bytes read and written per second, with their spread.

    Example:
        >>> all(rate.median > 0 for rate in measure_ladder(sizes=(1024, 4096), rounds=3).values())
        True
    """
    programs: dict[str, Any] = {f"n{n}": full(shape=(max(n // 4, 1),), value=1.0, dtype=float32).clone for n in sizes}
    found = bench(rounds=rounds, agree=None, **programs)
    return {n: Spread.of([2 * n / seconds for seconds in found[f"n{n}"].rounds]) for n in sizes}
