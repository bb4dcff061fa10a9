"""Activations as modules, for use in `Sequential`. Each calls the op of the same name."""

from __future__ import annotations

from ..ops.front import taught
from ..ops.piecewise import hardsigmoid
from ..tensor import Tensor
from .module import Module


class ReLU(Module):
    """`max(x, 0)`, element by element.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ReLU()(ml.tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    """

    def forward(self, x: Tensor) -> Tensor:
        """Any shape in, the same shape out."""
        return x.relu()


class GELU(Module):
    """`x · Φ(x)`, with Φ the normal distribution function (Hendrycks and Gimpel, Gaussian Error Linear Units, 2016).

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.GELU()(ml.tensor([0.0])).tolist()
        [0.0]
    """

    def forward(self, x: Tensor) -> Tensor:
        """Any shape in, the same shape out."""
        return x.gelu()


class Sigmoid(Module):
    """`1 / (1 + exp(-x))`: a number between 0 and 1.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Sigmoid()(ml.tensor([0.0])).tolist()
        [0.5]
    """

    def forward(self, x: Tensor) -> Tensor:
        """Any shape in, the same shape out."""
        return x.sigmoid()


class Tanh(Module):
    """The hyperbolic tangent: a number between -1 and 1.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Tanh()(ml.tensor([0.0])).tolist()
        [0.0]
    """

    def forward(self, x: Tensor) -> Tensor:
        """Any shape in, the same shape out."""
        return x.tanh()


class Softplus(Module):
    """`log(1 + exp(x))`: a smooth ReLU, always positive.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Softplus()(ml.tensor([100.0])).tolist()
        [100.0]
    """

    def forward(self, x: Tensor) -> Tensor:
        """Any shape in, the same shape out."""
        return x.softplus()


class Hardsigmoid(Module):
    """`min(max(x + 3, 0), 6) / 6`: a sigmoid of straight lines (A. Howard and others, MobileNetV3, 2019).

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Hardsigmoid()(ml.tensor([-4.0, 0.0, 4.0])).tolist()
        [0.0, 0.5, 1.0]
    """

    def forward(self, x: Tensor) -> Tensor:
        """Any shape in, the same shape out."""
        return hardsigmoid(x)


class Softmax(Module):
    """`exp(x) / sum(exp(x))` along `dim`: positive numbers that sum to one.

    Args:
        dim: The axis whose entries compete.

    Raises:
        ShapeError: The input has no axis `dim`.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Softmax(dim=1)(ml.zeros(1, 4)).tolist()
        [[0.25, 0.25, 0.25, 0.25]]
    """

    @taught
    def __init__(self, dim: int) -> None:
        """Remember the axis."""
        super().__init__()
        self.dim = dim

    def forward(self, x: Tensor) -> Tensor:
        """Any shape in, the same shape out."""
        return x.softmax(self.dim)

    def extra_repr(self) -> str:
        """The axis."""
        return f"dim={self.dim}"


class LogSoftmax(Softmax):
    """The logarithm of `Softmax`, computed without overflow.

    Args:
        dim: The axis whose entries compete.

    Raises:
        ShapeError: The input has no axis `dim`.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.LogSoftmax(dim=0)(ml.tensor([1000.0, 0.0])).tolist()
        [0.0, -1000.0]
    """

    def forward(self, x: Tensor) -> Tensor:
        """Any shape in, the same shape out."""
        return x.log_softmax(self.dim)
