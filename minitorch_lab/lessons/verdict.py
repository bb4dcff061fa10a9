"""What a check answers: done, not yet and why, or not written yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from textwrap import fill
from typing import Any, ParamSpec

P = ParamSpec("P")
WIDTH = 96  # characters: what fits under a cell


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of a check. It shows as text, so that a notebook prints it as the value of a cell.

    Example:
        >>> Verdict("not yet", "you overwrote instead of adding.")
        not yet: you overwrote instead of adding.
    """

    state: str
    text: str

    @property
    def done(self) -> bool:
        """Whether the exercise is solved."""
        return self.state == "done"

    def __repr__(self) -> str:
        return f"{self.state}: {self.text}"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What Jupyter shows: the same, broken between words."""
        printer.text(fill(repr(self), WIDTH, subsequent_indent="  ", break_long_words=False))


def done(text: str) -> Verdict:
    """The exercise is solved; `text` says what that shows."""
    return Verdict("done", text)


def not_yet(text: str) -> Verdict:
    """Something is in the way; `text` names the misconception, never just "wrong"."""
    return Verdict("not yet", text)


def unwritten(text: str) -> Verdict:
    """The starter still stands as it was."""
    return Verdict("not written yet", text)


def stopped(what: str, error: Exception) -> Verdict:
    """The reader's code ended with an exception."""
    return not_yet(f"{what} stops with {type(error).__name__}: {str(error).partition(chr(10))[0]}")


def answering(check: Callable[P, Verdict]) -> Callable[P, Verdict]:
    """A check that has an answer to everything: what it cannot even look at is not yet an answer of the right kind.

    Example:
        >>> @answering
        ... def check_half(answer):
        ...     return done("2 × 0.5 is 1.") if 2 * answer == 1 else not_yet("twice a half is one.")
        >>> check_half(0.5), check_half(None)  # doctest: +ELLIPSIS
        (done: 2 × 0.5 is 1., not yet: the check cannot read what you gave it: TypeError: unsupported operand ...)
    """

    @wraps(check)
    def asked(*args: P.args, **kwargs: P.kwargs) -> Verdict:
        try:
            return check(*args, **kwargs)
        except Exception as error:
            if isinstance(error, AttributeError) and error.name in ("get", "items", "keys", "values"):
                given = type(error.obj).__name__
                return not_yet(f"you gave a {given}, and a dict is asked for. Fill in the one that came with the cell.")
            said = f"{type(error).__name__}: {str(error).partition(chr(10))[0].rstrip('.')}"
            return not_yet(f"the check cannot read what you gave it: {said}. Is it of the kind that is asked for?")

    return asked


def attempt(fn: Callable[..., Any], *args: Any) -> tuple[Any, Exception | None]:
    """What `fn(*args)` gives, and the exception that it ended with, if any.

    Example:
        >>> attempt(int, "3"), type(attempt(int, "three")[1]).__name__
        ((3, None), 'ValueError')
    """
    try:
        return fn(*args), None
    except Exception as error:  # a reader's function may do anything; the check has to say what
        return None, error
