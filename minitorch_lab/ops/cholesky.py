"""The Cholesky factor of a symmetric positive definite matrix, and what it solves. Leading axes are batches."""

from __future__ import annotations

from math import prod
from typing import Any

from ..core.array import Array, xp
from .batching import as_it_is
from .front import method, taught
from .movement import matrix_transpose
from .op import Op, rule
from .order import tril_op
from .solve import solve_triangular_op
from .squares import INDEFINITE, definite, factoring, one_width, square


def cholesky_impl(x: Array) -> Array:
    """The lower factor of (x + xᵀ)/2, so that both halves of `x` count alike."""
    return xp.linalg.cholesky((x + x.mT) * x.dtype.type(0.5))


def cholesky_pull(g: Any, out: Any) -> Any:
    """L⁻ᵀ Φ(Lᵀ g) L⁻¹ made symmetric, where Φ keeps the lower triangle and half of the diagonal.

    I. Murray, Differentiation of the Cholesky decomposition, 2016.
    """
    product = out.mT @ g
    half = (tril_op(product, diagonal=0) + tril_op(product, diagonal=-1)) * 0.5
    left = solve_triangular_op(out.mT, half, upper=True)
    full = solve_triangular_op(out.mT, left.mT, upper=True)
    return (full + full.mT) * 0.5


cholesky_op = Op(
    name="cholesky",
    impl=factoring(
        "cholesky", cholesky_impl, square("cholesky"), INDEFINITE, "Did you mean A + 1e-6 * ml.eye(n), or A @ A.mT?"
    ),
    shape=square("cholesky"),
    vjp=(rule(cholesky_pull),),
    samples=definite,
    casts=one_width("cholesky"),
    autocast="full",
    batch=as_it_is,
    work=lambda a, out: a[-1] * prod(a) // 3,
    refuses=True,
)


@taught
def cholesky(A: Any, *, upper: bool = False) -> Any:  # noqa: N803 - torch's name
    """The lower triangular L with L Lᵀ = A, for each symmetric positive definite matrix; `upper` gives Lᵀ.

    The factor is that of (A + Aᵀ)/2, as in JAX, so the gradient is symmetric.

    Raises:
        ShapeError: A is not square.
        LinAlgError: A is not positive definite.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.linalg.cholesky(ml.tensor([[4.0, 2.0], [2.0, 5.0]]))
        tensor([[2., 0.],
                [1., 2.]])
    """
    factor = cholesky_op(A)
    return matrix_transpose(factor) if upper else factor


@method
def cholesky_solve(x: Any, L: Any, upper: bool = False) -> Any:  # noqa: N803
    """The X with A X = x, where A = L Lᵀ is given by its factor (Lᵀ L with `upper`): two substitutions.

    Raises:
        ShapeError: The factor is not square, or `x` (..., n, columns) does not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> A, b = ml.tensor([[4.0, 2.0], [2.0, 5.0]]), ml.tensor([[8.0], [12.0]])
        >>> ml.cholesky_solve(b, ml.linalg.cholesky(A)).tolist()
        [[1.0], [2.0]]
    """
    lower = matrix_transpose(L) if upper else L
    half = solve_triangular_op(lower, x, upper=False)
    return solve_triangular_op(matrix_transpose(lower), half, upper=True)
