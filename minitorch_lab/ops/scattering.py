"""Writing by index along an axis, at flat places, through a mask, or into a part that a view would show.

`x.index_fill(...)` gives a new tensor, `x.index_fill_(...)` writes into `x`: the second follows from the first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.array import Array, beside, bool_, int64, xp
from ..errors import ArgumentError, ShapeError
from .axes import numel, one_dim
from .batching import both_spread
from .blend import check_mask
from .broadcast import expand_op
from .compare import eq, where
from .diagonal import diagonal
from .elementwise import add, div, mul, sub
from .extremes import bounds_of
from .front import FUNCTIONS, function, method, writable
from .indexing import additem, gather_op, getitem_op, setitem, split_index
from .indexing import scatter_add as scatter_add_op
from .movement import cast, detach, reshape, reshape_op, to
from .numbers import along_an_axis
from .op import Op, Sample, rule
from .places import check_index, scattered_by
from .rows import check_dtype, covering, scattered_shape, slice_numbers
from .template import HOLE
from .views import ravel

# ---- whole slices ---------------------------------------------------------------------------------------------------


def along(axis: int) -> tuple[Any, ...]:
    """The template of an index array on one axis."""
    return (*(slice(None),) * axis, HOLE)


@writable
@along_an_axis("x")
def index_fill(x: Any, dim: int, index: Any, value: Any) -> Any:
    """`x` with one number in all slices along `dim` whose numbers stand in `index`.

    Raises:
        ShapeError: No such dim or slice.
        DTypeError: The index is not of whole numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.zeros(3).index_fill(0, ml.tensor([0, 2]), 7.0)
        tensor([7., 0., 7.])
    """
    at = one_dim("index_fill", dim, len(x.shape))
    index = slice_numbers("index_fill", index, x.shape[at])
    ones = cast(eq(index, index), dtype=int64)
    hit = additem(ones, index, index=(HOLE,), shape=(x.shape[at],)) > 0  # a slice that is named twice is filled once
    value = reshape_op(value, shape=()) if getattr(value, "shape", None) == (1,) else value
    return FUNCTIONS["masked_fill"](x, reshape(hit, -1, *(1,) * (len(x.shape) - at - 1)), value)


@writable
@along_an_axis("x")
def index_copy(x: Any, dim: int, index: Any, source: Any) -> Any:
    """`x` with the slices of `source` along `dim` in place of those whose numbers stand in `index`.

    Raises:
        ShapeError: No such dim or slice, or `source` does not fit.
        DTypeError: The index is not of whole numbers, or `source` has another dtype.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.zeros(3).index_copy(0, ml.tensor([2, 0]), ml.tensor([1.0, 5.0]))
        tensor([5., 0., 1.])
    """
    at = one_dim("index_copy", dim, len(x.shape))
    index = slice_numbers("index_copy", index, x.shape[at])
    check_dtype("index_copy", x, source)
    place = (*x.shape[:at], *index.shape, *x.shape[at + 1 :])
    if tuple(source.shape) != tuple(place):
        raise ShapeError(
            f"index_copy got a source of shape {tuple(source.shape)} for a tensor of shape {tuple(x.shape)}.",
            f"The source has one slice for each number: shape {tuple(place)}.",
            "Compare source.shape with x.index_select(dim, index).shape.",
        )
    return setitem(x, source, index, index=along(at))


# ---- with a reduction -----------------------------------------------------------------------------------------------


def reducing(name: str, ufunc: Any, pull: Callable[..., Any] | None) -> Op:
    """The op x[index[i, j], j] = ufunc(x[index[i, j], j], y[i, j]) along an axis, repeats too."""

    def impl(x: Array, y: Array, index: Array, axis: int) -> Array:
        check_index("scatter_reduce", index, x.shape[axis])
        return scattered_by(ufunc, xp.copy(x), y, index, axis)

    def samples(rng: Any) -> list[Sample]:
        x, y = rng.uniform(0.5, 2.0, (3, 4)), rng.uniform(0.5, 2.0, (2, 4))
        index = rng.integers(0, 3, (2, 4))
        return [((x, y, index), {"axis": 0}), ((x, y[:0], index[:0]), {"axis": 0})]

    own = None if pull is None else rule(lambda g, x, out, *, axis: g * out / x)
    theirs = None if pull is None else rule(pull)
    return Op(
        name=name,
        impl=impl,
        shape=scattered_shape,
        vjp=(own, theirs, None),
        samples=samples,
        rest=2,
        batch=both_spread,
        refuses=True,
    )


scatter_amax = reducing("scatter_amax", xp.maximum, None)
scatter_amin = reducing("scatter_amin", xp.minimum, None)
scatter_mul = reducing(
    "scatter_mul", xp.multiply, lambda g, y, out, *rest, axis: gather_op(g * out, *rest, axis=axis) / y
)


def touched(x: Any, index: Any, axis: int) -> Any:
    """How many entries of the index point to each place of `x`."""
    ones = cast(eq(index, index), dtype=x.dtype)
    return scatter_add_op(ones, index, axis=axis, shape=tuple(x.shape))


def extreme_of(op: Op, x: Any, src: Any, index: Any, axis: int) -> Any:
    """The extreme entries; those that are equal share the gradient evenly, as in PyTorch."""
    top = op(detach(x), detach(src), index, axis=axis)
    if not (getattr(x, "requires_grad", True) or getattr(src, "requires_grad", True)) or x.dtype.kind in "biu":
        return top
    mine, theirs = eq(x, top), eq(src, gather_op(top, index, axis=axis))
    count = add(
        cast(mine, dtype=x.dtype), scatter_add_op(cast(theirs, dtype=x.dtype), index, axis=axis, shape=tuple(x.shape))
    )
    parts = scatter_add_op(where(theirs, src, 0.0), index, axis=axis, shape=tuple(x.shape))
    shared = div(add(where(mine, x, 0.0), parts), FUNCTIONS["clamp"](count, 1.0))
    return add(top, sub(shared, detach(shared)))


def product_of(x: Any, src: Any, index: Any, axis: int) -> Any:
    """The products. The gradient of a 0 is the product of the others, so zeros are multiplied apart."""
    none, empty = eq(x, 0), eq(src, 0)
    others = scatter_mul(where(none, 1, x), where(empty, 1, src), index, axis=axis)
    zeros = scatter_add_op(cast(empty, dtype=int64), index, axis=axis, shape=tuple(x.shape)) + cast(none, dtype=int64)
    alone = add(where(none, x, 0), scatter_add_op(where(empty, src, 0), index, axis=axis, shape=tuple(x.shape)))
    squares = scatter_add_op(where(empty, mul(src, src), 0), index, axis=axis, shape=tuple(x.shape))
    squares = add(squares, where(none, mul(x, x), 0))
    pair = div(sub(mul(alone, alone), squares), 2) if x.dtype.kind == "f" else mul(alone, alone)
    rest = where(eq(zeros, 1), mul(others, alone), where(eq(zeros, 2), mul(others, pair), 0))
    return where(eq(zeros, 0), others, rest)


START = {"sum": 0, "mean": 0, "prod": 1}  # what stands where the tensor itself does not count


@writable
@along_an_axis("x")
def scatter_reduce(x: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True) -> Any:
    """`x` with src[i, j] brought into out[index[i, j], j] along dim 0, and so on, by a reduction.

    Args:
        x: Any shape.
        dim: Along which axis the index counts.
        index: int64, of the rank of `x`.
        src: The entries, of the dtype of `x`.
        reduce: "sum", "prod", "mean", "amax" or "amin".
        include_self: Whether the entry of `x` counts too, where others come in.

    Raises:
        ArgumentError: There is no such reduction.
        ShapeError: The index does not fit `x` or `src`.
        DTypeError: The index is not of whole numbers, or `src` has another dtype than `x`.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.ones(2).scatter_reduce(0, ml.tensor([0, 0]), ml.tensor([3.0, 2.0]), "amax")
        tensor([3., 1.])
    """
    if reduce not in (*START, "amax", "amin"):
        raise ArgumentError(
            f"scatter_reduce got reduce={reduce!r}.",
            'It is "sum", "prod", "mean", "amax" or "amin".',
            'Did you mean reduce="sum"?',
        )
    axis = one_dim("scatter_reduce", dim, len(x.shape))
    check_dtype("scatter_reduce", x, src)
    if x.dtype == bool_:
        numbers = scatter_reduce(to(x, int64), axis, index, to(src, int64), reduce, include_self=include_self)
        return to(numbers, bool_)
    src = covering(src, index)
    check_index("scatter_reduce", index, x.shape[axis])
    scattered_shape(tuple(x.shape), tuple(src.shape), tuple(index.shape), axis=axis)
    hits = touched(x, index, axis)
    base = x if include_self else where(hits > 0, start_of(reduce, x), x)
    if reduce in ("amax", "amin"):
        return extreme_of(scatter_amax if reduce == "amax" else scatter_amin, base, src, index, axis)
    if reduce == "prod":
        return product_of(base, src, index, axis)
    total = add(base, scatter_add_op(src, index, axis=axis, shape=tuple(x.shape)))
    if reduce == "sum":
        return total
    count = add(hits, 1) if include_self else FUNCTIONS["clamp"](hits, 1)
    return div(total, count) if x.dtype.kind not in "biu" else FUNCTIONS["floor_divide"](total, count)


def start_of(reduce: str, x: Any) -> Any:
    """What changes nothing under a reduction, in the dtype of `x`."""
    if reduce in START:
        return START[reduce]
    return bounds_of(x.dtype)[reduce == "amin"]


# ---- flat places, and masks -----------------------------------------------------------------------------------------


@method
def take(x: Any, index: Any) -> Any:
    """The entries of `x`, counted as one vector, at `index`; in the shape of the index.

    Raises:
        BoundsError: A number reaches outside.
        DTypeError: The index is not of whole numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([[1, 2], [3, 4]]).take(ml.tensor([0, 3])).tolist()
        [1, 4]
    """
    return getitem_op(ravel(x), split_index(index, x)[1][0], index=(HOLE,))


@writable
def put(x: Any, index: Any, source: Any, accumulate: bool = False) -> Any:
    """`x` with `source` written at `index`, counted in the vector of all entries; with `accumulate` added to them.

    Raises:
        BoundsError: A number reaches outside.
        DTypeError: The index is not of whole numbers, or `source` has another dtype.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.zeros(2, 2).put(ml.tensor([0, 3]), ml.tensor([5.0, 7.0])).tolist()
        [[5.0, 0.0], [0.0, 7.0]]
    """
    check_dtype("put", x, source)
    flat, where_ = ravel(x), split_index(index, x)[1]
    values = reshape(source, *index.shape)
    if accumulate:
        out = add(flat, additem(values, *where_, index=(HOLE,), shape=tuple(flat.shape)))
    else:
        out = setitem(flat, values, *where_, index=(HOLE,))
    return reshape_op(out, shape=tuple(x.shape))


@writable
def masked_scatter(x: Any, mask: Any, source: Any) -> Any:
    """`x` with the entries of `source`, in order, where the mask is true. The mask stretches to the shape of `x`.

    Raises:
        DTypeError: The mask does not hold truth values, or `source` has another dtype.
        ShapeError: The mask does not fit, or `source` has too few entries.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.zeros(3).masked_scatter(ml.tensor([True, False, True]), ml.tensor([4.0, 5.0]))
        tensor([4., 0., 5.])
    """
    check_mask("masked_scatter", mask)
    check_dtype("masked_scatter", x, source)
    shape = eq.shape(tuple(x.shape), tuple(mask.shape))
    x, mask = (expand_op(t, shape=shape) if tuple(t.shape) != shape else t for t in (x, mask))
    order = reshape_op(FUNCTIONS["cumsum"](ravel(mask), 0) - 1, shape=shape)
    return where(mask, getitem_op(ravel(source), FUNCTIONS["clamp"](order, 0), index=(HOLE,)), x)


# ---- into a part ----------------------------------------------------------------------------------------------------


@method
def select_scatter(x: Any, src: Any, dim: int, index: int) -> Any:
    """`x` with `src` in place of `x.select(dim, index)`.

    Raises:
        ShapeError: It does not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.zeros(2, 2).select_scatter(ml.ones(2), 0, 1).tolist()
        [[0.0, 0.0], [1.0, 1.0]]
    """
    at = one_dim("select_scatter", dim, len(x.shape))
    return into_part("select_scatter", x, src, (*(slice(None),) * at, index))


@method
def slice_scatter(
    x: Any, src: Any, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    """`x` with `src` in place of its entries from `start` to `end` along `dim`.

    Raises:
        ShapeError: It does not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.zeros(4).slice_scatter(ml.ones(2), start=1, end=3)
        tensor([0., 1., 1., 0.])
    """
    at = one_dim("slice_scatter", dim, len(x.shape))
    return into_part("slice_scatter", x, src, (*(slice(None),) * at, slice(start, end, step)))


def into_part(name: str, x: Any, src: Any, index: tuple[Any, ...]) -> Any:
    """`x` with `src` at the index, whose shape it must have."""
    wanted = getitem_op.shape(tuple(x.shape), index=index)
    if tuple(src.shape) != tuple(wanted):
        raise ShapeError(
            f"{name} got a source of shape {tuple(src.shape)}.", f"The part has the shape {tuple(wanted)}.", ""
        )
    return setitem(x, src, index=index)


@method
def diagonal_scatter(x: Any, src: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """`x` with `src` in place of `x.diagonal(offset, dim1, dim2)`.

    Raises:
        ShapeError: It does not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.zeros(2, 2).diagonal_scatter(ml.ones(2)).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    numbers = beside(xp.arange(numel(tuple(x.shape)), dtype=int64).reshape(tuple(x.shape)), x)
    places = diagonal(FUNCTIONS["clone"](numbers), offset, dim1, dim2)
    if tuple(places.shape) != tuple(src.shape):
        raise ShapeError(
            f"diagonal_scatter got a source of shape {tuple(src.shape)}.",
            f"The diagonal has the shape {tuple(places.shape)}.",
            "",
        )
    return put(x, places, to(src, x.dtype))


@writable
def fill_diagonal(x: Any, fill_value: float, wrap: bool = False) -> Any:
    """`x` with one number on its main diagonal; with `wrap` a tall matrix has one every n + 1 rows.

    Raises:
        ShapeError: It has fewer than two axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.ones(2, 2).fill_diagonal(0).tolist()
        [[0.0, 1.0], [1.0, 0.0]]
    """
    shape = tuple(x.shape)
    if len(shape) < 2:
        raise ShapeError(
            f"fill_diagonal got the shape {shape}.", "It takes two axes or more.", "Did you mean x.diag()?"
        )
    step = sum(xp.cumprod((1, *shape[:0:-1])).tolist())
    last = numel(shape) if wrap and len(shape) == 2 else min(shape) * step
    places = beside(xp.arange(0, last, step, dtype=int64), x)
    flat = setitem(ravel(x), fill_value, places, index=(HOLE,))
    return reshape_op(flat, shape=shape)


@writable
def fill(x: Any, value: Any) -> Any:
    """One number everywhere, in the shape and the dtype of `x`.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.fill(ml.zeros(2), 3.0)
        tensor([3., 3.])
    """
    return setitem(x, value, index=(Ellipsis,))


@function
def unravel_index(indices: Any, shape: Any) -> tuple[Any, ...]:
    """The positions, axis by axis, of places that are counted in the vector of all entries of a tensor of `shape`.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.unravel_index(ml.tensor([5]), (2, 3))
        (tensor([1]), tensor([2]))
    """
    found: list[Any] = []
    for n in reversed((shape,) if isinstance(shape, int) else tuple(shape)):
        found.append(FUNCTIONS["remainder"](indices, n))
        indices = FUNCTIONS["floor_divide"](indices, n)
    return tuple(found[::-1])
