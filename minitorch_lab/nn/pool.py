"""Pooling layers: smaller images, one number for each window."""

from __future__ import annotations

from typing import Any

from ..ops.front import taught
from ..tensor import Tensor
from . import functional as F  # noqa: N812
from .module import Module


class MaxPool2d(Module):
    """The largest entry of each window.

    Args:
        kernel_size: Height and width of a window, or one number for both; so for the settings below.
        stride: Distance between windows; `kernel_size` if left out, so that they do not overlap.
        padding: How far windows may reach beyond the image, at most half a window.
        dilation: Distance between the entries of a window.

    Shape:
        x (batch, channels, height, width), result (batch, channels, places, places).

    Raises:
        ArgumentError: A setting is no whole number or too small, or the padding is more than half a window.
        ShapeError: A window is larger than the padded image.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.MaxPool2d(2)(ml.zeros(5, 3, 8, 8)).shape
        (5, 3, 4, 4)
    """

    @taught
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1) -> None:
        """Remember the settings."""
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation

    def forward(self, x: Tensor) -> Tensor:
        """(batch, channels, height, width) in, a smaller image out."""
        return F.max_pool2d(x, self.kernel_size, self.stride, self.padding, self.dilation)

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            "ceil_mode=False"
        )


class AvgPool2d(Module):
    """The mean of each window; zeros of the padding count.

    Args:
        kernel_size: Height and width of a window, or one number for both; so for the settings below.
        stride: Distance between windows; `kernel_size` if left out, so that they do not overlap.
        padding: How far windows may reach beyond the image, at most half a window.

    Shape:
        x (batch, channels, height, width), result (batch, channels, places, places).

    Raises:
        ArgumentError: A setting is no whole number or too small, or the padding is more than half a window.
        ShapeError: A window is larger than the padded image.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.AvgPool2d(2)(ml.ones(1, 1, 2, 2)).tolist()
        [[[[1.0]]]]
    """

    @taught
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        """Remember the settings."""
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding = padding

    def forward(self, x: Tensor) -> Tensor:
        """(batch, channels, height, width) in, a smaller image out."""
        return F.avg_pool2d(x, self.kernel_size, self.stride, self.padding)

    def extra_repr(self) -> str:
        """The settings."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"
