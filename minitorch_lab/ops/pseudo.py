"""The pseudo-inverse of a matrix of any shape and rank. Leading axes are batches."""

from __future__ import annotations

from typing import Any

from ..array import Array, xp
from .batching import as_it_is
from .factors import columns_apart, matrices
from .front import taught
from .hosted import on_cpu
from .op import Op, rule
from .squares import one_width


def pinv_impl(x: Array) -> Array:
    """V S⁻¹ Uᵀ, without the singular values that are 0 but for rounding."""
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
    batch=as_it_is,
)


@taught
def pinv(A: Any) -> Any:  # noqa: N803 - torch's name
    """The pseudo-inverse of each matrix: V S⁻¹ Uᵀ, without singular values below max(m, n) · eps · the largest.

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
    return pinv_op(A)
