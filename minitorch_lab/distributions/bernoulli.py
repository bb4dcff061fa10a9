"""Draws of 0 and 1: Bernoulli, and Geometric, which counts the zeros before the first one."""

from __future__ import annotations

from math import nan
from typing import Any, ClassVar

from ..autograd import no_grad
from ..nn.functional.loss import binary_cross_entropy_with_logits
from ..ops.compare import where
from ..ops.elementwise import log, log1p
from ..tensors.factories import tensor
from ..tensors.random import bernoulli
from ..tensors.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .utils import (
    broadcast_all,
    clamp_probs,
    exactly_one,
    logits_to_probs,
    probs_to_logits,
    uniform_open,
)


class Binary(Distribution):
    """What distributions of a probability share: it is given itself, or by the logarithm of its odds."""

    arg_constraints: ClassVar = {"probs": constraints.unit_interval, "logits": constraints.real}

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        """Keep the one that is given; the other is worked out when it is asked for."""
        exactly_one(type(self).__name__, probs=probs, logits=logits)
        (given,) = broadcast_all(logits if probs is None else probs)
        vars(self)["logits" if probs is None else "probs"] = given
        super().__init__(given.shape, (), validate_args)

    def __getattr__(self, name: str) -> Any:
        """The probability from the log odds, or the other way round."""
        if name == "probs" and "logits" in vars(self):
            return logits_to_probs(vars(self)["logits"], True)
        if name == "logits" and "probs" in vars(self):
            return probs_to_logits(vars(self)["probs"], True)
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    @property
    def param_shape(self) -> tuple[int, ...]:
        """The shape of the parameter."""
        return self.batch_shape


class Bernoulli(Binary):
    """1 with probability `probs`, else 0.

    Args:
        probs: The probability of a 1: a tensor or a number.
        logits: The logarithm of its odds, instead.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: Both or none are given, or an entry is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> d = ml.distributions.Bernoulli(logits=ml.tensor([0.0]))
        >>> d.log_prob(ml.tensor([1.0])), d.mean
        (tensor([-0.6931]), tensor([0.5000]))
    """

    support = constraints.boolean
    has_enumerate_support = True

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Zeros and ones, of floats."""
        with no_grad():
            return bernoulli(self.probs.expand(self.shape_of(sample_shape)))

    def log_prob(self, value: Any) -> Tensor:
        """log p where the value is 1, log(1 - p) where it is 0."""
        logits, value = broadcast_all(self.logits, self.validate(value))
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Tensor:
        """-p log p - (1 - p) log(1 - p)."""
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """0 and 1, along a new first axis."""
        both = tensor([0.0, 1.0], dtype=self.probs.dtype).reshape(2, *(1,) * len(self.batch_shape))
        return both.expand(2, *self.batch_shape) if expand else both

    @property
    def mean(self) -> Tensor:
        """The probability of a 1."""
        return self.probs

    @property
    def mode(self) -> Tensor:
        """The likelier of the two; NaN where they are equally likely."""
        return where(self.probs == 0.5, nan, (self.probs > 0.5).to(self.probs.dtype))

    @property
    def variance(self) -> Tensor:
        """p (1 - p)."""
        return self.probs * (1.0 - self.probs)


class Geometric(Binary):
    """How many zeros come before the first 1: log-probability value · log(1 - p) + log p.

    Args:
        probs: The probability of a 1, above 0: a tensor or a number.
        logits: The logarithm of its odds, instead.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: Both or none are given, or an entry is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.distributions.Geometric(0.5).log_prob(ml.tensor(2.0))
        tensor(-2.0794)
    """

    support = constraints.nonnegative_integer

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Whole numbers, of floats."""
        with no_grad():
            luck = uniform_open(self.shape_of(sample_shape), self.probs)
            return (log(luck) / log1p(-clamp_probs(self.probs))).floor()

    def log_prob(self, value: Any) -> Tensor:
        """The log-probability."""
        value, probs = broadcast_all(self.validate(value), self.probs)
        return value * log1p(-clamp_probs(probs)) + log(probs)

    def entropy(self) -> Tensor:
        """The mean of -log_prob, in nats."""
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs

    @property
    def mean(self) -> Tensor:
        """1/p - 1."""
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Tensor:
        """0."""
        return self.probs * 0.0

    @property
    def variance(self) -> Tensor:
        """(1/p - 1) / p."""
        return (1.0 / self.probs - 1.0) / self.probs
