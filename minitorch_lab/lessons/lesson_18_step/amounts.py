"""The number that an answer is."""

from __future__ import annotations

from typing import Any

MOST = 1e300


def amount(answer: Any) -> float | None:
    """A settled answer as a float; None where it is no number, or one that no float can be.

    Example:
        >>> amount(3), amount(0.5), amount("3"), amount(2**2000), amount(None)
        (3.0, 0.5, None, None, None)
    """
    return float(answer) if isinstance(answer, float | int) and abs(answer) < MOST else None
