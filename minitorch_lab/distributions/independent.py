"""Independent: axes of a batch, seen as axes of one draw."""

from __future__ import annotations

from typing import Any, Self

from ..errors import ArgumentError
from ..tensors.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .utils import sizes_of, sum_rightmost


class Independent(Distribution):
    """The last axes of a batch as one event: `log_prob` adds up over them.

    Args:
        base_distribution: The distribution.
        reinterpreted_batch_ndims: How many of its axes.
        validate_args: Whether values are checked.

    Raises:
        ArgumentError: The batch has fewer axes.

    Example:
        >>> import minitorch_lab as ml
        >>> d = ml.distributions.Independent(ml.distributions.Normal(ml.zeros(5, 3), 1.0), 1)
        >>> d.batch_shape, d.event_shape, d.log_prob(ml.zeros(5, 3)).shape
        ((5,), (3,), (5,))
    """

    def __init__(
        self, base_distribution: Distribution, reinterpreted_batch_ndims: int, validate_args: bool | None = None
    ) -> None:
        """Keep the distribution."""
        shape, n = base_distribution.batch_shape, reinterpreted_batch_ndims
        if n > len(shape):
            raise ArgumentError(
                f"Independent got reinterpreted_batch_ndims={n} for a batch of shape {shape}.",
                "It takes the last axes of the batch.",
                f"Did you mean reinterpreted_batch_ndims={len(shape)}?",
            )
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, n
        rest = len(shape) - n
        super().__init__(shape[:rest], (*shape[rest:], *base_distribution.event_shape), validate_args)

    @property
    def has_rsample(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """As the base."""
        return self.base_dist.has_rsample

    @property
    def support(self) -> constraints.Constraint:  # pyright: ignore[reportIncompatibleVariableOverride]
        """As the base, for all parts."""
        return constraints.independent(self.base_dist.support, self.reinterpreted_batch_ndims)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Draws of the base."""
        return self.base_dist.rsample(sample_shape)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Draws of the base."""
        return self.base_dist.sample(sample_shape)

    def log_prob(self, value: Any) -> Tensor:
        """That of the base, added up over the event."""
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Tensor:
        """That of the base, added up over the event."""
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    @property
    def mean(self) -> Tensor:
        """That of the base."""
        return self.base_dist.mean

    @property
    def mode(self) -> Tensor:
        """That of the base."""
        return self.base_dist.mode

    @property
    def variance(self) -> Tensor:
        """That of the base."""
        return self.base_dist.variance

    def expand(self, batch_shape: Any) -> Self:
        """The same distribution, for a larger batch."""
        inner = self.event_shape[: self.reinterpreted_batch_ndims]
        return type(self)(self.base_dist.expand((*sizes_of(batch_shape), *inner)), self.reinterpreted_batch_ndims)

    def __repr__(self) -> str:
        """The base, and how many axes."""
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"
