"""Entries by their rank: the k-th smallest one, and the middle one."""

from __future__ import annotations

from typing import Any

from ..core.array import Array, xp
from ..errors import ArgumentError
from .axes import entries, one_dim, reduced
from .batching import axis_moved
from .broadcast import sum_op
from .compare import gt, ne, where
from .elementwise import sub
from .families import distinct
from .front import method
from .indexing import gather_op, getitem_op
from .numbers import along_an_axis
from .op import Op, Sample, rule
from .order import Sorted, argsort_op
from .reduce import among_ties


def standing_at(x: Any, indices: Any, axis: int, keepdim: bool) -> Sorted:
    """The entries at `indices`, one along `axis`, and the indices."""
    found = (gather_op(x, indices, axis=axis), indices)
    return Sorted(*(found if keepdim else (getitem_op(f, index=(*(slice(None),) * axis, 0)) for f in found)))


@method
@along_an_axis("x")
def kthvalue(x: Any, k: int, dim: int = -1, keepdim: bool = False) -> Sorted:
    """The k-th smallest entry along `dim`, counted from 1, and where it stands: (values, indices).

    Raises:
        ShapeError: No such dim.
        ArgumentError: There is no k-th entry.
    """
    axis = one_dim("kthvalue", dim, len(x.shape))
    if not 1 <= k <= x.shape[axis]:
        raise ArgumentError(
            f"kthvalue got k={k} for an axis of length {x.shape[axis]}.",
            "k counts from 1 to the length of the axis.",
            f"Did you mean k={max(1, min(k, x.shape[axis]))}?",
        )
    order = argsort_op(x, axis=axis, descending=False)
    return standing_at(x, getitem_op(order, index=(*(slice(None),) * axis, slice(k - 1, k))), axis, keepdim)


def middle(x: Array, axis: tuple[int, ...], keepdims: bool) -> Array:
    """The middle entry over `axis`, the lower one of two; NaN if one is, or if there are none."""
    rest = tuple(a for a in range(x.ndim) if a not in axis)
    shape = reduced(x.shape, axis=axis, keepdims=keepdims)
    n = entries(x.shape, axis)
    if not n:
        return xp.full_like(x, xp.nan, shape=shape)
    lines = xp.sort(x.transpose(*rest, *axis).reshape(*(x.shape[a] for a in rest), n), -1)
    last = lines[..., -1]  # where NaN stands, if there is one
    return xp.where(last != last, last, lines[..., (n - 1) // 2]).reshape(shape)


def whole(rng: Any) -> list[Sample]:
    """Samples: all axes, kept and dropped, and no rows."""
    (x,), _ = distinct(rng)[0]
    all_axes: list[Sample] = [((x,), {"axis": (0, 1), "keepdims": keep}) for keep in (False, True)]
    return [*all_axes, ((x[:0],), {"axis": (1,), "keepdims": False})]


median_op = Op(name="median", impl=middle, shape=reduced, vjp=(rule(among_ties),), samples=whole, batch=axis_moved)


@method
@along_an_axis("x")
def median(x: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The middle entry, the lower one of two; with `dim`, the pair (values, indices) along it. NaN if one entry is.

    Along a dim the gradient goes to the entry at the index; without one, equal entries share it, as in PyTorch.

    Raises:
        ShapeError: No such dim.
        ArgumentError: There are no entries along it.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([5.0, 1.0, 4.0, 2.0]).median()
        tensor(2.)
    """
    if dim is None:
        return median_op(x, axis=tuple(range(len(x.shape))), keepdims=False)
    axis = one_dim("median", dim, len(x.shape))
    n = x.shape[axis]
    if not n:
        raise ArgumentError(
            f"median got an axis of length 0, of the shape {tuple(x.shape)}.", "Of no entries none is in the middle."
        )
    odd = sum_op(ne(x, x), axis=(axis,), keepdims=True)
    rank = where(gt(odd, 0), sub(n, odd), (n - 1) // 2)  # NaN stand last in order: take the first of them
    return standing_at(x, gather_op(argsort_op(x, axis=axis, descending=False), rank, axis=axis), axis, keepdim)
