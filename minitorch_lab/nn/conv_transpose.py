"""Transposed convolutions as layers: the same small weights, laid down at every place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import ShapeError
from ..ops.conv import per_axis
from ..ops.window import span
from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .conv import set_up, words
from .module import Module


class Transposed(Module):
    """What the transposed convolutions share: one more setting, and a weight whose channels come the other way."""

    axes = 2
    weight: Tensor
    bias: Tensor | None
    in_channels: int
    out_channels: int
    groups: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: Any
    dilation: tuple[int, ...]

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Draw the starting values from the global generator."""
        super().__init__()
        self.padding_mode = "zeros"
        set_up(self, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, dtype)
        self.output_padding = per_axis("output_padding", output_padding, self.axes, 0)

    def weight_shape(self) -> tuple[int, ...]:
        """The shape of the weight: (in, out/groups, *kernel)."""
        return (self.in_channels, self.out_channels // self.groups, *self.kernel_size)

    def extra_repr(self) -> str:
        """The sizes, and the settings that are not the usual ones."""
        return words(self)

    def spread(self, function: Callable[..., Tensor], x: Tensor, output_size: Any) -> Tensor:
        """`function` of `x`, with as many entries at the end as make the result `output_size` long."""
        extra = self.output_padding if output_size is None else self.missing(x, tuple(output_size))
        settings = (self.stride, self.padding, extra, self.groups, self.dilation)
        return function(x, self.weight, self.bias, *settings)

    def missing(self, x: Tensor, target: tuple[int, ...]) -> tuple[int, ...]:
        """How much the result falls short of `target` along each axis.

        Raises:
            ShapeError: It cannot be so long.
        """
        reach, padding = map(span, self.kernel_size, self.dilation), per_axis("padding", self.padding, self.axes, 0)
        old = x.shape[-self.axes :]
        least = [(m - 1) * s - 2 * p + r for m, s, p, r in zip(old, self.stride, padding, reach, strict=True)]
        found = tuple(t - m for t, m in zip(target[-self.axes :], least, strict=True))
        if any(not 0 <= e < s for e, s in zip(found, self.stride, strict=True)):
            raise ShapeError(
                f"{type(self).__name__} got output_size={target}.",
                f"From lengths {tuple(old)} it makes {tuple(least)}, and along each axis up to stride - 1 more.",
                f"Did you mean output_size={tuple(least)}?",
            )
        return found


class ConvTranspose1d(Transposed):
    """The transpose of `Conv1d`: every entry lays down a multiple of the kernel. It makes sequences longer.

    Args:
        in_channels: Channels that come in.
        out_channels: Channels that go out.
        kernel_size: Length of the kernel.
        stride: Distance between kernels that are laid down.
        padding: What is taken away at both ends.
        output_padding: Entries that are added at the end.
        groups: Into how many separate parts the channels are divided.
        bias: False leaves the bias out.
        dilation: Distance between the entries of a kernel.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (batch, in, length), weight (in, out/groups, *kernel), bias (out,), result
        (batch, out, *places).

    Raises:
        ArgumentError: A setting is no whole number or too small, or groups does not divide the channels.
        ShapeError: The input has other axes or channels.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ConvTranspose1d(16, 3, 2, stride=2)(ml.zeros(5, 16, 4)).shape
        (5, 3, 8)
    """

    axes = 1

    def forward(self, x: Tensor, output_size: Any = None) -> Tensor:
        """(batch, in, length) in, (batch, out, *places) out, of the lengths `output_size` if those are given."""
        return self.spread(F.conv_transpose1d, x, output_size)


class ConvTranspose2d(Transposed):
    """The transpose of `Conv2d`: every entry lays down a multiple of the kernel. It makes images larger.

    Args:
        in_channels: Channels that come in.
        out_channels: Channels that go out.
        kernel_size: Height and width of the kernel, or one number for both; so for the settings below.
        stride: Distance between kernels that are laid down.
        padding: What is taken away on all sides.
        output_padding: Rows and columns that are added at the end.
        groups: Into how many separate parts the channels are divided.
        bias: False leaves the bias out.
        dilation: Distance between the entries of a kernel.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (batch, in, height, width), weight (in, out/groups, *kernel), bias (out,), result
        (batch, out, *places).

    Raises:
        ArgumentError: A setting is no whole number or too small, or groups does not divide the channels.
        ShapeError: The input has other axes or channels.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ConvTranspose2d(16, 3, 2, stride=2)(ml.zeros(5, 16, 4, 4)).shape
        (5, 3, 8, 8)
    """

    def forward(self, x: Tensor, output_size: Any = None) -> Tensor:
        """(batch, in, height, width) in, (batch, out, *places) out, of the lengths `output_size` if those are given."""
        return self.spread(F.conv_transpose2d, x, output_size)


class ConvTranspose3d(Transposed):
    """The transpose of `Conv3d`: every entry lays down a multiple of the kernel. It makes volumes larger.

    Args:
        in_channels: Channels that come in.
        out_channels: Channels that go out.
        kernel_size: Lengths of the kernel, or one number for all; so for the settings below.
        stride: Distance between kernels that are laid down.
        padding: What is taken away on all sides.
        output_padding: Layers that are added at the end.
        groups: Into how many separate parts the channels are divided.
        bias: False leaves the bias out.
        dilation: Distance between the entries of a kernel.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (batch, in, depth, height, width), weight (in, out/groups, *kernel), bias (out,), result
        (batch, out, *places).

    Raises:
        ArgumentError: A setting is no whole number or too small, or groups does not divide the channels.
        ShapeError: The input has other axes or channels.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ConvTranspose3d(4, 3, 2, stride=2)(ml.zeros(5, 4, 2, 2, 2)).shape
        (5, 3, 4, 4, 4)
    """

    axes = 3

    def forward(self, x: Tensor, output_size: Any = None) -> Tensor:
        """(batch, in, depth, height, width) in, (batch, out, *places) out, of lengths `output_size` if given."""
        return self.spread(F.conv_transpose3d, x, output_size)
