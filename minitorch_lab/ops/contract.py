"""Products over chosen axes, distances, and what follows of a matrix from its factors. They are written with ops."""

from __future__ import annotations

from functools import reduce
from math import factorial, prod
from typing import Any, NamedTuple

from ..core.array import beside, bool_, float64, int64, is_number, xp
from ..errors import ShapeError
from .axes import one_dim
from .broadcast import sum as sum_
from .compare import where
from .elementwise import add, div, mul, sub
from .factors import eigvalsh, svdvals
from .front import FUNCTIONS, function, method, taught, writable
from .linalg import matmul
from .magnitude import linalg_norm, vector_norm
from .movement import reshape, to, unsqueeze
from .products import mixed, outer
from .pseudo import pinv
from .solve import inverse

# ---- products -------------------------------------------------------------------------------------------------------


@function
def tensordot(a: Any, b: Any, dims: Any = 2) -> Any:
    """The products of entries of `a` and `b`, summed over pairs of axes; the others of `a` come first.

    Args:
        a: Any shape.
        b: Any shape.
        dims: How many last axes of `a` meet as many first axes of `b`; or the axes of `a` and those of `b`.

    Raises:
        ShapeError: Two axes that meet differ in length, or there is no such axis.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensordot(ml.ones(2, 3), ml.ones(3, 4), dims=1).shape
        (2, 4)
    """
    if isinstance(dims, int):
        mine, theirs = list(range(len(a.shape) - dims, len(a.shape))), list(range(dims))
    else:
        given = dims.tolist() if hasattr(dims, "tolist") else dims
        mine, theirs = ([d] if isinstance(d, int) else list(d) for d in given)
    mine, theirs = ([one_dim("tensordot", d, len(x.shape)) for d in axes] for x, axes in ((a, mine), (b, theirs)))
    # a length of 1 meets any other: that is summed first
    pairs = [(a.shape[m], b.shape[t]) for m, t in zip(mine, theirs, strict=False)]
    if len(mine) == len(theirs) and all(m == t or 1 in (m, t) for m, t in pairs):
        a = sum_over(a, [d for d, (m, t) in zip(mine, pairs, strict=True) if m != t and t == 1])
        b = sum_over(b, [d for d, (m, t) in zip(theirs, pairs, strict=True) if m != t and m == 1])
    if [a.shape[d] for d in mine] != [b.shape[d] for d in theirs]:
        meeting = [([i], [j]) for i, m in enumerate(a.shape) for j, t in enumerate(b.shape) if m == t]
        raise ShapeError(
            f"tensordot got the shapes {tuple(a.shape)} and {tuple(b.shape)} and dims={dims!r}.",
            "Axes that meet have one length.",
            f"Did you mean dims={meeting[0]}? These two have one length." if meeting else "No two of them have.",
        )
    left, right = ([d for d in range(len(x.shape)) if d not in axes] for x, axes in ((a, mine), (b, theirs)))
    shape = (*(a.shape[d] for d in left), *(b.shape[d] for d in right))
    met = prod(a.shape[d] for d in mine)
    rows = reshape(FUNCTIONS["permute"](a, *left, *mine), prod(a.shape[d] for d in left), met)
    columns = reshape(FUNCTIONS["permute"](b, *theirs, *right), met, prod(b.shape[d] for d in right))
    return reshape(matmul(rows, columns), *shape)


def sum_over(x: Any, axes: list[int]) -> Any:
    """`x` summed over axes, which stay with length 1."""
    return sum_(x, axes, True) if axes else x


@method
def inner(x: Any, other: Any) -> Any:
    """The products of entries, summed over the last axis of both; with a number, the product.

    Raises:
        ShapeError: The last axes differ.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.inner(ml.ones(2, 3), ml.ones(4, 3)).shape
        (2, 4)
    """
    if not x.shape or not other.shape:
        return mul(x, other)
    return tensordot(x, other, ([-1], [-1]))


@method
def vdot(x: Any, other: Any) -> Any:
    """The sum of the products of two vectors: `dot`.

    Raises:
        ShapeError: They are no vectors of one length.
    """
    return FUNCTIONS["dot"](x, other)


@taught
def vecdot(x: Any, y: Any, *, dim: int = -1) -> Any:
    """The sums of the products of entries along `dim`; shapes broadcast.

    Raises:
        ShapeError: The shapes do not fit, or there is no such dim.
    """
    return sum_(mul(x, y), dim)


@method
def cross(x: Any, other: Any, dim: int | None = None) -> Any:
    """The vector product along an axis of length 3: the first such one if `dim` is left out.

    Raises:
        ShapeError: There is no such axis.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.cross(ml.tensor([1.0, 0.0, 0.0]), ml.tensor([0.0, 1.0, 0.0])).tolist()
        [0.0, 0.0, 1.0]
    """
    x, other = FUNCTIONS["broadcast_tensors"](x, other)
    threes = [d for d, n in enumerate(x.shape) if n == 3]
    axis = (threes[0] if threes else -1) if dim is None else one_dim("cross", dim, len(x.shape))
    if axis not in threes:
        raise ShapeError(
            f"cross got the shape {tuple(x.shape)} and dim={dim}.", "It takes an axis of length 3.", "Name another dim."
        )
    roll = FUNCTIONS["roll"]
    return sub(
        mul(roll(x, -1, axis), roll(other, -2, axis)),
        mul(roll(x, -2, axis), roll(other, -1, axis)),
    )


@taught
def linalg_cross(x: Any, other: Any, *, dim: int = -1) -> Any:
    """The vector product along `dim`, of length 3: `ml.linalg.cross`.

    Raises:
        ShapeError: It has another length.
    """
    if len(x.shape) != len(other.shape) or {x.shape[dim], other.shape[dim]} != {3}:
        raise ShapeError(
            f"linalg.cross got the shapes {tuple(x.shape)} and {tuple(other.shape)} and dim={dim}.",
            "Both have the same number of axes, and length 3 along dim.",
            "Did you mean ml.cross? It stretches them.",
        )
    return cross(x, other, dim)


@writable
def addr(x: Any, vec1: Any, vec2: Any, beta: float = 1, alpha: float = 1) -> Any:
    """beta · x + alpha · the outer product of two vectors.

    Raises:
        ShapeError: They are no vectors, or the shapes do not fit.
    """
    found = mixed(x, outer(vec1, vec2), beta, alpha)
    return to(found, x.dtype) if x.dtype == bool_ else found


@writable
def addbmm(x: Any, batch1: Any, batch2: Any, beta: float = 1, alpha: float = 1) -> Any:
    """beta · x + alpha · the sum of the products of two batches of matrices.

    Raises:
        ShapeError: They are no batches of matrices that fit.
    """
    return mixed(x, sum_(FUNCTIONS["bmm"](batch1, batch2), 0), beta, alpha)


@taught
def multi_dot(tensors: Any) -> Any:
    """The product of matrices, the first and the last of which may be vectors: `ml.linalg.multi_dot`.

    Raises:
        ShapeError: There are fewer than two, or they do not fit.
    """
    if len(tensors) < 2:
        raise ShapeError(f"multi_dot got {len(tensors)} tensors.", "A product has two factors or more.", "Give it two.")
    return reduce(matmul, tensors)


@function
def chain_matmul(*matrices: Any) -> Any:
    """The product of matrices.

    Raises:
        ShapeError: They do not fit.
    """
    return reduce(matmul, matrices)


@function
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:  # noqa: N803 - torch's name
    """The powers of a vector as columns, from the highest down to 1, or with `increasing` up from 1.

    Raises:
        ShapeError: It is no vector.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.vander(ml.tensor([1, 2, 3])).tolist()
        [[1, 1, 1], [4, 2, 1], [9, 3, 1]]
    """
    if not x.shape:
        raise ShapeError("vander got a 0-d tensor.", "It takes the powers of a vector.", "Did you mean x.reshape(1)?")
    n = x.shape[-1] if N is None else N
    exponents = beside(xp.arange(n, dtype=int64) if increasing else xp.arange(n, dtype=int64)[::-1].copy(), x)
    return FUNCTIONS["pow"](unsqueeze(x, -1), exponents)


@taught
def vander_up(x: Any, N: int | None = None) -> Any:  # noqa: N803
    """The powers of vectors as columns, from 1 up: `ml.linalg.vander`.

    Raises:
        ShapeError: It is a number.
    """
    return vander(x if x.shape else reshape(x, 1), N, increasing=True)


# ---- distances ------------------------------------------------------------------------------------------------------


@function
def cdist(x1: Any, x2: Any, p: float = 2.0, compute_mode: str | None = None) -> Any:
    """The distances of all rows of `x1` from all rows of `x2`, in the norm `p`. Equal rows have the gradient 0.

    Shape:
        x1 (..., m, features), x2 (..., n, features); the result is (..., m, n). Leading axes broadcast.

    Raises:
        ShapeError: The rows differ in length.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.cdist(ml.tensor([[0.0, 0.0]]), ml.tensor([[3.0, 4.0], [0.0, 1.0]])).tolist()
        [[5.0, 1.0]]
    """
    if len(x1.shape) < 2 or len(x2.shape) < 2 or x1.shape[-1] != x2.shape[-1]:
        raise ShapeError(
            f"cdist got the shapes {tuple(x1.shape)} and {tuple(x2.shape)}.",
            "Both are matrices, or batches of them, whose rows have one length.",
            "Did you mean x.unsqueeze(0)?"
            if len(x1.shape) == 1 and x1.shape == x2.shape[-1:] and len(x2.shape) > 1
            else "Compare the numbers of axes, and the last lengths.",
        )
    return vector_norm(sub(unsqueeze(x1, -2), unsqueeze(x2, -3)), p, -1)


def pdist(input: Any, p: float = 2.0) -> Any:
    """The distances of all pairs of rows of a matrix, in the norm `p`: those above the diagonal of `cdist`, row by row.

    Raises:
        ShapeError: It is no matrix.
    """
    if len(input.shape) != 2:
        raise ShapeError(f"pdist got the shape {tuple(input.shape)}.", "It takes a matrix.", "Did you mean cdist?")
    rows, columns = (beside(a.astype(int64), input) for a in xp.triu_indices(input.shape[0], 1))
    return vector_norm(sub(input[rows], input[columns]), p, -1)


FUNCTIONS["pdist"] = pdist = taught(pdist)


@method
def dist(x: Any, other: Any, p: float = 2) -> Any:
    """The norm `p` of x - other, all entries counted as one vector. Shapes broadcast.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.dist(ml.tensor([0.0, 0.0]), ml.tensor([3.0, 4.0]))
        tensor(5.)
    """
    return vector_norm(sub(x, other), p)


@writable
def renorm(x: Any, p: float, dim: int, maxnorm: float) -> Any:
    """`x` with each slice along `dim` whose norm `p` is above `maxnorm` scaled down to it.

    Raises:
        ShapeError: No such dim.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.renorm(ml.tensor([[3.0, 4.0], [0.3, 0.4]]), 2, 0, 1.0)
        tensor([[0.6000, 0.8000],
                [0.3000, 0.4000]])
    """
    axis = one_dim("renorm", dim, len(x.shape))
    if len(x.shape) < 2:
        raise ShapeError(f"renorm got the shape {tuple(x.shape)}.", "It takes two axes or more.", "")
    others = tuple(d for d in range(len(x.shape)) if d != axis)
    size = vector_norm(x, p, others, keepdim=True) if others else FUNCTIONS["abs"](x)
    return mul(x, where(size > maxnorm, div(maxnorm, add(size, 1e-7)), 1.0))


# ---- matrices -------------------------------------------------------------------------------------------------------

HALVINGS, TERMS = 10, 18


@method
def matrix_exp(x: Any) -> Any:
    """The exponential of matrices: the sum of A^k / k!, of A halved ten times, which is then squared ten times.

    Shape:
        (..., n, n), floats.

    Raises:
        ShapeError: The matrices are not square.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.linalg.matrix_exp(ml.zeros(2, 2)).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    if len(x.shape) < 2 or x.shape[-1] != x.shape[-2]:
        raise ShapeError(f"matrix_exp got the shape {tuple(x.shape)}.", "It takes square matrices.", "")
    one = beside(xp.eye(x.shape[-1], dtype=float64), x)
    small = mul(to(x, float64), 0.5**HALVINGS)
    total = add(mul(small, 0.0), mul(one, 1 / factorial(TERMS)))
    for k in range(TERMS - 1, -1, -1):
        total = add(matmul(small, total), mul(one, 1 / factorial(k)))
    for _ in range(HALVINGS):
        total = matmul(total, total)
    return to(total, x.dtype)


@taught
def matrix_rank(
    A: Any,  # noqa: N803
    tol: Any = None,
    hermitian: bool = False,
    *,
    rtol: Any = None,
    atol: Any = None,
) -> Any:
    """How many singular values of matrices lie above max(atol, rtol · the largest one): int64.

    Raises:
        ShapeError: They are no matrices.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.linalg.matrix_rank(ml.ones(3, 3))
        tensor(1)
    """
    values = FUNCTIONS["abs"](eigvalsh(A)) if hermitian else svdvals(A)
    largest = FUNCTIONS["amax"](values, -1, keepdim=True) if values.shape[-1] else 0.0
    atol = tol if tol is not None else atol
    if rtol is None:
        rtol = 0.0 if atol is not None else max(A.shape[-2:]) * float(xp.finfo(values.dtype).eps)
    edges = [mul(largest, t if is_number(t) else unsqueeze(t, -1)) for t in (rtol,)]
    floor = 0.0 if atol is None else atol if is_number(atol) else unsqueeze(atol, -1)
    return sum_(FUNCTIONS["logical_and"](values > edges[0], values > floor), -1)


@taught
def cond(A: Any, p: Any = None) -> Any:  # noqa: N803
    """The condition number of matrices: the norm `p` of A times that of its inverse.

    If `p` is left out, it is the largest singular value by the smallest.

    Raises:
        ShapeError: They are no matrices; for other norms than 2 and -2, no square ones.
    """
    if p in (None, 2, -2):
        values = svdvals(A)
        first, last = values[..., 0], values[..., -1]
        return div(last, first) if p == -2 else div(first, last)
    return mul(linalg_norm(A, p, (-2, -1)), linalg_norm(inverse(A), p, (-2, -1)))


class LeastSquares(NamedTuple):
    """What `lstsq` returns."""

    solution: Any
    residuals: Any
    rank: Any
    singular_values: Any


@taught
def lstsq(A: Any, B: Any, rcond: float | None = None, *, driver: str | None = None) -> LeastSquares:  # noqa: N803
    """The X with the smallest |A X - B|², and the shortest one if there are several: pinv(A) B.

    Shape:
        A (..., m, n), B (..., m, k) or (m,).

    Raises:
        ShapeError: They do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.linalg.lstsq(ml.tensor([[1.0], [1.0]]), ml.tensor([[1.0], [3.0]])).solution
        tensor([[2.0000]])
    """
    line = len(B.shape) == len(A.shape) - 1
    right = unsqueeze(B, -1) if line else B
    found = matmul(pinv(A), right)
    rank = FUNCTIONS["clone"](beside(xp.zeros((0,), int64), A)) if driver == "gels" else matrix_rank(A)
    m, n = A.shape[-2:]
    residuals = beside(xp.zeros((0,), A.dtype), A)
    if m > n and (driver == "gels" or bool((rank == n).all())):
        residuals = sum_(FUNCTIONS["square"](sub(matmul(A, found), right)), -2)
    nothing = FUNCTIONS["clone"](beside(xp.zeros((0,), A.dtype), A))
    values = svdvals(A) if driver in ("gelss", "gelsd") else nothing
    solution = FUNCTIONS["squeeze"](found, -1) if line else found
    return LeastSquares(solution, residuals if hasattr(residuals, "requires_grad") else nothing, rank, values)


@method
def cholesky_inverse(x: Any, upper: bool = False) -> Any:
    """The inverse of the matrices whose Cholesky factors are `x`: of L Lᵀ, or of Rᵀ R.

    Raises:
        ShapeError: They are no square matrices.
    """
    factor = FUNCTIONS["triu"](x) if upper else FUNCTIONS["tril"](x)
    turned = FUNCTIONS["transpose"](factor, -2, -1)
    return inverse(matmul(turned, factor) if upper else matmul(factor, turned))
