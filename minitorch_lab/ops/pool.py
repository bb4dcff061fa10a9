"""Pooling: one number for each window, its largest entry or its mean."""

from __future__ import annotations

from math import prod
from typing import Any

from ..array import xp
from ..errors import ArgumentError, ShapeError
from .conv import framed, last_axes, per_axis
from .front import taught
from .indexing import gather_op
from .movement import reshape_op
from .reduce import argmax_op, mean_op
from .window import window_op


def pooled(name: str, x: Any, n: int, settings: tuple[Any, Any, Any, Any], frame: float) -> Any:
    """The windows of the last `n` axes, each as one row on a last axis: settings are size, stride, padding, dilation.

    Raises:
        ShapeError: The input has too few axes, or a window is larger than the padded input.
        ArgumentError: A setting is no whole number, too small, or the padding is more than half a window.
    """
    kernel_size, stride, padding, dilation = settings
    if len(x.shape) not in (n + 1, n + 2) or not x.shape[-n - 1]:
        raise ShapeError(
            f"{name} got an input of shape {tuple(x.shape)}.",
            f"It takes (batch, channels, {'length' if n == 1 else 'height, width'}), with or without the batch.",
            "Did you mean x.unsqueeze(0)?",
        )
    size = per_axis("kernel_size", kernel_size, n, 1)
    step = size if stride is None else per_axis("stride", stride, n, 1)
    edge = per_axis("padding", padding, n, 0)
    if any(2 * p > k for p, k in zip(edge, size, strict=True)):
        raise ArgumentError(
            f"{name} got padding={padding!r} for kernel_size={kernel_size!r}.",
            "The padding is at most half a window: a window of padding alone has no value.",
            f"Did you mean padding={size[0] // 2}?",
        )
    framed_x = framed(x, tuple((p, p) for p in edge), frame)
    every = per_axis("dilation", dilation, n, 1)
    seen = window_op(framed_x, axis=last_axes(x, n), size=size, step=step, dilation=every)
    return reshape_op(seen, shape=(*seen.shape[: len(x.shape)], prod(size)))


def largest(rows: Any) -> Any:
    """The largest entry of each row. The first of equals: where amax would split the gradient, pooling picks one."""
    last = len(rows.shape) - 1
    where = argmax_op(rows, axis=(last,), keepdims=True)
    return reshape_op(gather_op(rows, where, axis=last), shape=tuple(rows.shape[:last]))


@taught
def max_pool1d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1) -> Any:
    """The largest entry of each window along the last axis. The first of equals gets the gradient.

    Shape:
        input (batch, channels, length) or (channels, length); the last axis becomes
        (length + 2·padding - dilation·(kernel_size - 1) - 1) // stride + 1. `stride` is `kernel_size` if left out.

    Raises:
        ShapeError: The input has too few axes, or a window is larger than the padded input.
        ArgumentError: A setting is no whole number, too small, or the padding is more than half a window.

    Example:
        >>> import minitorch_lab as ml
        >>> max_pool1d(ml.tensor([[1.0, 5.0, 2.0, 3.0]]), 2).tolist()
        [[5.0, 3.0]]
    """
    return largest(pooled("max_pool1d", input, 1, (kernel_size, stride, padding, dilation), -xp.inf))


@taught
def max_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1) -> Any:
    """The largest entry of each window over the last two axes. The first of equals gets the gradient.

    Shape:
        input (batch, channels, height, width), with or without the batch; the last two axes shrink as in `max_pool1d`.

    Raises:
        ShapeError: The input has too few axes, or a window is larger than the padded input.
        ArgumentError: A setting is no whole number, too small, or the padding is more than half a window.

    Example:
        >>> import minitorch_lab as ml
        >>> max_pool2d(ml.arange(16).float().reshape(1, 4, 4), 2).tolist()
        [[[5.0, 7.0], [13.0, 15.0]]]
    """
    return largest(pooled("max_pool2d", input, 2, (kernel_size, stride, padding, dilation), -xp.inf))


@taught
def avg_pool1d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0) -> Any:
    """The mean of each window along the last axis; zeros of the padding count.

    Shape:
        As `max_pool1d`.

    Raises:
        ShapeError: The input has too few axes, or a window is larger than the padded input.
        ArgumentError: A setting is no whole number, too small, or the padding is more than half a window.

    Example:
        >>> import minitorch_lab as ml
        >>> avg_pool1d(ml.tensor([[1.0, 5.0, 2.0, 3.0]]), 2).tolist()
        [[3.0, 2.5]]
    """
    rows = pooled("avg_pool1d", input, 1, (kernel_size, stride, padding, 1), 0.0)
    return mean_op(rows, axis=(len(rows.shape) - 1,), keepdims=False)


@taught
def avg_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0) -> Any:
    """The mean of each window over the last two axes; zeros of the padding count.

    Shape:
        As `max_pool2d`.

    Raises:
        ShapeError: The input has too few axes, or a window is larger than the padded input.
        ArgumentError: A setting is no whole number, too small, or the padding is more than half a window.

    Example:
        >>> import minitorch_lab as ml
        >>> avg_pool2d(ml.arange(16).float().reshape(1, 4, 4), 2).tolist()
        [[[2.5, 4.5], [10.5, 12.5]]]
    """
    rows = pooled("avg_pool2d", input, 2, (kernel_size, stride, padding, 1), 0.0)
    return mean_op(rows, axis=(len(rows.shape) - 1,), keepdims=False)
