"""Images seen through a grid: at each place of the result stands where in the input it is read, between its pixels."""

from __future__ import annotations

from functools import reduce
from itertools import product
from math import prod
from typing import Any

from ...errors import ArgumentError, ShapeError
from ...ops.compare import logical_and, where
from ...ops.front import taught
from ...ops.join import stack
from ...tensors.factories import linspace, ones, zeros
from ...tensors.tensor import Tensor

PADDINGS = ("zeros", "border", "reflection")


@taught
def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Tensor:
    """The grid of an affine map: where each place of an image of `size` is read, from -1 to 1 along each axis.

    Args:
        theta: The maps (batch, 2, 3) of images, or (batch, 3, 4) of volumes; the last column moves.
        size: (batch, channels, *lengths) of the result.
        align_corners: True if -1 and 1 are the middles of the outermost pixels, False if they are their edges.

    Returns:
        (batch, *lengths, 2 or 3), for `grid_sample`.

    Raises:
        ShapeError: `theta` does not fit the size.

    Example:
        >>> import minitorch_lab as ml
        >>> affine_grid(ml.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]), (1, 1, 1, 2), align_corners=True).tolist()
        [[[[-1.0, 0.0], [1.0, 0.0]]]]
    """
    batch, lengths = int(size[0]), [int(n) for n in size[2:]]
    n = len(lengths)
    if n not in (2, 3) or tuple(theta.shape) != (batch, n, n + 1):
        raise ShapeError(
            f"affine_grid got theta of shape {tuple(theta.shape)} and the size {tuple(size)}.",
            "For a size (batch, channels, height, width) theta is (batch, 2, 3), for a volume (batch, 3, 4).",
            f"Did you mean theta.expand({batch}, {n}, {n + 1})?",
        )
    like: Any = {"dtype": theta.dtype, "device": theta.device}
    axes: list[Tensor] = []
    for k, length in enumerate(lengths):
        places = linspace(-1, 1, length, **like) if length > 1 else zeros(length, **like)
        places = places if align_corners else places * ((length - 1) / length if length else 0.0)
        axes.append(places.reshape([-1 if a == k else 1 for a in range(n)]).expand(*lengths))
    base = stack([*axes[::-1], ones(*lengths, **like)], -1).reshape(1, prod(lengths), n + 1)
    return (base @ theta.mT).reshape(batch, *lengths, n)


def pixel(x: Tensor, length: int, padding: str, align_corners: bool) -> Tensor:
    """The coordinate -1 … 1 as a number of pixels from the first one, brought back inside if the padding says so."""
    x = (x + 1.0) * ((length - 1) / 2) if align_corners else ((x + 1.0) * length - 1.0) / 2
    if padding == "reflection":
        x = reflected(x, 0.0, float(length - 1)) if align_corners else reflected(x, -0.5, length - 0.5)
    if padding == "zeros":
        return x
    return where(logical_and(x > 0, x < length - 1), x, x.detach().clamp(0, length - 1))


def reflected(x: Tensor, low: float, high: float) -> Tensor:
    """`x`, thrown back at `low` and `high` as often as it takes."""
    span = high - low
    if not span:
        return x * 0.0
    far = (x - low).abs()
    rest, turns = far.fmod(span), (far.detach() / span).floor()
    return where(turns % 2 == 0, rest + low, span - rest + low)


def read(x: Tensor, places: list[Tensor], lengths: list[int]) -> tuple[Tensor, Tensor]:
    """The entries at whole places (batch, *out), the nearest ones if they lie outside; and whether they lie inside."""
    inside = reduce(
        logical_and, [logical_and(p >= 0, p <= n - 1) for p, n in zip(places, lengths, strict=True)]
    )
    flat: Any = 0
    for p, n in zip(places, lengths, strict=True):
        held = where(p == p, p, 0.0).clamp(0, n - 1).long()
        flat = flat * n + held
    batch, channels = x.shape[:2]
    at = flat.reshape(batch, 1, -1).expand(batch, channels, prod(flat.shape[1:]))
    found = x.reshape(batch, channels, prod(lengths)).gather(2, at)
    return found.reshape(batch, channels, *flat.shape[1:]), inside


@taught
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """An image, or a volume, read at the places of `grid`.

    Args:
        input: (batch, channels, *lengths), with two or three lengths.
        grid: (batch, *new lengths, 2 or 3): x, y, and z of volumes, from -1 to 1; x goes along the last axis.
        mode: "bilinear" between the pixels around (of volumes too), or "nearest".
        padding_mode: What is read outside: "zeros", the "border", or by "reflection" what is inside.
        align_corners: True if -1 and 1 are the middles of the outermost pixels, False if they are their edges.

    Returns:
        (batch, channels, *new lengths). Gradients flow to the input, and with "bilinear" to the grid.

    Raises:
        ArgumentError: There is no such mode or padding.
        ShapeError: Input and grid do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> image = ml.tensor([[[[1.0, 3.0], [5.0, 7.0]]]])
        >>> grid_sample(image, ml.tensor([[[[0.0, 0.0], [1.0, -1.0]]]]), align_corners=True).tolist()
        [[[[4.0, 3.0]]]]
    """
    if mode not in ("bilinear", "nearest"):
        raise ArgumentError(
            f"grid_sample got mode={mode!r}.", 'It is "bilinear" or "nearest".', 'Did you mean "bilinear"?'
        )
    if padding_mode not in PADDINGS:
        raise ArgumentError(
            f"grid_sample got padding_mode={padding_mode!r}.",
            'It is "zeros", "border" or "reflection".',
            'Did you mean "zeros"?',
        )
    n = len(input.shape) - 2
    fits = n in (2, 3) and len(grid.shape) == n + 2 and grid.shape[0] == input.shape[0] and grid.shape[-1] == n
    if not fits or not all(input.shape[2:]):
        raise ShapeError(
            f"grid_sample got an input of shape {tuple(input.shape)} and a grid of shape {tuple(grid.shape)}.",
            "For an input (batch, channels, height, width) the grid is (batch, rows, columns, 2).",
            "Did you mean grid.expand(input.shape[0], ...)?",
        )
    lengths = [int(length) for length in input.shape[2:]]
    where_ = [pixel(grid[..., n - 1 - k], lengths[k], padding_mode, bool(align_corners)) for k in range(n)]
    if mode == "nearest":
        found, inside = read(input, [p.detach().round() for p in where_], lengths)
        return where(inside.unsqueeze(1), found, 0.0)
    first = [p.detach().floor() for p in where_]
    parts: list[Tensor] = []
    for corner in product((0, 1), repeat=n):
        found, inside = read(input, [p + c for p, c in zip(first, corner, strict=True)], lengths)
        shares = [p - f if c else f + 1.0 - p for p, f, c in zip(where_, first, corner, strict=True)]
        weight = reduce(lambda a, b: a * b, shares)
        parts.append(found * where(inside, weight, 0.0).unsqueeze(1))
    return reduce(lambda a, b: a + b, parts)


__all__ = ["affine_grid", "grid_sample"]
