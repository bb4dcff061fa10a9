"""What an answer says, by value: in whatever type a reader or a program writes it down."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from contextlib import suppress
from math import isclose, isfinite
from typing import Any

from ..core.array import xp
from ..ops.meant import describe_value
from ..tensors.tensor import Tensor

__all__ = ["alike", "described", "plain", "settled", "shown", "truth", "whole", "whole_numbers"]

LONGEST = 60  # characters of a value that a sentence shows
LITTLE = re.compile(r"(?:^|(?<=\s))(?:an?|the|its|about)\s+(?=\d|[^\W\d_]{2})")  # what an answer may do without
SIGNS = re.compile(r"\s*([^\w\s])\s*")
GROUPED = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d*)?")  # 4,194,304
SAME = {"nothing": "none", "yes": True, "true": True, "no": False, "false": False}  # other words for one answer


def described(value: Any) -> str:
    """A value in a sentence about what was given or returned: its type, and what it is if that is short.

    Example:
        >>> described("abc"), described([1, 2]), described(10**400), described(None)
        ("the str 'abc'", 'a list', 'an int of 1,329 bits', 'None')
    """
    text = describe_value(value)
    kind = type(value).__name__
    return text if len(text) <= LONGEST else f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


def shown(value: Any) -> str:
    """A value as it is written where that is short; else its type.

    Example:
        >>> shown([1, 2]), shown("yes"), shown(10**400), shown(settled)
        ('[1, 2]', 'yes', 'an int of 1,329 bits', 'the function settled')
    """
    try:
        text = str(value)
    except ValueError:  # an integer of more digits than Python writes down
        return described(value)
    plainly = len(text) <= LONGEST and "\n" not in text and " at 0x" not in text and not callable(value)
    return text if plainly else described(value)


def plain(answer: Any) -> Any:
    """An answer in Python's own types: arrays and tensors, ranges, sets and all else that can be gone through as lists.

    Example:
        >>> plain((xp.int64(2), range(2), xp.ones(1), {"a": xp.bool_(True)}))
        [2, [0, 1], [1.0], {'a': True}]
    """
    if isinstance(answer, Tensor | xp.ndarray | xp.generic):
        return answer.tolist()
    if isinstance(answer, dict):
        return {key: plain(part) for key, part in answer.items()}
    if isinstance(answer, Iterable) and not isinstance(answer, str | bytes):
        return [plain(part) for part in answer]
    return answer


def whole(answer: Any) -> int | None:
    """The whole number that an answer is, and None if it is none.

    Example:
        >>> whole(3.0), whole(xp.int8(3)), whole(3.5), whole("3"), whole(10**400) == 10**400
        (3, 3, None, None, True)
    """
    number = plain(answer)
    if isinstance(number, float):
        return int(number) if number.is_integer() else None
    return int(number) if isinstance(number, int) else None


def whole_numbers(answer: Any) -> list[int] | None:
    """The whole numbers that an answer lists, and None if it lists anything else.

    Example:
        >>> whole_numbers(range(3)), whole_numbers(xp.array([1.0, 2.0])), whole_numbers([0.5]), whole_numbers(3)
        ([0, 1, 2], [1, 2], None, None)
    """
    parts = plain(answer)
    if not isinstance(parts, list):
        return None
    numbers = [number for part in parts if (number := whole(part)) is not None]
    return numbers if len(numbers) == len(parts) else None


def truth(answer: Any) -> bool | None:
    """True or False, where an answer is one of them, as a number too; None where it is neither.

    Example:
        >>> truth(xp.bool_(True)), truth(0), truth(2), truth("True")
        (True, False, None, None)
    """
    number = whole(answer)
    return bool(number) if number in (0, 1) else None


def settled(answer: Any) -> Any:
    """An answer in the form in which it is compared, by value: lists as tuples, words without what does not matter.

    That is their case, quotes, articles, and the spaces around signs. A number is a number, in quotes too, and in
    NumPy's types; so is a tuple. Yes is True and no is False, and nothing is the same as none.

    Example:
        >>> settled([" Its Result", "18", xp.float32(0.5), True]) == ("result", 18, 0.5, 1)
        True
        >>> settled("(5, 1)"), settled("(3*x) ** 2") == settled("(3 * x)**2"), settled(None)
        ((5, 1), True, 'none')
    """
    known = plain(answer)
    if isinstance(known, list):
        return tuple(map(settled, known))
    if isinstance(known, dict):
        return {key: settled(part) for key, part in known.items()}
    if isinstance(known, str):
        return read(known)
    if isinstance(known, float) and not isfinite(known):
        return str(known)
    return "none" if known is None else known


def read(text: str) -> Any:
    """What somebody has written down: a number, a tuple, or words."""
    bare = text.strip().strip("\"'`").strip().replace("−", "-")
    words = LITTLE.sub("", bare.lower().rstrip("!"))
    with suppress(ValueError):
        number = float(words.replace(",", "") if GROUPED.fullmatch(words) else words)
        return number if isfinite(number) else words  # "nan" equals "nan"
    if "," in bare:
        with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            parts = ast.literal_eval(bare)
            if isinstance(parts, tuple | list):
                return settled(parts)
    words = " ".join(SIGNS.sub(r"\1", words.rstrip(".")).split())
    return SAME.get(words, words)


def listed(text: str) -> tuple[Any, ...]:
    """A text as the list that was meant, its entries without quotes.

    Example:
        >>> listed("[PowBackward, MulBackward]"), listed("5,100")
        (('powbackward', 'mulbackward'), (5.0, 100.0))
    """
    return tuple(map(read, text.strip().strip("()[]").split(",")))


def alike(found: Any, wanted: Any) -> bool:
    """Whether two answers are the same once settled: words and whole numbers exactly, others to four digits.

    Example:
        >>> alike(5.5 + 1.7163, 7.2163), alike([xp.float32(0.1), "A"], (0.1, "a")), alike(8001, 8000)
        (True, True, False)
        >>> alike(271.8282, 271.83), alike("error", "an error"), alike("(5, 1)", (5, 1)), alike(None, "nothing")
        (True, True, True, True)
    """
    one, other = settled(found), settled(wanted)
    if isinstance(other, tuple):
        one = listed(found) if isinstance(found, str) and not isinstance(one, tuple) else one
        return isinstance(one, tuple) and len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in other)
    if isinstance(one, float | int) and isinstance(other, float | int):
        return near(one, other)
    return bool(one == other)


def near(one: float, other: float) -> bool:
    """Whether two numbers are the same: whole ones exactly, others to four digits."""
    if one == other or (whole(one) is not None and whole(other) is not None):
        return one == other
    with suppress(OverflowError):  # an integer beyond all floats
        return f"{one:.4g}" == f"{other:.4g}" or isclose(one, other, rel_tol=1e-4, abs_tol=1e-9)
    return False
