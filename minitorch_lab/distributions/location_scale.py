"""Families with a place and a width: `loc + scale · z`, where z is drawn from one standard distribution."""

from __future__ import annotations

from math import inf, isfinite, isinf, isnan, nan, pi
from math import log as log_of
from math import sqrt as root
from typing import Any, ClassVar

from ..ops import FUNCTIONS
from ..ops.elementwise import exp, expm1, log, log1p
from ..ops.kinks import abs, sign
from ..tensors.factories import full_like
from ..tensors.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .utils import broadcast_all, uniform_open

EULER = 0.57721566490153286


class LocationScale(Distribution):
    """What the family shares. A subclass says of its standard member (loc 0, scale 1) the density and the moments."""

    arg_constraints: ClassVar = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    standard_mean: ClassVar[float] = 0.0
    standard_mode: ClassVar[float] = 0.0
    standard_variance: ClassVar[float] = 1.0
    standard_entropy: ClassVar[float] = 0.0

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        """Keep both, in one shape."""
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, (), validate_args)

    def standard_log_prob(self, z: Tensor) -> Tensor:
        """The log-density of the standard member."""
        raise self.unwritten("log_prob")

    def standard_cdf(self, z: Tensor) -> Tensor:
        """The distribution function of the standard member."""
        raise self.unwritten("cdf")

    def standard_icdf(self, p: Tensor) -> Tensor:
        """Its inverse."""
        raise self.unwritten("icdf")

    def standard_draw(self, shape: tuple[int, ...]) -> Tensor:
        """Draws of the standard member."""
        return self.standard_icdf(uniform_open(shape, self.loc))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Draws through which gradients reach loc and scale."""
        return self.loc + self.standard_draw(self.shape_of(sample_shape)) * self.scale

    def log_prob(self, value: Any) -> Tensor:
        """The log-density."""
        return self.standard_log_prob((self.validate(value) - self.loc) / self.scale) - log(self.scale)

    def cdf(self, value: Any) -> Tensor:
        """The probability of a draw of at most `value`."""
        return self.standard_cdf((self.validate(value) - self.loc) / self.scale)

    def icdf(self, value: Any) -> Tensor:
        """The value that a draw stays below with probability `value`."""
        return self.loc + self.standard_icdf(value) * self.scale

    def entropy(self) -> Tensor:
        """The mean of -log_prob, in nats."""
        return log(self.scale) + self.standard_entropy

    @property
    def mean(self) -> Tensor:
        """The mean."""
        if isnan(self.standard_mean):
            return full_like(self.loc, nan)
        return self.loc if self.standard_mean == 0 else self.loc + self.scale * self.standard_mean

    @property
    def mode(self) -> Tensor:
        """The likeliest value."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """The variance."""
        if isinf(self.standard_variance):
            return full_like(self.scale, inf)
        return self.scale * self.scale * self.standard_variance

    @property
    def stddev(self) -> Tensor:
        """The standard deviation."""
        return self.scale * root(self.standard_variance) if isfinite(self.standard_variance) else self.variance


class Laplace(LocationScale):
    """Two exponentials back to back: log-density -|z| - log 2 - log scale.

    Args:
        loc: The middle: a tensor or a number.
        scale: The mean distance from it, positive; it stretches with loc.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: A scale is not positive.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.distributions.Laplace(0.0, 1.0).log_prob(ml.tensor(1.0))
        tensor(-1.6931)
    """

    standard_variance, standard_entropy = 2.0, 1.0 + log_of(2.0)

    def standard_log_prob(self, z: Tensor) -> Tensor:
        """-|z| - log 2."""
        return -abs(z) - log_of(2.0)

    def standard_cdf(self, z: Tensor) -> Tensor:
        """Half of what lies beyond |z|, on its side."""
        return -sign(z) * expm1(-abs(z)) * 0.5 + 0.5

    def standard_icdf(self, p: Tensor) -> Tensor:
        """The inverse of that."""
        return -sign(p - 0.5) * log1p(abs(p - 0.5) * -2.0)


class Cauchy(LocationScale):
    """The ratio of two bell curves: log-density -log(1 + z²) - log π - log scale. It has no mean.

    Args:
        loc: The median: a tensor or a number.
        scale: Half the width at half the height, positive; it stretches with loc.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: A scale is not positive.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.distributions.Cauchy(0.0, 1.0).cdf(ml.tensor(1.0))
        tensor(0.7500)
    """

    standard_mean, standard_variance, standard_entropy = nan, inf, log_of(4 * pi)

    def standard_log_prob(self, z: Tensor) -> Tensor:
        """-log(1 + z²) - log π."""
        return -log1p(z * z) - log_of(pi)

    def standard_cdf(self, z: Tensor) -> Tensor:
        """atan(z)/π + 1/2."""
        return FUNCTIONS["atan"](z) * (1 / pi) + 0.5

    def standard_icdf(self, p: Tensor) -> Tensor:
        """tan(π (p - 1/2))."""
        return FUNCTIONS["tan"]((p - 0.5) * pi)


class Gumbel(LocationScale):
    """The largest of many draws: log-density -z - exp(-z) - log scale.

    Args:
        loc: The likeliest value: a tensor or a number.
        scale: The width, positive; it stretches with loc.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: A scale is not positive.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.distributions.Gumbel(0.0, 1.0).mean
        tensor(0.5772)
    """

    standard_mean, standard_variance, standard_entropy = EULER, pi * pi / 6, 1.0 + EULER

    def standard_log_prob(self, z: Tensor) -> Tensor:
        """-z - exp(-z)."""
        return -z - exp(-z)

    def standard_cdf(self, z: Tensor) -> Tensor:
        """exp(-exp(-z))."""
        return exp(-exp(-z))

    def standard_icdf(self, p: Tensor) -> Tensor:
        """-log(-log p)."""
        return -log(-log(p))
