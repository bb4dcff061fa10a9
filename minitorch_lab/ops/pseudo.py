"""The pseudo-inverse of a matrix of any shape and rank. Leading axes are batches."""

from __future__ import annotations

from typing import Any

from ..core.array import Array, is_number, xp
from .batching import as_it_is
from .compare import logical_and, where
from .elementwise import div, mul
from .factors import columns_apart, matrices, svd
from .front import method, taught
from .hosted import on_cpu
from .linalg import matmul
from .movement import matrix_transpose, unsqueeze
from .op import Op, rule
from .reduce import amax_op
from .squares import check_finite, one_width


def pinv_impl(x: Array) -> Array:
    """V S⁻¹ Uᵀ, without the singular values that are 0 but for rounding."""
    check_finite("pinv", x)
    u, s, vh = xp.linalg.svd(x, full_matrices=False)
    kept = s > max(x.shape[-2:]) * xp.finfo(x.dtype).eps * s[..., :1]
    inverted = xp.where(kept, 1 / xp.where(kept, s, 1), 0).astype(x.dtype)
    return (vh.mT * inverted[..., None, :]) @ u.mT


def pinv_pull(g: Any, x: Any, out: Any) -> Any:
    """(1 - A P) gᵀ P Pᵀ + Pᵀ P gᵀ (1 - P A) - Pᵀ g Pᵀ, where P is the result: among matrices of one rank.

    G. Golub and V. Pereyra, The Differentiation of Pseudo-Inverses and Nonlinear Least Squares Problems Whose Variables
    Separate, 1973. No singular vectors are in it, so equal and missing singular values do no harm.
    """
    turned, flipped = g.mT, out.mT
    inside = flipped @ g @ flipped
    left = turned - x @ (out @ turned)  # what leads out of the columns of A
    right = turned - (turned @ out) @ x  # and out of its rows
    return left @ (out @ flipped) + (flipped @ out) @ right - inside


pinv_op = Op(
    name="pinv",
    impl=on_cpu(pinv_impl),
    shape=lambda x: (*matrices("pinv", x)[:-2], x[-1], x[-2]),
    vjp=(rule(pinv_pull),),
    samples=lambda rng: [*columns_apart(rng), ((rng.normal(size=(2, 4)),), {})],
    casts=one_width("pinv"),
    autocast="full",
    batch=as_it_is,
    refuses=True,
)


@method
def pinverse(x: Any, rcond: float = 1e-15) -> Any:
    """The pseudo-inverse, without the singular values below `rcond` times the largest one.

    Raises:
        ShapeError: `x` is no matrix.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([[2.0, 0.0], [0.0, 0.0]]).pinverse().tolist()
        [[0.5, 0.0], [0.0, 0.0]]
    """
    return pinv(x, rtol=rcond)


@taught
def pinv(A: Any, *, atol: Any = None, rtol: Any = None) -> Any:  # noqa: N803 - torch's name
    """The pseudo-inverse of each matrix: V S⁻¹ Uᵀ, without singular values below max(m, n) · eps · the largest.

    With `atol` or `rtol`, it is without those below max(atol, rtol · the largest).

    The gradient is that among matrices of the same rank, where alone the pseudo-inverse is smooth.

    Shape:
        A (..., m, n); the result is (..., n, m).

    Raises:
        ShapeError: A is no matrix.
        DTypeError: Whole numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.linalg.pinv(ml.tensor([[2.0, 0.0], [0.0, 0.0]])).tolist()
        [[0.5, 0.0], [0.0, 0.0]]
    """
    if (atol is None and rtol is None) or 0 in A.shape:
        return pinv_op(A)
    u, s, vh = svd(A, full_matrices=False)
    edge = mul(amax_op(s, axis=(len(s.shape) - 1,), keepdims=True), 0.0 if rtol is None else each_matrix(rtol))
    kept = logical_and(s > edge, s > (0.0 if atol is None else each_matrix(atol)))
    inverse = where(kept, div(1.0, where(kept, s, 1.0)), 0.0)
    return matmul(mul(matrix_transpose(vh), unsqueeze(inverse, -2)), matrix_transpose(u))


def each_matrix(tolerance: Any) -> Any:
    """A tolerance, which may be a tensor with one for each matrix, beside their singular values."""
    return tolerance if is_number(tolerance) else unsqueeze(tolerance, -1)
