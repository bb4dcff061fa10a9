"""PyTorch's other ways to look at a tensor, and to lay it out again: each a few words over the ops that are there."""

from __future__ import annotations

import operator
from itertools import accumulate
from typing import Any

from ..core.array import bool_, int64
from ..errors import BoundsError, DTypeError, ShapeError
from .axes import numel, one_dim
from .broadcast import expand, expand_op
from .factory import arange
from .front import FUNCTIONS, METHODS, method
from .indexing import getitem, getitem_op
from .join import cat
from .movement import contiguous, flat, in_row_order, permute, permute_op, reshape, reshape_op, transpose, view
from .strided import as_strided
from .window import window_op

# ---- order of axes --------------------------------------------------------------------------------------------------


@method
def movedim(x: Any, source: Any, destination: Any) -> Any:
    """A view with the axes `source` moved to the places `destination`; the others keep their order.

    Raises:
        ShapeError: No such dim, one is named twice, or the two are not equally many.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.zeros(2, 3, 4).movedim(0, -1).shape
        (3, 4, 2)
    """
    n = len(x.shape)
    places = (source, "source"), (destination, "destination")
    away, to = ([one_dim("movedim", d, n, place=place) for d in flat((side,))] for side, place in places)
    if len(away) != len(to) or len(set(away)) < len(away) or len(set(to)) < len(to):
        raise ShapeError(
            f"movedim got source={source} and destination={destination}.",
            "Each axis that moves is named once, and has one place to go to.",
            "Did you mean permute? It names every axis.",
        )
    order = [d for d in range(n) if d not in away]
    for place, axis in sorted(zip(to, away, strict=True)):
        order.insert(place, axis)
    return permute(x, *order)


@method
def t(x: Any) -> Any:
    """A view of a matrix with rows and columns swapped; a vector or a number is shown as it is.

    Raises:
        ShapeError: There are more than two axes.
    """
    if len(x.shape) > 2:
        raise ShapeError(
            f"t() of a tensor of shape {tuple(x.shape)}.",
            "It transposes matrices.",
            "Did you mean x.mT, or x.transpose?",
        )
    return permute_op(x, axes=tuple(range(len(x.shape)))[::-1])


# ---- parts ----------------------------------------------------------------------------------------------------------


def with_axes(name: str, x: Any) -> None:
    """Refuse a 0-d tensor.

    Raises:
        ShapeError: It is one.
    """
    if not x.shape:
        raise ShapeError(f"{name} got a 0-d tensor.", "A single number has no slices.", "Did you mean x.reshape(1)?")


@method
def select(x: Any, dim: int, index: int) -> Any:
    """The slice number `index` along `dim`, as a view without that axis."""
    return getitem(x, (*(slice(None),) * one_dim("select", dim, len(x.shape)), index))


@method
def narrow(x: Any, dim: int, start: Any, length: int) -> Any:
    """The slices `start` to start + length - 1 along `dim`, as a view.

    Raises:
        ShapeError: They reach past the end.
        BoundsError: The first one lies past it.
        DTypeError: The start is a tensor that does not hold a whole number.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.arange(5).narrow(0, 1, 3).tolist()
        [1, 2, 3]
    """
    with_axes("narrow", x)
    at = one_dim("narrow", dim, len(x.shape))
    if hasattr(start, "dtype"):
        if start.dtype == bool_:
            raise DTypeError("narrow got a truth value as start.", "Slices are counted.", "Did you mean start.long()?")
        start = operator.index(start)
    first = start + x.shape[at] if start < 0 else start
    if length < 0 or not 0 <= first <= x.shape[at] - length:
        kind = ShapeError if 0 <= first <= x.shape[at] else BoundsError
        raise kind(
            f"narrow got start={start} and length={length} for an axis of length {x.shape[at]}.",
            "The slices start to start + length - 1 must be there.",
            f"Did you mean length={max(x.shape[at] - max(first, 0), 0)}?",
        )
    return getitem(x, (*(slice(None),) * at, slice(first, first + length)))


@method
def split_with_sizes(x: Any, split_sizes: Any, dim: int = 0) -> tuple[Any, ...]:
    """`split` into pieces of the lengths in a list.

    Raises:
        ShapeError: The lengths do not add up to that of the axis.

    Example:
        >>> import minitorch_lab as ml
        >>> [part.tolist() for part in ml.arange(5).split_with_sizes([2, 3])]
        [[0, 1], [2, 3, 4]]
    """
    return split(x, list(split_sizes), dim)


@method
def split(x: Any, split_size_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
    """Views of `x` cut along `dim`: into pieces of one length (the last may be shorter), or of the lengths in a list.

    Raises:
        ShapeError: The lengths do not add up to that of the axis.

    Example:
        >>> import minitorch_lab as ml
        >>> [part.tolist() for part in ml.arange(5).split(2)]
        [[0, 1], [2, 3], [4]]
    """
    at = one_dim("split", dim, len(x.shape))
    n, wanted = x.shape[at], split_size_or_sections
    if isinstance(wanted, int) and wanted > 0:
        lengths = [min(wanted, n - start) for start in range(0, max(n, 1), wanted)]
    else:
        lengths = [] if isinstance(wanted, int) else list(wanted)
    if sum(lengths) != n or any(length < 0 for length in lengths):
        raise ShapeError(
            f"split got {wanted} for an axis of length {n}.",
            "Pieces have one length above 0, or a list of lengths that add up to that of the axis.",
            f"Did you mean x.split({max(n // 2, 1)}{f', {at}' * bool(at)})? That cuts it in the middle.",
        )
    lead, ends = (slice(None),) * at, accumulate(lengths)
    return tuple([getitem_op(x, index=(*lead, slice(end - n, end))) for n, end in zip(lengths, ends, strict=True)])


@method
def chunk(x: Any, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    """At most `chunks` views of `x` along `dim`, of one length but for the last.

    Raises:
        ShapeError: `chunks` is not positive, or there is no such dim.
    """
    at = one_dim("chunk", dim, len(x.shape))
    if chunks < 1:
        raise ShapeError(f"chunk got chunks={chunks}.", "There is at least one chunk.", "Did you mean chunks=1?")
    n = x.shape[at]
    return split(x, -(-n // chunks) if n else [0] * chunks, at)


@method
def unbind(x: Any, dim: int = 0) -> tuple[Any, ...]:
    """The slices of `x` along `dim`, as a tuple of views without that axis.

    Raises:
        ShapeError: No such dim, or a 0-d tensor.
    """
    with_axes("unbind", x)
    at = one_dim("unbind", dim, len(x.shape))
    lead = (slice(None),) * at
    return tuple([getitem_op(x, index=(*lead, i)) for i in range(x.shape[at])])


@method
def unfold(x: Any, dimension: int, size: int, step: int) -> Any:
    """A view of the windows of `size` entries along `dimension`, `step` apart; their own axis comes last.

    Raises:
        ShapeError: No such dim, a window that does not fit, or a step below 1.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.arange(5).unfold(0, 3, 2).tolist()
        [[0, 1, 2], [2, 3, 4]]
    """
    if not x.shape:
        return select(unfold(reshape_op(x, shape=(1,)), dimension, size, step), 0, 0)
    at = one_dim("unfold", dimension, len(x.shape), place="dimension")
    if step < 1 or size < 0:
        raise ShapeError(
            f"unfold got size={size} and step={step} for a tensor of shape {tuple(x.shape)}.",
            "Windows have a length of 0 or more and lie 1 or more apart.",
            "Did you mean step=1?",
        )
    if size > x.shape[at]:
        raise ShapeError(
            f"unfold got size={size} for a tensor of shape {tuple(x.shape)}.",
            f"A window along dim {at} holds at most its {x.shape[at]} entries.",
            f"Did you mean size={x.shape[at]}?",
        )
    count = (x.shape[at] - size) // step + 1
    if step < size and count > 1:
        return window_op(x, axis=(at,), size=(size,), step=(step,), dilation=(1,))
    stride = x.stride()  # windows that do not overlap can be written
    shape = (*x.shape[:at], count, *x.shape[at + 1 :], size)
    return as_strided(x, shape, (*stride[:at], step * stride[at], *stride[at + 1 :], stride[at]))


# ---- in the shape of another ----------------------------------------------------------------------------------------


@method
def view_as(x: Any, other: Any) -> Any:
    """`x.view` with the shape of `other`."""
    return view(x, *other.shape)


@method
def reshape_as(x: Any, other: Any) -> Any:
    """`x.reshape` with the shape of `other`."""
    return reshape(x, *other.shape)


@method
def expand_as(x: Any, other: Any) -> Any:
    """`x.expand` with the shape of `other`."""
    return expand(x, *other.shape)


@method
def ravel(x: Any) -> Any:
    """The entries in row order along one axis: a view where they lie in row order without gaps, else a copy."""
    return reshape_op(contiguous(x), shape=(numel(x.shape),))


@method
def unflatten(x: Any, dim: int, sizes: Any) -> Any:
    """A view with axis `dim` cut into axes of the given sizes, one of which may be -1.

    Raises:
        ShapeError: The sizes do not multiply to the length of the axis.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.zeros(2, 6).unflatten(1, (3, -1)).shape
        (2, 3, 2)
    """
    at = one_dim("unflatten", dim, len(x.shape))
    known = numel(tuple(n for n in sizes if n != -1))
    missing = x.shape[at] // known if known else 0
    whole = tuple(missing if n == -1 else n for n in sizes)
    if numel(whole) != x.shape[at] or list(sizes).count(-1) > 1:
        raise ShapeError(
            f"unflatten got sizes {tuple(sizes)} for an axis of length {x.shape[at]}.",
            "The sizes must multiply to that length; one of them may be -1.",
            f"Did you mean sizes=({x.shape[at]}, 1)?",
        )
    return reshape_op(x, shape=(*x.shape[:at], *whole, *x.shape[at + 1 :]))


# ---- copies laid out anew -------------------------------------------------------------------------------------------


def at_least_0(times: Any) -> int:
    """A number of copies, or 1 for what is none."""
    return times if isinstance(times, int) and times >= 0 else 1


@method
def repeat(x: Any, *sizes: Any) -> Any:
    """Copies of `x` side by side: sizes[i] of them along axis i. More sizes than axes put new axes in front.

    Raises:
        ShapeError: Fewer sizes than axes, or a negative one.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1, 2]).repeat(2, 2).tolist()
        [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    times = flat(sizes)
    if len(times) < len(x.shape) or any(isinstance(n, str) or n < 0 for n in times):
        raise ShapeError(
            f"repeat got {times} for a tensor of shape {tuple(x.shape)}.",
            "It takes one number of copies, 0 or more, for each axis.",
            f"Did you mean x.repeat{(1,) * (len(x.shape) - len(times)) + tuple(map(at_least_0, times))}?",
        )
    shape = (1,) * (len(times) - len(x.shape)) + tuple(x.shape)
    paired = reshape_op(x, shape=tuple(n for length in shape for n in (1, length)))
    wide = expand_op(paired, shape=tuple(n for pair in zip(times, shape, strict=True) for n in pair))
    return reshape_op(in_row_order(wide), shape=tuple(n * length for n, length in zip(times, shape, strict=True)))


@method
def tile(x: Any, *dims: Any) -> Any:
    """As `repeat`; fewer numbers than axes speak of the last axes."""
    times = flat(dims)
    return repeat(x, *(1,) * (len(x.shape) - len(times)), *times)


@method
def repeat_interleave(x: Any, repeats: Any = None, dim: int | None = None, output_size: int | None = None) -> Any:
    """Each slice along `dim` `repeats` times, one after the other. `repeats` is a number, or one number for each slice.

    Of a vector alone, its numbers say how often each place stands: (2, 1) gives (0, 0, 1). `output_size`, the length
    of the result, is taken, and found anyway.

    Raises:
        ShapeError: No such dim, or not one number for each slice.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1, 2]).repeat_interleave(2).tolist()
        [1, 1, 2, 2]
    """
    if repeats is None:
        return repeat_interleave(arange(start=0, end=x.shape[0], step=1, dtype=int64), x, 0)
    x, at = (ravel(x), 0) if dim is None else (x, one_dim("repeat_interleave", dim, len(x.shape)))
    given = [repeats] if isinstance(repeats, int) else [int(n) for n in repeats.reshape(-1).tolist()]
    counts = given * x.shape[at] if len(given) == 1 else given
    if len(counts) != x.shape[at] or any(n < 0 for n in counts):
        raise ShapeError(
            f"repeat_interleave got {len(counts)} numbers for an axis of length {x.shape[at]}.",
            "There is one number for all slices, or one for each, 0 or more.",
            "Compare len(repeats) with the shape.",
        )
    index = [i for i, n in enumerate(counts) for _ in range(n)]
    return getitem(x, (*(slice(None),) * at, index))


@method
def roll(x: Any, shifts: Any, dims: Any = None) -> Any:
    """A copy whose entries are moved by `shifts` along `dims`; what falls off the end comes back at the start.

    Raises:
        ShapeError: No such dim, or not one shift for each dim.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.arange(4).roll(1).tolist()
        [3, 0, 1, 2]
    """
    if dims is None:
        return reshape(roll(ravel(x), shifts, 0), *x.shape)
    steps, axes = flat((shifts,)), flat((dims,))
    if len(steps) != len(axes):
        raise ShapeError(
            f"roll got shifts={shifts} and dims={dims}.", "There is one shift for each dim.", "Name both, one by one."
        )
    with_axes("roll", x)
    for step, dim in zip(steps, axes, strict=True):
        at = one_dim("roll", dim, len(x.shape), place="dims")
        n = x.shape[at]
        cut = -step % n if n else 0
        x = cat([narrow(x, at, cut, n - cut), narrow(x, at, 0, cut)], at)
    return x


for name, known in {"moveaxis": movedim, "swapaxes": transpose, "swapdims": transpose}.items():
    FUNCTIONS[name] = METHODS[name] = known
