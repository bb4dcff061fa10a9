"""Linear algebra: what a wrong call is told, word for word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import errors

CASES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "solve, not square": (
        lambda: ml.linalg.solve(ml.zeros(2, 3), ml.zeros(2)),
        errors.ShapeError,
        """\
solve got a tensor of shape (2, 3).
  It takes a square matrix, or a batch of them on the last two axes.
  Compare the last two lengths: x.mT @ x is square.""",
    ),
    "solve, singular": (
        lambda: ml.linalg.solve(ml.zeros(2, 2), ml.zeros(2)),
        errors.LinAlgError,
        """\
solve got a tensor of shape (2, 2) that is singular.
  Its rows depend on each other, so it has no inverse.
  Did you mean A + 1e-6 * ml.eye(n)? Or look for columns that repeat each other.""",
    ),
    "solve, right-hand side": (
        lambda: ml.linalg.solve(ml.eye(2), ml.zeros(3, 2)),
        errors.ShapeError,
        """\
solve got the shapes (2, 2) and (3, 2).
  Each row of A has one of B: B is (..., 2, columns), and the leading axes broadcast.
  Did you mean B.mT?""",
    ),
    "solve, whole numbers": (
        lambda: ml.linalg.solve(ml.tensor([[1]]), ml.ones(1)),
        errors.DTypeError,
        """\
solve got a matrix of dtype int64.
  Linear systems are solved in float32 and float64: whole numbers rarely stay whole.
  Did you mean x.float()?""",
    ),
    "solve_triangular, singular": (
        lambda: ml.linalg.solve_triangular(ml.zeros(2, 2), ml.zeros(2, 1), upper=True),
        errors.LinAlgError,
        """\
solve_triangular got a tensor of shape (2, 2) that is singular.
  Its rows depend on each other, so it has no inverse.
  Look at x.diagonal(dim1=-2, dim2=-1): it has a 0.""",
    ),
    "inv, a vector": (
        lambda: ml.linalg.inv(ml.zeros(2)),
        errors.ShapeError,
        """\
inv got a tensor of shape (2,).
  It takes a square matrix, or a batch of them on the last two axes.
  Did you mean x.diag()?""",
    ),
    "inv, singular": (
        lambda: ml.inverse(ml.ones(2, 2)),
        errors.LinAlgError,
        """\
inv got a tensor of shape (2, 2) that is singular.
  Its rows depend on each other, so it has no inverse.
  Did you mean A + 1e-6 * ml.eye(n)? Or look for columns that repeat each other.""",
    ),
    "det, not square": (
        lambda: ml.det(ml.zeros(2, 3)),
        errors.ShapeError,
        """\
det got a tensor of shape (2, 3).
  It takes a square matrix, or a batch of them on the last two axes.
  Compare the last two lengths: x.mT @ x is square.""",
    ),
    "cholesky": (
        lambda: ml.linalg.cholesky(-ml.eye(2)),
        errors.LinAlgError,
        """\
cholesky got a tensor of shape (2, 2) that is not positive definite.
  A Cholesky factor needs xᵀ A x > 0 for every x but 0.
  Did you mean A + 1e-6 * ml.eye(n), or A @ A.mT?""",
    ),
    "matrix_power": (
        lambda: ml.matrix_power(ml.eye(2), 0.5),
        errors.ArgumentError,
        """\
matrix_power got n=0.5.
  The power is a whole number.
  Did you mean n=2?""",
    ),
    "matrix_norm": (
        lambda: ml.linalg.matrix_norm(ml.eye(2), 3),
        errors.ArgumentError,
        """\
matrix_norm got ord=3.
  It takes "fro", "nuc", 1, 2 and inf, and the last three with a minus.
  Did you mean ord="fro"?""",
    ),
    "matrix_norm, one axis": (
        lambda: ml.linalg.matrix_norm(ml.eye(2), 1, dim=(0,)),
        errors.ShapeError,
        """\
matrix_norm got a tensor of shape (2, 2) and dim=(0,).
  A matrix has two axes.
  Did you mean ml.linalg.vector_norm(x)?""",
    ),
    "norm, three axes": (
        lambda: ml.linalg.norm(ml.zeros(2, 2, 2), 1),
        errors.ShapeError,
        """\
norm got ord=1 for the axes (0, 1, 2) of a tensor of shape (2, 2, 2).
  With an ord it takes a vector or a matrix: one axis or two.
  Did you mean dim=-1?""",
    ),
    "norm, whole numbers": (
        lambda: ml.tensor([1]).norm(),
        errors.DTypeError,
        """\
norm got a tensor of dtype int64.
  norm is defined for floats.
  Did you mean x.float().norm(...)?""",
    ),
    "trace": (
        lambda: ml.zeros(3).trace(),
        errors.ShapeError,
        """\
trace got a tensor of shape (3,).
  It takes one matrix.
  Did you mean x.diagonal(dim1=-2, dim2=-1).sum(-1)? It takes batches.""",
    ),
    "diag": (
        lambda: ml.diag(ml.zeros(2, 2, 2)),
        errors.ShapeError,
        """\
diag got a tensor of shape (2, 2, 2).
  It takes a matrix or a vector.
  Did you mean x.diagonal(dim1=-2, dim2=-1), or x.diag_embed()? They take batches.""",
    ),
    "diagonal": (
        lambda: ml.zeros(2, 2).diagonal(0, 1, 1),
        errors.ShapeError,
        """\
diagonal got dim1=1 and dim2=1 for a tensor with 2 axes.
  A diagonal runs over two different axes.
  Did you mean diagonal(x, dim1=-2, dim2=-1)? It takes a matrix, or a batch of them.""",
    ),
    "diag_embed": (
        lambda: ml.zeros(()).diag_embed(),
        errors.ShapeError,
        """\
diag_embed got a 0-d tensor.
  A diagonal has an axis.
  Did you mean x.reshape(1)?""",
    ),
    "mm": (
        lambda: ml.mm(ml.zeros(2), ml.zeros(2)),
        errors.ShapeError,
        """\
mm got the shapes (2,) and (2,).
  It takes two matrices.
  Did you mean matmul? It takes vectors, matrices and batches of them.""",
    ),
    "bmm": (
        lambda: ml.bmm(ml.zeros(2, 2, 2), ml.zeros(1, 2, 2)),
        errors.ShapeError,
        """\
bmm got batches of 2 and 1 matrices.
  It pairs them one by one, so both have the same number.
  Did you mean matmul? It repeats a batch of 1.""",
    ),
    "qr": (
        lambda: ml.linalg.qr(ml.zeros(3)),
        errors.ShapeError,
        """\
qr got a tensor of shape (3,).
  It takes a matrix, or a batch of them.
  Did you mean x[:, None]?""",
    ),
    "svd": (
        lambda: ml.linalg.svd(ml.zeros(3)),
        errors.ShapeError,
        """\
svd got a tensor of shape (3,).
  It takes a matrix, or a batch of them.
  Did you mean x[:, None]?""",
    ),
    "eigh": (
        lambda: ml.linalg.eigh(ml.zeros(2, 3)),
        errors.ShapeError,
        """\
eigh got a tensor of shape (2, 3).
  It takes a square matrix, or a batch of them on the last two axes.
  Compare the last two lengths: x.mT @ x is square.""",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_text_of(name: str) -> None:
    call, kind, text = CASES[name]
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == text
