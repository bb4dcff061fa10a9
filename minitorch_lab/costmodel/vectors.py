"""Vector instructions: how many entries one instruction takes, and how many iterations a loop then has."""

from __future__ import annotations

from .checks import check_amounts


def vector_steps(entries: int, lanes: int) -> int:
    """Iterations of a loop that works on `lanes` entries at once.

    Raises:
        ArgumentError: A number is negative, or there are no lanes.

    Example:
        >>> vector_steps(256, 4), vector_steps(257, 4)
        (64, 65)
    """
    check_amounts("vector_steps", positive=("lanes",), entries=entries, lanes=lanes)
    return -(-entries // lanes)
