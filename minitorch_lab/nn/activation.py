"""Activations as modules, for use in `Sequential`: the smooth ones. Each calls the function of the same name."""

from __future__ import annotations

from ..errors import ShapeError
from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .function_layer import FunctionLayer
from .module import Module


class GELU(FunctionLayer):
    """`x · Φ(x)`, with Φ the normal distribution function (Hendrycks and Gimpel, Gaussian Error Linear Units, 2016).

    Args:
        approximate: "tanh" for the curve that GPT-2 used for it.

    Raises:
        ArgumentError: There is no such approximation.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.GELU()(ml.tensor([0.0])).tolist()
        [0.0]
    """

    function = staticmethod(F.gelu)

    def __init__(self, approximate: str = "none") -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(approximate=approximate)

    def extra_repr(self) -> str:
        """The approximation."""
        return f"approximate={self.approximate!r}"


class SiLU(FunctionLayer):
    """`x · sigmoid(x)`, also called swish.

    Args:
        inplace: Write the result into the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.SiLU()(ml.tensor([0.0])).tolist()
        [0.0]
    """

    function = staticmethod(F.silu)

    def __init__(self, inplace: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(inplace=inplace)


class Mish(FunctionLayer):
    """`x · tanh(softplus(x))`. D. Misra, 2019.

    Args:
        inplace: Write the result into the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Mish()(ml.tensor([0.0])).tolist()
        [0.0]
    """

    function = staticmethod(F.mish)

    def __init__(self, inplace: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(inplace=inplace)


class Sigmoid(FunctionLayer):
    """`1 / (1 + exp(-x))`: a number between 0 and 1.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Sigmoid()(ml.tensor([0.0])).tolist()
        [0.5]
    """

    function = staticmethod(F.sigmoid)


class LogSigmoid(FunctionLayer):
    """The logarithm of `Sigmoid`, computed without overflow.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.LogSigmoid()(ml.tensor([-1000.0])).tolist()
        [-1000.0]
    """

    function = staticmethod(F.logsigmoid)


class Tanh(FunctionLayer):
    """The hyperbolic tangent: a number between -1 and 1.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Tanh()(ml.tensor([0.0])).tolist()
        [0.0]
    """

    function = staticmethod(F.tanh)


class Tanhshrink(FunctionLayer):
    """`x - tanh(x)`.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Tanhshrink()(ml.tensor([0.0])).tolist()
        [0.0]
    """

    function = staticmethod(F.tanhshrink)


class Softsign(FunctionLayer):
    """`x / (1 + |x|)`.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Softsign()(ml.tensor([-1.0, 3.0])).tolist()
        [-0.5, 0.75]
    """

    function = staticmethod(F.softsign)


class Softplus(FunctionLayer):
    """`log(1 + exp(beta · x)) / beta`: a smooth ReLU, always positive.

    Args:
        beta: The larger, the nearer to ReLU.
        threshold: Where `beta · x` is above it, `x` itself.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Softplus()(ml.tensor([100.0])).tolist()
        [100.0]
    """

    function = staticmethod(F.softplus)

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(beta=beta, threshold=threshold)


class GLU(FunctionLayer):
    """The first half along `dim`, times the sigmoid of the second. Y. Dauphin and others, 2017.

    Args:
        dim: The axis that is halved.

    Raises:
        ShapeError: The length of the axis is odd.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.GLU()(ml.tensor([2.0, 4.0, 0.0, 0.0])).tolist()
        [1.0, 2.0]
    """

    function = staticmethod(F.glu)

    def __init__(self, dim: int = -1) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(dim=dim)


class Softmax(FunctionLayer):
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

    function = staticmethod(F.softmax)

    def __init__(self, dim: int) -> None:
        """Remember the axis."""
        super().__init__()
        self.configure(dim=dim)


class Softmax2d(Module):
    """`Softmax` over the channels of images, at every place by itself.

    Shape:
        x (batch, channels, height, width), with or without the batch; the result is like x.

    Raises:
        ShapeError: The input has other axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Softmax2d()(ml.zeros(2, 1, 1)).flatten().tolist()
        [0.5, 0.5]
    """

    def forward(self, x: Tensor) -> Tensor:
        """The softmax along the third axis from the end."""
        if x.ndim not in (3, 4):
            raise ShapeError(
                f"Softmax2d got an input of shape {tuple(x.shape)}.",
                "It takes (batch, channels, height, width), with or without the batch.",
                "Did you mean Softmax(dim=1)?",
            )
        return F.softmax(x, -3)


class Softmin(Softmax):
    """`Softmax` of `-x`.

    Args:
        dim: The axis whose entries compete.

    Raises:
        ShapeError: The input has no axis `dim`.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Softmin(dim=0)(ml.zeros(2)).tolist()
        [0.5, 0.5]
    """

    function = staticmethod(F.softmin)


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

    function = staticmethod(F.log_softmax)
