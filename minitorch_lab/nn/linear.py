"""Linear: an affine map of the last axis."""

from __future__ import annotations

from math import sqrt

from ..array import float32
from ..errors import ArgumentError
from ..ops.front import taught
from ..ops.linalg import linear_op
from ..random import rand
from ..tensor import Tensor
from .module import Module
from .parameter import Parameter


class Linear(Module):
    """`y = x @ weight.T + bias`, on the last axis of `x`.

    The weights and biases start uniform in ±1/√in_features, as in PyTorch, so that a unit's output has about the
    same size whatever the number of its inputs (LeCun and others, Efficient BackProp, 1998, section 4.6).

    Args:
        in_features: Length of the last axis of `x`.
        out_features: Length of the last axis of `y`.
        bias: False leaves the bias out.
        dtype: float32 or float64.

    Shape:
        x (..., in_features), weight (out_features, in_features), bias (out_features,), y (..., out_features).

    Raises:
        ArgumentError: A size is not a positive whole number.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.Linear(3, 2)
        >>> layer
        Linear(in_features=3, out_features=2, bias=True)
        >>> layer(ml.ones(5, 3)).shape
        (5, 2)
    """

    weight: Tensor
    bias: Tensor | None

    @taught
    def __init__(self, in_features: int, out_features: int, bias: bool = True, dtype: object = float32) -> None:
        """Draw the starting values from the global generator."""
        super().__init__()
        self.in_features = positive("in_features", in_features)
        self.out_features = positive("out_features", out_features)
        bound = 1.0 / sqrt(in_features)
        self.weight = Parameter(uniform((out_features, in_features), bound, dtype))
        self.register_parameter("bias", Parameter(uniform((out_features,), bound, dtype)) if bias else None)

    def forward(self, x: Tensor) -> Tensor:
        """Apply the map to `x` (..., in_features)."""
        return linear_op(x, self.weight) if self.bias is None else linear_op(x, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


def uniform(shape: tuple[int, ...], bound: float, dtype: object) -> Tensor:
    """Random numbers from -bound to bound."""
    return (rand(*shape, dtype=dtype) * 2.0 - 1.0) * bound


def positive(name: str, n: int) -> int:
    """`n`, if it is a whole number of at least one."""
    if not isinstance(n, int) or n < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(
            f"Linear got {name}={n!r}.",
            f"{name} is the length of an axis: a whole number, at least 1.",
            f"Give an int for {name}.",
        )
    return n
