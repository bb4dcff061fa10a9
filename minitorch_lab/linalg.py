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

from .errors import LinAlgError
from .ops.cholesky import cholesky
from .ops.diagonal import diagonal
from .ops.factors import eigh, eigvalsh, qr, svd, svdvals
from .ops.linalg import matmul
from .ops.magnitude import linalg_norm as norm
from .ops.magnitude import matrix_norm, vector_norm
from .ops.pseudo import pinv
from .ops.solve import det, matrix_power, slogdet, solve, solve_triangular
from .ops.solve import inverse as inv

__all__ = [
    "LinAlgError", "cholesky", "det", "diagonal", "eigh", "eigvalsh", "inv", "matmul", "matrix_norm", "matrix_power",
    "norm", "pinv", "qr", "slogdet", "solve", "solve_triangular", "svd", "svdvals", "vector_norm",
]  # fmt: skip
