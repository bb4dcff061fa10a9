"""Predictions: a guess written down before the reveal, and an answer that says why."""

from __future__ import annotations

from typing import Any

from .values import alike, settled, shown
from .verdict import Verdict


def predicted(guess: Any, truth: Any, why: str, within: float = 0.0) -> Verdict:
    """Compare a guess with the truth. Without a guess the truth stays hidden.

    Args:
        guess: What the reader wrote; None before that. `alike` says what is the same: a list will do for a tuple,
            "error" for "an error", and four digits for a number that is not whole.
        truth: What it turned out to be.
        why: One or two sentences, for right and wrong guesses alike.
        within: How far off a number may be and still be right, as a part of the truth: 0.5 takes 50 to 150 for 100.

    Example:
        >>> predicted(None, 5, "2 + 3 is 5.")
        no prediction yet: put yours in place of None, run that cell, then this one again.
        >>> predicted(6, 5, "2 + 3 is 5.")
        not quite: you said 6, it is 5. 2 + 3 is 5.
        >>> predicted([3, 1], (3, 1), "Row by row.")
        right: (3, 1). Row by row.
        >>> predicted(90, 101, "Roughly.", within=0.5)
        right: nearly 101. Roughly.
        >>> predicted("18", 18, "By value."), predicted(1, True, "By value.")
        (right: 18. By value., right: True. By value.)
        >>> predicted("(5, 1)", (5, 1), "By value."), predicted(None, None, "By value.")
        (right: (5, 1). By value., right: None. By value.)
    """
    if guess is None and truth is not None:
        return Verdict("no prediction yet", "put yours in place of None, run that cell, then this one again.")
    if alike(guess, truth):
        return Verdict("right", f"{truth}. {why}")
    near = settled(guess)
    if within and truth is not None and isinstance(near, float | int) and abs(near - truth) <= within * abs(truth):
        return Verdict("right", f"nearly {truth}. {why}")
    return Verdict("not quite", f"you said {shown(guess)}, it is {truth}. {why}")
