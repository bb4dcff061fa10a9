"""Linear algebra, running products and diagonals against closed forms."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import LinAlgError

RNG = np.random.default_rng(0)


def matrix(*shape: int) -> ml.Tensor:
    return ml.tensor(np.random.default_rng(sum(shape)).normal(size=shape))


def test_solve_solves() -> None:
    a, b = matrix(2, 4, 4), matrix(2, 4, 3)
    x = ml.linalg.solve(a, b)
    np.testing.assert_allclose((a @ x).numpy(), b.numpy(), atol=1e-12)
    vector = ml.linalg.solve(a[0], b[0, :, 0])
    assert vector.allclose(x[0, :, 0])
    rows = ml.linalg.solve(a, b[:, :, 0])
    assert rows.shape == (2, 4)
    assert rows.allclose(x[:, :, 0])


def test_the_gradient_of_a_solution_is_the_implicit_one() -> None:
    """x(t) solves (A + tE) x = b, so dx/dt = -A⁻¹ E x."""
    a, e, b = matrix(3, 3), matrix(3, 3).mT, matrix(3)
    _, moved = ml.func.jvp(lambda m: ml.linalg.solve(m, b), (a,), (e,))
    inverse = ml.linalg.inv(a)
    assert moved.allclose(-(inverse @ e @ (inverse @ b)))


def test_determinants_are_sums_over_permutations() -> None:
    a = matrix(4, 4)
    entries = a.numpy()

    def sign(order: tuple[int, ...]) -> int:
        return (-1) ** sum(order[i] > order[j] for i in range(4) for j in range(i, 4))

    leibniz = sum(sign(p) * math.prod(entries[i, p[i]] for i in range(4)) for p in permutations(range(4)))
    assert math.isclose(ml.det(a).item(), leibniz, rel_tol=1e-12)
    where, size = ml.slogdet(a)
    assert math.isclose((where * size.exp()).item(), leibniz, rel_tol=1e-12)
    flipped = ml.stack([a[1], a[0], a[2], a[3]])
    found = ml.logdet(a if leibniz > 0 else flipped).item()
    assert math.isclose(found, math.log(abs(leibniz)), rel_tol=1e-12)
    assert math.isnan(ml.logdet(flipped if leibniz > 0 else a).item())


def test_the_hessian_of_a_log_determinant() -> None:
    """d² log det A [E, F] = -tr(A⁻¹ E A⁻¹ F)."""
    a, e, f = matrix(3, 3), matrix(3, 3).mT, ml.eye(3, dtype=ml.float64)
    gradient = ml.func.grad(lambda m: ml.slogdet(m).logabsdet)
    _, second = ml.func.jvp(gradient, (a,), (e,))
    inverse = ml.linalg.inv(a)
    assert math.isclose((second * f).sum().item(), -(inverse @ e @ inverse @ f).trace().item(), rel_tol=1e-9)


def test_cholesky() -> None:
    root = matrix(2, 3, 3)
    a = root @ root.mT + ml.eye(3, dtype=ml.float64)
    lower = ml.linalg.cholesky(a)
    assert (lower @ lower.mT).allclose(a)
    assert lower.equal(lower.tril())
    assert ml.linalg.cholesky(a, upper=True).equal(lower.mT)
    b = matrix(2, 3, 2)
    for factor, upper in ((lower, False), (lower.mT, True)):
        assert (a @ ml.cholesky_solve(b, factor, upper)).allclose(b)


def test_triangular_systems_read_one_triangle() -> None:
    a, b = matrix(4, 4), matrix(4, 2)
    for upper, part in ((True, a.triu()), (False, a.tril())):
        x = ml.linalg.solve_triangular(a, b, upper=upper)
        assert (part @ x).allclose(b)


def test_a_singular_matrix_among_many_is_found() -> None:
    many = ml.stack([ml.eye(2), ml.zeros(2, 2)])
    for call in (ml.linalg.inv, lambda m: ml.linalg.solve(m, ml.ones(2, 1)), lambda m: ml.linalg.cholesky(m)):
        with pytest.raises(LinAlgError):
            call(many)


def test_the_gradient_of_a_norm_is_the_direction_and_0_at_0() -> None:
    x = ml.tensor([[3.0, 4.0], [0.0, 0.0]], requires_grad=True)
    ml.linalg.vector_norm(x, dim=1).sum().backward()
    assert x.grad.allclose(ml.tensor([[0.6, 0.8], [0.0, 0.0]]))


def test_powers_of_a_matrix() -> None:
    fibonacci = ml.tensor([[1.0, 1.0], [1.0, 0.0]], dtype=ml.float64)
    assert ml.matrix_power(fibonacci, 30)[0, 1].item() == 832040
    assert ml.matrix_power(fibonacci, -3).allclose(ml.linalg.inv(fibonacci @ fibonacci @ fibonacci))
    assert ml.matrix_power(fibonacci.expand(2, 2, 2), 0).equal(ml.eye(2, dtype=ml.float64).expand(2, 2, 2))


def test_eigenvectors() -> None:
    a = matrix(2, 3, 3)
    a = a + a.mT
    values, vectors = ml.linalg.eigh(a)
    assert (a @ vectors).allclose(vectors * values.unsqueeze(-2))
    assert (vectors.mT @ vectors).allclose(ml.eye(3, dtype=ml.float64).expand(2, 3, 3))
    assert (values.diff() >= 0).all()


def test_equal_eigenvalues_have_a_gradient_if_their_vectors_do_not_matter() -> None:
    """Σ w² is the square of the Frobenius norm, whatever the vectors are: its gradient is 2A."""
    a = ml.eye(3, dtype=ml.float64)
    assert ml.func.grad(lambda m: (ml.linalg.eigvalsh(m) ** 2).sum())(a).allclose(a * 2)


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4)])
def test_factors_multiply_to_the_matrix(shape: tuple[int, int]) -> None:
    a, k = matrix(*shape), min(shape)
    q, r = ml.linalg.qr(a)
    assert (q @ r).allclose(a)
    assert r.equal(r.triu())
    assert (r.diagonal() > 0).all()
    u, s, vh = ml.linalg.svd(a, full_matrices=False)
    assert (u * s @ vh).allclose(a)
    whole = ml.linalg.svd(a)
    assert (whole.U[:, :k] * s @ whole.Vh[:k]).allclose(a)
    for square in (whole.U, whole.Vh):
        assert (square @ square.mT).allclose(ml.eye(len(square), dtype=ml.float64))
    for columns in (q, u, vh.mT):
        assert (columns.mT @ columns).allclose(ml.eye(k, dtype=ml.float64))
    inverse = ml.linalg.pinv(a)
    assert (a @ inverse @ a).allclose(a)
    assert (inverse @ a).allclose((inverse @ a).mT)


# ---- diagonals ------------------------------------------------------------------------------------------------------


def test_a_diagonal_is_a_view() -> None:
    x = ml.zeros(3, 4)
    x.diagonal(1).add_(ml.tensor([1.0, 2.0, 3.0]))
    assert x.tolist() == [[0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 3]]
    assert x.diagonal(-1).data_ptr() == x[1:].data_ptr()


def test_a_write_to_a_diagonal_is_on_the_tape() -> None:
    x = ml.ones(2, 2, requires_grad=True)
    y = x * 3
    y.diagonal().mul_(2.0)
    y.sum().backward()
    assert x.grad.tolist() == [[6.0, 3.0], [3.0, 6.0]]


# ---- running products -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("zeros", [(), (1,), (1, 3)])
def test_products_have_the_right_gradient_where_entries_are_0(zeros: tuple[int, ...]) -> None:
    entries = np.array([2.0, 3.0, 5.0, 7.0])
    entries[list(zeros)] = 0.0
    x = ml.tensor(entries, requires_grad=True)
    x.prod().backward()
    assert x.grad.tolist() == [math.prod(np.delete(entries, i)) for i in range(4)]
    x.grad = None
    x.cumprod(0)[-1].backward()
    assert x.grad.tolist() == [math.prod(np.delete(entries, i)) for i in range(4)]


def test_the_second_derivative_of_a_product_with_two_zeros() -> None:
    x = ml.tensor([0.0, 5.0, 0.0], dtype=ml.float64)
    assert ml.func.hessian(lambda v: v.prod())(x).tolist() == [[0, 0, 5], [0, 0, 0], [5, 0, 0]]
    assert ml.func.hessian(lambda v: v.cumprod(0)[2])(x).tolist() == [[0, 0, 5], [0, 0, 0], [5, 0, 0]]


def test_running_extremes_keep_the_last_of_equals_and_nan() -> None:
    values, indices = ml.tensor([1.0, 3.0, 2.0, 3.0, float("nan"), 9.0]).cummax(0)
    assert values[:4].tolist() == [1, 3, 3, 3]
    assert values[4:].isnan().all()
    assert indices.tolist() == [0, 1, 1, 3, 4, 4]
    assert ml.tensor(2.0).cummin(0).indices.item() == 0


def test_running_log_sums_start_from_nothing() -> None:
    x = ml.tensor([-math.inf, -math.inf, 1000.0, -1000.0], requires_grad=True)
    out = x.logcumsumexp(0)
    assert out.tolist() == [-math.inf, -math.inf, 1000.0, 1000.0]
    out[2:].sum().backward()
    assert x.grad.tolist() == [0.0, 0.0, 2.0, 0.0]
