"""What a student reads of a hint: its sentence with the holes filled, and where that cannot be, without them.

The lesson's check, which says what belongs into the holes, runs beside the student's code: what it says is a claim, and
could be anything. So a hole takes numbers, and words that stand in the lessons; all else is left out.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Set
from functools import cache
from pathlib import Path

from .. import lessons
from .sentences import HOLE

WORD = re.compile(r"[^\W\d]\w*")
CLAUSE = re.compile(r"(?<=[.?!:;])\s+")
LONGEST = 200  # characters in a hole
SHORTEST = 18  # characters that say something


def told(hint: str, said: str, words: Set[str]) -> str:
    """A hint as a student reads it, or "" when nothing is left of it.

    Args:
        hint: A sentence of the judge, in which `HOLE` stands for what a check fills in.
        said: What the check has said.
        words: The words that a hole may take.

    Example:
        >>> told("for … rows you say …, and it is ….", "for 3 rows you say 12, and it is 48.", set())
        'for 3 rows you say 12, and it is 48.'
        >>> told("… stops with …: …", "f stops with ValueError: my own words", {"f", "ValueError"})
        'f stops with ValueError.'
        >>> told("it holds a …. Keep the shape as well.", "it holds a secret. Keep the shape as well.", set())
        'Keep the shape as well.'
    """
    if HOLE not in hint:
        return hint
    parts = hint.split(HOLE)
    values = [value if may_be_told(value, words) else HOLE for value in holes(said, parts)]
    text = parts[0] + "".join(value + part for value, part in zip(values, parts[1:], strict=True))
    whole = " ".join(clause for clause in CLAUSE.split(text) if HOLE not in clause).strip()
    if whole != text.strip() and whole.endswith((":", ";", ",")):
        whole = whole[:-1] + "."
    return whole if len(whole) >= SHORTEST or whole == text.strip() else ""


def holes(said: str, parts: list[str]) -> list[str]:
    """What stands in a text between the parts of a sentence; `HOLE` everywhere, when they are not all there."""
    at = said.find(parts[0]) + len(parts[0])
    values: list[str] = []
    for number, part in enumerate(parts[1:], start=1):
        found = ending(said, part, at) if part else len(said) if number == len(parts) - 1 else at
        if found < 0 or parts[0] not in said:
            return [HOLE] * (len(parts) - 1)
        values.append(said[at:found])
        at = found + len(part)
    return values


def ending(said: str, part: str, at: int) -> int:
    """Where a part of a sentence stands; one that ends a clause is followed by a blank, and is no point in a number."""
    found = said.find(part, at)
    while found >= 0 and part[-1] in ".,;:" and said[found + len(part) : found + len(part) + 1].strip():
        found = said.find(part, found + 1)
    return found


def may_be_told(value: str, words: Set[str]) -> bool:
    """Whether a student may read what fills a hole: numbers, and words that are no secret."""
    known = all(word in words for word in WORD.findall(value))
    return len(value) <= LONGEST and value.isprintable() and HOLE not in value and known


@cache
def public_words() -> frozenset[str]:
    """The words of the lessons and of Python itself: students have them all.

    Example:
        >>> "gradient" in public_words(), "canary" in public_words()
        (True, False)
    """
    texts = (path.read_text("utf-8") for path in Path(lessons.__file__).parent.rglob("*.py"))
    return frozenset(word for text in texts for word in WORD.findall(text)) | {*vars(builtins)}
