"""Constraints: which values a parameter may have, and where a draw can lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops.compare import logical_and
from ..tensors.tensor import Tensor


class Constraint:
    """A set of values. `check(x)` says entry by entry (or vector by vector) which of `x` lie in it.

    Args:
        words: What the values are, in a sentence: "a positive number".
        check: From a tensor to truth values, without the last `event_dim` axes.
        is_discrete: Whether the values are whole numbers.
        event_dim: How many axes make up one value: 1 of a vector, 2 of a matrix.

    Example:
        >>> import minitorch_lab as ml
        >>> positive.check(ml.tensor([1.0, -1.0])).tolist(), positive
        ([True, False], a positive number)
    """

    def __init__(
        self, words: str, check: Callable[[Tensor], Tensor], is_discrete: bool = False, event_dim: int = 0
    ) -> None:
        """Keep the settings."""
        self.words, self.check, self.is_discrete, self.event_dim = words, check, is_discrete, event_dim

    def __repr__(self) -> str:
        """The values in words."""
        return self.words


def greater_than(lower_bound: Any) -> Constraint:
    """All numbers above a bound."""
    return Constraint(f"a number above {lower_bound}", lambda x: x > lower_bound)


def greater_than_eq(lower_bound: Any) -> Constraint:
    """All numbers from a bound on."""
    return Constraint(f"a number of {lower_bound} or more", lambda x: x >= lower_bound)


def less_than(upper_bound: Any) -> Constraint:
    """All numbers below a bound."""
    return Constraint(f"a number below {upper_bound}", lambda x: x < upper_bound)


def interval(lower_bound: Any, upper_bound: Any) -> Constraint:
    """All numbers between two bounds, and the bounds."""
    words = f"a number from {lower_bound} to {upper_bound}"
    return Constraint(words, lambda x: logical_and(x >= lower_bound, x <= upper_bound))


def integer_interval(lower_bound: Any, upper_bound: Any) -> Constraint:
    """All whole numbers between two bounds, and the bounds."""

    def check(x: Tensor) -> Tensor:
        return logical_and(whole(x), logical_and(x >= lower_bound, x <= upper_bound))

    return Constraint(f"a whole number from {lower_bound} to {upper_bound}", check, True)


def whole(x: Tensor) -> Tensor:
    """Which entries are whole numbers."""
    return x % 1 == 0


def independent(base: Constraint, reinterpreted_batch_ndims: int) -> Constraint:
    """A constraint whose values are `reinterpreted_batch_ndims` axes of those of another; all of them lie in it."""

    def check(x: Tensor) -> Tensor:
        fits = base.check(x)
        return fits.reshape(*fits.shape[: fits.ndim - reinterpreted_batch_ndims], -1).all(-1)

    return Constraint(base.words, check, base.is_discrete, base.event_dim + reinterpreted_batch_ndims)


def has_positive_diagonal(x: Tensor) -> Tensor:
    """Which matrices are lower triangles with a positive diagonal."""
    flat = (x.tril() == x).reshape(*x.shape[:-2], -1).all(-1)
    return logical_and(flat, (x.diagonal(dim1=-2, dim2=-1) > 0).all(-1))


real = Constraint("a number", lambda x: x == x)
positive = Constraint("a positive number", lambda x: x > 0)
nonnegative = Constraint("a number of 0 or more", lambda x: x >= 0)
unit_interval = interval(0.0, 1.0)
boolean = Constraint("0 or 1", lambda x: (x == 0) | (x == 1), True)
nonnegative_integer = Constraint("a whole number, 0 or more", lambda x: logical_and(whole(x), x >= 0), True)
positive_integer = Constraint("a whole number, 1 or more", lambda x: logical_and(whole(x), x >= 1), True)
real_vector = independent(real, 1)
simplex = Constraint(
    "numbers of 0 or more that add up to 1",
    lambda x: logical_and((x >= 0).all(-1), (x.sum(-1) - 1).abs() < 1e-6),
    False,
    1,
)
one_hot = Constraint("a 1 among zeros", lambda x: logical_and(((x == 0) | (x == 1)).all(-1), x.sum(-1) == 1), True, 1)
lower_cholesky = Constraint("a lower triangle with a positive diagonal", has_positive_diagonal, False, 2)
positive_definite = Constraint(
    "a symmetric matrix",
    lambda x: ((x - x.mT).abs() < 1e-6).reshape(*x.shape[:-2], -1).all(-1),
    False,
    2,
)

__all__ = [
    "Constraint",
    "boolean",
    "greater_than",
    "greater_than_eq",
    "independent",
    "integer_interval",
    "interval",
    "less_than",
    "lower_cholesky",
    "nonnegative",
    "nonnegative_integer",
    "one_hot",
    "positive",
    "positive_definite",
    "positive_integer",
    "real",
    "real_vector",
    "simplex",
    "unit_interval",
]
