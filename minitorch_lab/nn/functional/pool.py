"""Pooling to a given size, and the way back from the places of the largest entries."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ...core.array import beside, xp
from ...errors import ArgumentError, ShapeError
from ...ops.compare import where
from ...ops.conv import per_axis
from ...ops.elementwise import mul
from ...ops.extremes import largest
from ...ops.families import only_floats
from ...ops.front import taught
from ...ops.indexing import getitem_op
from ...ops.narrow import rounded_once
from ...ops.pool import avg_pool1d, avg_pool2d, avg_pool3d
from ...ops.refit import as_batch
from ...ops.template import HOLE
from ...tensors.tensor import Tensor


def spans(length: int, places: int) -> tuple[Any, Any]:
    """Which entries of an axis each of `places` windows holds, the last ones again to make them equally long.

    Window i goes from floor(i · length / places) to ceil((i + 1) · length / places). Both arrays are (places, longest):
    the entries, and 1 over the number of them, 0 where an entry stands again.
    """
    start = xp.arange(places) * length // places
    end = -(-(xp.arange(places) + 1) * length // places)
    offsets = xp.arange(int((end - start).max()))
    index = start[:, None] + offsets
    share = (index < end[:, None]) / (end - start)[:, None]
    return xp.minimum(index, end[:, None] - 1), share


def targets(name: str, x: Tensor, n: int, output_size: Any) -> list[tuple[int, int]]:
    """The axes that change, each with its new length.

    Raises:
        ShapeError: The input has other axes.
        ArgumentError: A length is no whole number.
    """
    if len(x.shape) not in (n + 1, n + 2):
        raise ShapeError(
            f"{name} got an input of shape {tuple(x.shape)}.",
            f"It takes (batch, channels, …) with {n} more {'axis' if n == 1 else 'axes'}, with or without the batch.",
            as_batch(tuple(x.shape), n),
        )
    given = tuple(output_size) if isinstance(output_size, (tuple, list)) else (output_size,) * n
    old = tuple(x.shape)[-n:]
    if len(given) != n:
        raise ArgumentError(
            f"{name} got output_size={output_size!r}.",
            f"It takes one length, or one for each of {n} axes; None keeps an axis.",
            "Did you mean output_size=1?",
        )
    sizes = per_axis("output_size", tuple(m if o is None else o for o, m in zip(given, old, strict=True)), n, 1)
    return [(len(x.shape) - n + k, sizes[k]) for k in range(n)]


def windows_along(x: Tensor, axis: int, places: int) -> tuple[Tensor, Any]:
    """The windows of one axis as (…, places, longest, …), and the shares of their entries, stretching over them."""
    index, share = spans(x.shape[axis], places)
    seen = getitem_op(x, beside(index, x), index=(*(slice(None),) * axis, HOLE))
    shape = (*index.shape, *(1,) * (len(x.shape) - axis - 1))
    return seen, beside(share.reshape(shape).astype(x.dtype), x)


def averaged(name: str, x: Tensor, n: int, output_size: Any) -> Tensor:
    """The mean of each window, axis by axis."""
    only_floats(name)(x)
    given = x
    for axis, places in targets(name, x, n, output_size):
        if places == 1:
            x = x.mean(axis, keepdim=True)
        elif places != x.shape[axis]:
            seen, share = windows_along(x, axis, places)
            x = mul(seen, share).sum(axis + 1)
    return x.clone() if x is given else x  # memory of its own, as of every other size


def highest(name: str, x: Tensor, n: int, output_size: Any, return_indices: bool) -> Any:
    """The largest entry of each window, axis by axis, the last one first: the first of equals in row order."""
    given, lengths = x, tuple(x.shape)[-n:]
    at = Tensor(beside(xp.arange(prod(lengths)).reshape(lengths), x)).expand(*x.shape) if return_indices else None
    for axis, places in reversed(targets(name, x, n, output_size)):
        if places != x.shape[axis]:
            seen, _ = windows_along(x, axis, places)
            x, chosen = largest(seen.movedim(axis + 1, -1))
            if at is not None:
                rows = windows_along(at, axis, places)[0].movedim(axis + 1, -1)
                at = rows.gather(-1, chosen.unsqueeze(-1)).squeeze(-1)
    found = x.clone() if x is given else x
    return found if at is None else (found, at.contiguous())


def norms_of_windows(
    means: Callable[..., Tensor], n: int, x: Tensor, p: float, kernel: Any, stride: Any, ceil_mode: bool
) -> Tensor:
    """The p-norms of windows, from the mean of the powers; NaN where a sum of odd powers is negative, as in PyTorch."""
    size = prod(per_axis("kernel_size", kernel, n, 1))
    return (means(x.pow(p), kernel, stride, 0, ceil_mode) * size).pow(1.0 / p)


@taught
@rounded_once
def lp_pool1d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """The p-norm of each window: (Σ xᵖ)^(1/p), with p = `norm_type`. The arguments are those of `avg_pool1d`.

    Raises:
        ShapeError: The input has other axes, or a window does not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> lp_pool1d(ml.full((1, 2, 2), 3.0), 1, 2).reshape(-1)
        tensor([6., 6.])
    """
    return norms_of_windows(avg_pool1d, 1, input, norm_type, kernel_size, stride, ceil_mode)


@taught
@rounded_once
def lp_pool2d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """The p-norm of each window: (Σ xᵖ)^(1/p), with p = `norm_type`. The arguments are those of `avg_pool2d`.

    Raises:
        ShapeError: The input has other axes, or a window does not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> lp_pool2d(ml.full((1, 2, 2), 3.0), 2, 2).reshape(-1)
        tensor([6.])
    """
    return norms_of_windows(avg_pool2d, 2, input, norm_type, kernel_size, stride, ceil_mode)


@taught
@rounded_once
def lp_pool3d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """The p-norm of each window: (Σ xᵖ)^(1/p), with p = `norm_type`. The arguments are those of `avg_pool3d`.

    Raises:
        ShapeError: The input has other axes, or a window does not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> lp_pool3d(ml.full((1, 2, 2, 2), 3.0), 3, 2).reshape(-1)
        tensor([6.0000])
    """
    return norms_of_windows(avg_pool3d, 3, input, norm_type, kernel_size, stride, ceil_mode)


@taught
@rounded_once
def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """The means of `output_size` windows along the last axis, which together hold every entry.

    Raises:
        ShapeError: The input has other axes.

    Example:
        >>> import minitorch_lab as ml
        >>> adaptive_avg_pool1d(ml.tensor([[1.0, 2.0, 3.0, 5.0]]), 2).tolist()
        [[1.5, 4.0]]
    """
    return averaged("adaptive_avg_pool1d", input, 1, output_size)


@taught
@rounded_once
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """An image of means, of the size that is wanted: height and width, or one number; None keeps an axis.

    Raises:
        ShapeError: The input has other axes.

    Example:
        >>> import minitorch_lab as ml
        >>> adaptive_avg_pool2d(ml.ones(2, 3, 7, 5), (1, 2)).shape
        (2, 3, 1, 2)
    """
    return averaged("adaptive_avg_pool2d", input, 2, output_size)


@taught
@rounded_once
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """A volume of means, of the size that is wanted.

    Raises:
        ShapeError: The input has other axes.
    """
    return averaged("adaptive_avg_pool3d", input, 3, output_size)


@taught
def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest entries of `output_size` windows along the last axis, which together hold every entry.

    With `return_indices` a pair: the entries, and where in the input they stand, int64.

    Raises:
        ShapeError: The input has other axes.
        ArgumentError: A length is no whole number.
    """
    return highest("adaptive_max_pool1d", input, 1, output_size, return_indices)


@taught
def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """An image of largest entries, of the size that is wanted.

    Raises:
        ShapeError: The input has other axes.
        ArgumentError: A length is no whole number.

    Example:
        >>> import minitorch_lab as ml
        >>> adaptive_max_pool2d(ml.arange(16).float().reshape(1, 4, 4), 1).item()
        15.0
    """
    return highest("adaptive_max_pool2d", input, 2, output_size, return_indices)


@taught
def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """A volume of largest entries, of the size that is wanted.

    Raises:
        ShapeError: The input has other axes.
        ArgumentError: A length is no whole number.
    """
    return highest("adaptive_max_pool3d", input, 3, output_size, return_indices)


def unpooled(name: str, x: Tensor, indices: Tensor, n: int, settings: tuple[Any, Any, Any], output_size: Any) -> Tensor:
    """Zeros, with the entries of `x` at their places: settings are size, stride and padding.

    Raises:
        ShapeError: The places are not one for each entry.
    """
    kernel_size, stride, padding = settings
    if tuple(indices.shape) != tuple(x.shape):
        raise ShapeError(
            f"{name} got entries of shape {tuple(x.shape)} and places of shape {tuple(indices.shape)}.",
            "There is one place for each entry.",
            "Did you mean the pair of max_pool2d(x, size, return_indices=True)?",
        )
    size = per_axis("kernel_size", kernel_size, n, 1)
    step = size if stride is None else per_axis("stride", stride, n, 1)
    edge = per_axis("padding", padding, n, 0)
    lead, old = tuple(x.shape)[:-n], tuple(x.shape)[-n:]
    whole = tuple((m - 1) * s - 2 * p + k for m, s, p, k in zip(old, step, edge, size, strict=True))
    if output_size is not None:
        whole = tuple(output_size)[-n:]
    room = 1
    for m in whole:
        room *= m
    zeros = where(False, x.flatten(-n).detach(), 0.0).sum(-1, keepdim=True).expand(*lead, room)
    return zeros.scatter(len(lead), indices.flatten(-n), x.flatten(-n)).reshape(*lead, *whole)


@taught
def max_unpool1d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """The way back of `max_pool1d`: the entries at their places, zeros elsewhere.

    Raises:
        ShapeError: The places are not one for each entry.
    """
    return unpooled("max_unpool1d", input, indices, 1, (kernel_size, stride, padding), output_size)


@taught
def max_unpool2d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """The way back of `max_pool2d`: the entries at their places, zeros elsewhere.

    Raises:
        ShapeError: The places are not one for each entry.
    """
    return unpooled("max_unpool2d", input, indices, 2, (kernel_size, stride, padding), output_size)


__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d", "adaptive_max_pool2d",
    "adaptive_max_pool3d", "max_unpool1d", "max_unpool2d",
]  # fmt: skip
