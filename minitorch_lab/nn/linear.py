"""Linear: an affine map of the last axis; and Bilinear: a form that is linear in two inputs."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..errors import ArgumentError
from ..ops.linalg import linear_op
from ..tensors.random import rand
from ..tensors.tensor import Tensor
from .functional.vector import bilinear
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
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

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

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Draw the starting values from the global generator."""
        super().__init__()
        self.in_features = positive(type(self).__name__, "in_features", in_features)
        self.out_features = positive(type(self).__name__, "out_features", out_features)
        bound = 1.0 / sqrt(in_features)
        self.weight = Parameter(uniform((out_features, in_features), bound, dtype))
        self.register_parameter("bias", Parameter(uniform((out_features,), bound, dtype)) if bias else None)

    def forward(self, x: Tensor) -> Tensor:
        """Apply the map to `x` (..., in_features)."""
        return linear_op(x, self.weight) if self.bias is None else linear_op(x, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Bilinear(Module):
    """`y[k] = x1 · weight[k] · x2 + bias[k]`.

    Args:
        in1_features: Length of the last axis of x1.
        in2_features: Length of the last axis of x2.
        out_features: Length of the last axis of y.
        bias: False leaves the bias out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x1 (..., in1), x2 (..., in2), weight (out, in1, in2), bias (out,), y (..., out).

    Raises:
        ArgumentError: A size is not a positive whole number.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Bilinear(3, 4, 2)(ml.ones(5, 3), ml.ones(5, 4)).shape
        (5, 2)
    """

    weight: Tensor
    bias: Tensor | None

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Weights and biases start uniform in ±1/√in1_features."""
        super().__init__()
        self.in1_features, self.in2_features = in1_features, in2_features
        self.out_features, bound = out_features, 1.0 / sqrt(positive(type(self).__name__, "in1_features", in1_features))
        self.weight = Parameter(uniform((out_features, in1_features, in2_features), bound, dtype))
        self.register_parameter("bias", Parameter(uniform((out_features,), bound, dtype)) if bias else None)

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Two tensors in, one out."""
        return bilinear(x1, x2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes."""
        sizes = f"in1_features={self.in1_features}, in2_features={self.in2_features}"
        return f"{sizes}, out_features={self.out_features}, bias={self.bias is not None}"


def uniform(shape: tuple[int, ...], bound: float, dtype: object) -> Tensor:
    """Random numbers from -bound to bound."""
    return (rand(*shape, dtype=dtype) * 2.0 - 1.0) * bound


def positive(owner: str, name: str, n: int) -> int:
    """`n`, if it is a whole number of at least one."""
    if not isinstance(n, int) or n < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(
            f"{owner} got {name}={n!r}.",
            f"{name} is the length of an axis: a whole number, at least 1.",
            f"Give an int for {name}.",
        )
    return n
