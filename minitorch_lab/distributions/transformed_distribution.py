"""TransformedDistribution: what comes out of maps of a random variable; and LogNormal, the best known of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from ..autograd import no_grad
from ..ops.elementwise import exp, expm1
from ..tensors.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .normal import Normal
from .transforms import ComposeTransform, ExpTransform, Transform
from .utils import sizes_of, sum_rightmost


class TransformedDistribution(Distribution):
    """Draws of a base, sent through transforms; the density follows by the change of variables.

    Args:
        base_distribution: The base.
        transforms: One transform or a list of them, the first one first.
        validate_args: Whether values are checked.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.distributions import ExpTransform, Normal, TransformedDistribution
        >>> d = TransformedDistribution(Normal(ml.tensor(0.0), 1.0), [ExpTransform()])
        >>> d.log_prob(ml.tensor(1.0)), d.cdf(ml.tensor(1.0))
        (tensor(-0.9189), tensor(0.5000))
    """

    def __init__(
        self,
        base_distribution: Distribution,
        transforms: Transform | Sequence[Transform],
        validate_args: bool | None = None,
    ) -> None:
        """Keep both."""
        self.base_dist = base_distribution
        self.transforms = [transforms] if isinstance(transforms, Transform) else list(transforms)
        self.whole = ComposeTransform(self.transforms)
        shape = base_distribution.batch_shape + base_distribution.event_shape
        self.events = max(len(base_distribution.event_shape), self.whole.event_dim)
        rest = len(shape) - self.events
        super().__init__(shape[:rest], shape[rest:], validate_args)

    @property
    def has_rsample(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """As the base."""
        return self.base_dist.has_rsample

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Draws through which gradients reach the parameters of the base and of the transforms."""
        return self.whole(self.base_dist.rsample(sample_shape))

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Draws without gradients."""
        with no_grad():
            return self.whole(self.base_dist.sample(sample_shape))

    def log_prob(self, value: Any) -> Tensor:
        """log p(x) - log |dy/dx|, with x the value sent back."""
        x = self.whole.undo(value)
        stretched = sum_rightmost(self.whole.log_abs_det_jacobian(x, value), self.events - self.whole.event_dim)
        base = sum_rightmost(self.base_dist.log_prob(x), self.events - len(self.base_dist.event_shape))
        return base - stretched

    def cdf(self, value: Any) -> Tensor:
        """That of the base at the value sent back; what is left of 1 where the transforms fall."""
        return self.turned(self.base_dist.cdf(self.whole.undo(value)))

    def icdf(self, value: Any) -> Tensor:
        """That of the base, sent through."""
        return self.whole(self.base_dist.icdf(self.turned(value)))

    def turned(self, chance: Any) -> Any:
        """A probability p, or 1 - p where the transforms fall."""
        return (chance - 0.5) * self.whole.sign + 0.5

    def expand(self, batch_shape: Any) -> Self:
        """The same distribution, for a larger batch."""
        inner = self.event_shape[: self.events - len(self.base_dist.event_shape)]
        return self.over(self.base_dist.expand((*sizes_of(batch_shape), *inner)))

    def over(self, base: Distribution) -> Self:
        """The same transforms over another base."""
        return type(self)(base, self.transforms)

    def __repr__(self) -> str:
        """The base, and the transforms."""
        return f"{type(self).__name__}({self.base_dist}, {self.transforms})"


class LogNormal(TransformedDistribution):
    """exp of a bell curve.

    Args:
        loc: The mean of the logarithm: a tensor or a number.
        scale: Its standard deviation, positive.
        validate_args: Whether parameters are checked.

    Raises:
        ArgumentError: A scale is not positive.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.distributions.LogNormal(0.0, 1.0).mean
        tensor(1.6487)
    """

    arg_constraints: ClassVar = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        """Keep the curve."""
        base = Normal(loc, scale, validate_args)
        self.loc, self.scale = base.loc, base.scale
        super().__init__(base, ExpTransform())

    def over(self, base: Any) -> Self:
        """The same over another curve."""
        return type(self)(base.loc, base.scale)

    def entropy(self) -> Tensor:
        """That of the curve, plus its mean."""
        return self.base_dist.entropy() + self.loc

    @property
    def mean(self) -> Tensor:
        """exp(loc + scale²/2)."""
        return exp(self.loc + self.scale * self.scale * 0.5)

    @property
    def mode(self) -> Tensor:
        """exp(loc - scale²)."""
        return exp(self.loc - self.scale * self.scale)

    @property
    def variance(self) -> Tensor:
        """(exp(scale²) - 1) exp(2 loc + scale²)."""
        square = self.scale * self.scale
        return expm1(square) * exp(self.loc * 2.0 + square)
