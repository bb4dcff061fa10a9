"""Counts and their nouns, for every text that somebody reads."""

from __future__ import annotations

HISSING = ("s", "sh", "ch", "x", "z")


def plural(count: int, one: str, many: str = "") -> str:
    """A count with its noun, in the number that goes with it.

    Args:
        count: How many there are.
        one: The noun for a single one.
        many: The noun for any other count; without it English's usual ending.

    Example:
        >>> plural(1, "node"), plural(2, "pass"), plural(1000, "entry", "entries")
        ('1 node', '2 passes', '1,000 entries')
    """
    return f"{count:,} {one if count == 1 else many or one + ('es' if one.endswith(HISSING) else 's')}"
