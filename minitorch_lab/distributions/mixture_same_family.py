"""MixtureSameFamily: first one of several components is drawn, then a value of it."""

from __future__ import annotations

from typing import Any, Self

from ..autograd import no_grad
from ..errors import ShapeError
from ..tensors.tensor import Tensor
from .categorical import Categorical
from .distribution import Distribution
from .utils import sizes_of


class MixtureSameFamily(Distribution):
    """A mixture of components that are one batch: the last axis of its batch counts them.

    Args:
        mixture_distribution: Which component: a `Categorical`.
        component_distribution: The components.
        validate_args: Whether values are checked.

    Raises:
        ShapeError: There are not as many components as classes.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.distributions import Categorical, MixtureSameFamily, Normal
        >>> d = MixtureSameFamily(Categorical(ml.ones(2)), Normal(ml.tensor([-1.0, 1.0]), 1.0))
        >>> d.mean, d.variance, d.sample((3,)).shape
        (tensor(0.), tensor(2.), (3,))
    """

    def __init__(
        self,
        mixture_distribution: Categorical,
        component_distribution: Distribution,
        validate_args: bool | None = None,
    ) -> None:
        """Keep both."""
        count, batch = mixture_distribution.num_events, component_distribution.batch_shape
        if not batch or batch[-1] != count:
            raise ShapeError(
                f"MixtureSameFamily got {count} classes and components of shape {batch}.",
                "The last axis of the components counts them.",
                "Give one component for each class.",
            )
        self.mixture_distribution, self.component_distribution = mixture_distribution, component_distribution
        super().__init__(batch[:-1], component_distribution.event_shape, validate_args)

    def spread(self, x: Tensor) -> Tensor:
        """Something of the classes (..., classes) beside the components (..., classes, *event)."""
        return x.reshape(*x.shape, *(1,) * len(self.event_shape))

    def beside(self, value: Any) -> Tensor:
        """A value, with an axis for the components."""
        return value.unsqueeze(-1 - len(self.event_shape))

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Draws without gradients."""
        axis = len(sizes_of(sample_shape)) + len(self.batch_shape)
        with no_grad():
            which = self.mixture_distribution.sample(sample_shape)
            values = self.component_distribution.sample(sample_shape)
            index = which.reshape(*which.shape, 1, *(1,) * len(self.event_shape))
            index = index.expand(*self.shape_of(sample_shape)[:axis], 1, *self.event_shape)
            return values.gather(axis, index).squeeze(axis)

    def log_prob(self, value: Any) -> Tensor:
        """log Σ weight · density."""
        each = self.component_distribution.log_prob(self.beside(value))
        return (each + self.mixture_distribution.logits).logsumexp(-1)

    def cdf(self, value: Any) -> Tensor:
        """Σ weight · cdf."""
        return (self.component_distribution.cdf(self.beside(value)) * self.mixture_distribution.probs).sum(-1)

    @property
    def mean(self) -> Tensor:
        """Σ weight · mean."""
        axis = -1 - len(self.event_shape)
        return (self.spread(self.mixture_distribution.probs) * self.component_distribution.mean).sum(axis)

    @property
    def variance(self) -> Tensor:
        """The mean of the variances, plus the variance of the means."""
        axis, weights = -1 - len(self.event_shape), self.spread(self.mixture_distribution.probs)
        apart = self.component_distribution.mean - self.beside(self.mean)
        return (weights * (self.component_distribution.variance + apart * apart)).sum(axis)

    def expand(self, batch_shape: Any) -> Self:
        """The same distribution, for a larger batch."""
        shape, n = sizes_of(batch_shape), self.mixture_distribution.num_events
        return type(self)(self.mixture_distribution.expand(shape), self.component_distribution.expand((*shape, n)))

    def __repr__(self) -> str:
        """Both parts."""
        return f"MixtureSameFamily({self.mixture_distribution}, {self.component_distribution})"
