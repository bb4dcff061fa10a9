"""Finding and counting: results whose shape or entries are positions and numbers of times. No gradient flows."""

from __future__ import annotations

from typing import Any

from ..core.array import Array, Shape, beside, float32, float64, int32, int64, is_number, xp
from ..errors import ArgumentError, DTypeError, ShapeError
from .axes import Dim, dims_of, numel, one_dim, unlike
from .batching import rank, size_of, spread_out
from .blend import check_mask
from .broadcast import expand_op, sum_op
from .compare import eq, lt, ne
from .compare import where as where_op
from .elementwise import add
from .front import function, method
from .hosted import on_cpu
from .indexing import gather_op, getitem_op
from .movement import cast, clone, reshape_op
from .numbers import along_an_axis
from .op import OPS, Op, Sample
from .reduce import any_op
from .template import HOLE, concrete

# ---- results whose shape depends on the entries ---------------------------------------------------------------------


def made(found: Array, x: Any) -> Any:
    """A tensor of what was found among the entries of `x`, on its device."""
    return clone(beside(found, x))


@method
def nonzero(x: Any, as_tuple: bool = False) -> Any:
    """The positions of the entries that are not 0: int64 of shape (how many, axes), or a vector for each axis.

    Raises:
        ArgumentError: Inside vmap.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([[0, 5], [7, 0]]).nonzero().tolist()
        [[0, 1], [1, 0]]
    """
    if as_tuple:
        return tuple(made(found, x) for found in xp.atleast_1d(concrete("nonzero", x)).nonzero())
    return made(xp.argwhere(concrete("nonzero", x)), x)


@function
def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """`input` where the condition holds, else `other`. Shapes broadcast. The condition alone gives where it holds.

    Returns:
        A tensor; or of a condition alone a vector of positions for each axis, as `nonzero(as_tuple=True)`.

    Raises:
        ShapeError: The shapes do not fit.
        DTypeError: The condition does not hold truth values.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.where(ml.tensor([True, False]), 1.0, 5.0)
        tensor([1., 5.])
    """
    return nonzero(condition, as_tuple=True) if input is None and other is None else where_op(condition, input, other)


@method
def argwhere(x: Any) -> Any:
    """The positions of the entries that are not 0, one row for each: `nonzero`."""
    return nonzero(x)


@method
def masked_select(x: Any, mask: Any) -> Any:
    """The entries where `mask` is true, in one vector; the two shapes broadcast. Gradients go back to their places.

    Raises:
        ShapeError: The shapes do not fit.
        DTypeError: The mask does not hold truth values.
        ArgumentError: Inside vmap.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1.0, 2.0, 3.0]).masked_select(ml.tensor([True, False, True]))
        tensor([1., 3.])
    """
    check_mask("masked_select", mask)
    shape = eq.shape(tuple(x.shape), tuple(mask.shape)) or (1,)
    where = xp.broadcast_to(concrete("masked_select", mask), shape).nonzero()
    return getitem_op(expand_op(x, shape=shape), *(beside(a, x) for a in where), index=(HOLE,) * len(where))


@method
def unique(
    x: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The different entries, always in order; on request with where each entry went, and how often it occurs.

    Args:
        x: Any shape.
        sorted: They are in order, whatever is asked for.
        return_inverse: Whether to say where each entry went.
        return_counts: Whether to say how often each entry occurs.
        dim: With it, the different slices along this axis.

    Returns:
        The vector of entries; or a tuple of it and of what else was asked for, in the order of the arguments.

    Raises:
        ArgumentError: Inside vmap.
        ShapeError: No such dim.

    Example:
        >>> import minitorch_lab as ml
        >>> values, counts = ml.tensor([3, 1, 3]).unique(return_counts=True)
        >>> values.tolist(), counts.tolist()
        ([1, 3], [1, 2])
    """
    axis = None if dim is None else one_dim("unique", dim, len(x.shape))
    entries = concrete("unique", x)
    found, inverse, counts = xp.unique(entries, return_inverse=True, return_counts=True, axis=axis)
    inverse = inverse.reshape(tuple(x.shape) if axis is None else -1)
    return with_facts(x, found, [inverse] * return_inverse + [counts] * return_counts)


@method
def unique_consecutive(
    x: Any, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The entries without those that equal the one before; on request where each went, and how many were equal.

    Args:
        x: Any shape.
        return_inverse: Whether to say where each entry went.
        return_counts: Whether to say how many were equal.
        dim: With it, the slices along this axis are compared.

    Raises:
        ArgumentError: Inside vmap.
        ShapeError: No such dim.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1, 1, 2, 1]).unique_consecutive().tolist()
        [1, 2, 1]
    """
    axis = 0 if dim is None else one_dim("unique_consecutive", dim, len(x.shape))
    entries = concrete("unique_consecutive", x)
    entries = entries.ravel() if dim is None else entries
    n = entries.shape[axis]
    lines = xp.moveaxis(entries, axis, 0)
    lines = lines.reshape(n, numel(lines.shape[1:]))
    new = xp.ones(n, bool)
    new[1:] = (lines[1:] != lines[:-1]).any(1)
    starts = new.nonzero()[0]
    inverse = (xp.cumsum(new) - 1).reshape(tuple(x.shape) if dim is None else -1)
    counts = xp.diff(xp.append(starts, n))
    return with_facts(x, xp.take(entries, starts, axis), [inverse] * return_inverse + [counts] * return_counts)


def with_facts(x: Any, found: Array, facts: list[Array]) -> Any:
    """What was found, alone or with more."""
    return (made(found, x), *(made(a.astype(int64), x) for a in facts)) if facts else made(found, x)


@method
def bincount(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    """How often each of 0, 1, 2, … occurs in a vector of whole numbers; with `weights`, the sum of theirs.

    Sums are float32 for weights in float32, else float64.

    Raises:
        ShapeError: It is no vector, or the weights have another shape.
        DTypeError: It does not hold whole numbers from 0 up.
        ArgumentError: Inside vmap.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([0, 2, 2]).bincount(minlength=4).tolist()
        [1, 0, 2, 0]
    """
    numbers = concrete("bincount", x)
    if numbers.ndim != 1 or (weights is not None and tuple(weights.shape) != numbers.shape):
        raise ShapeError(
            f"bincount got a tensor of shape {numbers.shape}"
            + (f" and weights of shape {tuple(weights.shape)}." if weights is not None else "."),
            "It counts the entries of one vector, and each has one weight.",
            "Did you mean x.flatten()?"
            if weights is None and numbers.dtype.kind in "iu"
            else "Count vectors: flatten() makes one of any tensor.",
        )
    if numbers.dtype.kind not in "iu" or (numbers.size and numbers.min() < 0):
        raise DTypeError(
            f"bincount got a tensor of dtype {numbers.dtype} that starts with {numbers[:3].tolist()}.",
            "It counts whole numbers from 0 up.",
            "Did you mean ml.histc(x, bins)? It counts floats.",
        )
    weigh = None if weights is None else concrete("bincount", weights)
    counts = xp.bincount(numbers, weigh, minlength)
    kind = int64 if weigh is None else (float32 if weigh.dtype == float32 else float64)
    return made(counts.astype(kind), x)


@method
def histc(x: Any, bins: int = 100, min: float = 0, max: float = 0) -> Any:
    """How many entries lie in each of `bins` equal steps from `min` to `max`; if both are equal, of the entries' range.

    Raises:
        ArgumentError: There is no step, or inside vmap.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1.0, 2.0, 1.0]).histc(bins=4, min=0, max=3)
        tensor([0., 2., 1., 0.])
    """
    if bins < 1 or min > max:
        raise ArgumentError(
            f"histc got bins={bins}, min={min} and max={max}.", "There is at least one step, from min up to max."
        )
    entries = concrete("histc", x)
    if min == max:
        min, max = (float(entries.min()), float(entries.max())) if entries.size else (0, 1)
    bounds = (min - 1, max + 1) if min == max else (min, max)
    return made(xp.histogram(entries, bins, bounds)[0].astype(entries.dtype), x)


# ---- counting and membership ----------------------------------------------------------------------------------------


@method
def count_nonzero(x: Any, dim: Dim = None) -> Any:
    """How many entries over `dim` (all axes if None) are not 0, int64."""
    return sum_op(ne(x, 0), axis=dims_of("count_nonzero", dim, len(x.shape)), keepdims=False)


@function
def isin(elements: Any, test_elements: Any) -> Any:
    """Whether each entry is among those of `test_elements`. It compares every pair.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.isin(ml.tensor([1, 2, 3]), ml.tensor([3, 1]))
        tensor([ True, False,  True])
    """
    among = reshape_op(test_elements, shape=(numel(test_elements.shape),))
    last = len(elements.shape)
    return any_op(eq(reshape_op(elements, shape=(*elements.shape, 1)), among), axis=(last,), keepdims=False)


@on_cpu
def searched(x: Array, y: Array, right: bool) -> Array:
    """Where each entry of `y` would be put into the sorted `x`, row by row if `x` has rows."""
    side = "right" if right else "left"
    if x.ndim == 1:
        return xp.asarray(xp.searchsorted(x, y, side), int64)
    rows, wanted = (a.reshape(numel(a.shape[:-1]), a.shape[-1]) for a in (x, y))
    found = [xp.searchsorted(row, values, side) for row, values in zip(rows, wanted, strict=True)]
    return xp.asarray(found, int64).reshape(y.shape)


def searched_shape(x: Shape, y: Shape, *, right: bool) -> Shape:
    """The shape of the values; rows of boundaries are paired with rows of values.

    Raises:
        ShapeError: The rows do not pair.
    """
    if not x or (len(x) > 1 and (len(y) != len(x) or x[:-1] != y[:-1])):
        raise ShapeError(
            f"searchsorted got boundaries of shape {x} and values of shape {y}.",
            "The boundaries are one sorted vector, or one for each row of the values.",
            "Compare all lengths but the last.",
        )
    return y


def rows_searched(op: Op, args: list[Any], batched: list[bool], params: dict[str, Any]) -> Any:
    """The batching rule: with boundaries of its own, each example is a row."""
    x, y = args
    if not batched[0]:
        n = rank(x) - 1
        return op(x if not n else spread_out(x, False, y.shape[0]), y, **params)
    n = size_of(args, batched)
    y = spread_out(y, batched[1], n)
    if rank(x) > 2:
        return op(x, y, **params)
    values = OPS["reshape"](y, shape=(n, numel(y.shape[1:])))
    return OPS["reshape"](op(x, values, **params), shape=tuple(y.shape))


def sorted_ones(rng: Any) -> list[Sample]:
    """Samples: one vector of boundaries, one for each row, no values."""
    edges = xp.sort(rng.normal(size=(2, 5)), -1)
    return [
        ((edges[0], rng.normal(size=(2, 3))), {"right": False}),
        ((edges, rng.normal(size=(2, 3))), {"right": True}),
        ((edges[0], rng.normal(size=(0, 3))), {"right": False}),
    ]


searchsorted_op = Op(
    name="searchsorted",
    impl=searched,
    shape=searched_shape,
    vjp=(None, None),
    samples=sorted_ones,
    batch=rows_searched,
    gives=int64,
)


@function
def searchsorted(
    sorted_sequence: Any,
    values: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Any = None,
) -> Any:
    """Where each value would have to be inserted to keep the sequence sorted; among equals first, or last.

    Args:
        sorted_sequence: The sorted boundaries.
        values: The values, or one number.
        out_int32: Whether the places are int32; else int64.
        right: Whether a value comes after its equals.
        side: "left" or "right": the same in words.
        sorter: What sorts the boundaries, if they are not in order: their `argsort`.

    Shape:
        sorted_sequence (n,) and values of any shape; or (..., n) and (..., m) with equal leading axes.

    Raises:
        ShapeError: The leading axes differ.
        ArgumentError: `side` is neither "left" nor "right", or contradicts `right`.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.searchsorted(ml.tensor([1.0, 3.0, 5.0]), ml.tensor([3.0, 9.0])).tolist()
        [1, 3]
    """
    if side not in (None, "left", "right") or (side == "left" and right):
        raise ArgumentError(
            f"searchsorted got side={side!r} and right={right}.",
            'A side is "left" or "right".',
            'Did you mean "right"?',
        )
    if sorter is not None:
        sorted_sequence = gather_op(sorted_sequence, sorter, axis=len(sorted_sequence.shape) - 1)
    values = made(xp.asarray(values, sorted_sequence.dtype), sorted_sequence) if is_number(values) else values
    right = right or side == "right"
    searched_shape(tuple(sorted_sequence.shape), tuple(values.shape), right=right)
    found = searchsorted_op(sorted_sequence, values, right=right)
    return cast(found, dtype=int32) if out_int32 else found


@function
def bucketize(input: Any, boundaries: Any, *, out_int32: bool = False, right: bool = False) -> Any:
    """The number of the bucket of each entry, between sorted boundaries: `searchsorted` with its arguments swapped."""
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


# ---- by rank --------------------------------------------------------------------------------------------------------


@method
@along_an_axis("indices")
def take_along_dim(x: Any, indices: Any, dim: int | None = None) -> Any:
    """As `gather`, with the other axes broadcast: what `argsort` and `argmax` (with keepdim) return fits.

    Without `dim` both count as one vector of their entries. Negative numbers count from the end.

    Raises:
        ShapeError: The shapes do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor([[3.0, 1.0], [2.0, 4.0]])
        >>> x.take_along_dim(x.argsort(1), 1).tolist()
        [[1.0, 3.0], [2.0, 4.0]]
    """
    if dim is None:
        x, indices = (reshape_op(t, shape=(numel(t.shape),)) for t in (x, indices))
        return take_along_dim(x, indices, 0)
    axis = one_dim("take_along_dim", dim, len(x.shape))
    if len(x.shape) != len(indices.shape):
        raise ShapeError(
            f"take_along_dim got indices of shape {tuple(indices.shape)} for a tensor of shape {tuple(x.shape)}.",
            "Both have the same number of axes.",
            "Did you mean x.argmax(dim, keepdim=True)?",
        )
    indices = where_op(lt(indices, 0), add(indices, x.shape[axis]), indices)
    mine, theirs = ((*t.shape[:axis], 1, *t.shape[axis + 1 :]) for t in (x, indices))
    common = eq.shape(mine, theirs)
    whole = [(t, (*common[:axis], t.shape[axis], *common[axis + 1 :])) for t in (x, indices)]
    return gather_op(*[expand_op(t, shape=shape) if unlike(t.shape, shape) else t for t, shape in whole], axis=axis)
