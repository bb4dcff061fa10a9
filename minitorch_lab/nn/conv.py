"""Convolutional layers: the same small weights at every place."""

from __future__ import annotations

from collections.abc import Callable
from math import prod, sqrt
from typing import Any

from ..errors import ArgumentError
from ..ops.conv import borders, known_padding, per_axis
from ..ops.window import span
from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .linear import uniform
from .module import Module
from .parameter import Parameter


class Convolution(Module):
    """What the convolutional layers share: settings, and weights and biases that start uniform in ±1/√fan_in."""

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
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
        padding_mode: str = "zeros",
    ) -> None:
        """Draw the starting values from the global generator."""
        super().__init__()
        check_mode(type(self).__name__, padding_mode)
        self.padding_mode = padding_mode
        set_up(self, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, dtype)

    def weight_shape(self) -> tuple[int, ...]:
        """The shape of the weight: (out, in/groups, *kernel)."""
        return (self.out_channels, self.in_channels // self.groups, *self.kernel_size)

    def settings(self) -> tuple[Any, ...]:
        """Stride, padding, dilation and groups, as `conv1d` and `conv2d` take them."""
        return self.stride, self.padding, self.dilation, self.groups

    def convolve(self, function: Callable[..., Tensor], x: Tensor) -> Tensor:
        """`function` of `x`, in the frame of the padding mode."""
        if self.padding_mode == "zeros":
            return function(x, self.weight, self.bias, *self.settings())
        reach = tuple(map(span, self.kernel_size, self.dilation))
        pairs = borders(self.padding, self.axes, reach, self.stride)
        framed = F.pad(x, [width for pair in reversed(pairs) for width in pair], self.padding_mode)
        return function(framed, self.weight, self.bias, self.stride, 0, self.dilation, self.groups)

    def extra_repr(self) -> str:
        """The sizes, and the settings that are not the usual ones."""
        return words(self)


def set_up(
    layer: Any,
    in_channels: int,
    out_channels: int,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
    bias: bool,
    dtype: Any,
) -> None:
    """Give a layer its settings, and draw weights and biases: what it does to begin with, transposed or not."""
    layer.in_channels, layer.out_channels, layer.groups = in_channels, out_channels, groups
    layer.kernel_size = per_axis("kernel_size", kernel_size, layer.axes, 1)
    layer.stride = per_axis("stride", stride, layer.axes, 1)
    layer.padding = known_padding(padding, layer.axes)
    layer.dilation = per_axis("dilation", dilation, layer.axes, 1)
    check_groups(type(layer).__name__, in_channels, out_channels, groups)
    shape = layer.weight_shape()
    bound = 1.0 / sqrt(prod(shape[1:]))
    layer.weight = Parameter(uniform(shape, bound, dtype))
    layer.register_parameter("bias", Parameter(uniform((out_channels,), bound, dtype)) if bias else None)


def words(layer: Any) -> str:
    """The sizes of a layer, and the settings that are not the usual ones."""
    parts = [f"{layer.in_channels}, {layer.out_channels}, kernel_size={layer.kernel_size}, stride={layer.stride}"]
    none, one = (0,) * layer.axes, (1,) * layer.axes
    usual = {"padding": none, "dilation": one, "output_padding": none, "groups": 1}
    given = {name: vars(layer).get(name, value) for name, value in usual.items()}
    parts += [f"{name}={value}" for name, value in given.items() if value != usual[name]]
    parts += [] if layer.bias is not None else ["bias=False"]
    return ", ".join(parts if layer.padding_mode == "zeros" else [*parts, f"padding_mode={layer.padding_mode}"])


def check_mode(owner: str, mode: str) -> None:
    """Refuse a padding mode that does not exist.

    Raises:
        ArgumentError: It does not.
    """
    if mode not in ("zeros", "reflect", "replicate", "circular"):
        raise ArgumentError(
            f"{owner} got padding_mode={mode!r}.",
            'It is "zeros", "reflect", "replicate" or "circular".',
            'Did you mean padding_mode="zeros"?' if mode != "same" else 'Did you mean padding="same"?',
        )


def check_groups(owner: str, *given: int) -> None:
    """Refuse channels that are no positive whole numbers, or that the groups do not divide.

    Raises:
        ArgumentError: They are not.
    """
    channels, groups = given[:2], given[2]
    if any(not isinstance(n, int) or n < 1 for n in given) or any(n % groups for n in channels):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(
            f"{owner} got in_channels={given[0]!r}, out_channels={given[1]!r} and groups={given[2]!r}.",
            "Channels are whole numbers, at least 1, and groups divides both.",
            "Did you mean groups=1?"
            if groups != 1 and all(isinstance(n, int) and n > 0 for n in channels)  # pyright: ignore[reportUnnecessaryIsInstance]
            else "Give the numbers of channels only; lengths follow from the input.",
        )


class Conv1d(Convolution):
    """Slide a kernel along the last axis: `nn.functional.conv1d` with weights of its own.

    Args:
        in_channels: Channels that come in.
        out_channels: Channels that go out.
        kernel_size: Length of the kernel.
        stride: Distance between places.
        padding: Zeros at both ends; "same" for as many places as entries, "valid" for none.
        dilation: Distance between the entries that the kernel meets.
        groups: Into how many separate parts the channels are divided.
        bias: False leaves the bias out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.
        padding_mode: What stands in the frame: "zeros", or as in `pad` "reflect", "replicate", "circular".

    Shape:
        x (batch, in, length), weight (out, in/groups, kernel), bias (out,), result (batch, out, places).

    Raises:
        ArgumentError: A setting is no whole number or too small, or groups does not divide the channels.
        ShapeError: The input has other axes or channels.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Conv1d(2, 4, 3, padding=1)(ml.zeros(5, 2, 8)).shape
        (5, 4, 8)
    """

    axes = 1

    def forward(self, x: Tensor) -> Tensor:
        """(batch, in, length) in, (batch, out, places) out."""
        return self.convolve(F.conv1d, x)


class Conv2d(Convolution):
    """Slide a kernel over images: `nn.functional.conv2d` with weights of its own.

    Args:
        in_channels: Channels that come in.
        out_channels: Channels that go out.
        kernel_size: Height and width of the kernel, or one number for both; so for the settings below.
        stride: Distance between places.
        padding: Zeros on all sides; "same" for as many places as entries, "valid" for none.
        dilation: Distance between the entries that the kernel meets.
        groups: Into how many separate parts the channels are divided.
        bias: False leaves the bias out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.
        padding_mode: What stands in the frame: "zeros", or as in `pad` "reflect", "replicate", "circular".

    Shape:
        x (batch, in, height, width), weight (out, in/groups, kernel, kernel), bias (out,), result
        (batch, out, places, places).

    Raises:
        ArgumentError: A setting is no whole number or too small, or groups does not divide the channels.
        ShapeError: The input has other axes or channels.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.Conv2d(3, 16, 3, stride=2, padding=1)
        >>> layer
        Conv2d(3, 16, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1))
        >>> layer(ml.zeros(5, 3, 8, 8)).shape
        (5, 16, 4, 4)
    """

    def forward(self, x: Tensor) -> Tensor:
        """(batch, in, height, width) in, (batch, out, places, places) out."""
        return self.convolve(F.conv2d, x)


class Conv3d(Convolution):
    """Slide a kernel over volumes: `nn.functional.conv3d` with weights of its own.

    Args:
        in_channels: Channels that come in.
        out_channels: Channels that go out.
        kernel_size: Lengths of the kernel, or one number for all; so for the settings below.
        stride: Distance between places.
        padding: Zeros on all sides; "same" for as many places as entries, "valid" for none.
        dilation: Distance between the entries that the kernel meets.
        groups: Into how many separate parts the channels are divided.
        bias: False leaves the bias out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.
        padding_mode: What stands in the frame: "zeros", or as in `pad` "reflect", "replicate", "circular".

    Shape:
        x (batch, in, depth, height, width), weight (out, in/groups, *kernel), bias (out,), result
        (batch, out, *places).

    Raises:
        ArgumentError: A setting is no whole number or too small, or groups does not divide the channels.
        ShapeError: The input has other axes or channels.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Conv3d(1, 2, 3, padding=1)(ml.zeros(5, 1, 4, 4, 4)).shape
        (5, 2, 4, 4, 4)
    """

    axes = 3

    def forward(self, x: Tensor) -> Tensor:
        """(batch, in, depth, height, width) in, (batch, out, *places) out."""
        return self.convolve(F.conv3d, x)
