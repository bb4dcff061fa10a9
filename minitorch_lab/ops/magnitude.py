"""Norms of vectors and of matrices."""

from __future__ import annotations

from math import inf
from typing import Any

from ..core.array import Array, xp
from ..errors import ArgumentError, ShapeError
from .axes import Dim, dims_of, reduced
from .batching import axis_moved
from .broadcast import also_empty, restored, sum_op
from .compare import where
from .elementwise import pow as power
from .elementwise import sqrt
from .factors import svdvals
from .families import only_floats
from .front import method, taught
from .kinks import abs as size_of
from .kinks import sign
from .movement import permute_op, reshape_op
from .op import Op, Sample, rule
from .prose import Prose
from .reduce import amax_op, amin_op

Axes = tuple[int, ...]


def length(x: Array, axis: Axes, keepdims: bool) -> Array:
    """√Σ x²."""
    return xp.sqrt(xp.add.reduce(x * x, axis, keepdims=keepdims))


def length_pull(g: Any, x: Any, out: Any, *, axis: Axes, keepdims: bool) -> Any:
    """g · x / out; at 0, where the norm has a kink, 0 as in PyTorch, and nothing changes with x."""
    g, out = restored(g, x.shape, axis), restored(out, x.shape, axis)
    return g * where(out == 0, 0.0, x / where(out == 0, 1.0, out))


def power_length(x: Array, axis: Axes, keepdims: bool, ord: float) -> Array:
    """(Σ |x|^ord)^(1/ord)."""
    total = xp.add.reduce(xp.abs(x) ** x.dtype.type(ord), axis, keepdims=keepdims)
    return total ** x.dtype.type(1.0 / ord)


def power_pull(g: Any, x: Any, out: Any, *, axis: Axes, keepdims: bool, ord: float) -> Any:
    """g · sign(x) · (|x| / out)^(ord - 1), and 0 for entries that are 0 and where the norm is, as in PyTorch."""
    g, out = restored(g, x.shape, axis), restored(out, x.shape, axis)
    size = size_of(x)
    share = where(out == 0, 0.0, where(size == 0, 1.0, size) / where(out == 0, 1.0, out))
    return g * sign(x) * where(out == 0, 0.0, power(where(out == 0, 1.0, share), ord - 1.0))


def orders(rng: Any) -> list[Sample]:
    """Samples: orders above and below those that are taken by themselves, and no entries."""
    cases = zip(also_empty((3, 0))(rng), (3.0, 1.5, 0.5, 4.0), strict=True)
    return [(args, {**params, "ord": ord}) for (args, params), ord in cases]


length_op = Op(
    name="norm",
    impl=length,
    shape=reduced,
    vjp=(rule(length_pull),),
    samples=also_empty((3, 0)),
    casts=only_floats("norm"),
    autocast="full",
    batch=axis_moved,
    program=lambda x, *, axis, keepdims: sqrt(sum_op(x * x, axis=axis, keepdims=keepdims)),
    prose=Prose(
        why={"out x": "the derivative is input / norm"},
        slopes=("{x} / {out}",),
        wholes=("what came from above × {x} / {out}",),
    ),
)


power_length_op = Op(
    name="power_norm",
    impl=power_length,
    shape=reduced,
    vjp=(rule(power_pull),),
    samples=orders,
    casts=only_floats("norm"),
    autocast="full",
    batch=axis_moved,
)


@taught
def vector_norm(x: Any, ord: float = 2, dim: Dim = None, keepdim: bool = False) -> Any:
    """The length of the vectors along `dim`, or of all entries as one vector: (Σ |x|^ord)^(1/ord).

    `ord` may be ±inf (the largest and smallest size) and 0 (how many entries are not 0).

    Raises:
        ShapeError: No such dim; or no entries and an `ord` that means nothing for none.
        DTypeError: Whole numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor([3.0, -4.0])
        >>> ml.linalg.vector_norm(x), ml.linalg.vector_norm(x, 1), ml.linalg.vector_norm(x, float("inf"))
        (tensor(5.), tensor(7.), tensor(4.))
    """
    only_floats("norm")(x)
    axis = dims_of("vector_norm", dim, len(x.shape))
    if ord == 2:
        return length_op(x, axis=axis, keepdims=keepdim)
    if ord in (inf, -inf):
        return (amax_op if ord > 0 else amin_op)(size_of(x), axis=axis, keepdims=keepdim)
    if ord == 0:
        return sum_op(size_of(sign(x)), axis=axis, keepdims=keepdim)
    if ord == 1:
        return sum_op(size_of(x), axis=axis, keepdims=keepdim)
    return power_length_op(x, axis=axis, keepdims=keepdim, ord=float(ord))


@taught
def matrix_norm(x: Any, ord: Any = "fro", dim: tuple[int, int] = (-2, -1), keepdim: bool = False) -> Any:
    """The norm of matrices: "fro", which is √Σ x², or another one.

    ±1 is the largest (smallest) sum of sizes in a column, ±inf that in a row, ±2 the largest (smallest) singular value,
    and "nuc" the sum of the singular values.

    Raises:
        ShapeError: There are no matrices.
        ArgumentError: There is no such norm.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor([[3.0, 4.0], [0.0, 12.0]])
        >>> ml.linalg.matrix_norm(x), ml.linalg.matrix_norm(x, 1)
        (tensor(13.), tensor(16.))
    """
    only_floats("norm")(x)
    axis = dims_of("matrix_norm", dim, len(x.shape))
    if len(axis) != 2:
        raise ShapeError(
            f"matrix_norm got a tensor of shape {tuple(x.shape)} and dim={dim}.",
            "A matrix has two axes.",
            "Did you mean ml.linalg.vector_norm(x)?",
        )
    if ord == "fro":
        return length_op(x, axis=axis, keepdims=keepdim)
    if ord not in (1, -1, 2, -2, inf, -inf, "nuc"):
        raise ArgumentError(
            f"matrix_norm got ord={ord!r}.",
            'It takes "fro", "nuc", 1, 2 and inf, and the last three with a minus.',
            'Did you mean ord="fro"?',
        )
    rows, columns = (d % len(x.shape) for d in dim)
    found = singular_norm(x, ord, axis) if ord in (2, -2, "nuc") else sum_norm(x, ord, rows, columns)
    return reshape_op(found, shape=reduced(x.shape, axis=axis, keepdims=keepdim))


def sum_norm(x: Any, ord: float, rows: int, columns: int) -> Any:
    """The largest (or smallest) of the sums of sizes along columns (or rows)."""
    along, over = (rows, columns) if ord in (1, -1) else (columns, rows)
    sums = sum_op(size_of(x), axis=(along,), keepdims=True)
    return (amax_op if ord > 0 else amin_op)(sums, axis=(over,), keepdims=True)


def singular_norm(x: Any, ord: Any, axis: Axes) -> Any:
    """The largest, the smallest or the sum of the singular values."""
    rest = tuple(a for a in range(len(x.shape)) if a not in axis)
    values = svdvals(permute_op(x, axes=(*rest, *axis)))
    over = {2: amax_op, -2: amin_op, "nuc": sum_op}[ord]
    return over(values, axis=(len(rest),), keepdims=False)


@method
def norm(x: Any, p: Any = "fro", dim: Dim = None, keepdim: bool = False) -> Any:
    """The vector norm of order `p` over `dim` (all axes if None); "fro" is order 2, "nuc" a norm of matrices.

    Raises:
        ShapeError: No such dim.
        DTypeError: Whole numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([[3.0, 4.0], [0.0, 0.0]]).norm(dim=1)
        tensor([5., 0.])
    """
    if p == "nuc":
        return matrix_norm(x, p, (-2, -1) if dim is None else tuple(dim), keepdim)  # pyright: ignore
    return vector_norm(x, 2 if p in ("fro", None) else p, dim, keepdim)


@taught
def linalg_norm(x: Any, ord: Any = None, dim: Dim = None, keepdim: bool = False) -> Any:
    """A vector norm, unless `ord` and two axes ask for a matrix norm: NumPy's rule. `ml.linalg.norm`.

    Without `ord` it is √Σ x² over `dim`, or over all axes. With `ord`, one axis (or a vector) gives `vector_norm`, two
    axes (or a matrix) give `matrix_norm`.

    Raises:
        ShapeError: No such dim, or more axes than two with an `ord`.
        ArgumentError: A matrix has no such norm here.
    """
    if ord is None:
        return vector_norm(x, 2, dim, keepdim)
    axis = dims_of("norm", dim, len(x.shape))
    if len(axis) == 2:
        return matrix_norm(x, ord, (-2, -1) if dim is None else tuple(dim), keepdim)  # pyright: ignore
    if len(axis) == 1:
        return vector_norm(x, ord, axis, keepdim)
    raise ShapeError(
        f"norm got ord={ord!r} for the axes {axis} of a tensor of shape {tuple(x.shape)}.",
        "With an ord it takes a vector or a matrix: one axis or two.",
        "Did you mean dim=-1?",
    )
