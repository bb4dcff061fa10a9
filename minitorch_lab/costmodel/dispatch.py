"""The dispatch tax, and the Dispatch Overhead Law: when asking for an op takes longer than the op.

    overhead ratio = ops × dispatch / hardware time

Above 1 a program is bound by its overhead. What a compiler can win there is 1 + ratio at most: all dispatch gone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..core.array import float32
from ..ops.factory import full
from .checks import check_amounts
from .measure import Spread, bench


def dispatch_tax(dispatch: float, hardware: float) -> float:
    """The part of an op's time that goes into asking for it, from 0 to 1.

    Args:
        dispatch: Seconds until the op begins.
        hardware: Seconds that it then takes.

    Raises:
        ArgumentError: A time is negative, or both are zero.

    Example:
        >>> f"{dispatch_tax(15e-6, 1e-6):.0%}, {dispatch_tax(15e-6, 100e-6):.0%}"
        '94%, 13%'
    """
    check_amounts("dispatch_tax", dispatch=dispatch, hardware=hardware)
    check_amounts("dispatch_tax", positive=("total",), total=dispatch + hardware)
    return dispatch / (dispatch + hardware)


def overhead_ratio(ops: float, dispatch: float, hardware: float) -> float:
    """Seconds of dispatch for each second of hardware time. Above 1 the overhead is the larger part.

    Args:
        ops: How many ops are launched.
        dispatch: Seconds for each.
        hardware: Seconds of all of them together, data and arithmetic.

    Raises:
        ArgumentError: An amount is negative, or the hardware takes no time.

    Example:
        >>> round(overhead_ratio(6, 5e-6, 2.6e-6), 1), overhead_ratio(1, 50e-6, 0.1)
        (11.5, 0.0005)
    """
    check_amounts("overhead_ratio", positive=("hardware",), ops=ops, dispatch=dispatch, hardware=hardware)
    return ops * dispatch / hardware


def dispatch_speedup(ops: float, dispatch: float, hardware: float, left: float = 0) -> float:
    """How many times faster a program gets if of its `ops` launches only `left` remain, and nothing else changes.

    Raises:
        ArgumentError: An amount is negative, or no time is left.

    Example:
        >>> round(dispatch_speedup(6, 5e-6, 2.6e-6), 1), round(dispatch_speedup(6, 5e-6, 2.6e-6, left=1), 1)
        (12.5, 4.3)
    """
    check_amounts("dispatch_speedup", ops=ops, dispatch=dispatch, hardware=hardware, left=left)
    check_amounts("dispatch_speedup", positive=("the time left",), **{"the time left": left * dispatch + hardware})
    return (ops * dispatch + hardware) / (left * dispatch + hardware)


def measure_dispatch(
    op: Callable[[Any], Any] | None = None, sizes: Sequence[int] = (1, 2**10, 2**14, 2**18, 2**22), rounds: int = 21
) -> dict[int, tuple[Spread, float]]:
    """The tax that an op pays here, by the size of its argument.

    What the op takes on one entry is its dispatch: there is nothing else to do. It stays the same for other sizes.

    Args:
        op: A function of one float32 vector; the addition of it to itself if left out.
        sizes: How many entries.
        rounds: Rounds that count.

    Returns:
        For each size the seconds per call with their spread, and the tax from 0 to 1.

    Example:
        >>> found = measure_dispatch(sizes=(1, 1000), rounds=3)
        >>> [0 <= tax <= 1 for _, tax in found.values()]
        [True, True]
    """
    doubled: Callable[[Any], Any] = lambda x: x + x  # noqa: E731
    run = op or doubled
    programs: dict[str, Any] = {f"n{n}": partial(run, full(shape=(n,), value=1.0, dtype=float32)) for n in (1, *sizes)}
    found = bench(rounds=rounds, agree=None, **programs)
    asked = found["n1"].seconds.median
    return {n: ((spread := found[f"n{n}"].seconds), min(1.0, asked / spread.median)) for n in sizes}
