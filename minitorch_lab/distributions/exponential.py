"""Exponential: how long something takes that can happen at any moment."""

from __future__ import annotations

from typing import Any, ClassVar

from ..ops.elementwise import exp, log, log1p
from ..tensors.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .utils import broadcast_all, uniform_open


class Exponential(Distribution):
    """Log-density log(rate) - rate · value, from 0 on.

    Args:
        rate: One over the mean, positive: a tensor or a number.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: A rate is not positive.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.distributions.Exponential(ml.tensor([2.0])).log_prob(ml.tensor([0.5]))
        tensor([-0.3069])
    """

    arg_constraints: ClassVar = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        """Keep the rate."""
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, (), validate_args)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Draws through which gradients reach the rate."""
        return -log(uniform_open(self.shape_of(sample_shape), self.rate)) / self.rate

    def log_prob(self, value: Any) -> Tensor:
        """log(rate) - rate · value."""
        return log(self.rate) - self.rate * self.validate(value)

    def cdf(self, value: Any) -> Tensor:
        """1 - exp(-rate · value)."""
        return 1.0 - exp(-self.rate * self.validate(value))

    def icdf(self, value: Any) -> Tensor:
        """-log(1 - value) / rate."""
        return -log1p(-value) / self.rate

    def entropy(self) -> Tensor:
        """1 - log(rate)."""
        return 1.0 - log(self.rate)

    @property
    def mean(self) -> Tensor:
        """1 / rate."""
        return 1.0 / self.rate

    @property
    def mode(self) -> Tensor:
        """0."""
        return self.rate * 0.0

    @property
    def variance(self) -> Tensor:
        """1 / rate²."""
        return 1.0 / (self.rate * self.rate)
