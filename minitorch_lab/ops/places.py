"""Places along an axis as places in the line of all entries, on which NumPy reads and adds fast.

What reads or adds at places does it in parts, whose places stay in the cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from ..core.array import Array, Shape, beside, entries, on_cpu, xp
from ..errors import BoundsError, DTypeError
from .blocks import BLOCK

WIDE = 256  # entries; a row as long is added by itself
FEW = 4096  # entries; fewer are read sooner than their places in the line are worked out


def check_index(name: str, index: Any, length: int) -> None:
    """Refuse an index that is not of whole numbers, or that reaches outside an axis of `length`.

    Raises:
        DTypeError: It holds floats or truth values.
        BoundsError: A number is negative, or not below `length`.
    """
    if index.dtype.kind != "i" and 0 not in index.shape:  # of no numbers the kind is not asked, as in PyTorch
        raise DTypeError(
            f"{name} got an index of dtype {index.dtype}.", "Indices are int64.", "Did you mean index.long()?"
        )
    numbers = entries(index)
    if numbers is not None and numbers.size and numbers.view(f"u{numbers.itemsize}").max() >= length:
        raise BoundsError(
            f"{name} got an index with numbers from {int(numbers.min())} to {int(numbers.max())}.",
            f"The axis has length {length}, so they are at least 0 and at most {length - 1}.",
            "Compare index.min() and index.max() with the shape.",
        )


def grid(index: Array, axis: int) -> tuple[Array, ...]:
    """Index arrays that walk over `index`, with its entries on `axis`."""
    lines = [xp.arange(n).reshape(n, *(1,) * (index.ndim - k - 1)) for k, n in enumerate(index.shape)]
    return tuple([index if k == axis else beside(numbers, index) for k, numbers in enumerate(lines)])


def in_line(index: Array, axis: int, shape: Shape) -> Iterator[tuple[slice, Array]]:
    """Parts of `index`, and which entries of an array of `shape` in row order each reads along `axis`."""
    if index.ndim == 1:
        yield slice(None), index
        return
    if not index.size:
        return
    steps = [prod(shape[k + 1 :]) for k in range(len(shape))]
    others = [
        (xp.arange(n) * steps[k]).reshape(-1, *(1,) * (index.ndim - k - 1)) if k != axis else None
        for k, n in enumerate(index.shape)
    ]
    inner = sum(numbers for numbers in others[1:] if numbers is not None)
    rows = max(BLOCK * len(index) // index.size, 1)
    for start in range(0, len(index), rows):
        part = slice(start, start + rows)
        places = index[part] * steps[axis] + inner
        yield part, places if others[0] is None else xp.add(places, others[0][part], out=places)


def scattered_by(ufunc: Any, out: Array, x: Array, index: Array, axis: int) -> Array:
    """`out`, which no other array shows, with `x` brought in by `ufunc` where `gather` with the same index reads."""
    if type(out) is not on_cpu or not out.flags.c_contiguous:
        ufunc.at(out, grid(index, axis), x)
        return out
    line = out.reshape(-1)
    for part, places in in_line(index, axis, out.shape):
        ufunc.at(line, places.reshape(-1), x[part].reshape(-1))
    return out


def add_rows(out: Array, where: tuple[Any, ...], x: Array) -> bool:
    """Add the rows of `x` at their places in `out`, if the index has one array among full slices. Was it done?"""
    at = [k for k, part in enumerate(where) if type(part) is on_cpu]
    slices = (part == slice(None) for k, part in enumerate(where) if k not in at)
    if (
        type(out) is not on_cpu
        or not out.flags.c_contiguous
        or len(at) != 1
        or not all(slices)
        or where[at[0]].dtype.kind != "i"
    ):
        return False
    (axis,) = at
    index, n = where[axis].reshape(-1), out.shape[axis]
    before, after = prod(out.shape[:axis]), prod(out.shape[axis + 1 :])
    if index.dtype.kind != "i" or x.size != before * index.size * after or not x.size:
        return False
    rows, width = x.reshape(before, index.size, after), before * after
    if width >= WIDE:
        place = out.reshape(before, n, after).swapaxes(0, 1)
        for number, row in zip(index.tolist(), rows.swapaxes(0, 1), strict=True):
            place[number] += row
        return True
    index = xp.where(index < 0, index + n, index)
    if index.view(f"u{index.itemsize}").max() >= n:
        return False  # NumPy says what is wrong
    inner = xp.arange(before)[:, None, None] * (n * after) + xp.arange(after)
    count = max(BLOCK // width, 1)
    for start in range(0, index.size, count):
        places = index[start : start + count, None] * after + inner
        xp.add.at(out.reshape(-1), places.reshape(-1), rows[:, start : start + count].reshape(-1))
    return True
