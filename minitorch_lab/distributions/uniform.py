"""Uniform: every number between two bounds is as likely as any other."""

from __future__ import annotations

from math import inf, nan
from typing import Any, ClassVar

from ..core.array import entries
from ..errors import ArgumentError
from ..ops.compare import logical_and, where
from ..ops.elementwise import log
from ..tensors.random import rand
from ..tensors.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .utils import broadcast_all


class Uniform(Distribution):
    """Even in [low, high): density 1 / (high - low).

    Args:
        low: The lower bound: a tensor or a number.
        high: The upper bound; it stretches with low.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: A lower bound is not below its upper bound.

    Example:
        >>> import minitorch_lab as ml
        >>> d = ml.distributions.Uniform(0.0, 4.0)
        >>> d.log_prob(ml.tensor(1.0)), d.mean
        (tensor(-1.3863), tensor(2.))
    """

    arg_constraints: ClassVar = {"low": constraints.real, "high": constraints.real}
    has_rsample = True

    def __init__(self, low: Any, high: Any, validate_args: bool | None = None) -> None:
        """Keep both, in one shape."""
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.shape, (), validate_args)
        if self.validates and entries(self.low) is not None and not bool((self.low < self.high).all()):
            raise ArgumentError(
                "Uniform got a low that is not below its high.", "It draws from low to high.", "Did you swap them?"
            )

    @property
    def support(self) -> constraints.Constraint:  # pyright: ignore[reportIncompatibleVariableOverride]
        """From low to high."""
        return constraints.interval(self.low.detach(), self.high.detach())

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Draws through which gradients reach the bounds."""
        luck = rand(*self.shape_of(sample_shape), dtype=self.low.dtype, device=self.low.device)
        return self.low + luck * (self.high - self.low)

    def log_prob(self, value: Any) -> Tensor:
        """-log(high - low) inside, -∞ outside."""
        inside = logical_and(self.validate(value) >= self.low, value < self.high)
        return where(inside, -log(self.high - self.low), -inf)

    def cdf(self, value: Any) -> Tensor:
        """The probability of a draw of at most `value`."""
        return ((self.validate(value) - self.low) / (self.high - self.low)).clamp(0, 1)

    def icdf(self, value: Any) -> Tensor:
        """The value that a draw stays below with probability `value`."""
        return value * (self.high - self.low) + self.low

    def entropy(self) -> Tensor:
        """log(high - low)."""
        return log(self.high - self.low)

    @property
    def mean(self) -> Tensor:
        """The middle."""
        return (self.high + self.low) * 0.5

    @property
    def mode(self) -> Tensor:
        """NaN: none is likelier than another."""
        return self.high * nan

    @property
    def variance(self) -> Tensor:
        """(high - low)² / 12."""
        return (self.high - self.low) ** 2 * (1 / 12)
