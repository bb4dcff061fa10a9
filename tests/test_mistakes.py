"""What beginners do wrong is told at the line where they did it, in the same words eager, compiled and inside vjp."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import MinitorchError
from tests.wrong_uses.bank import Mistake, Told, as_function, at_once, bank, objects, told

BANK = bank()
MISTAKES = {mistake.code: mistake for mistake in BANK}
# Where a function of the user's is called with what does not fit it, the error is Python's own once it is compiled.
OWN_FUNCTIONS = {"ml.func.vjp(lambda w: w.sum())"}


@pytest.mark.parametrize("code", MISTAKES)
def test_what_is_told_of(code: str) -> None:
    answer = told(lambda: at_once(code, objects()))
    assert answer is not None
    assert (type(answer.error).__name__, str(answer.error)) == MISTAKES[code][1:]
    assert answer.line == len(code.splitlines()), "another line is to blame"
    assert isinstance(answer.error, (MinitorchError, AttributeError))


def test_nearly_every_answer_says_what_to_write() -> None:
    without = [m.code for m in BANK if not any(words in m.text for words in ("Did ", "Write ", "Make ", "Give "))]
    assert len(without) < len(BANK) / 4
    assert all(len(line) < 400 for m in BANK for line in m.text.splitlines())
    assert len(BANK) == len(MISTAKES) >= 400


@pytest.mark.parametrize("way", ["compiled", "differentiated"])
def test_the_words_are_the_same_when(way: str) -> None:
    other: list[str] = []
    for mistake in BANK:
        fn, given = as_function(mistake.code), objects()
        answer = told(lambda fn=fn, given=given: run(way, fn, given))
        if not same(way, mistake, answer):
            other.append(f"{mistake.code}\n  {mistake.text}\n  {'nothing' if answer is None else answer.error}")
    assert other == []


def same(way: str, mistake: Mistake, answer: Told | None) -> bool:
    """Whether a mistake is told in the same words; what a transform forbids or allows, it says itself."""
    if answer is None:  # inside a transform its argument is no leaf, and may be written
        return way == "differentiated" and "on a leaf" in mistake.text
    text = str(answer.error).replace("mistaken.<locals>.", "")
    if (type(answer.error).__name__, text) == mistake[1:]:
        return True
    if way == "compiled":
        return mistake.code in OWN_FUNCTIONS and isinstance(answer.error, TypeError)
    return isinstance(answer.error, MinitorchError) and any(w in text for w in ("transform", "inside vjp", "of vjp"))


def run(way: str, fn: Any, given: dict[str, Any]) -> None:
    """The function, compiled, or inside `vjp` by a factor on its first tensor."""
    if way == "compiled":
        ml.compile(fn)(**given)
    else:
        ml.func.vjp(lambda w: fn(**{**given, "w": w}), given["w"])
