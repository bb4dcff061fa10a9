"""Draws of one class among several: as its number (Categorical), or as a 1 among zeros (OneHotCategorical)."""

from __future__ import annotations

from math import nan, prod
from typing import Any, ClassVar

from ..autograd import no_grad
from ..core.array import float_limits
from ..ops.indexing import one_hot
from ..tensors.factories import arange, eye
from ..tensors.random import multinomial
from ..tensors.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .utils import broadcast_all, exactly_one, joint_shape, logits_to_probs, probs_to_logits, sizes_of


class Classes(Distribution):
    """What both share: probabilities of classes along the last axis, given themselves or by their logarithms."""

    arg_constraints: ClassVar = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True
    event: ClassVar[bool] = False

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        """Keep the one that is given, scaled so that the probabilities add up to 1."""
        name = exactly_one(type(self).__name__, probs=probs, logits=logits)
        if name == "probs":
            vars(self)[name] = probs / probs.sum(-1, keepdim=True)
        else:
            vars(self)[name] = logits - logits.logsumexp(-1, keepdim=True)
        shape = tuple(vars(self)[name].shape)
        self.num_events = shape[-1]
        super().__init__(shape[:-1], shape[-1:] if self.event else (), validate_args)

    def __getattr__(self, name: str) -> Any:
        """The probabilities from their logarithms, or the other way round."""
        if name == "probs" and "logits" in vars(self):
            return logits_to_probs(vars(self)["logits"])
        if name == "logits" and "probs" in vars(self):
            return probs_to_logits(vars(self)["probs"])
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    @property
    def param_shape(self) -> tuple[int, ...]:
        """The shape of the parameter."""
        return (*self.batch_shape, self.num_events)

    def draw(self, sample_shape: Any) -> Tensor:
        """Class numbers."""
        shape = (*sizes_of(sample_shape), *self.batch_shape)
        with no_grad():
            rows = self.probs.reshape(-1, self.num_events)
            n = prod(sizes_of(sample_shape))
            return multinomial(rows, n, True).mT.reshape(shape) if prod(shape) else arange(0).reshape(shape)

    def entropy(self) -> Tensor:
        """-Σ p log p."""
        least = float(float_limits(self.logits.dtype).min)
        return -(self.logits.clamp(min=least) * self.probs).sum(-1)


class Categorical(Classes):
    """Class `k` with probability `probs[..., k]`; a draw is its number.

    Args:
        probs: (..., classes), 0 or more; they are scaled to add up to 1.
        logits: The logarithms, instead, up to a constant.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: Both or none are given, or an entry is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> d = ml.distributions.Categorical(ml.tensor([1.0, 3.0]))
        >>> d.log_prob(ml.tensor(1)), d.entropy(), d.sample((2, 3)).shape
        (tensor(-0.2877), tensor(0.5623), (2, 3))
    """

    @property
    def support(self) -> constraints.Constraint:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The numbers of the classes."""
        return constraints.integer_interval(0, self.num_events - 1)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Class numbers, int64."""
        return self.draw(sample_shape)

    def log_prob(self, value: Any) -> Tensor:
        """The log-probability of the class at each place."""
        index = self.validate(value).long()
        shape = joint_shape(tuple(index.shape), self.batch_shape)
        logits = self.logits.expand(*shape, self.num_events)
        return logits.gather(-1, index.expand(shape).unsqueeze(-1)).squeeze(-1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All class numbers, along a new first axis."""
        numbers = arange(self.num_events).reshape(-1, *(1,) * len(self.batch_shape))
        return numbers.expand(self.num_events, *self.batch_shape) if expand else numbers

    @property
    def mean(self) -> Tensor:
        """NaN: the numbers are names."""
        return self.probs.sum(-1) * nan

    @property
    def mode(self) -> Tensor:
        """The likeliest class."""
        return self.probs.argmax(-1)

    @property
    def variance(self) -> Tensor:
        """NaN: the numbers are names."""
        return self.mean


class OneHotCategorical(Classes):
    """Class `k` with probability `probs[..., k]`; a draw is a vector with a 1 at `k`.

    Args:
        probs: (..., classes), 0 or more; they are scaled to add up to 1.
        logits: The logarithms, instead, up to a constant.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: Both or none are given, or an entry is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.distributions.OneHotCategorical(ml.tensor([0.0, 1.0])).sample()
        tensor([0., 1.])
    """

    support = constraints.one_hot
    event = True

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Vectors of zeros with a 1, of floats."""
        return one_hot(self.draw(sample_shape), self.num_events).to(self.probs.dtype)

    def log_prob(self, value: Any) -> Tensor:
        """The log-probability of the class that is marked."""
        value, logits = broadcast_all(self.validate(value), self.logits)
        return logits.gather(-1, value.argmax(-1, keepdim=True)).squeeze(-1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All vectors, along a new first axis."""
        n = self.num_events
        vectors = eye(n, dtype=self.probs.dtype).reshape(n, *(1,) * len(self.batch_shape), n)
        return vectors.expand(n, *self.batch_shape, n) if expand else vectors

    @property
    def mean(self) -> Tensor:
        """The probabilities."""
        return self.probs

    @property
    def mode(self) -> Tensor:
        """The vector of the likeliest class."""
        return one_hot(self.probs.argmax(-1), self.num_events).to(self.probs.dtype)

    @property
    def variance(self) -> Tensor:
        """p (1 - p), entry by entry."""
        return self.probs * (1.0 - self.probs)


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """`OneHotCategorical` whose draws pass the gradient that its probabilities would (Y. Bengio and others, 2013).

    Args:
        probs: (..., classes), 0 or more; they are scaled to add up to 1.
        logits: The logarithms, instead, up to a constant.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: Both or none are given, or an entry is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.distributions.OneHotCategoricalStraightThrough(ml.tensor([0.0, 1.0])).rsample()
        tensor([0., 1.])
    """

    has_rsample = True

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Vectors of zeros with a 1, through which gradients reach the probabilities."""
        return self.sample(sample_shape) + (self.probs - self.probs.detach())
