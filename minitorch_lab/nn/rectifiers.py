"""Rectifiers as modules: activations with a kink or a straight part."""

from __future__ import annotations

from typing import Any

from ..tensors.factories import full
from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .function_layer import FunctionLayer
from .module import Module
from .parameter import Parameter


class ReLU(FunctionLayer):
    """`max(x, 0)`, entry by entry.

    Args:
        inplace: Write the result into the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ReLU()(ml.tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    """

    function = staticmethod(F.relu)

    def __init__(self, inplace: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(inplace=inplace)


class ReLU6(FunctionLayer):
    """`min(max(x, 0), 6)`.

    Args:
        inplace: Write the result into the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ReLU6()(ml.tensor([-1.0, 2.0, 8.0])).tolist()
        [0.0, 2.0, 6.0]
    """

    function = staticmethod(F.relu6)

    def __init__(self, inplace: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(inplace=inplace)


class LeakyReLU(FunctionLayer):
    """`x` where it is positive, else `negative_slope · x`, so that no unit is ever dead.

    Args:
        negative_slope: The slope below 0.
        inplace: Write the result into the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.LeakyReLU(0.5)(ml.tensor([-1.0, 2.0])).tolist()
        [-0.5, 2.0]
    """

    function = staticmethod(F.leaky_relu)

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(negative_slope=negative_slope, inplace=inplace)


class RReLU(FunctionLayer):
    """`LeakyReLU` whose slopes are drawn in training, evenly from `lower` to `upper`. B. Xu and others, 2015.

    Args:
        lower: The least slope.
        upper: The largest slope. In evaluation it is the one between them.
        inplace: Write the result into the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.RReLU(0.5, 1.0).eval()(ml.tensor([-1.0, 2.0])).tolist()
        [-0.75, 2.0]
    """

    function = staticmethod(F.rrelu)

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(lower=lower, upper=upper, inplace=inplace)

    def arguments(self) -> dict[str, Any]:
        """The settings, and whether slopes are drawn."""
        return {**super().arguments(), "training": self.training}

    def extra_repr(self) -> str:
        """The bounds."""
        return f"lower={self.lower}, upper={self.upper}{', inplace=True' if self.inplace else ''}"


class ELU(FunctionLayer):
    """`x` where it is positive, else `alpha · (eˣ - 1)`. D.-A. Clevert and others, 2015.

    Args:
        alpha: Minus the value far below 0.
        inplace: Write the result into the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ELU(2.0)(ml.tensor([-100.0, 2.0])).tolist()
        [-2.0, 2.0]
    """

    function = staticmethod(F.elu)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(alpha=alpha, inplace=inplace)


class SELU(FunctionLayer):
    """`ELU`, scaled so that mean 0 and variance 1 are kept. G. Klambauer and others, 2017.

    Args:
        inplace: Write the result into the input.

    Example:
        >>> import minitorch_lab as ml
        >>> round(ml.nn.SELU()(ml.tensor([1.0])).item(), 4)
        1.0507
    """

    function = staticmethod(F.selu)

    def __init__(self, inplace: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(inplace=inplace)


class CELU(FunctionLayer):
    """`ELU` with `x / alpha` inside: its slope at 0 is 1 for every alpha. J. Barron, 2017.

    Args:
        alpha: Minus the value far below 0.
        inplace: Write the result into the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.CELU(2.0)(ml.tensor([-100.0, 2.0])).tolist()
        [-2.0, 2.0]
    """

    function = staticmethod(F.celu)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(alpha=alpha, inplace=inplace)


class Hardtanh(FunctionLayer):
    """`x` held between two bounds.

    Args:
        min_val: The lower bound.
        max_val: The upper bound.
        inplace: Write the result into the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Hardtanh()(ml.tensor([-2.0, 0.5, 2.0])).tolist()
        [-1.0, 0.5, 1.0]
    """

    function = staticmethod(F.hardtanh)

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(min_val=min_val, max_val=max_val, inplace=inplace)


class Hardsigmoid(FunctionLayer):
    """`min(max(x + 3, 0), 6) / 6`: a sigmoid of straight lines (A. Howard and others, MobileNetV3, 2019).

    Args:
        inplace: Write the result into the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Hardsigmoid()(ml.tensor([-4.0, 0.0, 4.0])).tolist()
        [0.0, 0.5, 1.0]
    """

    function = staticmethod(F.hardsigmoid)

    def __init__(self, inplace: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(inplace=inplace)


class Hardswish(FunctionLayer):
    """`x` times its `Hardsigmoid`: a `SiLU` without exp.

    Args:
        inplace: Write the result into the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Hardswish()(ml.tensor([0.0, 4.0])).tolist()
        [0.0, 4.0]
    """

    function = staticmethod(F.hardswish)

    def __init__(self, inplace: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(inplace=inplace)


class Threshold(FunctionLayer):
    """`x` where it is above the threshold, else a value.

    Args:
        threshold: What `x` must exceed.
        value: What stands elsewhere.
        inplace: Write the result into the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Threshold(1.0, 7.0)(ml.tensor([0.5, 2.0])).tolist()
        [7.0, 2.0]
    """

    function = staticmethod(F.threshold)

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(threshold=threshold, value=value, inplace=inplace)


class Softshrink(FunctionLayer):
    """`x`, moved towards 0 by `lambd`, and 0 where it would pass it.

    Args:
        lambd: How far.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Softshrink()(ml.tensor([-2.0, 0.2])).tolist()
        [-1.5, 0.0]
    """

    function = staticmethod(F.softshrink)

    def __init__(self, lambd: float = 0.5) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(lambd=lambd)

    def extra_repr(self) -> str:
        """How far."""
        return str(self.lambd)


class Hardshrink(FunctionLayer):
    """`x`, and 0 between `-lambd` and `lambd`.

    Args:
        lambd: The bound.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Hardshrink()(ml.tensor([-2.0, 0.2])).tolist()
        [-2.0, 0.0]
    """

    function = staticmethod(F.hardshrink)

    def __init__(self, lambd: float = 0.5) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(lambd=lambd)

    def extra_repr(self) -> str:
        """The bound."""
        return str(self.lambd)


class PReLU(Module):
    """`LeakyReLU` whose slope is learnt. K. He and others, Delving Deep into Rectifiers, 2015.

    Args:
        num_parameters: 1, or one slope for each channel (axis 1).
        init: What the slopes start from.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Raises:
        ShapeError: The input has other channels.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.PReLU()(ml.tensor([-1.0, 2.0])).tolist()
        [-0.25, 2.0]
    """

    weight: Tensor

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Any = None, device: Any = None) -> None:
        """Slopes of `init`."""
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(full((num_parameters,), init, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Any shape in, the same shape out."""
        return F.prelu(x, self.weight)

    def extra_repr(self) -> str:
        """How many slopes there are."""
        return f"num_parameters={self.num_parameters}"
