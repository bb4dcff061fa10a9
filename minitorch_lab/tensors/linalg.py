"""`ml.linalg`: linear algebra under the names of `torch.linalg`. Leading axes are batches.

Example:
    >>> import minitorch_lab as ml
    >>> A = ml.tensor([[2.0, 1.0], [1.0, 3.0]])
    >>> b = ml.tensor([3.0, 5.0])
    >>> x = ml.linalg.solve(A, b)
    >>> (A @ x).allclose(b)
    True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import LinAlgError
from ..ops.absent import answering
from ..ops.cholesky import cholesky
from ..ops.contract import cond, lstsq, matrix_exp, matrix_rank, multi_dot, vecdot
from ..ops.contract import linalg_cross as cross
from ..ops.contract import vander_up as vander
from ..ops.diagonal import diagonal
from ..ops.factors import eigh, eigvalsh, qr, svd, svdvals
from ..ops.linalg import matmul
from ..ops.magnitude import linalg_norm as norm
from ..ops.magnitude import matrix_norm, vector_norm
from ..ops.pseudo import pinv
from ..ops.solve import det, matrix_power, slogdet, solve, solve_triangular
from ..ops.solve import inverse as inv

if not TYPE_CHECKING:  # a type checker knows the names by themselves
    __getattr__ = answering(__name__, "ml.linalg")

__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "lstsq", "matmul",
    "matrix_exp", "matrix_norm", "matrix_power", "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet", "solve",
    "solve_triangular", "svd", "svdvals", "vander", "vecdot", "vector_norm",
]  # fmt: skip
