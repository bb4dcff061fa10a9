"""Index templates: a tuple of ints, slices, None, dots and HOLE, whose holes are filled by index arrays.

The arrays are inputs of an op, not parameters, so that every interpreter can see them.
"""

from __future__ import annotations

from typing import Any

from ..core.array import Array, Shape, beside, ground, int8, int16, int64, is_float, is_number, to_device, uint8, xp
from ..errors import ArgumentError, BoundsError, IndexTypeError, ShapeError
from .axes import together
from .meant import describe_value


class Hole:
    """The place of an index array in a template."""

    def __repr__(self) -> str:
        """HOLE."""
        return "HOLE"


HOLE = Hole()
BASIC = {int, slice, type(None), type(Ellipsis)}  # the parts of an index that stand in a template as they are


def alike_for_all(name: str, x: Any) -> None:
    """Refuse entries that decide the shape of a result, where they differ from example to example.

    Raises:
        ArgumentError: Inside vmap the examples would give results of different shapes.
    """
    while hasattr(x, "value"):
        if hasattr(type(x), "batched") and x.batched:
            raise ArgumentError(
                f"{name} inside vmap.",
                "The shape of its result depends on the entries, so the examples would not fit together.",
                "Did you mean ml.where(condition, a, b)? It keeps the shape.",
            )
        x = x.value


def concrete(name: str, x: Any) -> Array:
    """The entries of `x`, where they decide the shape of the result.

    Raises:
        ArgumentError: Inside vmap the examples would give results of different shapes.
    """
    alike_for_all(name, x)
    return xp.asarray(to_device(ground(x), "cpu"))


def split_index(index: Any, x: Any) -> tuple[tuple[Any, ...], list[Any]]:
    """The template of `index` and the arrays that fill its holes. A truth mask becomes the positions where it holds.

    Lists and arrays are brought to the device of `x`, which is to be indexed; tensors must be there.

    Raises:
        IndexTypeError: An index array holds floats, or an index is no number.
        BoundsError: A mask has another shape than the axes that it stands for.
        ArgumentError: A mask inside vmap differs from example to example.
    """
    parts = index if isinstance(index, tuple) else (index,)
    if BASIC.issuperset(map(type, parts)):
        return parts, []
    template: list[Any] = []
    arrays: list[Any] = []
    for part in parts:
        part = listed(part) if isinstance(part, list) else part
        if not hasattr(part, "dtype") or (isinstance(part, xp.integer) and not part.shape):
            template.append(part)
            continue
        dtype = part.dtype
        if dtype is int64:
            template.append(HOLE)
            arrays.append(part)
            continue
        if is_float(dtype):
            raise IndexTypeError(
                f"An index of dtype {dtype}.",
                "Indices are whole numbers: int64, or a bool mask.",
                "Did you mean index.long()?",
            )
        if dtype in (int8, int16, uint8):
            raise IndexTypeError(
                f"An index of dtype {dtype}.",
                "Indices are int64 or int32, or a bool mask; of short numbers it is not clear which was meant.",
                "Did you mean index.long() for positions, or index.bool() for a mask?",
            )
        mask = dtype.kind == "b" and part.shape
        if mask:
            check_mask_fits(part.shape, x.shape, axis_at(template, len(x.shape), index))
        found = concrete("An index by a mask", part).nonzero() if mask else (part,)
        template += [HOLE] * len(found)
        arrays += found
    return tuple(template), [a if hasattr(a, "requires_grad") else beside(a, x) for a in arrays]


def axis_at(before: list[Any], ndim: int, index: Any) -> int:
    """The axis at which the part of an index stands that comes after the parts `before`."""
    used = sum(p is not None and p is not Ellipsis for p in before)
    if not any(p is Ellipsis for p in before):
        return used
    whole = index if isinstance(index, tuple) else (index,)
    return ndim - sum(getattr(p, "ndim", 1) or 1 for p in whole if p is not None and p is not Ellipsis) + used


def check_mask_fits(mask: Shape, shape: Shape, axis: int) -> None:
    """Refuse a mask that has another shape than the axes from `axis` on.

    Raises:
        BoundsError: It does.
    """
    there = tuple(shape[axis : axis + len(mask)])
    if there != tuple(mask):
        raise BoundsError(
            f"A mask of shape {tuple(mask)} for the axes of lengths {there} of a tensor of shape {tuple(shape)}.",
            "A mask has one truth value for each entry that it chooses from.",
            "Compare mask.shape with x.shape.",
        )


def filled(index: tuple[Any, ...], arrays: tuple[Any, ...] | list[Any]) -> tuple[Any, ...]:
    """The index that NumPy takes. The dots keep a 0-d result of a basic index a view rather than a number."""
    if not arrays:
        return index if Ellipsis in index else (*index, ...)
    fill = iter(arrays)
    return tuple([next(fill) if part is HOLE else part for part in index])


def is_place(part: Any) -> bool:
    """Whether a part of a template is one number."""
    return isinstance(part, (int, xp.integer)) and not isinstance(part, bool)


def placed(x: Array, index: tuple[Any, ...], arrays: tuple[Any, ...] | list[Any]) -> tuple[Array, tuple[Any, ...]]:
    """Where `x` is read or written: a view of it, and the index that NumPy takes there.

    Numbers come first, as in PyTorch. NumPy would take a number for one more index array, and of arrays that stand
    apart it puts the axes in front.
    """
    if arrays and any(map(is_place, index)):
        x = x[tuple(p if p is Ellipsis or is_place(p) else slice(None) for p in index if p is not None)]
        index = tuple(p for p in index if not is_place(p))
    return x, filled(index, arrays)


def ahead(index: tuple[Any, ...], ndim: int) -> int:
    """How many axes of x[index] stand before those of the index arrays: none where the arrays stand apart."""
    rest = [p for p in index if not is_place(p)]
    holes = [k for k, p in enumerate(rest) if p is HOLE]
    if not holes or holes[-1] - holes[0] >= len(holes):
        return 0
    left = ndim - sum(p is not None and p is not Ellipsis for p in index)
    return sum(left if p is Ellipsis else 1 for p in rest[: holes[0]])


def indexed(shape: Shape, *arrays: Shape, index: tuple[Any, ...]) -> Shape:
    """The shape of x[index]: it asks of lengths only how they compare, so they may be symbols.

    Raises:
        BoundsError: The index has too many parts, or reaches outside, or its arrays do not stretch to one shape.
    """
    if not all(p is None or p is Ellipsis or type(p) is slice or p is HOLE or is_place(p) for p in index):
        return probed(shape, arrays, index)
    counted = [p for p in index if p is not None and p is not Ellipsis]
    if len(counted) > len(shape) or sum(p is Ellipsis for p in index) > 1:
        raise outside(shape, index, IndexError("too many parts"))
    rest = [slice(None)] * (len(shape) - len(counted))
    at = next((k for k, p in enumerate(index) if p is Ellipsis), len(index))
    try:
        spread = together(*arrays)
    except ShapeError:
        raise outside(shape, index, IndexError(f"arrays of the shapes {', '.join(map(str, arrays))}")) from None
    lengths, given = enumerate(shape), iter(arrays)
    out: list[int] = []
    for part in (*index[:at], *rest, *index[at + 1 :]):
        if part is None:
            out.append(1)
        elif type(part) is slice:
            out.append(reach(part, next(lengths)[1]))
        else:
            axis, n = next(lengths)
            nowhere, place = (next(given) != () and 0 in spread, 0) if part is HOLE else (False, part)
            if not (nowhere or -n <= place < n):
                raise outside(shape, index, IndexError(f"index {place} is out of bounds for axis {axis} with size {n}"))
    if arrays:
        first = ahead(index, len(shape))
        out[first:first] = spread
    return tuple(out)


def probed(shape: Shape, arrays: tuple[Shape, ...], index: tuple[Any, ...]) -> Shape:
    """The shape that NumPy gives, for an index with parts that only NumPy understands.

    Raises:
        BoundsError: The index has too many parts, or reaches outside.
    """
    probe = xp.broadcast_to(xp.empty(()), shape)
    try:
        part, where = placed(probe, index, [xp.zeros(a, int64) for a in arrays])
        return part[where].shape
    except IndexError as error:
        raise outside(shape, index, error) from None


def reach(part: slice, n: int) -> int:
    """How many places of an axis of length `n` a slice takes.

    Raises:
        ShapeError: It takes steps of 0.

    Example:
        >>> reach(slice(1, None), 5), reach(slice(-2, 9), 5), reach(slice(None, None, 2), 5), reach(slice(3, 1), 5)
        (4, 2, 3, 0)
    """
    step = 1 if part.step is None else part.step
    if type(step) is int and not step:
        raise ShapeError(f"An index {part}.", "A slice with steps of 0 never ends.", "Leave the step out.")
    if type(step) is not int or step < 1:
        return len(range(n)[part])
    start, stop = (end(x, n, default) for x, default in ((part.start, 0), (part.stop, n)))
    return (stop - start + step - 1) // step if start < stop else 0


def end(x: Any, n: int, default: int) -> int:
    """Where a slice starts or stops, counted from the front and inside the axis."""
    if x is None:
        return default
    x = x + n if x < 0 else x
    return 0 if x < 0 else n if x > n else x


def outside(shape: Shape, index: tuple[Any, ...], error: Exception) -> Exception:
    """What is wrong with `index` on a tensor of `shape`; the error itself where it is not about the index."""
    parts = [p for p in index if p is not None and p is not Ellipsis]
    if odd := [p for p in parts if not (p is HOLE or isinstance(p, slice) or hasattr(p, "__index__"))]:
        return IndexTypeError(
            f"An index of type {type(odd[0]).__name__}.",
            "In brackets stand whole numbers, slices, None, dots, and lists or tensors of whole numbers or masks.",
            "Did you mean int(index)?" if is_number(odd[0]) else "",
        )
    bounds = [end for p in parts if isinstance(p, slice) for end in (p.start, p.stop, p.step)]
    if odd := [end for end in bounds if end is not None and not hasattr(end, "__index__")]:
        return IndexTypeError(
            f"A slice with {describe_value(odd[0])}.",
            "A slice goes from a whole number to a whole number, in steps of one.",
            f"Did you mean {int(odd[0])}?" if is_number(odd[0]) else "",
        )
    if isinstance(error, TypeError):
        return error
    if sum(p is Ellipsis for p in index) > 1:
        return BoundsError("An index with two dots.", "The dots stand for all axes that are left.", "Drop one.")
    if len(parts) > len(shape):
        many, axes = f"{len(parts)} part{'s' * (len(parts) != 1)}", f"{len(shape)} ax{'i' if len(shape) == 1 else 'e'}s"
        given = f"An index with {many} on a tensor of shape {shape}."
        if not shape:
            return BoundsError(given, "A single number has no axes, and so no parts.", "Did you mean x.item()?")
        return BoundsError(given, f"It has {axes}, so at most {len(shape)} in an index.", "Drop a part.")
    if "shapes" in str(error):
        lengths = str(error).rpartition("shapes")[2].strip()
        return BoundsError(
            f"An index with arrays of the shapes {lengths} on a tensor of shape {shape}.",
            "Index arrays are read side by side, so they must stretch to one shape.",
            "Did you mean x[rows][:, columns]? That takes every pair.",
        )
    return BoundsError(
        f"An index that reaches outside a tensor of shape {shape}: {error}.",
        "Along an axis of length n the indices run from 0 to n-1, or from -n to -1 counted from the end.",
        "Compare the index with x.shape.",
    )


def listed(part: list[Any]) -> Array:
    """A list in an index as an array.

    Raises:
        IndexTypeError: It is no grid of whole numbers or truth values.
    """
    try:
        array = xp.asarray(part or xp.zeros(0, int64))
    except ValueError:
        raise IndexTypeError(
            "An index with rows of unequal length.", "A list of indices is a full grid.", "Pad the short rows."
        ) from None
    if array.dtype.kind not in "biuf":
        raise IndexTypeError(
            f"A list of {type(part[0]).__name__} as an index.",
            "A list of indices holds whole numbers or truth values.",
            "Did you mean x[tuple(index)]?",
        )
    return array
