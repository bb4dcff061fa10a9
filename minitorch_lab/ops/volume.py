"""Convolutions over volumes: three axes, by the parts of those over images."""

from __future__ import annotations

from typing import Any

from .conv import convolved, spread
from .front import taught


@taught
def conv3d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """Slide `weight` over the last three axes of `input` and take the inner product at each place.

    Shape:
        input (batch, in, depth, height, width), with or without the batch, weight (out, in/groups, *kernel),
        bias (out,); the result is (batch, out, *places), with the places of `conv1d` along each axis.

    Raises:
        ShapeError: The shapes do not fit, or the kernel is larger than the padded input.
        ArgumentError: A setting is no whole number, or too small.
        DTypeError: The dtypes differ.

    Example:
        >>> import minitorch_lab as ml
        >>> conv3d(ml.ones(1, 1, 2, 2, 2), ml.ones(1, 1, 2, 2, 2)).item()
        8.0
    """
    return convolved("conv3d", input, weight, bias, 3, (stride, padding, dilation, groups))


@taught
def conv_transpose3d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Any:
    """The transpose of `conv3d`: every entry of `input` lays down a multiple of `weight`, `stride` apart.

    Shape:
        input (batch, in, depth, height, width), weight (in, out/groups, *kernel), bias (out,); the result is
        (batch, out, *places), with the places of `conv_transpose1d` along each axis.

    Raises:
        ShapeError: The shapes do not fit, or the padding takes everything away.
        ArgumentError: A setting is no whole number, or too small.
        DTypeError: The dtypes differ.

    Example:
        >>> import minitorch_lab as ml
        >>> conv_transpose3d(ml.ones(1, 1, 1, 1, 1), ml.ones(1, 1, 2, 1, 1)).shape
        (1, 1, 2, 1, 1)
    """
    return spread("conv_transpose3d", input, weight, bias, 3, (stride, padding, output_padding, groups, dilation))
