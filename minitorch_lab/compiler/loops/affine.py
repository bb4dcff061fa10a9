"""Affine maps: where an operand lies in memory, or in its own index space, as a sum of loop counters.

    address = const + Σ coefficient · axis

A broadcast is a coefficient 0, a transposition another order, a slice a step and a constant; so a chain of views is one
map, composed with `replace`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...core.array import Shape


@dataclass(frozen=True, slots=True)
class Affine:
    """A map from loop counters to an integer.

    Example:
        >>> i, j = axis("i"), axis("j")
        >>> print(i * 3 + j + Affine((), 1))
        3*i + j + 1
    """

    terms: tuple[tuple[str, int], ...] = ()
    const: int = 0

    def __add__(self, other: Affine) -> Affine:
        """The sum."""
        found = dict(self.terms)
        for name, c in other.terms:
            found[name] = found.get(name, 0) + c
        return Affine(tuple(sorted((name, c) for name, c in found.items() if c)), self.const + other.const)

    def __mul__(self, k: int) -> Affine:
        """The multiple."""
        return Affine(tuple((name, c * k) for name, c in self.terms if k), self.const * k)

    def coefficient(self, name: str) -> int:
        """How far one step of an axis moves."""
        return next((c for a, c in self.terms if a == name), 0)

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes that it depends on."""
        return tuple(name for name, _ in self.terms)

    @property
    def alone(self) -> str | None:
        """The axis that it is, if it is one."""
        return self.terms[0][0] if len(self.terms) == 1 and self.terms[0][1] == 1 and not self.const else None

    def replace(self, by: Mapping[str, Affine]) -> Affine:
        """The map with other maps in the place of axes."""
        out = Affine((), self.const)
        for name, c in self.terms:
            out = out + (by[name] * c if name in by else Affine(((name, c),)))
        return out

    def __str__(self) -> str:
        """`3*i + j + 1`."""
        words = [name if c == 1 else f"{c}*{name}" for name, c in self.terms]
        return " + ".join([*words, *([str(self.const)] if self.const or not words else [])])


Index = tuple[Affine, ...]  # one map per axis of a value
ZERO = Affine()


def axis(name: str) -> Affine:
    """The map that is one axis."""
    return Affine(((name, 1),))


def flat(index: Index, shape: Shape) -> Affine:
    """Where the entry at `index` lies in row order, counted in entries."""
    at, stride = ZERO, 1
    for i, n in zip(reversed(index), reversed(shape), strict=True):
        at, stride = at + i * stride, stride * n
    return at
