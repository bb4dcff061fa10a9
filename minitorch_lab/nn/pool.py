"""Pooling layers: smaller sequences, images and volumes, one number for each window."""

from __future__ import annotations

from typing import Any

from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .function_layer import FunctionLayer
from .module import Module


class MaxPool(FunctionLayer):
    """What the max pools share: all but the number of axes."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(
            kernel_size=kernel_size,
            stride=kernel_size if stride is None else stride,
            padding=padding,
            dilation=dilation,
            return_indices=return_indices,
            ceil_mode=ceil_mode,
        )

    def extra_repr(self) -> str:
        """The settings."""
        shown = {name: value for name, value in self.arguments().items() if name != "return_indices"}
        return ", ".join(f"{name}={value}" for name, value in shown.items())


class AvgPool(FunctionLayer):
    """What the average pools share: all but the number of axes."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(
            kernel_size=kernel_size,
            stride=kernel_size if stride is None else stride,
            padding=padding,
            ceil_mode=ceil_mode,
            count_include_pad=count_include_pad,
            divisor_override=divisor_override,
        )

    def extra_repr(self) -> str:
        """The settings."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class Adaptive(FunctionLayer):
    """What pools to a given size share: that size."""

    def __init__(self, output_size: Any) -> None:
        """Remember the size."""
        super().__init__()
        self.configure(output_size=output_size)


class MaxPool1d(MaxPool):
    """The largest entry of each window.

    Args:
        kernel_size: Length of a window.
        stride: Distance between windows; `kernel_size` if left out, so that they do not overlap.
        padding: How far windows may reach beyond the sequence, at most half a window.
        dilation: Distance between the entries of a window.
        return_indices: Give a pair: the entries, and where they stand.
        ceil_mode: Round the number of windows up.

    Shape:
        x (batch, channels, length), with or without the batch; the result has places instead of lengths.

    Raises:
        ArgumentError: A setting is no whole number or too small, or the padding is more than half a window.
        ShapeError: A window is larger than the padded sequence.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.MaxPool1d(2)(ml.zeros(5, 3, 8)).shape
        (5, 3, 4)
    """

    function = staticmethod(F.max_pool1d)


class MaxPool2d(MaxPool):
    """The largest entry of each window.

    Args:
        kernel_size: Height and width of a window, or one number for both; so for the settings below.
        stride: Distance between windows; `kernel_size` if left out, so that they do not overlap.
        padding: How far windows may reach beyond the image, at most half a window.
        dilation: Distance between the entries of a window.
        return_indices: Give a pair: the entries, and where they stand.
        ceil_mode: Round the number of windows up.

    Shape:
        x (batch, channels, height, width), with or without the batch; the result has places instead of lengths.

    Raises:
        ArgumentError: A setting is no whole number or too small, or the padding is more than half a window.
        ShapeError: A window is larger than the padded image.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.MaxPool2d(2)(ml.zeros(5, 3, 8, 8)).shape
        (5, 3, 4, 4)
    """

    function = staticmethod(F.max_pool2d)


class MaxPool3d(MaxPool):
    """The largest entry of each window.

    Args:
        kernel_size: Lengths of a window, or one number for all; so for the settings below.
        stride: Distance between windows; `kernel_size` if left out, so that they do not overlap.
        padding: How far windows may reach beyond the volume, at most half a window.
        dilation: Distance between the entries of a window.
        return_indices: Give a pair: the entries, and where they stand.
        ceil_mode: Round the number of windows up.

    Shape:
        x (batch, channels, depth, height, width), with or without the batch; the result has places instead of lengths.

    Raises:
        ArgumentError: A setting is no whole number or too small, or the padding is more than half a window.
        ShapeError: A window is larger than the padded volume.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.MaxPool3d(2)(ml.zeros(5, 3, 8, 8, 8)).shape
        (5, 3, 4, 4, 4)
    """

    function = staticmethod(F.max_pool3d)


class AvgPool1d(AvgPool):
    """The mean of each window.

    Args:
        kernel_size: Length of a window.
        stride: Distance between windows; `kernel_size` if left out, so that they do not overlap.
        padding: How far windows may reach beyond the sequence, at most half a window.
        ceil_mode: Round the number of windows up.
        count_include_pad: Whether zeros of the padding count.

    Shape:
        x (batch, channels, length), with or without the batch; the result has places instead of lengths.

    Raises:
        ArgumentError: A setting is no whole number or too small, or the padding is more than half a window.
        ShapeError: A window is larger than the padded sequence.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.AvgPool1d(2)(ml.zeros(5, 3, 8)).shape
        (5, 3, 4)
    """

    function = staticmethod(F.avg_pool1d)

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        """Remember the settings."""
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)
        self.settings = self.settings[:-1]

    def extra_repr(self) -> str:
        """The settings."""
        return f"kernel_size={(self.kernel_size,)}, stride={(self.stride,)}, padding={(self.padding,)}"


class AvgPool2d(AvgPool):
    """The mean of each window.

    Args:
        kernel_size: Height and width of a window, or one number for both; so for the settings below.
        stride: Distance between windows; `kernel_size` if left out, so that they do not overlap.
        padding: How far windows may reach beyond the image, at most half a window.
        ceil_mode: Round the number of windows up.
        count_include_pad: Whether zeros of the padding count.
        divisor_override: What the sum of a window is divided by instead.

    Shape:
        x (batch, channels, height, width), with or without the batch; the result has places instead of lengths.

    Raises:
        ArgumentError: A setting is no whole number or too small, or the padding is more than half a window.
        ShapeError: A window is larger than the padded image.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.AvgPool2d(2)(ml.zeros(5, 3, 8, 8)).shape
        (5, 3, 4, 4)
    """

    function = staticmethod(F.avg_pool2d)


class AvgPool3d(AvgPool):
    """The mean of each window.

    Args:
        kernel_size: Lengths of a window, or one number for all; so for the settings below.
        stride: Distance between windows; `kernel_size` if left out, so that they do not overlap.
        padding: How far windows may reach beyond the volume, at most half a window.
        ceil_mode: Round the number of windows up.
        count_include_pad: Whether zeros of the padding count.
        divisor_override: What the sum of a window is divided by instead.

    Shape:
        x (batch, channels, depth, height, width), with or without the batch; the result has places instead of lengths.

    Raises:
        ArgumentError: A setting is no whole number or too small, or the padding is more than half a window.
        ShapeError: A window is larger than the padded volume.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.AvgPool3d(2)(ml.zeros(5, 3, 8, 8, 8)).shape
        (5, 3, 4, 4, 4)
    """

    function = staticmethod(F.avg_pool3d)


class AdaptiveAvgPool1d(Adaptive):
    """A sequence of means, of a given size, whatever the size of the input.

    Args:
        output_size: The length.

    Shape:
        x (batch, channels, length), with or without the batch; the result has the lengths of `output_size`.

    Raises:
        ShapeError: The input has other axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.AdaptiveAvgPool1d(1)(ml.zeros(5, 3, 8)).shape
        (5, 3, 1)
    """

    function = staticmethod(F.adaptive_avg_pool1d)


class AdaptiveAvgPool2d(Adaptive):
    """A image of means, of a given size, whatever the size of the input.

    Args:
        output_size: The lengths, or one number for all; None keeps an axis.

    Shape:
        x (batch, channels, height, width), with or without the batch; the result has the lengths of `output_size`.

    Raises:
        ShapeError: The input has other axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.AdaptiveAvgPool2d(1)(ml.zeros(5, 3, 8, 8)).shape
        (5, 3, 1, 1)
    """

    function = staticmethod(F.adaptive_avg_pool2d)


class AdaptiveAvgPool3d(Adaptive):
    """A volume of means, of a given size, whatever the size of the input.

    Args:
        output_size: The lengths, or one number for all; None keeps an axis.

    Shape:
        x (batch, channels, depth, height, width), with or without the batch; the result has lengths `output_size`.

    Raises:
        ShapeError: The input has other axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.AdaptiveAvgPool3d(1)(ml.zeros(5, 3, 8, 8, 8)).shape
        (5, 3, 1, 1, 1)
    """

    function = staticmethod(F.adaptive_avg_pool3d)


class AdaptiveMaxPool1d(Adaptive):
    """A sequence of largest entries, of a given size, whatever the size of the input.

    Args:
        output_size: The length.

    Shape:
        x (batch, channels, length), with or without the batch; the result has the lengths of `output_size`.

    Raises:
        ShapeError: The input has other axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.AdaptiveMaxPool1d(1)(ml.zeros(5, 3, 8)).shape
        (5, 3, 1)
    """

    function = staticmethod(F.adaptive_max_pool1d)


class AdaptiveMaxPool2d(Adaptive):
    """A image of largest entries, of a given size, whatever the size of the input.

    Args:
        output_size: The lengths, or one number for all; None keeps an axis.

    Shape:
        x (batch, channels, height, width), with or without the batch; the result has the lengths of `output_size`.

    Raises:
        ShapeError: The input has other axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.AdaptiveMaxPool2d(1)(ml.zeros(5, 3, 8, 8)).shape
        (5, 3, 1, 1)
    """

    function = staticmethod(F.adaptive_max_pool2d)


class AdaptiveMaxPool3d(Adaptive):
    """A volume of largest entries, of a given size, whatever the size of the input.

    Args:
        output_size: The lengths, or one number for all; None keeps an axis.

    Shape:
        x (batch, channels, depth, height, width), with or without the batch; the result has lengths `output_size`.

    Raises:
        ShapeError: The input has other axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.AdaptiveMaxPool3d(1)(ml.zeros(5, 3, 8, 8, 8)).shape
        (5, 3, 1, 1, 1)
    """

    function = staticmethod(F.adaptive_max_pool3d)


class MaxUnpool2d(Module):
    """The way back of `MaxPool2d(..., return_indices=True)`: the entries at their places, zeros elsewhere.

    Args:
        kernel_size: Height and width of a window, or one number for both; so for the settings below.
        stride: Distance between windows; `kernel_size` if left out.
        padding: How far windows reached beyond the image.

    Raises:
        ShapeError: The places are not one for each entry.

    Example:
        >>> import minitorch_lab as ml
        >>> image = ml.tensor([[[1.0, 2.0], [3.0, 4.0]]])
        >>> ml.nn.MaxUnpool2d(2)(*ml.nn.MaxPool2d(2, return_indices=True)(image)).tolist()
        [[[0.0, 0.0], [0.0, 4.0]]]
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        """Remember the settings."""
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding = padding

    def forward(self, x: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        """Entries and their places in, a larger image out, of the size `output_size` if that is given."""
        return F.max_unpool2d(x, indices, self.kernel_size, self.stride, self.padding, output_size)


class LPPool(FunctionLayer):
    """What the pools by a norm share: all but the number of axes."""

    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(norm_type=norm_type, kernel_size=kernel_size, stride=stride, ceil_mode=ceil_mode)


class LPPool1d(LPPool):
    """The p-norm of each window, (Σ xᵖ)^(1/p): p = 1 is the sum, a large p nearly the largest entry.

    Args:
        norm_type: p.
        kernel_size: Lengths of a window, or one number for all; so for the stride.
        stride: Distance between windows; `kernel_size` if left out, so that they do not overlap.
        ceil_mode: Round the number of windows up.

    Shape:
        x (batch, channels, length), with or without the batch; the result has places instead of lengths.

    Raises:
        ShapeError: A window is larger than the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.LPPool1d(2, 2)(ml.ones(5, 3, 8)).shape
        (5, 3, 4)
    """

    function = staticmethod(F.lp_pool1d)


class LPPool2d(LPPool):
    """The p-norm of each window, (Σ xᵖ)^(1/p): p = 1 is the sum, a large p nearly the largest entry.

    Args:
        norm_type: p.
        kernel_size: Lengths of a window, or one number for all; so for the stride.
        stride: Distance between windows; `kernel_size` if left out, so that they do not overlap.
        ceil_mode: Round the number of windows up.

    Shape:
        x (batch, channels, height, width), with or without the batch; the result has places instead of lengths.

    Raises:
        ShapeError: A window is larger than the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.LPPool2d(2, 2)(ml.ones(5, 3, 8, 8)).shape
        (5, 3, 4, 4)
    """

    function = staticmethod(F.lp_pool2d)


class LPPool3d(LPPool):
    """The p-norm of each window, (Σ xᵖ)^(1/p): p = 1 is the sum, a large p nearly the largest entry.

    Args:
        norm_type: p.
        kernel_size: Lengths of a window, or one number for all; so for the stride.
        stride: Distance between windows; `kernel_size` if left out, so that they do not overlap.
        ceil_mode: Round the number of windows up.

    Shape:
        x (batch, channels, depth, height, width), with or without the batch; the result has places instead of lengths.

    Raises:
        ShapeError: A window is larger than the input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.LPPool3d(2, 2)(ml.ones(5, 3, 4, 4, 4)).shape
        (5, 3, 2, 2, 2)
    """

    function = staticmethod(F.lp_pool3d)
