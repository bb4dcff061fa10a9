"""The check of the reader's break-even: from how many steps on compiling has paid."""

from __future__ import annotations

from collections.abc import Callable
from math import isinf
from typing import Any

from ..values import plain, whole
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from .amounts import amount

Pays = Callable[[int, int, int, int], Any]
NEVER = -1
ASKED: dict[str, tuple[int, int, int, int]] = {
    "a small step": (160, 8, 250_000, 0),
    "even": (10, 5, 1_000, 0),
    "just not even": (10, 7, 1_000, 0),
    "three changes": (10, 5, 1_000, 3),
    "three changes, not even": (10, 7, 1_000, 3),
    "nothing gained": (10, 10, 1_000, 0),
    "compiled is slower": (10, 12, 1_000, 2),
    "pays at once": (5_000, 100, 30, 0),
    "a long compilation": (690, 465, 30_000_000, 10),
}


def least_steps(eager: int, compiled: int, setup: int, changes: int) -> int:
    """The fewest steps after which compiling has paid; `NEVER` if it does not.

    Example:
        >>> least_steps(10, 7, 1_000, 0), least_steps(10, 10, 1_000, 0) == NEVER
        (334, True)
    """
    return -(-setup * (1 + changes) // (eager - compiled)) if eager > compiled else NEVER


def steps_in(answer: Any) -> int | None:
    """The steps that an answer says, `NEVER` for None and infinity, and None for what is no number of steps.

    Example:
        >>> steps_in(334.0), steps_in(None), steps_in(float("inf")), steps_in("334"), steps_in(0.5)
        (334, -1, -1, None, None)
    """
    number = plain(answer)
    if number is None or (isinstance(number, float) and isinf(number) and number > 0):
        return NEVER
    found = whole(number)
    return found if found is not None and found >= 0 else None


@answering
def check_pays(pays_from: Pays) -> Verdict:
    """Check the reader's break-even on both sides of it."""
    answers: dict[str, Any] = {}
    for name, numbers in ASKED.items():
        found, error = attempt(pays_from, *numbers)
        if error is not None and isinstance(error, ZeroDivisionError):
            return not_yet("you divide by 0 where both ways are equally fast. Then compiling never pays: None.")
        if error is not None:
            return stopped(f"your function, at {name},", error)
        answers[name] = plain(found)
    if all(found == 0 for found in answers.values()):
        return unwritten("compiling always pays at once.")
    for name, numbers in ASKED.items():
        if steps_in(answers[name]) != least_steps(*numbers):
            return not_yet(f"{wrong_steps(answers[name], *numbers)} {said(name, answers[name], *numbers)}")
    return done("what a step saves has to earn what all compilations took, and a program that changes compiles again.")


def said(name: str, found: Any, eager: int, compiled: int, setup: int, changes: int) -> str:
    """Which answer is another one."""
    least = least_steps(eager, compiled, setup, changes)
    right = "it never pays" if least == NEVER else f"it is {least:,}"
    asked = f"{eager:,} µs eager, {compiled:,} µs compiled, {setup:,} µs to compile, {changes} changes"
    return f"For {name} ({asked}) you say {found!r:.20}, and {right}."


def wrong_steps(found: Any, eager: int, compiled: int, setup: int, changes: int) -> str:
    """The thought behind another number of steps."""
    number = amount(found)
    if eager <= compiled:
        return "where a compiled step is not faster, no number of steps earns the compilation: None."
    right, once = least_steps(eager, compiled, setup, changes), setup / (eager - compiled)
    if found is None:
        return "each compiled step is faster than an eager one, so some number of them is enough."
    if number is None:
        return "it is a number of steps, or None."
    if changes and number in (once, -(-setup // (eager - compiled)), setup // (eager - compiled)):
        return "after every change the program is compiled again, and the first time there was no change before."
    if changes and number in (changes * once, -(-setup * changes // (eager - compiled))):
        return "it is compiled once before the first change, too: one time more than there are changes."
    if number == (1 + changes) * once:
        return "nobody makes a part of a step: it is the first whole number that is enough. Round up."
    if number == right - 1:
        return "with one step less than that is right, the compilation has not been earned: round up."
    if number == right + 1:
        return "where both have taken the same, compiling has paid: if it divides evenly, nothing is added."
    if number and number == -(-setup * (1 + changes) // eager):
        return "a compiled step takes time, too. What a step saves is the difference."
    if number and number == -(-setup * (1 + changes) // max(compiled, 1)):
        return "you divide by the time of a compiled step. What a step saves is the difference to an eager one."
    return "each step saves eager less compiled, and all that is saved has to be as much as all compilations took."
