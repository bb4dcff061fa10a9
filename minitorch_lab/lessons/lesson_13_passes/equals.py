"""Rewrites that look right: for which numbers they are not, and the check of what a reader found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...core.array import xp
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..values import plain, settled, shown
from ..verdict import Verdict, answering, done, not_yet, unwritten

SAME = "same"
LARGEST = 2**1024  # beyond all floats


class Claim(NamedTuple):
    """Two functions that are said to be the same, whether they are, and what to think about if not."""

    before: Callable[[Tensor], Any]
    after: Callable[[Tensor], Any]
    exact: bool
    hint: str


def left_first(x: Tensor) -> Tensor:
    """(a + b) + c."""
    return (x[0] + x[1]) + x[2]


def right_first(x: Tensor) -> Tensor:
    """a + (b + c)."""
    return x[0] + (x[1] + x[2])


def fresh(x: Tensor) -> Tensor:
    """Writes to a value of its own."""
    y = x * 1
    y += 1
    return y


def shared(x: Tensor) -> Tensor:
    """Writes to the argument."""
    y = x
    y += 1
    return y


CLAIMS = {
    "x / 2 → x * 0.5": Claim(lambda x: x / 2, lambda x: x * 0.5, True,
        "0.5 is a number that float32 holds exactly, and halving only lowers the exponent."),
    "x / 3 → x * (1 / 3)": Claim(lambda x: x / 3, lambda x: x * (1 / 3), False,
        "1/3 is rounded before it is multiplied, so there are two roundings. Look at the last digits of many numbers."),
    "relu(relu(x)) → relu(x)": Claim(lambda x: x.relu().relu(), lambda x: x.relu(), True,
        "after the first relu nothing is below 0."),
    "x / x → 1": Claim(lambda x: x / x, lambda x: (x * 0) ** 0, False,
        "is there a number that cannot be divided by itself?"),
    "log(exp(x)) → x": Claim(lambda x: x.exp().log(), lambda x: x * 1, False,
        "exp is large very soon, and float32 ends at about 3.4e38."),
    "x + 0 → x": Claim(lambda x: x + 0, lambda x: x * 1, False,
        "floats have two zeros. Which of them is −0.0 + 0, and what is 1 divided by each?"),
    "x + x → x * 2": Claim(lambda x: x + x, lambda x: x * 2, True,
        "both double, and doubling only raises the exponent."),
    "(a + b) + c → a + (b + c)": Claim(left_first, right_first, False,
        "floats round after every sum. Take a large number, its opposite, and a small one."),
    "y = x * 1; y += 1 → y = x; y += 1": Claim(fresh, shared, False,
        "look at x itself, before and after the call. The caller still holds it."),
}  # fmt: skip


class Tried(NamedTuple):
    """What a function gives, and what its argument holds afterwards."""

    result: Any
    x: list[float]


def tried(name: str, numbers: list[float]) -> tuple[Tried, Tried]:
    """Both sides of a rewrite for these numbers: what each gives, and what x holds afterwards.

    Example:
        >>> tried("x + x → x * 2", [1.5])
        (Tried(result=[3.0], x=[1.5]), Tried(result=[3.0], x=[1.5]))
    """
    claim = CLAIMS[name]
    return side(claim.before, numbers), side(claim.after, numbers)


def side(fn: Callable[[Tensor], Any], numbers: list[float]) -> Tried:
    """One function."""
    with xp.errstate(all="ignore"):
        x = tensor([float(v) for v in numbers])
        result = fn(x).tolist()
    return Tried(result, x.tolist())


@answering
def check_found(found: dict[str, Any]) -> Verdict:
    """Check for every rewrite what the reader says: "same", or numbers for which the two sides differ."""
    if unknown := [name for name in found if name not in CLAIMS]:
        return not_yet(f"there is no rewrite {unknown[0]!r}. Leave the names as they are.")
    said = {name: answer for name, answer in found.items() if answer is not None}
    if not said:
        return unwritten('put "same", or a list of numbers, in place of None, for as many as you like.')
    for name, answer in said.items():
        if problem := wrong(name, answer):
            return not_yet(f"{name}: {problem}")
    if left := len(CLAIMS) - len(said):
        return not_yet(f"right so far. {left} {'is' if left == 1 else 'are'} still open.")
    lost = sum(not claim.exact for claim in CLAIMS.values())
    return done(f"{lost} of {len(CLAIMS)} change a result, or the caller's x. Three may stand in a compiler that keeps "
                "every bit. The last one may, too, where nobody writes.")  # fmt: skip


def wrong(name: str, answer: Any) -> str | None:
    """What is wrong with an answer, if anything."""
    claim = CLAIMS[name]
    if isinstance(answer, str):
        if settled(answer) != SAME:
            given = shown(repr(answer))
            return f'you say {given}. Say "same", or show a list of numbers for which the two sides differ.'
        return None if claim.exact else f"not for all numbers: {claim.hint}"
    listed = plain(answer)
    numbers = listed if isinstance(listed, list) else [listed]
    if not numbers or not all(isinstance(v, float) or (isinstance(v, int) and abs(v) < LARGEST) for v in numbers):
        return f"{shown(answer)} is no list of numbers."
    if claim.before is left_first and len(numbers) != 3:
        return "a, b and c are three numbers: give a list of three."
    before, after = tried(name, numbers)
    if repr(before) != repr(after):
        return None
    if claim.exact:
        return f"both sides give {short(before.result)} for your numbers, and they do for all: {claim.hint}"
    return f"both sides give {short(before.result)} for your numbers. They differ for others: {claim.hint}"


def short(result: Any) -> str:
    """A result in a few characters."""
    text = str(result)
    return text if len(text) <= 40 else f"{text[:37]}..."
