"""Distribution: the base of all distributions."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from ..autograd import no_grad
from ..core.array import entries
from ..errors import ArgumentError
from ..ops.elementwise import exp, sqrt
from ..ops.front import taught
from ..tensors.tensor import Tensor
from .constraints import Constraint
from .utils import Shape, sizes_of

PACKAGE = f"{__name__.partition('.')[0]}."


class Distribution:
    """A random variable, or a batch of independent ones. One draw has `event_shape`; the batch has `batch_shape`.

    A subclass names its parameters and where they may lie (`arg_constraints`), keeps them as attributes, and writes
    `rsample` (or `sample`), `log_prob` and what else it knows in closed form.

    Args:
        batch_shape: The shape of the batch.
        event_shape: The shape of one draw.
        validate_args: Whether parameters and values are checked; True if left out.

    Raises:
        ArgumentError: A parameter lies where it may not.

    Example:
        >>> import minitorch_lab as ml
        >>> d = ml.distributions.Normal(ml.zeros(3), ml.ones(3))
        >>> d.batch_shape, d.event_shape, d.sample((5,)).shape
        ((3,), (), (5, 3))
    """

    has_rsample: ClassVar[bool] = False
    has_enumerate_support: ClassVar[bool] = False
    arg_constraints: ClassVar[dict[str, Constraint]] = {}
    validates: ClassVar[bool] = True
    support: Any = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let every distribution of this package answer arguments that do not fit it in words."""
        super().__init_subclass__(**kwargs)
        if "__init__" in vars(cls) and cls.__module__.startswith(PACKAGE):
            cls.__init__ = taught(cls.__init__)

    def __init__(self, batch_shape: Any = (), event_shape: Any = (), validate_args: bool | None = None) -> None:
        """Check the parameters, which are there already."""
        self.batch_shape, self.event_shape = tuple(batch_shape), tuple(event_shape)
        self.validates = type(self).validates if validate_args is None else validate_args  # pyright: ignore[reportAttributeAccessIssue]
        if self.validates:
            for name, constraint in self.arg_constraints.items():
                if name in vars(self):
                    self.check(name, vars(self)[name], constraint)

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether distributions that are made from now on check their parameters."""
        Distribution.validates = value

    def check(self, name: str, value: Any, constraint: Constraint) -> None:
        """Refuse what lies outside a constraint. In a capture, where there are no numbers yet, nothing is checked.

        Raises:
            ArgumentError: It does.
        """
        if (
            isinstance(value, Tensor)
            and entries(value) is not None
            and not bool(constraint.check(value.detach()).all())
        ):
            raise ArgumentError(
                f"{type(self).__name__} got a {name} that lies where it may not.",
                f"It is {constraint.words}.",
                "Look at its least and its largest entry; validate_args=False leaves the check out.",
            )

    def validate(self, value: Any) -> Any:
        """`value`, if a draw can give it.

        Raises:
            ArgumentError: None can.
        """
        if self.validates and isinstance(self.support, Constraint):
            self.check("value", value, self.support)
        return value

    # ---- draws --------------------------------------------------------------------------------------------------

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Draws of shape `sample_shape + batch_shape + event_shape` through which gradients reach the parameters.

        Raises:
            ArgumentError: Draws of this kind pass no gradient.
        """
        raise self.unwritten("rsample", "Use sample, and log_prob times the reward: REINFORCE.")

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Draws of shape `sample_shape + batch_shape + event_shape`, without gradients."""
        with no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n: int) -> Tensor:
        """`n` draws: `sample((n,))`."""
        return self.sample((n,))

    def shape_of(self, sample_shape: Any) -> Shape:
        """The shape of draws."""
        return (*sizes_of(sample_shape), *self.batch_shape, *self.event_shape)

    # ---- what is known in closed form -----------------------------------------------------------------------------

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density, or of the probability, at `value`."""
        raise self.unwritten("log_prob")

    def cdf(self, value: Any) -> Tensor:
        """The probability of a draw of at most `value`."""
        raise self.unwritten("cdf")

    def icdf(self, value: Any) -> Tensor:
        """The value that a draw stays below with probability `value`."""
        raise self.unwritten("icdf")

    def entropy(self) -> Tensor:
        """The mean of -log_prob over draws, in nats."""
        raise self.unwritten("entropy")

    def perplexity(self) -> Tensor:
        """exp(entropy)."""
        return exp(self.entropy())

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All values, along a new first axis."""
        raise self.unwritten("enumerate_support")

    @property
    def mean(self) -> Tensor:
        """The mean."""
        raise self.unwritten("mean")

    @property
    def mode(self) -> Tensor:
        """The likeliest value."""
        raise self.unwritten("mode")

    @property
    def variance(self) -> Tensor:
        """The variance."""
        raise self.unwritten("variance")

    @property
    def stddev(self) -> Tensor:
        """The root of the variance."""
        return sqrt(self.variance)

    # ---- forms --------------------------------------------------------------------------------------------------

    def expand(self, batch_shape: Any) -> Self:
        """The same distribution, for a larger batch."""
        given = {name: value for name, value in vars(self).items() if name in self.arg_constraints}
        shape = sizes_of(batch_shape)
        stretched = {
            name: value.expand(*shape, *value.shape[value.ndim - self.arg_constraints[name].event_dim :])
            for name, value in given.items()
        }
        return type(self)(**stretched, validate_args=False)

    def __repr__(self) -> str:
        """The parameters: those of one number as they are, those of more by their shape."""
        given = {name: value for name, value in vars(self).items() if name in self.arg_constraints}
        shown = [f"{k}: {v.item() if v.numel() == 1 else tuple(v.shape)}" for k, v in given.items()]
        return f"{type(self).__name__}({', '.join(shown)})"

    def unwritten(self, what: str, hint: str = "") -> ArgumentError:
        """The error of something that this distribution does not know."""
        cls = type(self).__name__
        return ArgumentError(
            f"{cls} has no {what}.",
            "A distribution knows what can be said of it in closed form.",
            hint or f"Estimate it from draws: {cls}(...).sample((1000,)).",
        )
