"""Maps that can be undone, with the logarithm of how much they stretch: what carries a density along."""

from __future__ import annotations

from collections.abc import Sequence
from math import log as log_of
from math import prod
from typing import Any, Self

from ..ops import FUNCTIONS
from ..ops.elementwise import exp, expm1, log, log1p, tanh
from ..ops.kinks import abs
from ..tensors.tensor import Tensor
from .utils import sum_rightmost

softplus, sigmoid, atanh = FUNCTIONS["softplus"], FUNCTIONS["sigmoid"], FUNCTIONS["atanh"]


class Transform:
    """A map y = f(x), its inverse, and log |dy/dx|. `event_dim` axes make up one value.

    Example:
        >>> import minitorch_lab as ml
        >>> f = ml.distributions.ExpTransform()
        >>> x = ml.tensor([0.0, 1.0])
        >>> f.inv(f(x)), f.log_abs_det_jacobian(x, f(x))
        (tensor([0.0000, 1.0000]), tensor([0., 1.]))
    """

    event_dim = 0
    bijective = True
    sign: Any = 1  # -1 where y falls as x rises

    def __init__(self, cache_size: int = 0) -> None:
        """`cache_size` is taken as in PyTorch, and nothing is kept."""

    def __call__(self, x: Any) -> Any:
        """Y = f(x)."""
        raise NotImplementedError

    def undo(self, y: Any) -> Any:
        """X = f⁻¹(y)."""
        raise NotImplementedError

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """log |dy/dx| at x, whose image is y."""
        raise NotImplementedError

    @property
    def inv(self) -> Transform:
        """The map back."""
        return Inverse(self)

    def with_cache(self, cache_size: int = 1) -> Self:
        """The transform itself."""
        return self

    def __eq__(self, other: object) -> bool:
        """Whether both are the same map."""
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        """By kind."""
        return hash(type(self))

    def __repr__(self) -> str:
        """Its name."""
        return f"{type(self).__name__}()"


class Inverse(Transform):
    """A transform, the other way round."""

    def __init__(self, base: Transform) -> None:
        """Keep the transform."""
        self.base, self.event_dim, self.sign = base, base.event_dim, base.sign

    def __call__(self, x: Any) -> Any:
        """The inverse of the base."""
        return self.base.undo(x)

    def undo(self, y: Any) -> Any:
        """The base."""
        return self.base(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Minus that of the base."""
        return -self.base.log_abs_det_jacobian(y, x)

    @property
    def inv(self) -> Transform:
        """The base."""
        return self.base


class ExpTransform(Transform):
    """Y = exp(x)."""

    def __call__(self, x: Any) -> Any:
        """exp(x)."""
        return exp(x)

    def undo(self, y: Any) -> Any:
        """log(y)."""
        return log(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """X."""
        return x


class TanhTransform(Transform):
    """Y = tanh(x): what squashes the actions of soft actor-critic into (-1, 1)."""

    def __call__(self, x: Any) -> Any:
        """tanh(x)."""
        return tanh(x)

    def undo(self, y: Any) -> Any:
        """artanh(y)."""
        return atanh(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """log(1 - tanh² x) = 2 (log 2 - x - softplus(-2x)), which keeps its digits for large x."""
        return (log_of(2.0) - x - softplus(x * -2.0)) * 2.0


class SigmoidTransform(Transform):
    """Y = sigmoid(x)."""

    def __call__(self, x: Any) -> Any:
        """sigmoid(x)."""
        return sigmoid(x)

    def undo(self, y: Any) -> Any:
        """The log odds."""
        return log(y) - log1p(-y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """log sigmoid(x) sigmoid(-x)."""
        return -softplus(-x) - softplus(x)


class SoftplusTransform(Transform):
    """Y = log(1 + exp(x))."""

    def __call__(self, x: Any) -> Any:
        """softplus(x)."""
        return softplus(x)

    def undo(self, y: Any) -> Any:
        """log(exp(y) - 1)."""
        return log(-expm1(-y)) + y

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """log sigmoid(x)."""
        return -softplus(-x)


class AffineTransform(Transform):
    """Y = loc + scale · x.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.distributions.AffineTransform(1.0, 2.0)(ml.tensor(3.0))
        tensor(7.)
    """

    def __init__(self, loc: Any, scale: Any, event_dim: int = 0, cache_size: int = 0) -> None:
        """Keep both."""
        self.loc, self.scale, self.event_dim = loc, scale, event_dim
        self.sign = scale.sign() if isinstance(scale, Tensor) else 1 if scale >= 0 else -1

    def __call__(self, x: Any) -> Any:
        """Loc + scale · x."""
        return self.loc + self.scale * x

    def undo(self, y: Any) -> Any:
        """(y - loc) / scale."""
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """log |scale|, once for every entry of an event."""
        each = x * 0.0 + (
            log(abs(self.scale)) if isinstance(self.scale, Tensor) else log_of(max(self.scale, -self.scale))
        )
        return sum_rightmost(each, self.event_dim)


class PowerTransform(Transform):
    """Y = x to a power, for positive x."""

    def __init__(self, exponent: Any, cache_size: int = 0) -> None:
        """Keep the exponent."""
        self.exponent = exponent
        self.sign = exponent.sign() if isinstance(exponent, Tensor) else 1 if exponent >= 0 else -1

    def __call__(self, x: Any) -> Any:
        """X to the power."""
        return x**self.exponent

    def undo(self, y: Any) -> Any:
        """The root."""
        return y ** (1.0 / self.exponent)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """log |exponent · y / x|."""
        return log(abs(self.exponent * y / x))


class ComposeTransform(Transform):
    """Transforms, one after the other.

    Example:
        >>> import minitorch_lab as ml
        >>> both = ComposeTransform([ExpTransform(), AffineTransform(1.0, 2.0)])
        >>> both(ml.tensor(0.0))
        tensor(3.)
    """

    def __init__(self, parts: Sequence[Transform], cache_size: int = 0) -> None:
        """Keep the parts."""
        self.parts = list(parts)
        self.event_dim = max((part.event_dim for part in self.parts), default=0)
        self.sign = prod((part.sign for part in self.parts), start=1)

    def __call__(self, x: Any) -> Any:
        """The last of the first of x."""
        for part in self.parts:
            x = part(x)
        return x

    def undo(self, y: Any) -> Any:
        """All inverses, from the last to the first."""
        for part in reversed(self.parts):
            y = part.undo(y)
        return y

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """The sum of all."""
        total: Any = 0.0
        for part in self.parts:
            out = part(x)
            total = total + sum_rightmost(part.log_abs_det_jacobian(x, out), self.event_dim - part.event_dim)
            x = out
        return total


__all__ = [
    "AffineTransform",
    "ComposeTransform",
    "ExpTransform",
    "PowerTransform",
    "SigmoidTransform",
    "SoftplusTransform",
    "TanhTransform",
    "Transform",
]
