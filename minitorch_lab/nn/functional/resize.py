"""Images of other sizes: interpolated, taken apart into patches, channels laid out as pixels."""

from __future__ import annotations

from math import floor
from typing import Any

from ...core.array import beside, xp
from ...errors import ArgumentError, ShapeError
from ...ops.conv import borders, framed, last_axes, per_axis
from ...ops.elementwise import mul
from ...ops.front import taught
from ...ops.indexing import getitem_op
from ...ops.movement import reshape_op
from ...ops.narrow import rounded_once
from ...ops.template import HOLE
from ...ops.window import count, fold_op, window_op
from ...tensors.tensor import Tensor
from .pool import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d

SMOOTH = {"linear": 1, "bilinear": 2, "trilinear": 3, "bicubic": 2}
MODES = ("nearest", "nearest-exact", "area", *SMOOTH)
AREAS = (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)
STIFF = -0.75  # the slope of the cubic one entry away (R. Keys, 1981), as in PyTorch


def taken(x: Tensor, axis: int, places: Any) -> Tensor:
    """The entries of one axis that stand at `places`, whole numbers."""
    return getitem_op(x, beside(places, x), index=(*(slice(None),) * axis, HOLE))


def along(x: Tensor, axis: int, weights: Any) -> Any:
    """One number for each entry of an axis, as an array that stretches over the others."""
    shape = [1] * len(x.shape)
    shape[axis] = len(weights)
    return beside(weights.reshape(shape).astype(x.dtype), x)


def stretched(x: Tensor, axis: int, length: int, factor: float | None, mode: str, align_corners: bool) -> Tensor:
    """One axis in another length: every new place is a place between the old ones."""
    n, new = x.shape[axis], xp.arange(length)
    ratio = n / length if factor is None else 1.0 / factor
    if mode == "nearest":
        return taken(x, axis, xp.minimum(xp.floor(new * ratio), n - 1).astype("int64"))
    if mode == "nearest-exact":
        return taken(x, axis, xp.minimum(xp.floor((new + 0.5) * ratio), n - 1).astype("int64"))
    if align_corners:
        where = new * ((n - 1) / (length - 1) if length > 1 else 0.0)
    else:
        where = (new + 0.5) * ratio - 0.5
    if mode == "bicubic":
        return cubic(x, axis, where)
    where = xp.maximum(where, 0.0)
    left = xp.minimum(xp.floor(where), n - 1).astype("int64")
    share = where - left
    right = xp.minimum(left + 1, n - 1)
    near, far = along(x, axis, 1.0 - share), along(x, axis, share)
    return mul(taken(x, axis, left), near) + mul(taken(x, axis, right), far)


def cubic(x: Tensor, axis: int, where: Any) -> Tensor:
    """One axis at places between its entries, by the cubic through four of them; the ends are repeated."""
    first = xp.floor(where).astype("int64") - 1
    parts: list[Tensor] = []
    for k in range(4):
        far = xp.abs(where - (first + k))
        near = ((STIFF + 2) * far - (STIFF + 3)) * far * far + 1
        beyond = ((STIFF * far - 5 * STIFF) * far + 8 * STIFF) * far - 4 * STIFF
        entries = taken(x, axis, xp.clip(first + k, 0, x.shape[axis] - 1))
        parts.append(mul(entries, along(x, axis, xp.where(far <= 1, near, beyond))))
    return parts[0] + parts[1] + parts[2] + parts[3]


@taught
@rounded_once
def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """A sequence, image or volume in another size.

    Args:
        input: (batch, channels, *lengths), with one to three lengths.
        size: The new lengths, or one for all.
        scale_factor: By how much they grow instead.
        mode: "nearest", "nearest-exact", "area"; by the number of axes "linear", "bilinear" or "bicubic", "trilinear".
        align_corners: In the linear modes: keep the outermost entries where they are.
        recompute_scale_factor: Take the ratio of the lengths for the factor.
        antialias: False; what is made smaller is not smoothed first.

    Raises:
        ArgumentError: There is no such mode, neither or both of size and factor are given, or `antialias` is asked for.
        ShapeError: The input has other axes than the mode.

    Example:
        >>> import minitorch_lab as ml
        >>> interpolate(ml.tensor([[[1.0, 2.0]]]), scale_factor=2).tolist()
        [[[1.0, 1.0, 2.0, 2.0]]]
        >>> interpolate(ml.tensor([[[0.0, 3.0]]]), size=4, mode="linear", align_corners=True).tolist()
        [[[0.0, 1.0, 2.0, 3.0]]]
    """
    if antialias:
        raise ArgumentError(
            "interpolate got antialias=True.",
            "What is made smaller is not smoothed first.",
            'Did you mean mode="area"? It takes means of all entries.',
        )
    n = len(input.shape) - 2
    check_resize(tuple(input.shape), size, scale_factor, mode)
    old = tuple(input.shape)[2:]
    if size is not None:
        lengths, factors = per_axis("size", size, n, 1), (None,) * n
    else:
        given = tuple(scale_factor) if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * n
        lengths = tuple(floor(m * f) for m, f in zip(old, given, strict=True))
        factors = (None,) * n if recompute_scale_factor else given
    if mode == "area":
        return AREAS[n - 1](input, lengths)
    for k in range(n):
        if lengths[k] != old[k] or mode != "nearest":
            input = stretched(input, k + 2, lengths[k], factors[k], mode, bool(align_corners))
    return input


def check_resize(shape: tuple[int, ...], size: Any, factor: Any, mode: str) -> None:
    """Refuse what `interpolate` cannot do.

    Raises:
        ArgumentError: There is no such mode, or neither or both of size and factor are given.
        ShapeError: The input has other axes than the mode.
    """
    if mode not in MODES:
        raise ArgumentError(
            f"interpolate got mode={mode!r}.", f"It knows {', '.join(MODES)}.", 'Did you mean mode="bilinear"?'
        )
    if (size is None) == (factor is None):
        raise ArgumentError(
            f"interpolate got size={size!r} and scale_factor={factor!r}.",
            "One of the two says how large the result is.",
            "Did you mean scale_factor=2?",
        )
    if SMOOTH.get(mode, len(shape) - 2) != len(shape) - 2 or not 3 <= len(shape) <= 5:
        fitting = [name for name, n in SMOOTH.items() if n == len(shape) - 2]
        raise ShapeError(
            f"interpolate got an input of shape {shape} and mode={mode!r}.",
            "It takes (batch, channels, *lengths): linear one length, bilinear and bicubic two, trilinear three.",
            f"Did you mean mode={fitting[0]!r}?" if fitting else "Did you mean x.unsqueeze(0)?",
        )


@taught
def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """The patches of an image as columns: (batch, channels · kernel, places).

    Args:
        input: (batch, channels, height, width), with or without the batch.
        kernel_size: Height and width of a patch, or one number for both; so for the settings below.
        dilation: Distance between the entries of a patch.
        padding: Zeros on all sides.
        stride: Distance between patches.

    Raises:
        ArgumentError: A setting is no whole number, or too small.
        ShapeError: The input has other axes, or a patch does not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> unfold(ml.arange(6).float().reshape(1, 1, 2, 3), (2, 2)).tolist()
        [[[0.0, 1.0], [1.0, 2.0], [3.0, 4.0], [4.0, 5.0]]]
    """
    if len(input.shape) == 3:
        return unfold(input.unsqueeze(0), kernel_size, dilation, padding, stride).squeeze(0)
    if len(input.shape) != 4:
        raise ShapeError(
            f"unfold got an input of shape {tuple(input.shape)}.",
            "It takes images: (batch, channels, height, width).",
            "Did you mean x.unfold(dim, size, step)? It takes windows along one axis.",
        )
    size, every = per_axis("kernel_size", kernel_size, 2, 1), per_axis("dilation", dilation, 2, 1)
    step, edge = per_axis("stride", stride, 2, 1), borders(padding, 2, size, (1, 1))
    x: Any = framed(input, edge, 0.0)
    seen = window_op(x, axis=last_axes(x, 2), size=size, step=step, dilation=every)
    batch, channels, *rest = tuple(seen.shape)
    columns = seen.permute(0, 1, 4, 5, 2, 3)
    return reshape_op(columns, shape=(batch, channels * size[0] * size[1], rest[0] * rest[1]))


@taught
def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """The transpose of `unfold`: patches are added up at their places.

    Args:
        input: (batch, channels · kernel, places), with or without the batch.
        output_size: Height and width of the result.
        kernel_size: As in `unfold`, so for the settings below.
        dilation: Distance between the entries of a patch.
        padding: What is taken away on all sides.
        stride: Distance between patches.

    Raises:
        ArgumentError: A setting is no whole number, or too small.
        ShapeError: The patches are not those of such an image.

    Example:
        >>> import minitorch_lab as ml
        >>> fold(ml.ones(1, 4, 2), (2, 3), (2, 2)).tolist()
        [[[[1.0, 2.0, 1.0], [1.0, 2.0, 1.0]]]]
    """
    if len(input.shape) == 2:
        return fold(input.unsqueeze(0), output_size, kernel_size, dilation, padding, stride).squeeze(0)
    size, every = per_axis("kernel_size", kernel_size, 2, 1), per_axis("dilation", dilation, 2, 1)
    step, edge = per_axis("stride", stride, 2, 1), per_axis("padding", padding, 2, 0)
    target = per_axis("output_size", output_size, 2, 1)
    whole = tuple(n + 2 * p for n, p in zip(target, edge, strict=True))
    places = [count(n, k, s, d) for n, k, s, d in zip(whole, size, step, every, strict=True)]
    batch, rows, columns = tuple(input.shape) if len(input.shape) == 3 else (0, 0, 0)
    if len(input.shape) != 3 or rows % (size[0] * size[1]) or columns != places[0] * places[1]:
        raise ShapeError(
            f"fold got an input of shape {tuple(input.shape)} for images of {target}.",
            f"It takes (batch, channels · {size[0] * size[1]}, {places[0] * places[1]}): a column for each patch.",
            "Compare with unfold(x, ...).shape.",
        )
    channels = rows // (size[0] * size[1])
    windows = reshape_op(input, shape=(batch, channels, *size, *places)).permute(0, 1, 4, 5, 2, 3)
    out = fold_op(windows, axis=(2, 3), size=size, step=step, dilation=every, shape=(batch, channels, *whole))
    return out[:, :, edge[0] : whole[0] - edge[0], edge[1] : whole[1] - edge[1]]


@taught
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Channels as pixels: (..., C r², H, W) becomes (..., C, H r, W r). W. Shi and others, 2016.

    Raises:
        ShapeError: r² does not divide the channels.

    Example:
        >>> import minitorch_lab as ml
        >>> pixel_shuffle(ml.arange(4).reshape(1, 4, 1, 1), 2).tolist()
        [[[[0, 1], [2, 3]]]]
    """
    r, (*lead, c, h, w) = upscale_factor, tuple(input.shape)
    if r < 1 or c % (r * r):
        raise ShapeError(
            f"pixel_shuffle got {c} channels and upscale_factor={r}.",
            "Every r² channels become one that is r times as high and wide.",
            f"Give the layer before it {max(r, 1) ** 2} times the channels of the result.",
        )
    if r == 1:
        return input.clone()
    n = len(lead)
    apart = input.reshape(*lead, c // (r * r), r, r, h, w)
    mixed = apart.permute(*range(n + 1), n + 3, n + 1, n + 4, n + 2)
    return mixed.reshape(*lead, c // (r * r), h * r, w * r)


@taught
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """Pixels as channels: the inverse of `pixel_shuffle`.

    Raises:
        ShapeError: The factor does not divide height and width.
    """
    r, (*lead, c, h, w) = downscale_factor, tuple(input.shape)
    if r < 1 or h % r or w % r:
        raise ShapeError(
            f"pixel_unshuffle got an image of {(h, w)} and downscale_factor={r}.",
            "The factor divides height and width.",
            "Did you mean downscale_factor=2?",
        )
    if r == 1:
        return input.clone()
    n = len(lead)
    apart = input.reshape(*lead, c, h // r, r, w // r, r)
    return apart.permute(*range(n + 1), n + 2, n + 4, n + 1, n + 3).reshape(*lead, c * r * r, h // r, w // r)


__all__ = ["fold", "interpolate", "pixel_shuffle", "pixel_unshuffle", "unfold"]
