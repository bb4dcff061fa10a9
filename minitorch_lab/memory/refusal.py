"""The error of a request that no memory was found for: what holds the memory, from which line, and what would help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from ..errors import OutOfMemoryError
from .figures import Figures

LINES = 5  # more lines of a program are summed up in one
UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


def in_bytes(n: float) -> str:
    """A number of bytes in the unit in which it is easily read.

    Example:
        >>> in_bytes(512), in_bytes(3 << 19), in_bytes(2 << 30)
        ('512 bytes', '1.50 MiB', '2.00 GiB')
    """
    power = min((int(n).bit_length() - 1) // 10, len(UNITS) - 1) if n >= 1 else 0
    return f"{n / 1024**power:.2f} {UNITS[power]}" if power else f"{int(n)} bytes"


def refusal(
    nbytes: int, limit: int, figures: Figures, free: list[int], used: Collection[tuple[int, Any]]
) -> OutOfMemoryError:
    """The error of a request that was refused.

    Args:
        nbytes: The bytes that were asked for.
        limit: The bytes that may be held.
        figures: What the allocator has counted.
        free: The sizes of free blocks in bytes, largest first.
        used: Size in bytes and place of each block in use.
    """
    beyond = limit - figures.reserved.current
    given = (
        f"{in_bytes(nbytes)} were asked for, and are not to be had: of {in_bytes(limit)} "
        f"{in_bytes(figures.allocated.current)} are in use, {in_bytes(sum(free))} are free in "
        f"{len(free)} {'block' if len(free) == 1 else 'blocks'}"
        + (f", the largest of {in_bytes(free[0])}" if free else "")
        + f", and {in_bytes(beyond)} were never asked for."
    )
    if not used:
        rule = "Nothing holds memory: the limit is smaller than the request."
        return OutOfMemoryError(given, rule, f"Did you mean a limit of {in_bytes(nbytes)} or more?")
    return OutOfMemoryError(given, "\n  ".join(holders(used)), advice(nbytes - sum(free) - beyond))


def holders(used: Collection[tuple[int, Any]]) -> list[str]:
    """What holds the memory, by the line that asked for it, most bytes first."""
    size: Counter[str] = Counter()
    count: Counter[str] = Counter()
    for nbytes, place in used:
        where = "an unknown line" if place is None else str(place)
        size[where] += nbytes
        count[where] += 1
    ranked = size.most_common()
    shown = [f"{in_bytes(n)} in {count[where]} × {where}" for where, n in ranked[:LINES]]
    rest = ranked[LINES:]
    more = [f"{in_bytes(sum(n for _, n in rest))} from {len(rest)} more lines"] if rest else []
    return ["The memory is held by:", *(f"  {text}" for text in [*shown, *more])]


def advice(missing: int) -> str:
    """What would help: that depends on whether bytes are missing, or are there, but apart."""
    if missing <= 0:
        return (
            "There would be enough in one piece: the free memory is fragmented. Make what is large first, keep "
            "lengths equal from step to step, or let go of what splits it."
        )
    return (
        f"{in_bytes(missing)} are missing: did you mean a smaller batch, checkpoint() around layers, "
        "ml.no_grad() where no gradient is wanted, or del of what is no longer read?"
    )
