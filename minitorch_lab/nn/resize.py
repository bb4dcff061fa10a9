"""Layers that lay entries out anew: patches, pixels, other sizes, axes apart."""

from __future__ import annotations

from typing import Any

from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .function_layer import FunctionLayer
from .module import Module


class Unflatten(Module):
    """Make one axis several: the way back of `Flatten`.

    Args:
        dim: The axis.
        unflattened_size: The lengths, whose product is its length; one of them may be -1.

    Raises:
        ShapeError: The lengths do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Unflatten(1, (8, 8))(ml.zeros(5, 64)).shape
        (5, 8, 8)
    """

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        """Remember the axis and the lengths."""
        super().__init__()
        self.dim, self.unflattened_size = dim, tuple(unflattened_size)

    def forward(self, x: Tensor) -> Tensor:
        """A view where the memory allows it."""
        return x.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        """The axis and the lengths."""
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


class ChannelShuffle(FunctionLayer):
    """Channels dealt out like cards, those of the groups by turns: `nn.functional.channel_shuffle`.

    Args:
        groups: How many groups the channels are in.

    Raises:
        ShapeError: The groups do not divide the channels.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ChannelShuffle(2)(ml.arange(4).reshape(1, 4, 1)).flatten().tolist()
        [0, 2, 1, 3]
    """

    function = staticmethod(F.channel_shuffle)

    def __init__(self, groups: int) -> None:
        """Remember the groups."""
        super().__init__()
        self.configure(groups=groups)


class PixelShuffle(FunctionLayer):
    """Channels as pixels: (batch, C r², H, W) becomes (batch, C, H r, W r). W. Shi and others, 2016.

    Args:
        upscale_factor: r.

    Raises:
        ShapeError: r² does not divide the channels.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.PixelShuffle(2)(ml.zeros(1, 8, 3, 3)).shape
        (1, 2, 6, 6)
    """

    function = staticmethod(F.pixel_shuffle)

    def __init__(self, upscale_factor: int) -> None:
        """Remember the factor."""
        super().__init__()
        self.configure(upscale_factor=upscale_factor)


class PixelUnshuffle(FunctionLayer):
    """Pixels as channels: the way back of `PixelShuffle`.

    Args:
        downscale_factor: r.

    Raises:
        ShapeError: r does not divide height and width.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.PixelUnshuffle(2)(ml.zeros(1, 2, 6, 6)).shape
        (1, 8, 3, 3)
    """

    function = staticmethod(F.pixel_unshuffle)

    def __init__(self, downscale_factor: int) -> None:
        """Remember the factor."""
        super().__init__()
        self.configure(downscale_factor=downscale_factor)


class Upsample(FunctionLayer):
    """A sequence, image or volume in another size: `nn.functional.interpolate`.

    Args:
        size: The new lengths, or one for all.
        scale_factor: By how much they grow instead.
        mode: "nearest", "area", or by the number of axes "linear", "bilinear" or "bicubic", "trilinear".
        align_corners: In the linear modes: keep the outermost entries where they are.

    Raises:
        ArgumentError: There is no such mode, or neither or both of size and factor are given.
        ShapeError: The input has other axes than the mode.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Upsample(scale_factor=2, mode="bilinear")(ml.zeros(1, 2, 3, 4)).shape
        (1, 2, 6, 8)
    """

    function = staticmethod(F.interpolate)

    def __init__(
        self, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
    ) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(size=size, scale_factor=scale_factor, mode=mode, align_corners=align_corners)

    def extra_repr(self) -> str:
        """The size or factor, and the mode."""
        scale = None if self.scale_factor is None else float(self.scale_factor)
        how = f"scale_factor={scale}" if self.size is None else f"size={self.size}"
        return f"{how}, mode={self.mode!r}"


class Unfold(FunctionLayer):
    """The patches of an image as columns: (batch, channels · kernel, places).

    Args:
        kernel_size: Height and width of a patch, or one number for both; so for the settings below.
        dilation: Distance between the entries of a patch.
        padding: Zeros on all sides.
        stride: Distance between patches.

    Raises:
        ShapeError: The input has other axes, or a patch does not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Unfold(2)(ml.zeros(5, 3, 4, 4)).shape
        (5, 12, 9)
    """

    function = staticmethod(F.unfold)

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)


class Fold(FunctionLayer):
    """The transpose of `Unfold`: patches are added up at their places.

    Args:
        output_size: Height and width of the result.
        kernel_size: As in `Unfold`, so for the settings below.
        dilation: Distance between the entries of a patch.
        padding: What is taken away on all sides.
        stride: Distance between patches.

    Raises:
        ShapeError: The patches are not those of such an image.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Fold((4, 4), 2)(ml.zeros(5, 12, 9)).shape
        (5, 3, 4, 4)
    """

    function = staticmethod(F.fold)

    def __init__(
        self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(
            output_size=output_size, kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride
        )
