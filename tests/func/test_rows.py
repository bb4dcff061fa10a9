"""Row B9 (functional transforms) of the table of systems: in any order, along any axis, without side effects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, GradientError
from minitorch_lab.func import grad, hessian, jacfwd, jacrev, jvp, vjp, vmap

W = np.array([[0.5, -1.0], [2.0, 0.25], [1.0, 1.0]])
X = np.array([[1.0, 2.0, 3.0], [0.0, -1.0, 0.5]])


def loss(w: Any, x: Any) -> Any:
    return (x @ w).tanh().sum()


def slope(w: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.outer(x, 1 - np.tanh(x @ w) ** 2)


def test_row_b9_a_gradient_for_every_example() -> None:
    each = vmap(grad(loss), in_axes=(None, 0))(ml.tensor(W), ml.tensor(X))
    np.testing.assert_allclose(each.value, [slope(W, x) for x in X])
    columns = vmap(grad(loss), in_axes=(None, 1), out_axes=2)(ml.tensor(W), ml.tensor(X.T))
    np.testing.assert_allclose(columns.value, np.stack([slope(W, x) for x in X], axis=2))


def test_row_b9_vjp_and_jvp_are_transposes() -> None:
    f = lambda w: (ml.tensor(X) @ w).tanh()  # noqa: E731
    t, u = ml.tensor(W[::-1].copy()), ml.tensor(X[:, :2].copy())
    pushed = jvp(f, (ml.tensor(W),), (t,))[1]
    (pulled,) = vjp(f, ml.tensor(W))[1](u)
    np.testing.assert_allclose((pushed * u).sum().item(), (pulled * t).sum().item(), rtol=1e-12)


def test_row_b9_jacobians_agree() -> None:
    f = lambda x: ml.stack([x[0] * x[1], x[2].sin()])  # noqa: E731
    x = ml.tensor(X[0])
    want = [[2.0, 1.0, 0.0], [0.0, 0.0, np.cos(3.0)]]
    np.testing.assert_allclose(jacrev(f)(x).value, want)
    np.testing.assert_allclose(jacfwd(f)(x).value, want)
    np.testing.assert_allclose(hessian(lambda x: (x**3).sum())(x).value, np.diag(6 * X[0]))


def test_row_b9_a_side_effect_happens_once_per_run() -> None:
    """Nothing is traced and cached: a print or a counter runs each time, once for a whole batch."""
    runs: list[int] = []

    def f(x: Any) -> Any:
        runs.append(1)
        return (x * x).sum()

    for _ in range(3):
        vmap(grad(f))(ml.tensor(X))
    assert len(runs) == 3


def test_row_b9_a_value_that_escapes_is_refused() -> None:
    kept: list[Any] = []

    def f(x: Any) -> Any:
        kept.append(x * 2)
        return x.sum()

    vmap(grad(f))(ml.tensor(X))
    with pytest.raises(GradientError) as error:
        kept[0] + 1.0
    assert str(error.value) == (
        "A tensor that belongs to a transform that has ended.\n"
        "  What a function computes inside grad, vjp, jvp or vmap means nothing outside.\n"
        "  Return the value from the function instead of storing it."
    )


def test_row_b9_a_tensor_from_outside_is_not_written() -> None:
    total = ml.zeros(3, dtype=ml.float64)

    def f(x: Any) -> Any:
        total.add_(x)
        return x.sum()

    with pytest.raises(ArgumentError) as error:
        grad(f)(ml.tensor(X[0]))
    assert str(error.value) == (
        "add_ would write a value of vjp into a tensor made outside it.\n"
        "  The tensor outlives the transform, and the value does not.\n"
        "  Make the buffer inside the function, or return the value."
    )
    assert total.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("taken", [lambda y: y.item(), float, lambda y: 2.0, lambda y: int(y > 0)])
def test_a_result_that_is_a_number_of_python(taken: Any) -> None:
    def f(x: ml.Tensor) -> Any:
        return taken((x * 2).sum())

    for call in (grad(f), ml.func.value_and_grad(f), lambda x: jvp(f, (x,), (x,))):
        with pytest.raises(GradientError, match="returned the number"):
            call(ml.ones(2))
