"""What every law asks of its numbers: times, counts and rates are not negative, and what divides is not zero."""

from __future__ import annotations

from math import isfinite

from ..errors import ArgumentError


def check_amounts(law: str, *, positive: tuple[str, ...] = (), **amounts: float) -> None:
    """Refuse an amount that nothing can have.

    Args:
        law: The function that was called.
        positive: The names of those that must be more than zero.
        amounts: The arguments, by name.

    Raises:
        ArgumentError: One is negative, infinite or no number, or it is zero and named in `positive`.
    """
    for name, amount in amounts.items():
        least = "more than 0" if name in positive else "0 or more"
        if not isfinite(amount) or amount < 0 or (amount == 0 and name in positive):
            raise ArgumentError(
                f"{law} got {name}={amount!r}.",
                f"It is a finite amount, {least}.",
                "Times are in seconds, sizes in bytes, rates per second: is the unit right?",
            )
