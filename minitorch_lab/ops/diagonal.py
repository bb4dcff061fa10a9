"""Diagonals: reading one is a view, and laying entries out on one is its transpose."""

from __future__ import annotations

from typing import Any

from ..core.array import Array, Shape, beside, xp
from ..errors import ShapeError
from .axes import one_dim
from .batching import as_it_is
from .broadcast import sum_op
from .families import linear
from .front import method
from .indexing import setitem
from .movement import clone, permute_op
from .op import Op, Sample
from .template import HOLE


def length(shape: Shape, offset: int) -> int:
    """How many entries the diagonal has."""
    rows, columns = shape
    return max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)


def places(shape: Shape, offset: int) -> tuple[Array, Array]:
    """The rows and columns of the diagonal's entries."""
    steps = xp.arange(length(shape, offset))
    return steps + max(-offset, 0), steps + max(offset, 0)


def seen(x: Array, offset: int) -> Array:
    """The diagonals of the matrices on the last two axes, as a view: a step along one is a row and a column."""
    n = length(x.shape[-2:], offset)
    if not n:
        return x[..., 0, :0] if x.shape[-2] else x.reshape((*x.shape[:-2], 0))
    start = x[..., max(-offset, 0) :, max(offset, 0) :]
    return xp.einsum("...ii->...i", start[..., :n, :n])


def laid(x: Array, offset: int, shape: Shape) -> Array:
    """Zeros of the matrix `shape` with the entries of `x` on the diagonal."""
    out = xp.zeros_like(x, shape=(*x.shape[:-1], *shape))
    seen(out, offset)[...] = x
    return out


def put_back(base: Any, new: Any, *, offset: int) -> Any:
    """`base` with `new` on its diagonal."""
    rows, columns = (beside(a, base) for a in places(base.shape[-2:], offset))
    return setitem(base, new, rows, columns, index=(Ellipsis, HOLE, HOLE))


def matrices(rng: Any) -> list[Sample]:
    """Samples: the main diagonal and others, a batch, nothing."""
    ways = [((3, 4), 0), ((2, 4, 3), -1), ((3, 3), 2), ((0, 3), 0), ((3, 3), 5)]
    return [((rng.normal(size=shape),), {"offset": k}) for shape, k in ways]


def vectors(rng: Any) -> list[Sample]:
    """Samples: laid out in matrices that are as large as they must be, or larger."""
    ways = [((3,), 0, (3, 3)), ((2, 3), 1, (3, 4)), ((2,), -1, (3, 2)), ((0,), 0, (0, 2))]
    return [((rng.normal(size=s),), {"offset": k, "shape": m}) for s, k, m in ways]


diagonal_op: Op = linear(
    "diagonal",
    seen,
    shape=lambda s, *, offset: (*s[:-2], length(s[-2:], offset)),
    vjp=lambda g, x_shape, *, offset: diagonal_laid(g, offset=offset, shape=tuple(x_shape[-2:])),
    samples=matrices,
    put=put_back,
    batch=as_it_is,
)
diagonal_laid: Op = linear(
    "diagonal_laid",
    laid,
    shape=lambda s, *, offset, shape: (*s[:-1], *shape),
    vjp=lambda g, *, offset, shape: diagonal_op(g, offset=offset),
    samples=vectors,
    batch=as_it_is,
)


def two_dims(name: str, dim1: int, dim2: int, ndim: int) -> tuple[int, int]:
    """Two different axes, counted from the front.

    Raises:
        ShapeError: There are no such two.
    """
    i, j = one_dim(name, dim1, ndim, place="dim1"), one_dim(name, dim2, ndim, place="dim2")
    if i == j:
        raise ShapeError(
            f"{name} got dim1={dim1} and dim2={dim2} for a tensor with {ndim} axes.",
            "A diagonal runs over two different axes.",
            f"Did you mean {name}(x, dim1=-2, dim2=-1)? It takes a matrix, or a batch of them.",
        )
    return i, j


@method
def diagonal(x: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """A view of the diagonal over two axes, as the last axis. `offset` counts to the right, negative ones downwards.

    Raises:
        ShapeError: No such axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.arange(6).reshape(2, 3).diagonal(1).tolist()
        [1, 5]
    """
    i, j = two_dims("diagonal", dim1, dim2, len(x.shape))
    rest = tuple(a for a in range(len(x.shape)) if a not in (i, j))
    return diagonal_op(permute_op(x, axes=(*rest, i, j)), offset=offset)


@method
def diag_embed(x: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Square matrices over the axes `dim1` and `dim2` of the result, with the last axis of `x` on a diagonal.

    Raises:
        ShapeError: No such axes, or a 0-d tensor.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1.0, 2.0]).diag_embed()
        tensor([[1., 0.],
                [0., 2.]])
    """
    if not x.shape:
        raise ShapeError("diag_embed got a 0-d tensor.", "A diagonal has an axis.", "Did you mean x.reshape(1)?")
    ndim = len(x.shape) + 1
    i, j = two_dims("diag_embed", dim1, dim2, ndim)
    side = x.shape[-1] + (offset if offset > 0 else -offset)
    laid_out = diagonal_laid(x, offset=offset, shape=(side, side))
    order = list(range(ndim - 2))
    for place, axis in sorted(((i, ndim - 2), (j, ndim - 1))):
        order.insert(place, axis)
    return permute_op(laid_out, axes=tuple(order))


@method
def diag(x: Any, diagonal: int = 0) -> Any:
    """A copy of the diagonal of a matrix; of a vector, the matrix that has it on its diagonal.

    Raises:
        ShapeError: It is neither.
    """
    if len(x.shape) == 2:
        return clone(diagonal_op(x, offset=diagonal))
    if len(x.shape) == 1:
        return diag_embed(x, diagonal)
    raise ShapeError(
        f"diag got a tensor of shape {tuple(x.shape)}.",
        "It takes a matrix or a vector.",
        "Did you mean x.diagonal(dim1=-2, dim2=-1), or x.diag_embed()? They take batches.",
    )


@method
def trace(x: Any) -> Any:
    """The sum of the diagonal of a matrix.

    Raises:
        ShapeError: It is no matrix.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.eye(3).trace()
        tensor(3.)
    """
    if len(x.shape) != 2:
        raise ShapeError(
            f"trace got a tensor of shape {tuple(x.shape)}.",
            "It takes one matrix.",
            "Did you mean x.diagonal(dim1=-2, dim2=-1).sum(-1)? It takes batches.",
        )
    return sum_op(diagonal_op(x, offset=0), axis=(0,), keepdims=False)
