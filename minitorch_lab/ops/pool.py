"""Pooling: one number for each window, its largest entry or its mean."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

from ..core.array import Array, beside, xp
from ..errors import ArgumentError, ShapeError
from .broadcast import sum_op
from .compare import where as choose
from .conv import framed, last_axes, per_axis
from .elementwise import mul
from .extremes import bounds_of, laid_as_rows, largest, max_pool_op
from .families import only_floats
from .front import taught
from .reduce import mean_op
from .refit import as_batch
from .window import Ints, span

LENGTHS = {1: "length", 2: "height, width", 3: "depth, height, width"}


class Windows(NamedTuple):
    """Where the windows lie along each of the last axes, and how many there are."""

    size: Ints
    step: Ints
    edge: Ints
    every: Ints
    places: Ints
    lengths: Ints


def laid_out(name: str, x: Any, n: int, settings: tuple[Any, Any, Any, Any], ceil_mode: bool) -> Windows:
    """The windows over the last `n` axes: settings are size, stride, padding and dilation.

    Raises:
        ShapeError: The input has too few axes, or a window is larger than the padded input.
        ArgumentError: A setting is no whole number, too small, or the padding is more than half a window.
    """
    kernel_size, stride, padding, dilation = settings
    if len(x.shape) not in (n + 1, n + 2) or not x.shape[-n - 1]:
        raise ShapeError(
            f"{name} got an input of shape {tuple(x.shape)}.",
            f"It takes (batch, channels, {LENGTHS[n]}), with or without the batch.",
            as_batch(tuple(x.shape), n),
        )
    size = per_axis("kernel_size", kernel_size, n, 1)
    step = size if stride is None else per_axis("stride", stride, n, 1)
    edge, every = per_axis("padding", padding, n, 0), per_axis("dilation", dilation, n, 1)
    if any(2 * p > k for p, k in zip(edge, size, strict=True)):
        raise ArgumentError(
            f"{name} got padding={padding!r} for kernel_size={kernel_size!r}.",
            "The padding is at most half a window: a window of padding alone has no value.",
            f"Did you mean padding={size[0] // 2}?",
        )
    lengths = tuple(x.shape[-n:])
    places = tuple(
        place_count(m, span(k, d), s, p, ceil_mode)
        for m, k, s, p, d in zip(lengths, size, step, edge, every, strict=True)
    )
    return Windows(size, step, edge, every, places, lengths)


def place_count(length: int, reach: int, step: int, edge: int, ceil_mode: bool) -> int:
    """How many windows stand along an axis; with `ceil_mode` the last may reach past the end, but starts inside."""
    room = length + 2 * edge - reach
    if not ceil_mode:
        return room // step + 1
    found = -(-room // step) + 1
    return found - 1 if (found - 1) * step >= length + edge else found


def surrounded(x: Any, n: int, w: Windows, frame: float) -> tuple[Any, dict[str, Ints]]:
    """The input with so much `frame` around it as the windows reach, and how they lie in that."""
    after = [
        max(p, (c - 1) * s + span(k, d) - m - p)
        for m, k, s, p, d, c in zip(w.lengths, w.size, w.step, w.edge, w.every, w.places, strict=True)
    ]
    x = framed(x, tuple(zip(w.edge, after, strict=True)), frame)
    return x, {"axis": last_axes(x, n), "size": w.size, "step": w.step, "dilation": w.every}


def pooled(x: Any, n: int, w: Windows, frame: float) -> Any:
    """The windows of the last `n` axes, each as one row on a last axis; around the input stands `frame`."""
    x, params = surrounded(x, n, w, frame)
    return laid_as_rows(x, **params)[0]


def in_input(where: Any, n: int, w: Windows) -> Any:
    """From places in windows to places in the last `n` axes of the input, counted through.

    A window whose largest entry is of the frame has none that is larger than the least: it counts the first inside.
    """
    found = 0
    for k in range(n):
        starts = (xp.arange(w.places[k]) * w.step[k] - w.edge[k]).reshape(-1, *(1,) * (n - k - 1))
        inside = where // prod(w.size[k + 1 :]) % w.size[k] * w.every[k]
        at = inside + beside(starts, where)
        at = choose(at < 0, at % w.every[k], at) if w.edge[k] else at
        found = found + at * prod(w.lengths[k + 1 :])
    return found


def max_pooled(name: str, x: Any, n: int, settings: tuple[Any, Any, Any, Any], ceil_mode: bool, indices: bool) -> Any:
    """The largest entry of each window, and with `indices` where in the input it stands."""
    w, (least, _) = laid_out(name, x, n, settings, ceil_mode), bounds_of(x.dtype)
    if not indices:
        x, params = surrounded(x, n, w, least)
        return max_pool_op(x, **params)
    found, where = largest(pooled(x, n, w, least))
    return found, in_input(where, n, w)


def avg_pooled(
    name: str, x: Any, n: int, settings: tuple[Any, ...], ceil_mode: bool, padded: bool, divisor: int | None
) -> Any:
    """The mean of each window: of all its entries, or without those of the padding.

    Raises:
        ArgumentError: The divisor is 0.
    """
    only_floats(name)(x)
    if divisor == 0:
        raise ArgumentError(f"{name} got divisor_override=0.", "The sum of a window is divided by it.", "Leave it out.")
    w = laid_out(name, x, n, (*settings, 1), ceil_mode)
    rows = pooled(x, n, w, 0.0)
    last = len(rows.shape) - 1
    if divisor is None and not ceil_mode and (padded or not any(w.edge)):
        return mean_op(rows, axis=(last,), keepdims=False)
    total = sum_op(rows, axis=(last,), keepdims=False)
    shares = xp.array(1.0 / divisor) if divisor else 1.0 / entry_counts(n, w, padded)
    return mul(total, beside(shares.astype(x.dtype), x))


def entry_counts(n: int, w: Windows, padded: bool) -> Array:
    """How many entries each window holds: within the padded input, or within the input."""
    counts = xp.ones((1,) * n)
    for k in range(n):
        start = xp.arange(w.places[k]) * w.step[k] - w.edge[k]
        end = xp.minimum(start + w.size[k], w.lengths[k] + w.edge[k])
        held = end - start if padded else xp.minimum(end, w.lengths[k]) - xp.maximum(start, 0)
        counts = counts * held.reshape(-1, *(1,) * (n - k - 1))
    return counts


@taught
def max_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest entry of each window along the last axis. The first of equals gets the gradient.

    Shape:
        input (batch, channels, length) or (channels, length); the last axis becomes
        (length + 2·padding - dilation·(kernel_size - 1) - 1) // stride + 1, rounded up with `ceil_mode`. `stride` is
        `kernel_size` if left out. With `return_indices` a pair: the entries, and where they stand, int64.

    Raises:
        ShapeError: The input has too few axes, or a window is larger than the padded input.
        ArgumentError: A setting is no whole number, too small, or the padding is more than half a window.

    Example:
        >>> import minitorch_lab as ml
        >>> max_pool1d(ml.tensor([[1.0, 5.0, 2.0, 3.0]]), 2).tolist()
        [[5.0, 3.0]]
    """
    settings = (kernel_size, stride, padding, dilation)
    return max_pooled("max_pool1d", input, 1, settings, ceil_mode, return_indices)


@taught
def max_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest entry of each window over the last two axes. The first of equals gets the gradient.

    Shape:
        input (batch, channels, height, width), with or without the batch; the last two axes shrink as in `max_pool1d`.
        With `return_indices` a pair: the entries, and where they stand in the image, row by row, int64.

    Raises:
        ShapeError: The input has too few axes, or a window is larger than the padded input.
        ArgumentError: A setting is no whole number, too small, or the padding is more than half a window.

    Example:
        >>> import minitorch_lab as ml
        >>> max_pool2d(ml.arange(16).float().reshape(1, 4, 4), 2).tolist()
        [[[5.0, 7.0], [13.0, 15.0]]]
    """
    settings = (kernel_size, stride, padding, dilation)
    return max_pooled("max_pool2d", input, 2, settings, ceil_mode, return_indices)


@taught
def max_pool3d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest entry of each window over the last three axes. Arguments as in `max_pool2d`.

    Raises:
        ShapeError: The input has too few axes, or a window is larger than the padded input.
        ArgumentError: A setting is no whole number, too small, or the padding is more than half a window.
    """
    settings = (kernel_size, stride, padding, dilation)
    return max_pooled("max_pool3d", input, 3, settings, ceil_mode, return_indices)


@taught
def avg_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:
    """The mean of each window along the last axis; zeros of the padding count, unless `count_include_pad` is False.

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
    return avg_pooled("avg_pool1d", input, 1, (kernel_size, stride, padding), ceil_mode, count_include_pad, None)


@taught
def avg_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Any:
    """The mean of each window over the last two axes; zeros of the padding count, unless told otherwise.

    Shape:
        As `max_pool2d`. The sum of a window is divided by `divisor_override` if that is given.

    Raises:
        ShapeError: The input has too few axes, or a window is larger than the padded input.
        ArgumentError: A setting is no whole number, too small, or the padding is more than half a window.

    Example:
        >>> import minitorch_lab as ml
        >>> avg_pool2d(ml.arange(16).float().reshape(1, 4, 4), 2).tolist()
        [[[2.5, 4.5], [10.5, 12.5]]]
    """
    settings = (kernel_size, stride, padding)
    return avg_pooled("avg_pool2d", input, 2, settings, ceil_mode, count_include_pad, divisor_override)


@taught
def avg_pool3d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Any:
    """The mean of each window over the last three axes. Arguments as in `avg_pool2d`.

    Raises:
        ShapeError: The input has too few axes, or a window is larger than the padded input.
        ArgumentError: A setting is no whole number, too small, or the padding is more than half a window.
    """
    settings = (kernel_size, stride, padding)
    return avg_pooled("avg_pool3d", input, 3, settings, ceil_mode, count_include_pad, divisor_override)
