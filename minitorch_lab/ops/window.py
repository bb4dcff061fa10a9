"""Sliding windows: a view in which every window over the chosen axes has axes of its own, and its transpose."""

from __future__ import annotations

from itertools import product
from typing import Any

from ..core.array import Array, Shape, on_cpu, xp
from ..errors import ShapeError
from .batching import axis_moved
from .families import linear
from .narrow import accumulating
from .op import Op, Sample
from .prose import Prose

Ints = tuple[int, ...]


def span(size: int, dilation: int) -> int:
    """How many entries a window of `size` reaches over when it takes every `dilation`-th."""
    return dilation * (size - 1) + 1


def count(length: int, size: int, step: int, dilation: int) -> int:
    """How many windows fit along an axis."""
    return (length - span(size, dilation)) // step + 1


def window_shape(shape: Shape, *, axis: Ints, size: Ints, step: Ints, dilation: Ints) -> Shape:
    """Along `axis` the windows are counted; their own axes come last.

    Raises:
        ShapeError: A window reaches over more than there is.
    """
    lengths = list(shape)
    for a, k, s, d in zip(axis, size, step, dilation, strict=True):
        if shape[a] < span(k, d):
            reach = f"{k} entries" if d == 1 else f"{k} entries, every {d}th, which reach over {span(k, d)},"
            raise ShapeError(
                f"A window of {reach} does not fit on an axis of length {shape[a]} (shape {shape}).",
                "The input, with its padding, must be at least as long as a window along each axis.",
                f"Did you mean padding={(span(k, d) - shape[a] + 1) // 2}, or a smaller kernel?",
            )
        lengths[a] = count(shape[a], k, s, d)
    return (*lengths, *size)


def window_impl(x: Array, axis: Ints, size: Ints, step: Ints, dilation: Ints) -> Array:
    """The windows, without copying: neighbours overlap in memory."""
    if type(x) is on_cpu and x.flags.c_contiguous:
        shape = window_shape(x.shape, axis=axis, size=size, step=step, dilation=dilation)
        strides, inner = list(x.strides), [x.strides[a] * d for a, d in zip(axis, dilation, strict=True)]
        for a, s in zip(axis, step, strict=True):
            strides[a] *= s
        seen = xp.ndarray(shape, x.dtype, x, 0, (*strides, *inner))
        seen.flags.writeable = False
        return seen
    reach = tuple(span(k, d) for k, d in zip(size, dilation, strict=True))
    full = xp.lib.stride_tricks.sliding_window_view(x, reach, axis)
    starts = [slice(None)] * x.ndim
    for a, s in zip(axis, step, strict=True):
        starts[a] = slice(None, None, s)
    return full[(*starts, *(slice(None, None, d) for d in dilation))]


@accumulating
def fold_impl(x: Array, axis: Ints, size: Ints, step: Ints, dilation: Ints, shape: Shape) -> Array:
    """Zeros of `shape`, to which every window is added at its place: one slice for each position in the window."""
    out = xp.zeros_like(x, shape=shape)
    for offset in product(*map(range, size)):
        place = [slice(None)] * len(shape)
        for a, o, s, d in zip(axis, offset, step, dilation, strict=True):
            place[a] = slice(o * d, o * d + s * (x.shape[a] - 1) + 1, s)
        out[tuple(place)] += x[(..., *offset)]
    return out


def folded(given: Shape, *, shape: Shape, **params: Ints) -> Shape:
    """The shape that is asked for, whose windows must be those that are given."""
    if window_shape(shape, **params) != given:
        raise ShapeError(
            f"fold got windows of shape {given} for a tensor of shape {shape}.",
            "The windows are as many and as long as window() takes from such a tensor.",
            "Compare with window(x, ...).shape.",
        )
    return shape


def no_put(base: Any, new: Any, **params: Any) -> Any:
    """Refuse a write: an entry that several windows share has no single new value."""
    raise ShapeError(
        f"A write into the windows of a tensor of shape {tuple(base.shape)} cannot be undone entry by entry.",
        "Windows share memory, so one write would change several.",
        "Did you mean windows.clone()? Then write to the copy.",
    )


def batch_folded(op: Op, args: list[Any], batched: list[bool], params: dict[str, Any]) -> Any:
    """fold: the batch stands in front of the target too."""
    return axis_moved(op, args, batched, {**params, "shape": (args[0].shape[0], *params["shape"])})


def ways() -> list[tuple[Shape, dict[str, Ints]]]:
    """Shapes and parameters: overlapping, apart, dilated, over two axes, and no entries."""
    return [
        ((2, 7), {"axis": (1,), "size": (3,), "step": (1,), "dilation": (1,)}),
        ((2, 8), {"axis": (1,), "size": (2,), "step": (3,), "dilation": (2,)}),
        ((2, 5, 6), {"axis": (1, 2), "size": (3, 2), "step": (2, 1), "dilation": (1, 2)}),
        ((0, 5), {"axis": (1,), "size": (2,), "step": (1,), "dilation": (1,)}),
    ]


def windows_of(rng: Any) -> list[Sample]:
    """Samples for `window`."""
    return [((rng.normal(size=shape),), dict(params)) for shape, params in ways()]


def windows_back(rng: Any) -> list[Sample]:
    """Samples for `fold`."""
    return [((rng.normal(size=window_shape(shape, **params)),), {**params, "shape": shape}) for shape, params in ways()]


window_op = linear(
    "window",
    window_impl,
    shape=window_shape,
    vjp=lambda g, x_shape, **params: fold_op(g, shape=x_shape, **params),
    samples=windows_of,
    put=no_put,
    batch=axis_moved,
    prose=Prose(
        why={"x_shape": "each window's gradient is added where the window was taken from"},
        wholes=("the gradients of all windows, each added where its window was taken from",),
    ),
)
fold_op = linear(
    "fold",
    fold_impl,
    shape=folded,
    vjp=lambda g, *, shape, **params: window_op(g, **params),
    samples=windows_back,
    batch=batch_folded,
    expensive=True,
    prose=Prose(
        why={"": "every window gets the gradient of its place"},
        wholes=("for every window the part of what came from above at its place",),
    ),
)
