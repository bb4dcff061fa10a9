"""Answers that hand the work on: a finished function of the library does what the reader is asked to write."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import update_wrapper
from inspect import unwrap
from types import FrameType
from typing import Any

from .verdict import Verdict, not_yet

CALLS = 5  # of an answer that are watched: the first ones tell


def unaided(*finished: Callable[..., Any], instead: str) -> Callable[[Callable[..., Verdict]], Callable[..., Verdict]]:
    """Make a check that takes no answer which calls one of these functions, however it got hold of it.

    Args:
        finished: What the exercise is to write, as the library has it.
        instead: What to do in place of calling them, in a sentence.

    Example:
        >>> def library(x):
        ...     return 2 * x
        >>> def check(twice):
        ...     return Verdict("done", "6.") if twice(3) == 6 else not_yet("twice 3 is 6.")
        >>> held = unaided(library, instead="Add x to itself.")(check)
        >>> held(lambda x: x + x), held(lambda x: library(x))
        (done: 6., not yet: your answer calls library, and that is what you are to write here. Add x to itself.)
    """

    def wrap(check: Callable[..., Verdict]) -> Callable[..., Verdict]:
        def asked(answer: Callable[..., Any], *rest: Any) -> Verdict:
            helpers: list[str] = []
            verdict = check(watched(answer, finished, helpers), *rest)
            if verdict.done and helpers:
                return not_yet(f"your answer calls {helpers[0]}, and that is what you are to write here. {instead}")
            return verdict

        update_wrapper(asked, check)
        asked.finished = finished  # pyright: ignore[reportFunctionMemberAccess]
        return asked

    return wrap


def overheard(check: Callable[..., Any], answer: Callable[..., Any]) -> tuple[Callable[..., Any], list[str]]:
    """For a judge: an answer as its check watches it, and the list that its helpers come into.

    Example:
        >>> from minitorch_lab.lessons.lesson_03_backward import check_order, order_of
        >>> from minitorch_lab import ones
        >>> order, helpers = overheard(check_order, order_of)
        >>> len(order((ones(2, requires_grad=True) * 2).grad_fn)), helpers
        (2, ['nodes_of'])
    """
    helpers: list[str] = []
    return watched(answer, getattr(check, "finished", ()), helpers), helpers


def watched(
    answer: Callable[..., Any], finished: tuple[Callable[..., Any], ...], helpers: list[str]
) -> Callable[..., Any]:
    """`answer`, whose first calls add the names of the finished functions that they call to `helpers`.

    Example:
        >>> found = []
        >>> watched(lambda text: unwrap(text), (unwrap,), found)(print) is print, found
        (True, ['unwrap'])
    """
    names = {unwrap(fn).__code__: fn.__name__ for fn in finished}
    left = iter(range(CALLS))

    def seen(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in names:
            helpers.append(names[frame.f_code])

    def asked(*args: Any, **kwargs: Any) -> Any:
        if next(left, None) is None:
            return answer(*args, **kwargs)
        before = sys.getprofile()
        sys.setprofile(seen)
        try:
            return answer(*args, **kwargs)
        finally:
            sys.setprofile(before)

    return update_wrapper(asked, answer)
