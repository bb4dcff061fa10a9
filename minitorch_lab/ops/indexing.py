"""Reading and writing parts of a tensor: by an index template, or along one axis."""

from __future__ import annotations

from typing import Any

from ..core.array import Array, Shape, beside, ground, int64, on_cpu, solid, xp
from ..core.interpret import checks_kept
from ..errors import DTypeError, ShapeError
from .axes import one_dim
from .batching import as_it_is, both_spread, parts_added, parts_read, parts_written
from .families import distinct, linear
from .front import function, method
from .narrow import accumulating
from .numbers import along_an_axis
from .op import OPS, Op, Sample, rule
from .places import FEW, add_rows, check_index, grid, in_line, scattered_by
from .prose import ADDED, TAKEN, Prose
from .template import BASIC, HOLE, filled, indexed, outside, placed, split_index

ALL = slice(None)

# ---- read, put, add -----------------------------------------------------------------------------------------------


def setitem_impl(x: Array, y: Array, *arrays: Array, index: tuple[Any, ...], out: Array | None = None) -> Array:
    """`x` with `y` at the index. A write in place gives the memory of `x` itself as `out`."""
    written = xp.copy(x) if out is None else out
    if out is not None and out is not x:
        out[...] = x
    try:
        part, where = placed(written, index, arrays) if arrays else (written, filled(index, ()))
        part[where] = fitting(y, written.shape, index, arrays)
    except (IndexError, TypeError) as error:
        raise outside(x.shape, index, error) from None
    return written


def fitting(y: Array, shape: Shape, index: tuple[Any, ...], arrays: tuple[Array, ...]) -> Array:
    """`y` without leading axes of length 1, where the place is a single entry: NumPy takes no vector of one for it."""
    if not arrays or any(a.ndim for a in arrays) or not getattr(y, "ndim", 0):
        return y
    place = indexed(shape, *[a.shape for a in arrays], index=index)
    return y.reshape(y.shape[max(y.ndim - len(place), 0) :])


def set_shape(shape: Shape, value: Shape, *arrays: Shape, index: tuple[Any, ...]) -> Shape:
    """The shape of `x`, if the value broadcasts into the place."""
    place = indexed(shape, *arrays, index=index)
    trimmed = value[max(len(value) - len(place), 0) :] if all(n == 1 for n in value[: -len(place) or None]) else value
    if len(trimmed) > len(place) or any(m not in (1, n) for m, n in zip(trimmed[::-1], place[::-1], strict=False)):
        raise ShapeError(
            f"A value of shape {value} does not fit into a place of shape {place}.",
            "The value must have the shape of x[index], or stretch to it.",
            "Compare value.shape with x[index].shape.",
        )
    return shape


@accumulating
def additem_impl(x: Array, *arrays: Array, index: tuple[Any, ...], shape: Shape) -> Array:
    """Zeros of `shape`, with `x` added at the index; repeated indices add up."""
    out = xp.zeros_like(x, shape=shape, order="C")
    part, where = placed(out, index, arrays)
    if not arrays:
        part[where] = x
    elif part is not out or not add_rows(out, where, x):
        xp.add.at(part, where, x)
    return out


def getitem_impl(x: Array, *arrays: Array, index: tuple[Any, ...]) -> Array:
    """`x` at the index: a view, unless there are index arrays; then new memory, in row order."""
    try:
        if not arrays:
            return solid(x)[filled(index, ())]
        if index[-1] is HOLE and index.count(ALL) == len(index) - 1 and arrays[0].dtype.kind == "i":  # whole slices
            return solid(solid(x).take(arrays[0], len(index) - 1))
        part, where = placed(solid(x), index, arrays)
        found = part[where]
    except (IndexError, TypeError) as error:
        raise outside(x.shape, index, error) from None
    return found if found.flags.c_contiguous else found.copy()


def places(rng: Any) -> list[Sample]:
    """Samples: a slice and an int, repeated index arrays, nothing."""
    (x,), _ = distinct(rng)[0]
    repeated = (xp.array([0, 2, 0]), xp.array([1, 1, 1]))
    return [
        ((x,), {"index": (slice(1, 3), 2)}),
        ((x, *repeated), {"index": (HOLE, HOLE)}),
        ((x, xp.array([[2, 0]])), {"index": (HOLE,)}),
        ((rng.normal(size=(2, 3, 4)), xp.array([2, 0])), {"index": (1, slice(None), HOLE)}),
        ((rng.normal(size=(2, 3, 4)), xp.array([[2, 0]])), {"index": (Ellipsis, HOLE, slice(1, None))}),
        ((x,), {"index": (slice(0, 0),)}),
    ]


getitem_op = linear(
    "getitem",
    getitem_impl,
    shape=indexed,
    vjp=lambda g, x_shape, *rest, index: additem(g, *rest, index=index, shape=x_shape),
    samples=places,
    put=lambda base, new, *, index: setitem(base, new, index=index),
    rest=1,
    batch=parts_read,
    prose=Prose(why={"*": TAKEN}, wholes=("put back where it was taken from, zeros elsewhere",)),
    refuses=True,
)
additem = linear(
    "additem",
    additem_impl,
    shape=lambda s, *_, index, shape: shape,
    vjp=lambda g, *rest, index, shape: getitem_op(g, *rest, index=index),
    samples=lambda rng: [
        ((rng.normal(size=2),), {"index": (slice(1, 3), 2), "shape": (3, 4)}),
        ((rng.normal(size=3), xp.array([0, 2, 0])), {"index": (HOLE, 1), "shape": (3, 4)}),
        ((rng.normal(size=(3, 2)), xp.array([0, 0])), {"index": (1, slice(None), HOLE), "shape": (2, 3, 4)}),
        ((rng.normal(size=(0, 4)),), {"index": (slice(0, 0),), "shape": (3, 4)}),
    ],
    rest=1,
    batch=parts_added,
    prose=Prose(why={"*": ADDED}),
    refuses=True,
)
setitem = Op(
    name="setitem",
    impl=setitem_impl,
    shape=set_shape,
    vjp=(
        rule(lambda g, *rest, index: setitem(g, 0.0, *rest, index=index)),
        rule(lambda g, *rest, index: getitem_op(g, *rest, index=index)),
        None,
    ),
    samples=lambda rng: [
        ((rng.normal(size=(3, 4)), rng.normal(size=2)), {"index": (slice(1, 3), 2)}),
        ((rng.normal(size=(3, 4)), rng.normal(size=2), xp.array([2, 0])), {"index": (HOLE, 1)}),
        ((rng.normal(size=(2, 3, 4)), rng.normal(size=2), xp.array([2, 0])), {"index": (1, slice(None), HOLE)}),
        ((rng.normal(size=(3, 4)), rng.normal(size=(0, 4))), {"index": (slice(0, 0),)}),
    ],
    stretches=True,
    rest=2,
    batch=parts_written,
    prose=Prose(
        "{0} with {1} put in",
        wholes=(
            "what came from above, with zeros where something else was put in",
            "what came from above, at the place where it was put in",
        ),
    ),
    refuses=True,
)


def getitem(x: Any, index: Any) -> Any:
    """x[index]: a view for ints, slices, None and dots; a copy for index arrays and masks."""
    if type(index) in BASIC:
        return getitem_op(x, index=(index,))
    template, arrays = split_index(index, x)
    return getitem_op(x, *arrays, index=template)


@method
def index_put_(x: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """`x[indices] = values` as a call, for a tuple of index tensors; with `accumulate` they are added, repeats too.

    Raises:
        ShapeError: An index reaches outside, or the values do not fit.
        DTypeError: The indices are not whole numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.zeros(3).index_put_((ml.tensor([1, 1]),), ml.tensor(2.0), accumulate=True)
        tensor([0., 4., 0.])
    """
    if not accumulate:
        x[tuple(indices)] = values
        return x
    template, arrays = split_index(tuple(indices), x)
    place = getitem_op(x, *arrays, index=template).shape
    spread = OPS["expand"](values, shape=tuple(place))
    return x.add_(additem(spread, *arrays, index=template, shape=tuple(x.shape)))


@method
def index_put(x: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """A copy of `x` with `index_put_` done to it."""
    return index_put_(x.clone(), indices, values, accumulate)


# ---- along one axis -----------------------------------------------------------------------------------------------


def gather_impl(x: Array, index: Array, axis: int) -> Array:
    """out[i, j] = x[index[i, j], j] for axis 0: the other positions are the index's own."""
    if index.ndim != x.ndim:  # NumPy would take it for an index of whole rows
        gathered(x.shape, index.shape, axis=axis)
    check_index("gather", index, x.shape[axis])
    if type(x) is not on_cpu or index.size < FEW or not x.flags.c_contiguous:
        return x[grid(index, axis)]
    found, line = xp.empty(index.shape, x.dtype), x.reshape(-1)
    for part, places in in_line(index, axis, x.shape):
        found[part] = line.take(places)
    return found


def gather_hint(shape: Shape, index: Shape, axis: int) -> str:
    """How an index could be brought to the axes of a tensor from which entries are gathered along `axis`."""
    for d in (axis, *range(len(shape))):
        grown = (*index[:d], 1, *index[d:])
        fits = all(n <= m for i, (m, n) in enumerate(zip(shape, grown, strict=False)) if i != axis)
        if len(grown) == len(shape) and fits:
            return f"Did you mean index.unsqueeze({d})?"
    return "Shorten the index." if len(index) == len(shape) else f"Give the index {len(shape)} axes."


def gathered(shape: Shape, index: Shape, *, axis: int) -> Shape:
    """The shape of the index, which may not reach beyond `x` on the other axes."""
    if len(shape) != len(index) or any(n > m for i, (m, n) in enumerate(zip(shape, index, strict=True)) if i != axis):
        raise ShapeError(
            f"gather got an index of shape {index} for a tensor of shape {shape}.",
            f"They need the same number of axes, and the index may be longer only along dim {axis}.",
            gather_hint(shape, index, axis),
        )
    return index


@accumulating
def scattered(x: Array, index: Array, axis: int, shape: Shape) -> Array:
    """Zeros of `shape`, with `x` added where `gather` with the same index reads."""
    check_index("scatter_add", index, shape[axis])
    return scattered_by(xp.add, xp.zeros_like(x, shape=shape, order="C"), x, index, axis)


def within_impl(index: Array, name: str, length: int) -> Array:
    """The same numbers, if an axis of `length` has an entry for each; `name` reads or writes there."""
    check_index(name, index, length)
    return index.copy()


within = Op(
    name="within",
    impl=within_impl,
    shape=lambda s, *, name, length: s,
    vjp=(None,),
    samples=lambda rng: [((rng.integers(0, 3, s),), {"name": "gather", "length": 3}) for s in ((2, 4), (0, 4))],
    batch=as_it_is,
    moves=True,
    below=lambda s, *, name, length: length,
    refuses=True,
)


def numbers_within(name: str, index: Any, length: int) -> Any:
    """The index, if it is of whole numbers that an axis of `length` has an entry for; a compiled call checks it too.

    Raises:
        DTypeError: It holds floats or truth values.
        BoundsError: A number is negative, or not below `length`.
    """
    check_index(name, index, length)
    return within(index, name=name, length=length) if checks_kept() else index


gather_op = linear(
    "gather",
    gather_impl,
    shape=gathered,
    vjp=lambda g, x_shape, *rest, axis: scatter_add(g, *rest, axis=axis, shape=x_shape),
    samples=lambda rng: [
        ((rng.normal(size=(3, 4)), rng.integers(0, 3, (2, 4))), {"axis": 0}),
        ((rng.normal(size=(3, 4)), rng.integers(0, 4, (3, 6))), {"axis": 1}),
        ((rng.normal(size=(3, 4)), rng.integers(0, 4, (0, 2))), {"axis": 1}),
    ],
    rest=1,
    batch=both_spread,
    moves=True,
    reaches=lambda shape, index, *, axis: shape[axis],
    prose=Prose(why={"*": TAKEN}),
    refuses=True,
)
scatter_add = linear(
    "scatter_add",
    scattered,
    shape=lambda s, index, *, axis, shape: shape,
    vjp=lambda g, *rest, axis, shape: gather_op(g, *rest, axis=axis),
    samples=lambda rng: [
        ((rng.normal(size=s), rng.integers(0, 3, s)), {"axis": 0, "shape": (3, 4)}) for s in ((2, 4), (0, 4))
    ],
    rest=1,
    batch=both_spread,
    reaches=lambda s, index, *, axis, shape: shape[axis],
    prose=Prose(why={"*": ADDED}),
    refuses=True,
)


@method
@along_an_axis("index")
def gather(x: Any, dim: int, index: Any) -> Any:
    """out[i, j] = x[index[i, j], j] along dim 0, and so on for other dims. `index` is int64, of the rank of `x`.

    Raises:
        ShapeError: The index does not fit, or reaches outside.
        DTypeError: The index is not of whole numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([[1.0, 2.0], [3.0, 4.0]]).gather(1, ml.tensor([[0], [1]]))
        tensor([[1.],
                [4.]])
    """
    at = one_dim("gather", dim, len(x.shape))
    return gather_op(x, index, axis=at)


one_hot_op = Op(
    name="one_hot",
    impl=lambda x, num_classes: (solid(x)[..., None] == beside(xp.arange(num_classes), x)).astype(int64),
    shape=lambda s, *, num_classes: (*s, num_classes),
    vjp=(None,),
    samples=lambda rng: [((rng.integers(0, 3, s),), {"num_classes": 4}) for s in ((2, 3), (0,))],
    batch=as_it_is,
)


@function
def one_hot(x: Any, num_classes: int = -1) -> Any:
    """A new last axis with a 1 at the class and 0 elsewhere, int64. -1 takes as many classes as the labels show.

    Raises:
        DTypeError: The labels are not int64.
        ShapeError: A label is negative or not below `num_classes`.
    """
    if x.dtype != int64:
        raise DTypeError(f"one_hot got labels of dtype {x.dtype}.", "Labels are int64.", "Did you mean labels.long()?")
    labels = ground(x)
    top = int(labels.max(initial=-1))
    count = top + 1 if num_classes == -1 else num_classes
    if labels.size and (int(labels.min()) < 0 or top >= count):
        raise ShapeError(
            f"one_hot got labels from {int(labels.min())} to {top} and num_classes={count}.",
            "A label is at least 0 and below num_classes.",
            f"Did you mean num_classes={top + 1}?",
        )
    return one_hot_op(x, num_classes=count)
