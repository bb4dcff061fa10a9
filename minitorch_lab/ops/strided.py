"""as_strided: any shape, strides and offset over the memory that a tensor lies in. Other views are special cases.

Strides and offsets count entries of memory. The op is told how its input `lies` there (its strides and its offset), so
that its meaning does not hang on an address: each entry of the result is the entry of the input at the same place.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from ..core.array import Array, Shape, beside, ground, int64, offset_of, overlaps, room_of, solid, strided, xp
from ..errors import ShapeError
from .axes import numel
from .batching import size_of
from .families import distinct, linear
from .front import method
from .indexing import additem, getitem_op, setitem
from .movement import flat, reshape_op
from .op import Op, Sample
from .template import HOLE

Lie: TypeAlias = tuple[tuple[int, ...], int]  # strides and offset


def row_order(shape: Shape) -> tuple[int, ...]:
    """The strides of a tensor of `shape` without gaps."""
    steps = [1]
    for n in shape[:0:-1]:
        steps.append(steps[-1] * max(n, 1))
    return tuple(steps[::-1][: len(shape)]) if shape else ()


def reach(size: Shape, stride: tuple[int, ...], offset: int) -> int:
    """How many entries of memory must be there for such a view."""
    return 1 + offset + sum(s * (n - 1) for n, s in zip(size, stride, strict=True)) if numel(size) else 0


def places(size: Shape, stride: tuple[int, ...], offset: int) -> Array:
    """Where in memory each entry of such a view lies, int64 of shape `size`."""
    where = xp.full(size, offset, int64)
    for axis, (n, s) in enumerate(zip(size, stride, strict=True)):
        where += (s * xp.arange(n)).reshape(n, *(1,) * (len(size) - axis - 1))
    return where


def found(shape: Shape, lies: Lie, there: Array) -> Array:
    """For each place in memory the number of the entry of a tensor of `shape` that lies there; -1 for none."""
    here = places(shape, *lies)
    table = xp.full(1 + max(here.max(initial=0), there.max(initial=0)), -1)
    table[here] = xp.arange(here.size).reshape(shape)
    return table[there]


def found_all(shape: Shape, lies: Lie, size: Shape, stride: tuple[int, ...], offset: int) -> Array:
    """The same for the entries of a view, all of which must be there.

    Raises:
        ShapeError: One lies outside.
    """
    numbers = found(shape, lies, places(size, stride, offset))
    if (numbers < 0).any():
        raise ShapeError(
            f"as_strided reaches past a tensor of shape {shape} to entries that only its memory holds.",
            "Inside a transform, or in another layout, there is no memory around a tensor.",
            "Call as_strided on the tensor that holds all the entries.",
        )
    return numbers


def as_strided_impl(x: Array, size: Shape, stride: tuple[int, ...], offset: int, lies: Lie) -> Array:
    """A view, where `x` lies as `lies` says; else the same entries, gathered."""
    x = solid(x)
    if tuple(step // x.itemsize for step in x.strides) == lies[0] and offset_of(x) == lies[1]:
        return strided(x, size, stride, offset)
    return x.reshape(-1)[beside(found_all(x.shape, lies, size, stride, offset), x)]


def as_strided_pull(g: Any, x_shape: Shape, *, size: Shape, stride: tuple[int, ...], offset: int, lies: Lie) -> Any:
    """Lay the cotangent out in memory, where entries that were shown twice add up; then read it as the input lies.

    What lies outside the input gets nothing; a place that the input itself shows n times is split among the n.
    """
    room = max(reach(size, stride, offset), reach(x_shape, *lies))
    line = additem(g, beside(places(size, stride, offset), g), index=(HOLE,), shape=(room,))
    here = places(x_shape, *lies)
    if overlaps(x_shape, lies[0]):
        line = line / beside(xp.maximum(xp.bincount(here.reshape(-1), minlength=room), 1).astype(g.dtype), g)
    return getitem_op(line, beside(here, g), index=(HOLE,))


def as_strided_put(base: Any, new: Any, *, size: Shape, stride: tuple[int, ...], offset: int, lies: Lie) -> Any:
    """The base with the new entries where they lie; those that lie outside it are none of its own.

    Raises:
        ShapeError: An entry is shown twice, so that it has no single new value.
    """
    if overlaps(size, stride):
        raise ShapeError(
            f"A write into a view of shape {size} and strides {stride}, which shows an entry of memory twice.",
            "One write would change several entries.",
            "Did you mean view.clone()? Then write to the copy.",
        )
    numbers = found(tuple(base.shape), lies, places(size, stride, offset)).reshape(-1)
    line, new = reshape_op(base, shape=(numel(base.shape),)), reshape_op(new, shape=numbers.shape)
    (inside,) = (numbers >= 0).nonzero()
    if inside.size < numbers.size:
        new = getitem_op(new, beside(inside, new), index=(HOLE,))
    written = setitem(line, new, beside(numbers[inside], base), index=(HOLE,))
    return reshape_op(written, shape=tuple(base.shape))


def batched(op: Op, args: list[Any], flags: list[bool], params: dict[str, Any]) -> Any:
    """A batch need not lie as its examples would: the entries are gathered."""
    (x,) = args
    numbers = found_all(tuple(x.shape[1:]), params["lies"], params["size"], params["stride"], params["offset"])
    line = reshape_op(x, shape=(size_of(args, flags), numel(x.shape[1:])))
    return getitem_op(line, beside(numbers, x), index=(slice(None), HOLE))


def samples(rng: Any) -> list[Sample]:
    """Samples: a diagonal, overlapping windows, an input in column order, a number, nothing."""
    (x,), _ = distinct(rng)[0]
    rows, columns = ((4, 1), 0), ((1, 3), 0)
    ways: list[tuple[Any, Shape, tuple[int, ...], int, Lie]] = [
        (x, (3,), (5,), 0, rows),
        (x, (5, 3), (2, 1), 1, rows),
        (x, (2, 3), (1, 4), 2, columns),
        (x, (), (), 7, rows),
        (x[:0], (0, 2), (1, 1), 0, rows),
    ]
    return [((a,), {"size": s, "stride": t, "offset": o, "lies": lies}) for a, s, t, o, lies in ways]


as_strided_op = linear(
    "as_strided",
    as_strided_impl,
    shape=lambda s, *, size, stride, offset, lies: size,
    vjp=as_strided_pull,
    samples=samples,
    put=as_strided_put,
    batch=batched,
)


def room(x: Any) -> int:
    """How many entries of memory there are under `x`; inside a transform, those of the tensor it is a view of."""
    root = root_of(x)
    return room_of(solid(ground(x))) if x.level == 0 else numel(root.shape)


def root_of(x: Any) -> Any:
    """The tensor of which `x` is a view, of a view, of a view."""
    while x.link is not None:
        x = x.link.base
    return x


@method
def as_strided(x: Any, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """A view of the memory under `x`: entry (i, j) is number storage_offset + i stride[0] + j stride[1] in it.

    It may show what `x` does not. Entries that are shown twice add up their gradients, and cannot be written.

    Args:
        x: Any tensor. Of a view, the whole memory counts.
        size: The shape.
        stride: One step per axis, 0 or more.
        storage_offset: Where the first entry lies; where that of `x` lies, if it is left out.

    Raises:
        ShapeError: A step is negative or missing, or the view would reach outside the memory.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.arange(6).as_strided((4, 3), (1, 1))
        tensor([[0, 1, 2],
                [1, 2, 3],
                [2, 3, 4],
                [3, 4, 5]])
    """
    size, stride = flat((size,)), flat((stride,))
    offset = x.storage_offset() if storage_offset is None else storage_offset
    if len(size) != len(stride) or any(n < 0 for n in (*size, *stride, offset)):
        raise ShapeError(
            f"as_strided got size {size}, stride {stride} and storage_offset {offset}.",
            "Each axis has a length and a step, both 0 or more, and the offset is 0 or more.",
            f"Did you mean stride={row_order(tuple(max(n, 0) for n in size))}? That is row order.",
        )
    if reach(size, stride, offset) > room(x):
        raise ShapeError(
            f"as_strided with size {size}, stride {stride} and storage_offset {offset} reads entry "
            f"{reach(size, stride, offset) - 1} of a memory of {room(x)}.",
            "The last entry lies at storage_offset + the sum of stride[i] (size[i] - 1), which must be inside.",
            "Shorten the view, or its steps.",
        )
    lies = (x.stride(), x.storage_offset())
    out = as_strided_op(x, size=size, stride=stride, offset=offset, lies=lies)
    return hung_on_root(out, x)


def hung_on_root(out: Any, x: Any) -> Any:
    """`out` as a view of the root of `x`: a write through it may reach entries that `x` does not show."""
    root = root_of(x)
    if out.link is not None and root is not x:
        params = {**out.link.params, "lies": (root.stride(), root.storage_offset())}
        out.link = type(out.link)(root, as_strided_op, params)
    return out
