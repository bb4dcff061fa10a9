"""The right half of a distribution that is the same on both sides of 0."""

from __future__ import annotations

from math import inf, pi
from math import log as log_of
from math import sqrt as root
from typing import Any, ClassVar

from ..ops.compare import where
from ..ops.kinks import abs
from ..tensors.factories import full_like
from ..tensors.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .location_scale import Cauchy, LocationScale
from .normal import Normal
from .utils import broadcast_all


class Half(Distribution):
    """|x| of a draw x of `whole`, whose loc is 0."""

    arg_constraints: ClassVar = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    whole: ClassVar[type[LocationScale]]

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        """Keep the scale."""
        (self.scale,) = broadcast_all(scale)
        super().__init__(self.scale.shape, (), validate_args)
        self.base_dist = self.whole(0.0, self.scale, validate_args=False)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Draws through which gradients reach the scale."""
        return abs(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Any) -> Tensor:
        """The log-density: twice that of the whole, and none below 0."""
        return where(self.validate(value) >= 0, self.base_dist.log_prob(value) + log_of(2.0), -inf)

    def cdf(self, value: Any) -> Tensor:
        """The probability of a draw of at most `value`."""
        return self.base_dist.cdf(self.validate(value)) * 2.0 - 1.0

    def icdf(self, value: Any) -> Tensor:
        """The value that a draw stays below with probability `value`."""
        return self.base_dist.icdf((value + 1.0) * 0.5)

    def entropy(self) -> Tensor:
        """The mean of -log_prob, in nats."""
        return self.base_dist.entropy() - log_of(2.0)

    @property
    def mode(self) -> Tensor:
        """0."""
        return self.scale * 0.0


class HalfNormal(Half):
    """The right half of a bell curve.

    Args:
        scale: The standard deviation of the whole curve, positive: a tensor or a number.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: A scale is not positive.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.distributions.HalfNormal(1.0).mean
        tensor(0.7979)
    """

    whole = Normal

    @property
    def mean(self) -> Tensor:
        """scale · √(2/π)."""
        return self.scale * root(2 / pi)

    @property
    def variance(self) -> Tensor:
        """scale² · (1 - 2/π)."""
        return self.scale * self.scale * (1 - 2 / pi)


class HalfCauchy(Half):
    """The right half of a Cauchy distribution. It has no mean.

    Args:
        scale: The median, positive: a tensor or a number.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: A scale is not positive.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.distributions.HalfCauchy(1.0).cdf(ml.tensor(1.0))
        tensor(0.5000)
    """

    whole = Cauchy

    @property
    def mean(self) -> Tensor:
        """Infinite."""
        return full_like(self.scale, inf)

    @property
    def variance(self) -> Tensor:
        """Infinite."""
        return full_like(self.scale, inf)
