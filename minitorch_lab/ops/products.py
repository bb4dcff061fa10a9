"""Products of vectors and matrices under the names of the BLAS and of PyTorch. Each is matmul, with its shapes checked.

Level 1 is `dot` and `x.add_(y, alpha=a)` (AXPY), level 2 `mv` and `addmv` (GEMV), level 3 `mm` and `addmm` (GEMM):
C. Lawson and others, Basic Linear Algebra Subprograms for Fortran Usage, 1979.
"""

from __future__ import annotations

from typing import Any

from ..core.array import is_float
from ..errors import ArgumentError, ShapeError
from .elementwise import add, mul
from .front import method, writable
from .linalg import matmul, matmul_shape
from .movement import reshape_op
from .precision import runs_in


def check_ranks(name: str, kinds: str, ranks: tuple[int, ...], *operands: Any) -> None:
    """Refuse operands that have not these numbers of axes, or that no product under this name contracts.

    Raises:
        ShapeError: They have not, or their lengths differ.
    """
    shapes = [tuple(x.shape) for x in operands]
    if tuple(map(len, shapes)) != ranks:
        raise ShapeError(
            f"{name} got the shapes {' and '.join(map(str, shapes))}.",
            f"It takes {kinds}.",
            "Did you mean matmul? It takes vectors, matrices and batches of them.",
        )
    if name != "outer":
        matmul_shape(*shapes, name=name)


def mixed(start: Any, product: Any, beta: float, alpha: float) -> Any:
    """beta · start + alpha · product; with beta 0 what `start` holds does not count, NaN included.

    Raises:
        ArgumentError: A factor has a fraction, and the products are whole.
    """
    if not is_float(product.dtype) and any(v != int(v) for v in (beta, alpha)):
        raise ArgumentError(
            f"Products of whole numbers got beta={beta} and alpha={alpha}.",
            "Whole numbers take whole factors.",
            "Did you mean x.float()?",
        )
    scaled = product if alpha == 1 else mul(product, alpha)
    if beta == 0:
        return scaled
    return add(start if beta == 1 else mul(start, beta), scaled)


@method
def dot(x: Any, tensor: Any) -> Any:
    """The inner product of two vectors of one length, a single number.

    Raises:
        ShapeError: They are no vectors, or of different lengths.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.dot(ml.tensor([1.0, 2.0]), ml.tensor([3.0, 4.0]))
        tensor(11.)
    """
    check_ranks("dot", "two vectors", (1, 1), x, tensor)
    return matmul(x, tensor)


@method
def outer(x: Any, vec2: Any) -> Any:
    """The matrix x[i] · vec2[j] of two vectors.

    Raises:
        ShapeError: They are no vectors.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.outer(ml.tensor([1.0, 2.0]), ml.tensor([3.0, 4.0]))
        tensor([[3., 4.],
                [6., 8.]])
    """
    check_ranks("outer", "two vectors", (1, 1), x, vec2)
    return mul(reshape_op(x, shape=(*x.shape, 1)), vec2)


@method
def mv(x: Any, vec: Any) -> Any:
    """A matrix (n, m) times a vector (m,)."""
    check_ranks("mv", "a matrix and a vector", (2, 1), x, vec)
    return matmul(x, vec)


@method
def mm(x: Any, mat2: Any) -> Any:
    """A matrix (n, m) times a matrix (m, k). `matmul` takes batches too."""
    check_ranks("mm", "two matrices", (2, 2), x, mat2)
    return matmul(x, mat2)


@method
def bmm(x: Any, mat2: Any) -> Any:
    """Matrices (batch, n, m) times matrices (batch, m, k), one by one.

    Raises:
        ShapeError: They are no batches of matrices of one size; nothing broadcasts.
    """
    check_ranks("bmm", "two batches of matrices, with three axes each", (3, 3), x, mat2)
    check_batches("bmm", x, mat2)
    return matmul(x, mat2)


def check_batches(name: str, x: Any, mat2: Any) -> None:
    """Refuse batches of different sizes.

    Raises:
        ShapeError: They differ.
    """
    if x.shape[0] != mat2.shape[0]:
        raise ShapeError(
            f"{name} got batches of {x.shape[0]} and {mat2.shape[0]} matrices.",
            "It pairs them one by one, so both have the same number.",
            "Did you mean matmul? It repeats a batch of 1.",
        )


@writable
@runs_in("low")
def addmv(x: Any, mat: Any, vec: Any, beta: float = 1, alpha: float = 1) -> Any:
    """beta · x + alpha · (mat @ vec): GEMV."""
    check_ranks("addmv", "a matrix and a vector to multiply", (2, 1), mat, vec)
    return mixed(x, matmul(mat, vec), beta, alpha)


@writable
@runs_in("low")
def addmm(x: Any, mat1: Any, mat2: Any, beta: float = 1, alpha: float = 1) -> Any:
    """beta · x + alpha · (mat1 @ mat2): GEMM. `x` stretches to the shape of the product; with beta=0 it is not read.

    Shape:
        mat1 (n, m), mat2 (m, k), x broadcastable to (n, k); the result is (n, k).

    Raises:
        ShapeError: The shapes do not fit.
        DTypeError: The dtypes of the matrices differ.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.addmm(ml.ones(2), ml.eye(2), ml.eye(2), beta=10, alpha=2)
        tensor([[12., 10.],
                [10., 12.]])
    """
    check_ranks("addmm", "two matrices to multiply", (2, 2), mat1, mat2)
    return mixed(x, matmul(mat1, mat2), beta, alpha)


@writable
@runs_in("low")
def baddbmm(x: Any, batch1: Any, batch2: Any, beta: float = 1, alpha: float = 1) -> Any:
    """beta · x + alpha · (batch1 @ batch2), matrix by matrix: batched GEMM."""
    check_ranks("baddbmm", "two batches of matrices to multiply", (3, 3), batch1, batch2)
    check_batches("baddbmm", batch1, batch2)
    return mixed(x, matmul(batch1, batch2), beta, alpha)


@method
def kron(x: Any, other: Any) -> Any:
    """The Kronecker product: `x` with every entry replaced by that entry times `other`. Any two ranks.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.kron(ml.eye(2), ml.tensor([[1.0, 2.0]]))
        tensor([[1., 2., 0., 0.],
                [0., 0., 1., 2.]])
    """
    n = max(len(x.shape), len(other.shape))
    a, b = ((*(1,) * (n - len(t.shape)), *t.shape) for t in (x, other))
    blocks = mul(
        reshape_op(x, shape=tuple(length for m in a for length in (m, 1))),
        reshape_op(other, shape=tuple(length for m in b for length in (1, m))),
    )
    return reshape_op(blocks, shape=tuple(p * q for p, q in zip(a, b, strict=True)))
