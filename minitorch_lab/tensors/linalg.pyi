"""The public names of `minitorch_lab.tensors.linalg`. Written by `python -m tests.types.stubs`."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from typing import Any as _Any
from typing import TypeAlias as _TypeAlias
from numpy import generic as _generic
from numpy import ndarray as _ndarray
from minitorch_lab.tensors.tensor import Tensor as Tensor
from ..errors import LinAlgError as LinAlgError
from ..ops.contract import lstsq as lstsq
from ..ops.factors import eigh as eigh
from ..ops.factors import qr as qr
from ..ops.factors import svd as svd
from ..ops.linalg import matmul as matmul
from minitorch_lab.ops.solve import SignedLog

__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "lstsq", "matmul",
    "matrix_exp", "matrix_norm", "matrix_power", "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet",
    "solve", "solve_triangular", "svd", "svdvals", "vander", "vecdot", "vector_norm"
]  # fmt: skip

_Operand: _TypeAlias = Tensor | _float | _ndarray[_Any, _Any] | _generic

def cholesky(A: _Operand, *, upper: _bool = False) -> Tensor:
    """The lower triangular L with L Lᵀ = A, for each symmetric positive definite matrix; `upper` gives Lᵀ."""

def cond(A: _Operand, p: _Any = None) -> Tensor:
    """The condition number of matrices: the norm `p` of A times that of its inverse."""

def cross(x: _Operand, other: _Any, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """The vector product along `dim`, of length 3: `ml.linalg.cross`."""

def det(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The determinant of each square matrix. Its gradient needs the inverse, so that of a singular one is refused."""

def diagonal(x: _Operand, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, *, out: Tensor | None = None) -> Tensor:
    """A view of the diagonal over two axes, as the last axis. `offset` counts to the right, negative ones downwards."""

def eigvalsh(A: _Operand, UPLO: str | None = None) -> Tensor:
    """The eigenvalues of each symmetric matrix, rising."""

def inv(x: _Operand) -> Tensor:
    """The inverse of each square matrix. To solve a system, `linalg.solve` is cheaper and more exact."""

def matrix_exp(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The exponential of matrices: the sum of A^k / k!, of A halved ten times, which is then squared ten times."""

def matrix_norm(x: _Operand, ord: _Any = "fro", dim: tuple[_int, _int] = ..., keepdim: _bool = False) -> Tensor:
    """The norm of matrices: 'fro', which is √Σ x², or another one."""

def matrix_power(x: _Operand, n: _int, *, out: Tensor | None = None) -> Tensor:
    """The product of `n` copies of a square matrix, by squaring; of the inverse if `n` is negative."""

def matrix_rank(
    A: _Operand, tol: _Any = None, hermitian: _bool = False, *, rtol: _Any = None, atol: _Any = None
) -> Tensor:
    """How many singular values of matrices lie above max(atol, rtol · the largest one): int64."""

def multi_dot(tensors: _Any) -> Tensor:
    """The product of matrices, the first and the last of which may be vectors: `ml.linalg.multi_dot`."""

def norm(
    x: _Operand,
    ord: _Any = None,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A vector norm, unless `ord` and two axes ask for a matrix norm: NumPy's rule. `ml.linalg.norm`."""

def pinv(A: _Operand, *, atol: _Any = None, rtol: _Any = None) -> Tensor:
    """The pseudo-inverse of each matrix: V S⁻¹ Uᵀ, without singular values below max(m, n) · eps · the largest."""

def slogdet(x: _Operand) -> SignedLog:
    """The sign and the logarithm of the size of the determinant, which itself may be too large or small for a float."""

def solve(A: _Operand, B: _Any) -> Tensor:
    """The X with A X = B, for each matrix of the batch. Cheaper and more exact than `inv(A) @ B`."""

def solve_triangular(A: _Operand, B: _Any, *, upper: _bool, left: _bool = True, unitriangular: _bool = False) -> Tensor:
    """The X with A X = B, where only the upper (or lower) triangle of A is read: substitution, row by row."""

def svdvals(A: _Operand) -> Tensor:
    """The singular values of each matrix, falling."""

def vander(x: _Operand, N: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """The powers of vectors as columns, from 1 up: `ml.linalg.vander`."""

def vecdot(x: _Operand, y: _Any, *, dim: _int = -1) -> Tensor:
    """The sums of the products of entries along `dim`; shapes broadcast."""

def vector_norm(
    x: _Operand, ord: _float = 2, dim: _int | tuple[_int, ...] | list[_int] | None = None, keepdim: _bool = False
) -> Tensor:
    """The length of the vectors along `dim`, or of all entries as one vector: (Σ |x|^ord)^(1/ord)."""
