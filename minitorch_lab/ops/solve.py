"""Linear systems, inverses and determinants of square matrices; leading axes are batches.

The rules are those of M. Giles, An extended collection of matrix derivative results, 2008.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

from ..core.array import Array, Shape, beside, xp
from ..errors import ArgumentError
from .batching import aligned, as_it_is
from .broadcast import expand_op
from .compare import eq, lt, where
from .front import method, taught
from .hosted import on_cpu
from .linalg import matmul
from .movement import matrix_transpose, reshape_op
from .op import Op, rule
from .order import tril_op, triu_op
from .squares import SINGULAR, factoring, one_number, one_width, regular, square, system, systems

ON_THE_DIAGONAL = "Look at x.diagonal(dim1=-2, dim2=-1): it has a 0."
ADD_TO_DIAGONAL = "Did you mean A + 1e-6 * ml.eye(n)? Or look for columns that repeat each other."

# ---- systems --------------------------------------------------------------------------------------------------------


def elimination(a: Shape, b: Shape, out: Shape) -> int:
    """The work of an elimination, then of two substitutions for each column."""
    n = a[-1]
    return prod(out[:-2]) * (2 * n**3 // 3 + 2 * n * n * out[-1])


solve_op = Op(
    name="solve",
    impl=factoring("solve", xp.linalg.solve, system("solve"), SINGULAR, ADD_TO_DIAGONAL),
    shape=system("solve"),
    vjp=(
        rule(lambda g, x, out: -(solve_op(x.mT, g) @ out.mT)),
        rule(lambda g, x: solve_op(x.mT, g)),
    ),
    samples=systems,
    casts=one_width("solve"),
    autocast="full",
    batch=aligned,
    stretches=True,
    work=elimination,
    refuses=True,
)


def substituted(a: Array, b: Array, upper: bool) -> Array:
    """Row by row: each unknown is what is left of its equation when the known ones are taken out."""
    n = a.shape[-1]
    shape = (*xp.broadcast_shapes(a.shape[:-2], b.shape[:-2]), *b.shape[-2:])
    out = xp.array(xp.broadcast_to(b, shape), order="C")
    if not xp.einsum("...ii->...i", a).all():
        raise xp.linalg.LinAlgError
    for i in reversed(range(n)) if upper else range(n):
        known = slice(i + 1, n) if upper else slice(0, i)
        row = out[..., i : i + 1, :] - xp.matmul(a[..., i : i + 1, known], out[..., known, :])
        out[..., i : i + 1, :] = row / a[..., i : i + 1, i : i + 1]
    return out


def one_triangle(full: Any, upper: bool) -> Any:
    """The triangle that is read: the other one has no part in the result."""
    return triu_op(full, diagonal=0) if upper else tril_op(full, diagonal=0)


solve_triangular_op = Op(
    name="solve_triangular",
    impl=factoring("solve_triangular", substituted, system("solve_triangular"), SINGULAR, ON_THE_DIAGONAL),
    shape=system("solve_triangular"),
    vjp=(
        rule(
            lambda g, x, out, *, upper: one_triangle(-(solve_triangular_op(x.mT, g, upper=not upper) @ out.mT), upper)
        ),
        rule(lambda g, x, *, upper: solve_triangular_op(x.mT, g, upper=not upper)),
    ),
    samples=lambda rng: [(args, {"upper": k % 2 == 1}) for k, (args, _) in enumerate(systems(rng))],
    casts=one_width("solve_triangular"),
    autocast="full",
    batch=aligned,
    stretches=True,
    work=lambda a, b, out: prod(out) * a[-1],
    refuses=True,
)


@taught
def solve(A: Any, B: Any) -> Any:  # noqa: N803 - torch's names
    """The X with A X = B, for each matrix of the batch. Cheaper and more exact than `inv(A) @ B`.

    Shape:
        A (..., n, n), B (..., n, columns) or (..., n); the result is like B, its leading axes broadcast with A's.

    Raises:
        ShapeError: A is not square, or B does not fit.
        LinAlgError: A is singular.
        DTypeError: Whole numbers, or two dtypes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.linalg.solve(ml.tensor([[2.0, 0.0], [0.0, 4.0]]), ml.tensor([2.0, 2.0]))
        tensor([1.0000, 0.5000])
    """
    if len(B.shape) == 1 or (len(B.shape) == len(A.shape) - 1 and tuple(B.shape) == tuple(A.shape[:-1])):
        found = solve_op(A, reshape_op(B, shape=(*B.shape, 1)))
        return reshape_op(found, shape=tuple(found.shape[:-1]))
    return solve_op(A, B)


@taught
def solve_triangular(A: Any, B: Any, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:  # noqa: N803
    """The X with A X = B, where only the upper (or lower) triangle of A is read: substitution, row by row.

    With left=False it is the X with X A = B. With `unitriangular` the diagonal of A counts as 1.

    Raises:
        ShapeError: A is not square, or B (..., n, columns) does not fit.
        LinAlgError: The diagonal of A has a 0.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.linalg.solve_triangular(ml.tensor([[2.0, 9.0], [1.0, 1.0]]), ml.tensor([[2.0], [3.0]]), upper=False)
        tensor([[1.],
                [2.]])
    """
    one = where(beside(xp.eye(A.shape[-1], dtype=bool), A), 1.0, A) if unitriangular else A
    if left:
        return solve_triangular_op(one, B, upper=upper)
    turned = solve_triangular_op(matrix_transpose(one), matrix_transpose(B), upper=not upper)
    return matrix_transpose(turned)


# ---- inverses and determinants --------------------------------------------------------------------------------------


def per_matrix(g: Any) -> Any:
    """One number for each matrix, shaped to multiply all of its entries."""
    return reshape_op(g, shape=(*g.shape, 1, 1))


def det_pull(g: Any, x: Any, out: Any) -> Any:
    """g det(x) x⁻ᵀ; 0 where x is singular and has no inverse, as in PyTorch."""
    singular = eq(per_matrix(out), 0.0)
    solvable = where(singular, tril_op(where(singular, 1.0, x), diagonal=0), x)  # a triangle of ones has an inverse
    inverse = inv_op(solvable)
    return where(singular, 0.0, per_matrix(g * out) * inverse.mT)


inv_op = Op(
    name="inv",
    impl=factoring("inv", xp.linalg.inv, square("inv"), SINGULAR, ADD_TO_DIAGONAL),
    shape=square("inv"),
    vjp=(rule(lambda g, out: -(out.mT @ g @ out.mT)),),
    samples=regular,
    casts=one_width("inv"),
    autocast="full",
    batch=as_it_is,
    work=lambda a, out: 2 * a[-1] * prod(a),
    refuses=True,
)
quiet = xp.errstate(all="ignore")  # of functions that warn in NumPy's own name
det_op = Op(
    name="det",
    impl=on_cpu(quiet(xp.linalg.det)),
    shape=one_number("det"),
    vjp=(rule(det_pull),),
    samples=regular,
    casts=one_width("det"),
    autocast="full",
    batch=as_it_is,
    work=lambda a, out: 2 * a[-1] * prod(a) // 3,
)
det_sign = Op(
    name="det_sign",
    impl=on_cpu(quiet(lambda x: xp.linalg.slogdet(x)[0])),
    shape=one_number("slogdet"),
    vjp=(None,),
    samples=regular,
    casts=one_width("slogdet"),
    autocast="full",
    batch=as_it_is,
)
logabsdet = Op(
    name="logabsdet",
    impl=on_cpu(quiet(lambda x: xp.linalg.slogdet(x)[1])),
    shape=one_number("slogdet"),
    vjp=(rule(lambda g, x: per_matrix(g) * inv_op(x).mT),),
    samples=regular,
    casts=one_width("slogdet"),
    autocast="full",
    batch=as_it_is,
    work=lambda a, out: 2 * a[-1] * prod(a) // 3,
)


class SignedLog(NamedTuple):
    """What `slogdet` returns."""

    sign: Any
    logabsdet: Any


@method
def inverse(x: Any) -> Any:
    """The inverse of each square matrix. To solve a system, `linalg.solve` is cheaper and more exact.

    Raises:
        ShapeError: It is not square.
        LinAlgError: It is singular.
        DTypeError: Whole numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.inverse(ml.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor([[0.5000, 0.0000],
                [0.0000, 0.2500]])
    """
    return inv_op(x)


@method
def det(x: Any) -> Any:
    """The determinant of each square matrix. Its gradient needs the inverse, so that of a singular one is refused.

    Raises:
        ShapeError: It is not square.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.det(ml.tensor([[2.0, 1.0], [0.0, 4.0]]))
        tensor(8.)
    """
    return det_op(x)


@method
def slogdet(x: Any) -> SignedLog:
    """The sign and the logarithm of the size of the determinant, which itself may be too large or small for a float.

    Raises:
        ShapeError: It is not square.

    Example:
        >>> import minitorch_lab as ml
        >>> sign, log = ml.slogdet(ml.eye(400) * 10.0)
        >>> sign.item(), round(log.item(), 3)
        (1.0, 921.034)
    """
    return SignedLog(det_sign(x), logabsdet(x))


@method
def logdet(x: Any) -> Any:
    """The logarithm of the determinant of each matrix; NaN where it is negative."""
    sign, size = slogdet(x)
    return where(lt(sign, 0), float("nan"), size)


@method
def matrix_power(x: Any, n: int) -> Any:
    """The product of `n` copies of a square matrix, by squaring; of the inverse if `n` is negative.

    Raises:
        ArgumentError: `n` is no whole number.
        LinAlgError: `n` is negative and the matrix singular.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.matrix_power(ml.tensor([[1.0, 1.0], [0.0, 1.0]]), 10)
        tensor([[ 1., 10.],
                [ 0.,  1.]])
    """
    if not isinstance(n, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(f"matrix_power got n={n!r}.", "The power is a whole number.", "Did you mean n=2?")
    square("matrix_power")(tuple(x.shape))
    base, left = (inv_op(x), -n) if n < 0 else (x, n)
    result: Any = None
    while left:
        if left % 2:
            result = base if result is None else matmul(result, base)
        left //= 2
        base = matmul(base, base) if left else base
    return expand_op(beside(xp.eye(x.shape[-1], dtype=x.dtype), x), shape=tuple(x.shape)) if result is None else result
