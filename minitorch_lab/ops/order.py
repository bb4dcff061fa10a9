"""Sorting, and keeping a triangle of a matrix."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Any, NamedTuple

from ..core.array import Array, bfloat16, float32, int32, int64, is_float, on_cpu, xp
from ..errors import ArgumentError, ShapeError
from .axes import one_dim
from .batching import as_it_is, axis_moved
from .families import linear, same_shape
from .front import method, writable
from .indexing import gather_op, getitem_op
from .numbers import along_an_axis
from .op import Op, Sample
from .prose import CUT, Prose

# ---- sorting ------------------------------------------------------------------------------------------------------


class Sorted(NamedTuple):
    """What `sort` and `topk` return: the entries, and where they stood."""

    values: Any
    indices: Any


FEW = 2048  # entries; among so few a sort costs less than what would spare it


def argsort_impl(x: Array, axis: int, descending: bool) -> Array:
    """Where the entries stand in order; equals keep their order, also in a descending sort."""
    x = comparable(x)
    if type(x) is on_cpu and x.size > FEW and x.dtype.itemsize < 8 and x.shape[axis] < 1 << 32:
        return by_words(x, axis, descending)
    if not descending:
        return xp.argsort(x, axis, kind="stable").astype(int64, copy=False)
    mirror = (*(slice(None),) * axis, slice(None, None, -1))
    backwards = xp.argsort(x[mirror], axis, kind="stable")[mirror]
    return (x.shape[axis] - 1 - backwards).astype(int64, copy=False)


def comparable(x: Array) -> Array:
    """`x` in a dtype whose NaN NumPy knows how to sort: in bfloat16 it does not."""
    return x.astype(float32) if x.dtype == bfloat16 else x


def by_words(x: Array, axis: int, descending: bool) -> Array:
    """The same, from words of 64 bits: above an entry's place among its equals, which NumPy sorts fast."""
    keys = xp.moveaxis(ranked(x), axis, -1)
    words = xp.empty(keys.shape, int64)
    xp.left_shift(xp.invert(keys, out=keys) if descending else keys, 32, out=words, dtype=int64)
    words |= xp.arange(keys.shape[-1])
    words.sort(-1)
    words &= 0xFFFFFFFF
    return xp.moveaxis(words, -1, axis).copy(order="C") if axis != x.ndim - 1 else words


def ranked(x: Array) -> Array:
    """Whole numbers of 32 bits that lie as the entries do: NaN above all, and -0 beside 0."""
    if not is_float(x.dtype):
        return x.astype(int32)
    numbers = x.astype(float32) + float32.type(0)
    bits = numbers.view(int32)
    keys = xp.right_shift(bits, 31)
    keys &= 0x7FFFFFFF
    keys ^= bits
    odd = xp.isnan(numbers)
    if odd.any():
        keys[odd] = 0x7FFFFFFF
    return keys


def topk_impl(x: Array, axis: int, k: int, largest: bool) -> Array:
    """Where the first k entries in order stand. Of equals the first come first."""
    n = x.shape[axis]
    if type(x) is not on_cpu or x.size <= FEW or 16 * k > n or not k:
        return argsort_impl(x, axis, largest)[(*(slice(None),) * axis, slice(0, k))].copy()
    rows = xp.ascontiguousarray(xp.moveaxis(comparable(x), axis, -1)).reshape(-1, n)
    # Of the extremes of m groups k are as far out as the k-th of them: what is not so far out is no candidate.
    m = min(max(4 * k, 2 * isqrt(n)), n // 2)
    groups = rows[:, : n // m * m].reshape(len(rows), n // m, m)
    ends = groups.max(1) if largest else groups.min(1)
    at = m - k if largest else k - 1
    bound = xp.partition(ends, at, 1)[:, at, None]
    places = xp.flatnonzero(~(rows < bound) if largest else ~(rows > bound))  # NaN is never ruled out
    order = argsort_impl(rows.reshape(-1)[places], 0, largest)
    row = places // n
    order = order[xp.argsort(row[order], kind="stable")]
    starts = xp.cumsum(xp.bincount(row, minlength=len(rows))[:-1])
    found = places[order[xp.concatenate([[0], starts])[:, None] + xp.arange(k)]] % n
    return xp.moveaxis(found.reshape(*x.shape[:axis], *x.shape[axis + 1 :], k), -1, axis).copy(order="C")


def unordered(rng: Any) -> list[Sample]:
    """Samples: both axes, both ways, nothing to sort."""
    x = rng.normal(size=(3, 4))
    ways = [(x, 0, False), (x, 1, True), (x[:, :0], 1, False)]
    return [((a,), {"axis": axis, "descending": descending}) for a, axis, descending in ways]


argsort_op = Op(
    name="argsort",
    impl=argsort_impl,
    shape=same_shape,
    vjp=(None,),
    samples=unordered,
    batch=axis_moved,
    gives=int64,
    expensive=True,
)


topk_op = Op(
    name="topk",
    impl=topk_impl,
    shape=lambda s, *, axis, k, largest: (*s[:axis], k, *s[axis + 1 :]),
    vjp=(None,),
    samples=lambda rng: [
        ((rng.normal(size=(3, 4)),), {"axis": 0, "k": 2, "largest": False}),
        ((rng.normal(size=(30, 100)),), {"axis": 1, "k": 3, "largest": True}),
        ((rng.normal(size=(0, 4)),), {"axis": 1, "k": 1, "largest": True}),
    ],
    batch=axis_moved,
    gives=int64,
    program=lambda x, *, axis, k, largest: getitem_op(
        argsort_op(x, axis=axis, descending=largest), index=(*(slice(None),) * axis, slice(0, k))
    ),
)


@method
@along_an_axis("x")
def argsort(x: Any, dim: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """Where the entries along `dim` stand in sorted order, int64. The sort is always stable.

    Raises:
        ShapeError: No such dim.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([30.0, 10.0, 20.0]).argsort().tolist()
        [1, 2, 0]
    """
    return argsort_op(x, axis=one_dim("argsort", dim, len(x.shape)), descending=descending)


@method
@along_an_axis("x")
def sort(x: Any, dim: int = -1, descending: bool = False, stable: bool = True) -> Sorted:
    """The entries along `dim` in order, and where they stood: (values, indices). The sort is always stable.

    Raises:
        ShapeError: No such dim.

    Example:
        >>> import minitorch_lab as ml
        >>> values, indices = ml.tensor([30.0, 10.0, 20.0]).sort()
        >>> values.tolist(), indices.tolist()
        ([10.0, 20.0, 30.0], [1, 2, 0])
    """
    axis = one_dim("sort", dim, len(x.shape))
    indices = argsort_op(x, axis=axis, descending=descending)
    return Sorted(gather_op(x, indices, axis=axis), indices)


@method
def msort(x: Any) -> Any:
    """The entries along axis 0 in order.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([3, 1, 2]).msort().tolist()
        [1, 2, 3]
    """
    return sort(x, 0).values


@method
@along_an_axis("x")
def topk(x: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Sorted:
    """The `k` largest (or smallest) entries along `dim`, always in order, and where they stood: (values, indices).

    Raises:
        ShapeError: No such dim.
        ArgumentError: There are fewer than `k` entries.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([30.0, 10.0, 20.0]).topk(2).values.tolist()
        [30.0, 20.0]
    """
    axis = one_dim("topk", dim, len(x.shape))
    if not 0 <= k <= x.shape[axis]:
        raise ArgumentError(
            f"topk got k={k} for an axis of length {x.shape[axis]}.",
            "k is at least 0 and at most the length of the axis.",
            f"Did you mean k={min(max(k, 0), x.shape[axis])}?",
        )
    indices = topk_op(x, axis=axis, k=k, largest=largest)
    return Sorted(gather_op(x, indices, axis=axis), indices)


# ---- triangles ----------------------------------------------------------------------------------------------------


def matrices(rng: Any) -> list[Sample]:
    """Samples: about the main diagonal and beside it, a batch, none."""
    ways = [((3, 4), 0), ((3, 4), -1), ((2, 3, 3), 1), ((0, 3), 0)]
    return [((rng.normal(size=shape),), {"diagonal": k}) for shape, k in ways]


def triangle(name: str, keep: Callable[..., Array], side: str, doc: str) -> Op:
    """The op that keeps one triangle of a matrix, published under its name."""

    def front(x: Any, diagonal: int = 0) -> Any:
        if len(x.shape) < 2:
            raise ShapeError(
                f"{name} got a tensor of shape {tuple(x.shape)}.",
                "It works on the last two axes: a matrix, or a batch of them.",
                f"Did you mean {name}(x.expand(n, n))?",
            )
        return op(x, diagonal=diagonal)

    op = linear(
        name,
        lambda x, diagonal: keep(x, diagonal),
        shape=lambda s, *, diagonal: s,
        vjp=lambda g, *, diagonal: op(g, diagonal=diagonal),
        samples=matrices,
        batch=as_it_is,
        prose=Prose(why={"": CUT}, wholes=(f"what came from above {side} the diagonal, and 0 elsewhere",)),
    )
    front.__name__, front.__qualname__, front.__doc__ = name, name, doc
    writable(front)
    return op


tril_op = triangle(
    "tril", xp.tril, "below", "The entries of the matrices on and below `diagonal` (0 is the main one), else 0."
)
triu_op = triangle(
    "triu", xp.triu, "over", "The entries of the matrices on and above `diagonal` (0 is the main one), else 0."
)
