"""Sorting, and keeping a triangle of a matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..array import Array, int64, xp
from ..errors import ArgumentError, ShapeError
from .axes import one_dim
from .batching import as_it_is, axis_moved
from .families import linear, same_shape
from .front import method
from .indexing import gather_op, getitem_op
from .numbers import along_an_axis
from .op import Op, Sample

# ---- sorting ------------------------------------------------------------------------------------------------------


class Sorted(NamedTuple):
    """What `sort` and `topk` return: the entries, and where they stood."""

    values: Any
    indices: Any


def argsort_impl(x: Array, axis: int, descending: bool) -> Array:
    """Where the entries stand in order; equals keep their order, also in a descending sort."""
    if not descending:
        return xp.argsort(x, axis, kind="stable").astype(int64, copy=False)
    backwards = xp.argsort(xp.flip(x, axis), axis, kind="stable")
    return xp.flip(x.shape[axis] - 1 - backwards, axis).astype(int64)


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
def sort(x: Any, dim: int = -1, descending: bool = False, stable: bool = True) -> Any:
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
@along_an_axis("x")
def topk(x: Any, k: int, dim: int = -1, largest: bool = True) -> Any:
    """The `k` largest (or smallest) entries along `dim`, in order, and where they stood: (values, indices).

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
    order = argsort_op(x, axis=axis, descending=largest)
    indices = getitem_op(order, index=(*(slice(None),) * axis, slice(0, k)))
    return Sorted(gather_op(x, indices, axis=axis), indices)


# ---- triangles ----------------------------------------------------------------------------------------------------


def matrices(rng: Any) -> list[Sample]:
    """Samples: about the main diagonal and beside it, a batch, none."""
    ways = [((3, 4), 0), ((3, 4), -1), ((2, 3, 3), 1), ((0, 3), 0)]
    return [((rng.normal(size=shape),), {"diagonal": k}) for shape, k in ways]


def triangle(name: str, keep: Callable[..., Array], doc: str) -> Op:
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
    )
    front.__name__, front.__qualname__, front.__doc__ = name, name, doc
    method(front)
    return op


tril_op = triangle("tril", xp.tril, "The entries of the matrices on and below `diagonal` (0 is the main one), else 0.")
triu_op = triangle("triu", xp.triu, "The entries of the matrices on and above `diagonal` (0 is the main one), else 0.")
