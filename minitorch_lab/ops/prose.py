"""Prose: an op in the words of the views. What is not said of an op, they say in general words.

In slopes and wholes {x}, {y} and {out} stand for the names of what the tape has kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MOVES = "numbers only change places, and the gradient goes back the same way"
TAKEN = "the gradient goes back to where it was taken from"
ADDED = "the gradient is read where the values were added"
CUT = "what was cut away gets no gradient"
UNCHANGED = "passed through unchanged"


@dataclass(frozen=True, slots=True)
class Prose:
    """How an op is written down, and what its rule does, input by input."""

    form: str = ""  # of its operands, as one writes it: {0} + {1}
    why: Mapping[str, str] = field(default_factory=dict[str, str])  # by what the tape keeps, such as "x y": what for
    slopes: tuple[str, ...] = ()  # the derivative by each input, of numbers
    wholes: tuple[str, ...] = ()  # what each input gets, of a tensor that comes from above
    passes: tuple[str, ...] = ()  # where the derivative is 1 or -1: what becomes of the gradient
    nouns: Mapping[str, str] = field(default_factory=dict[str, str])  # what the inputs are called, if not by number

    def slope(self, i: int) -> str:
        """The derivative by input `i`; "" if nothing is said of it."""
        return at(self.slopes, i)

    def whole(self, i: int) -> str:
        """What input `i` gets; "" if nothing is said of it."""
        return at(self.wholes, i)

    def passing(self, i: int) -> str:
        """What becomes of the gradient on its way to input `i`; "" if it is more than a sign."""
        return at(self.passes, i)


def at(told: tuple[str, ...], i: int) -> str:
    """The words for input `i`, if there are any."""
    return told[i] if i < len(told) else ""


PLAIN = Prose()
