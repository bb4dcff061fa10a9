"""What a check answers: done, not yet and why, or not written yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from inspect import signature
from textwrap import fill
from typing import Any, ParamSpec, get_origin

from ..errors import MinitorchError
from ..ops.op import Op
from .values import described

P = ParamSpec("P")
WIDTH = 96  # characters: what fits under a cell
PAIR = "max(dim=...) gives two tensors, the largest and where they are. Take its .values."
DICT = "a dict is asked for. Fill in the one that came with the cell."
KINDS: dict[Any, tuple[Any, str]] = {  # by the annotation of a check's parameter: what it takes, and what to give it
    Op: (Op, "an op is asked for. Give what the cell makes of your rule."),
    Mapping: (Mapping, DICT),
    dict: (dict, DICT),
    Callable: (Callable, "a function or a class is asked for. Give its name, without brackets after it."),
}


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
    return not_yet(f"{what} stops with {type(error).__name__}: {describe_error(error)}")


def describe_error(error: Exception) -> str:
    r"""What an exception says, in one line. An error of this package says all of it: the rule and the remedy, too.

    Example:
        >>> from minitorch_lab.errors import ShapeError
        >>> describe_error(ShapeError("sum got dim=2.", "A matrix has the dims 0 and 1.", "Did you mean dim=1?"))
        'sum got dim=2. A matrix has the dims 0 and 1. Did you mean dim=1?'
        >>> describe_error(ValueError("no.\nMore of it."))
        'no.'
    """
    text = str(error)
    if isinstance(error, MinitorchError):
        return " ".join(text.split())
    if "'Extremes'" in text:
        return PAIR
    return text.partition("\n")[0].replace("'Traced'", "'Tensor'")


@cache
def asked_for(check: Callable[..., Any]) -> list[tuple[Any, str]]:
    """For each parameter of a check, the type of what it takes, and what to say of anything else."""
    hints = (parameter.annotation for parameter in signature(check, eval_str=True).parameters.values())
    return [KINDS.get(get_origin(hint) or hint, (object, "")) for hint in hints]


def answering(check: Callable[P, Verdict]) -> Callable[P, Verdict]:
    """A check that has an answer to everything: what is of another type than it asks for is told so.

    Example:
        >>> @answering
        ... def check_half(answer):
        ...     return done("2 × 0.5 is 1.") if 2 * answer == 1 else not_yet("twice a half is one.")
        >>> check_half(0.5), check_half(None)  # doctest: +ELLIPSIS
        (done: 2 × 0.5 is 1., not yet: the check cannot read what you gave it: TypeError: unsupported operand ...)
        >>> @answering
        ... def check_twice(twice: Callable[[int], int]):
        ...     return done("2 · 3 is 6.") if twice(3) == 6 else not_yet("twice three is six.")
        >>> check_twice(6)  # doctest: +ELLIPSIS
        not yet: you gave the int 6, and a function or a class is asked for. Give its name, without ...
    """

    @wraps(check)
    def asked(*args: P.args, **kwargs: P.kwargs) -> Verdict:
        for given, (kind, said) in zip(args, asked_for(check), strict=False):
            if not isinstance(given, kind):
                return not_yet(f"you gave {described(given)}, and {said}")
        try:
            return check(*args, **kwargs)
        except Exception as error:
            said = f"{type(error).__name__}: {describe_error(error).rstrip('.')}"
            return not_yet(f"the check cannot read what you gave it: {said}. Is it of the type that is asked for?")

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
