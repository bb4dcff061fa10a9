"""What an answer says, by value: in whatever type a reader or a program writes it down."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from math import isclose, isfinite
from typing import Any

from ..core.array import xp
from ..tensors.tensor import Tensor

__all__ = ["alike", "plain", "settled", "truth", "whole", "whole_numbers"]


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
        >>> whole(3.0), whole(xp.int8(3)), whole(3.5), whole("3")
        (3, 3, None, None)
    """
    number = plain(answer)
    return int(number) if isinstance(number, int | float) and isfinite(number) and number == int(number) else None


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
    """An answer in the form in which it is compared, by value: lists as tuples, words without case and outer spaces.

    A number is a number, in quotes too, and in NumPy's types.

    Example:
        >>> settled([" Its Result", "18", xp.float32(0.5), True]) == ("its result", 18, 0.5, 1)
        True
    """
    known = plain(answer)
    if isinstance(known, list):
        return tuple(map(settled, known))
    if isinstance(known, dict):
        return {key: settled(part) for key, part in known.items()}
    if isinstance(known, str):
        word = known.strip().lower()
        with suppress(ValueError):
            number = float(word.replace("−", "-").replace(",", ""))
            return number if isfinite(number) else word  # "nan" equals "nan"
        return word
    return str(known) if isinstance(known, float) and not isfinite(known) else known


def alike(found: Any, wanted: Any) -> bool:
    """Whether two answers are the same once settled: words and whole numbers exactly, others to rounding.

    Example:
        >>> alike(5.5 + 1.7163, 7.2163), alike([xp.float32(0.1), "A"], (0.1, "a")), alike(8001, 8000)
        (True, True, False)
    """
    one, other = settled(found), settled(wanted)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in other)
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)
    return one == other
