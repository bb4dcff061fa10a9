"""Matrices as products: eigenvectors, QR and singular vectors. Leading axes are batches.

Each op gives its factors as the rows or columns of one matrix, which the function then takes apart: an op has one
result. Signs are chosen, so factors are unique and change smoothly with the matrix. The rules are those of M. Giles, An
extended collection of matrix derivative results, 2008, and of J. Townsend, Differentiating the Singular Value
Decomposition, 2016.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..core.array import Array, Shape, xp
from ..errors import ShapeError
from .batching import as_it_is
from .compare import where
from .front import method, taught
from .hosted import on_cpu
from .indexing import getitem_op
from .join import cat_op
from .linalg import matmul
from .movement import detach, matrix_transpose, reshape_op
from .op import Op, Sample, rule
from .order import tril_op, triu_op
from .solve import solve_triangular_op
from .squares import check_finite, one_width, regular, square


def rows(x: Any, start: int, end: int | None) -> Any:
    """Some rows of each matrix."""
    return getitem_op(x, index=(Ellipsis, slice(start, end), slice(None)))


def diagonals(x: Any) -> Any:
    """Vectors as one row each: they scale the columns of what they multiply."""
    return reshape_op(x, shape=(*x.shape[:-1], 1, x.shape[-1]))


def gaps(values: Any) -> Any:
    """1 / (v[j] - v[i]), and 0 where both are equal: on the diagonal, and where the vectors could be any."""
    apart = diagonals(values) - diagonals(values).mT
    same = apart == 0
    return where(same, 0.0, 1.0 / where(same, 1.0, apart))


def towards_plus(x: Array) -> Array:
    """1 or -1 for each column: what makes its largest entry positive."""
    if not x.size:
        return xp.ones((*x.shape[:-2], 1, x.shape[-1]), x.dtype)
    top = xp.take_along_axis(x, xp.abs(x).argmax(-2, keepdims=True), -2)
    return xp.where(top < 0, x.dtype.type(-1), x.dtype.type(1))


def matrices(name: str, x: Shape) -> Shape:
    """The shape, if it is that of matrices.

    Raises:
        ShapeError: It is not.
    """
    if len(x) < 2:
        raise ShapeError(
            f"{name} got a tensor of shape {x}.", "It takes a matrix, or a batch of them.", "Did you mean x[:, None]?"
        )
    return x


# ---- eigenvectors of symmetric matrices -----------------------------------------------------------------------------


def eigh_impl(x: Array) -> Array:
    """A row of eigenvalues, rising, above the eigenvectors as columns; of (x + xᵀ)/2."""
    check_finite("eigh", x)
    values, vectors = xp.linalg.eigh((x + x.mT) * x.dtype.type(0.5))
    return xp.concatenate([values[..., None, :], vectors * towards_plus(vectors)], -2)


def eigh_pull(g: Any, out: Any) -> Any:
    """V (diag g_w + F ∘ Vᵀ g_V) Vᵀ, made symmetric, with F[i, j] = 1 / (w[j] - w[i])."""
    values, vectors = getitem_op(out, index=(Ellipsis, 0, slice(None))), rows(out, 1, None)
    g_values, g_vectors = rows(g, 0, 1), rows(g, 1, None)
    turned = vectors @ (gaps(values) * (vectors.mT @ g_vectors))
    full = (vectors * g_values + turned) @ vectors.mT
    return (full + full.mT) * 0.5


eigh_op = Op(
    name="eigh",
    impl=on_cpu(eigh_impl),
    shape=lambda x: (*square("eigh")(x)[:-2], x[-1] + 1, x[-1]),
    vjp=(rule(eigh_pull),),
    samples=regular,
    casts=one_width("eigh"),
    autocast="full",
    batch=as_it_is,
    refuses=True,
)


class Eigen(NamedTuple):
    """What `eigh` returns."""

    eigenvalues: Any
    eigenvectors: Any


def mirrored(x: Any, triangle: str) -> Any:
    """The symmetric matrix of which one triangle is given, "L" or "U". The gradient goes to both, as in PyTorch."""
    kept, edge = (tril_op, -1) if triangle.upper() == "L" else (triu_op, 1)
    still = detach(x)
    return x + (kept(still, diagonal=0) + matrix_transpose(kept(still, diagonal=edge)) - still)


@taught
def eigh(A: Any, UPLO: str | None = None) -> Eigen:  # noqa: N803 - torch's names
    """The eigenvalues of each symmetric matrix, rising, and its eigenvectors as columns. A is (A + Aᵀ)/2.

    With `UPLO` "L" or "U" only the lower or the upper triangle is read.

    The largest entry of each eigenvector is positive. Where eigenvalues are equal, their eigenvectors could be any of a
    plane, and no gradient goes through the choice.

    Raises:
        ShapeError: A is not square.
        DTypeError: Whole numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> values, vectors = ml.linalg.eigh(ml.tensor([[0.0, 2.0], [2.0, 3.0]]))
        >>> values
        tensor([-1.,  4.])
    """
    packed = eigh_op(A if UPLO is None else mirrored(A, UPLO))
    return Eigen(getitem_op(packed, index=(Ellipsis, 0, slice(None))), rows(packed, 1, None))


@taught
def eigvalsh(A: Any, UPLO: str | None = None) -> Any:  # noqa: N803
    """The eigenvalues of each symmetric matrix, rising."""
    return eigh(A, UPLO).eigenvalues


# ---- QR -------------------------------------------------------------------------------------------------------------


def qr_impl(x: Array) -> Array:
    """Q above R, for matrices at least as tall as wide; the diagonal of R is not negative."""
    q, r = xp.linalg.qr(x)
    signs = xp.where(xp.einsum("...ii->...i", r) < 0, x.dtype.type(-1), x.dtype.type(1))
    return xp.concatenate([q * signs[..., None, :], r * signs[..., :, None]], -2)


def qr_pull(g: Any, x_shape: Shape, out: Any) -> Any:
    """(g_Q + Q M) R⁻ᵀ, where M is symmetric and has the lower triangle of R g_Rᵀ - g_Qᵀ Q."""
    m = x_shape[-2]
    q, r, g_q, g_r = rows(out, 0, m), rows(out, m, None), rows(g, 0, m), rows(g, m, None)
    full = r @ g_r.mT - g_q.mT @ q
    even = tril_op(full, diagonal=0) + tril_op(full, diagonal=-1).mT
    return solve_triangular_op(r, (g_q + q @ even).mT, upper=True).mT


def tall(x: Shape) -> Shape:
    """The shape of Q above R.

    Raises:
        ShapeError: It is no matrix, or wider than tall.
    """
    *lead, m, n = matrices("qr", x)
    if m < n:
        raise ShapeError(f"The op qr got the shape {x}.", "It takes matrices at least as tall as wide.", "Use qr().")
    return (*lead, m + n, n)


def columns_apart(rng: Any) -> list[Sample]:
    """Samples: square and tall matrices of full rank, a batch, none."""
    return [((rng.normal(size=s) + 2.0 * xp.eye(*s[-2:]),), {}) for s in ((3, 3), (2, 4, 3), (0, 3, 2))]


qr_op = Op(
    name="qr",
    impl=on_cpu(qr_impl),
    shape=tall,
    vjp=(rule(qr_pull),),
    samples=columns_apart,
    casts=one_width("qr"),
    autocast="full",
    batch=as_it_is,
)


class QR(NamedTuple):
    """What `qr` returns."""

    Q: Any
    R: Any


@taught
def qr(A: Any) -> QR:  # noqa: N803
    """Q with orthonormal columns and an upper triangular R with Q R = A, for each matrix (m, n): the reduced form.

    The diagonal of R is not negative, which makes the two unique where A has full rank; the gradient needs that.

    Shape:
        With k = min(m, n), Q is (..., m, k) and R (..., k, n).

    Raises:
        ShapeError: A is no matrix.
        LinAlgError: In the backward pass, if A has not full rank.

    Example:
        >>> import minitorch_lab as ml
        >>> A = ml.tensor([[3.0, 1.0], [4.0, 2.0]])
        >>> Q, R = ml.linalg.qr(A)
        >>> R[0, 0], (Q @ R).allclose(A)
        (tensor(5.), True)
    """
    m, n = matrices("qr", tuple(A.shape))[-2:]
    if m < n:
        q, left = qr(getitem_op(A, index=(Ellipsis, slice(0, m))))
        right = matmul(matrix_transpose(q), getitem_op(A, index=(Ellipsis, slice(m, None))))
        return QR(q, cat_op(left, right, axis=len(A.shape) - 1))
    packed = qr_op(A)
    return QR(rows(packed, 0, m), rows(packed, m, None))


# ---- singular vectors -----------------------------------------------------------------------------------------------


def svd_impl(x: Array) -> Array:
    """U above a row of singular values above V, for each matrix."""
    check_finite("svd", x)
    u, s, vh = xp.linalg.svd(x, full_matrices=False)
    signs = towards_plus(u)
    return xp.concatenate([u * signs, s[..., None, :], vh.mT * signs], -2)


def svd_parts(packed: Any, m: int) -> tuple[Any, Any, Any]:
    """U, the row of singular values, and V."""
    return rows(packed, 0, m), rows(packed, m, m + 1), rows(packed, m + 1, None)


def svd_pull(g: Any, x_shape: Shape, out: Any) -> Any:
    """The part along U and V, which turns them against each other, and the parts that lead out of their spans."""
    m = x_shape[-2]
    (u, s, v), (g_u, g_s, g_v) = svd_parts(out, m), svd_parts(g, m)
    weights = gaps(getitem_op(s * s, index=(Ellipsis, 0, slice(None))))
    in_u, in_v = u.mT @ g_u, v.mT @ g_v
    middle = (weights * (in_u - in_u.mT)) * s + s.mT * (weights * (in_v - in_v.mT))
    inside = (u * g_s + u @ middle) @ v.mT
    one_over_s = where(s == 0, 0.0, 1.0 / where(s == 0, 1.0, s))  # where the vectors could be any, nothing goes through
    out_of_u = ((g_u - u @ in_u) * one_over_s) @ v.mT
    out_of_v = (u * one_over_s) @ (g_v - v @ in_v).mT
    return inside + out_of_u + out_of_v


svd_op = Op(
    name="svd",
    impl=on_cpu(svd_impl),
    shape=lambda x: (*matrices("svd", x)[:-2], x[-2] + 1 + x[-1], min(x[-2:])),
    vjp=(rule(svd_pull),),
    samples=lambda rng: [*columns_apart(rng), ((rng.normal(size=(2, 4)),), {})],
    casts=one_width("svd"),
    autocast="full",
    batch=as_it_is,
    refuses=True,
)


class SVD(NamedTuple):
    """What `svd` returns."""

    U: Any
    S: Any
    Vh: Any


def completion(x: Array) -> Array:
    """Columns that complete the orthonormal columns of `x` to a square matrix."""
    return xp.linalg.qr(x, "complete")[0][..., x.shape[-1] :].copy()


completion_op = Op(
    name="completion",
    impl=on_cpu(completion),
    shape=lambda x: (*matrices("svd", x)[:-1], x[-2] - x[-1]),
    vjp=(None,),
    samples=lambda rng: [((xp.linalg.qr(rng.normal(size=(2, 4, 3)))[0],), {}), ((xp.zeros((0, 4, 2)),), {})],
    casts=one_width("svd"),
    batch=as_it_is,
)


def completed(x: Any) -> Any:
    """Orthonormal columns, completed to a square matrix; no gradient flows through what completes them."""
    m, k = x.shape[-2:]
    return x if m == k else cat_op(x, completion_op(x), axis=len(x.shape) - 1)


@taught
def svd(A: Any, full_matrices: bool = True) -> SVD:  # noqa: N803
    """U, S and Vᵀ with U diag(S) Vᵀ = A, for each matrix (m, n). S falls and is not negative.

    The largest entry of each of the first columns of U is positive. The gradient through U and V needs singular values
    that differ and are not 0; the columns that complete them are arbitrary, and no gradient flows through those.

    Shape:
        U is (..., m, m), S (..., k) with k = min(m, n), and Vh (..., n, n). Without `full_matrices`, the reduced form,
        U is (..., m, k) and Vh (..., k, n).

    Raises:
        ShapeError: A is no matrix.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.linalg.svd(ml.tensor([[3.0, 0.0], [0.0, -4.0]])).S
        tensor([4., 3.])
    """
    u, s, v = svd_parts(svd_op(A), matrices("svd", tuple(A.shape))[-2])
    u, v = map(completed, (u, v)) if full_matrices else (u, v)
    return SVD(u, getitem_op(s, index=(Ellipsis, 0, slice(None))), matrix_transpose(v))


class Factors(NamedTuple):
    """What PyTorch's older `svd` returns: V, and not its transpose."""

    U: Any
    S: Any
    V: Any


def factors(x: Any, some: bool = True, compute_uv: bool = True) -> Factors:
    """U, S and V with U diag(S) Vᵀ = x, for each matrix (m, n): PyTorch's older `svd`. `ml.linalg.svd` gives Vᵀ.

    Args:
        x: Matrices (..., m, n).
        some: The reduced form; False for U (..., m, m) and V (..., n, n).
        compute_uv: False for zeros in the place of U and V.

    Raises:
        ShapeError: `x` is no matrix.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.svd(ml.tensor([[3.0, 0.0], [0.0, -4.0]])).S
        tensor([4., 3.])
    """
    u, s, vh = svd(x, full_matrices=not some)
    v = matrix_transpose(vh)
    if not compute_uv:
        whole = svd(detach(x))
        u, v = detach(whole.U) * 0.0, matrix_transpose(whole.Vh) * 0.0
    return Factors(u, s, v)


factors.__name__ = factors.__qualname__ = "svd"
method(factors)


@taught
def svdvals(A: Any) -> Any:  # noqa: N803
    """The singular values of each matrix, falling."""
    return svd(A, full_matrices=False).S
