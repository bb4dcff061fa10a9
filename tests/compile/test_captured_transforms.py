"""Transforms inside compiled functions, as one graph: against closed forms, and walked backward."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.errors import CaptureError
from minitorch_lab.func import functional_call, grad, hessian, jacfwd, jacrev, jvp, value_and_grad, vjp, vmap

X = np.array([0.5, -1.0, 2.0])
T = np.array([1.0, 2.0, -3.0])
ROWS = np.outer([1.0, 2.0, 3.0, 4.0], X)
CUBES = lambda a: (a**3).sum()  # noqa: E731
SINES = lambda a: a.sin()  # noqa: E731

# By name: a function of a vector, of rows and of a direction, and what it gives.
CLOSED: dict[str, tuple[Any, Any]] = {
    "grad": (lambda x, rows, t: grad(CUBES)(x), 3 * X**2),
    "value and grad": (lambda x, rows, t: value_and_grad(CUBES)(x)[1], 3 * X**2),
    "grad of grad": (lambda x, rows, t: grad(lambda a: grad(CUBES)(a).sum())(x), 6 * X),
    "vmap of grad": (lambda x, rows, t: vmap(grad(CUBES))(rows), 3 * ROWS**2),
    "jvp": (lambda x, rows, t: jvp(SINES, (x,), (t,))[1], np.cos(X) * T),
    "jvp of grad": (lambda x, rows, t: jvp(grad(CUBES), (x,), (t,))[1], 6 * X * T),
    "grad of jvp": (lambda x, rows, t: grad(lambda a: jvp(CUBES, (a,), (t,))[1])(x), 6 * X * T),
    "vmap of vjp": (lambda x, rows, t: vmap(lambda a: vjp(SINES, a)[1](a)[0])(rows), np.cos(ROWS) * ROWS),
    "jacrev": (lambda x, rows, t: jacrev(SINES)(x), np.diag(np.cos(X))),
    "jacfwd": (lambda x, rows, t: jacfwd(SINES)(x), np.diag(np.cos(X))),
    "hessian": (lambda x, rows, t: hessian(CUBES)(x), np.diag(6 * X)),
    "vmap of hessian": (lambda x, rows, t: vmap(hessian(CUBES))(rows), np.stack([np.diag(6 * r) for r in ROWS])),
    "vmap of vmap": (lambda x, rows, t: vmap(vmap(lambda a, b: a * b, (None, 0)), (0, None))(x, t), np.outer(X, T)),
}


def given() -> list[Any]:
    return [ml.tensor(a) for a in (X, ROWS, T)]


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("name", CLOSED)
def test_a_transform_is_one_graph(name: str, backend: str) -> None:
    if backend == "llvm":
        pytest.importorskip("llvmlite")
    f, want = CLOSED[name]
    g = ml.compile(f, backend=backend, fullgraph=True)
    for _ in range(3):
        np.testing.assert_allclose(g(*given()).numpy(), want, rtol=1e-12, atol=1e-12)
    assert len(g.graphs) == 1
    assert not g.breaks
    assert not g.recompiles


@pytest.mark.parametrize("made", [grad(CUBES), vmap(grad(CUBES)), hessian(CUBES), jacrev(SINES), value_and_grad(CUBES)])
def test_a_transformed_function_is_compiled_itself(made: Any) -> None:
    g = ml.compile(made, fullgraph=True)
    x = ml.tensor(ROWS) if made.__name__ == "mapped" else ml.tensor(X)
    for _ in range(2):
        got, want = g(x), made(x)
        for a, b in zip(got, want, strict=True) if isinstance(want, tuple) else [(got, want)]:
            assert a.tolist() == b.tolist()
    assert len(g.graphs) == 1


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_a_walk_goes_through_what_a_transform_gave(backend: str) -> None:
    """d/dw of Σ cos(w x) w is Σ cos(w x) - w x sin(w x)."""
    if backend == "llvm":
        pytest.importorskip("llvmlite")
    w = nn.Parameter(ml.tensor(T))
    f = ml.compile(lambda x: grad(lambda a: (a * w).sin().sum())(x), backend=backend, fullgraph=True)
    for _ in range(3):
        w.grad = None
        out = f(ml.tensor(X))
        assert out.requires_grad
        out.sum().backward()
        want = np.cos(T * X) - T * X * np.sin(T * X)
        np.testing.assert_allclose(w.grad.numpy(), want, rtol=1e-12)


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_gradients_of_single_examples(backend: str) -> None:
    """They are those of the examples one by one, by the imperative tape."""
    if backend == "llvm":
        pytest.importorskip("llvmlite")
    ml.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    params = {name: p.detach() for name, p in model.named_parameters()}

    def loss(p: Any, x: Any, y: Any) -> Any:
        return nn.functional.cross_entropy(functional_call(model, p, (x.unsqueeze(0),)), y.unsqueeze(0))

    f = ml.compile(vmap(grad(loss), in_axes=(None, 0, 0)), backend=backend, fullgraph=True)
    for n in (4, 5, 6):
        x, y = ml.randn(n, 3), ml.tensor([i % 2 for i in range(n)])
        got = f(params, x, y)
        for i in range(n):
            model.zero_grad()
            nn.functional.cross_entropy(model(x[i : i + 1]), y[i : i + 1]).backward()
            for name, p in model.named_parameters():
                np.testing.assert_allclose(got[name][i].numpy(), p.grad.numpy(), rtol=1e-4, atol=1e-6)


def test_a_step_of_maml_is_one_graph() -> None:
    """With the loss (w - c)² and the rate r, the outer gradient is 2 (1 - 2 r)² (w - c)."""

    def outer(w: Any, c: Any) -> Any:
        inner = lambda v: ((v - c) ** 2).sum()  # noqa: E731
        return inner(w - 0.1 * grad(inner)(w))

    f = ml.compile(lambda w, cs: vmap(grad(outer), in_axes=(None, 0))(w, cs), fullgraph=True)
    for _ in range(2):
        np.testing.assert_allclose(f(ml.tensor(X), ml.tensor(ROWS)).numpy(), 2 * 0.8**2 * (X - ROWS), rtol=1e-12)


def test_a_training_step_around_a_transform_is_one_graph() -> None:
    """A penalty on the gradient by the input, which the walk goes through: as eager trains."""

    def trained(wrap: Any) -> list[Any]:
        ml.manual_seed(0)
        model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        optimizer = ml.optim.SGD(model.parameters(), lr=0.1)
        x = ml.randn(5, 3)

        def step(x: Any) -> Any:
            optimizer.zero_grad()
            loss = (grad(lambda a: model(a).sum())(x) ** 2).sum() + model(x).sum() ** 2
            loss.backward()
            optimizer.step()
            return loss.detach()

        run = wrap(step)
        return [run(x).item() for _ in range(4)] + [p.tolist() for p in model.parameters()]

    assert trained(lambda f: ml.compile(f, fullgraph=True)) == trained(lambda f: f)


def test_what_is_left_to_python_says_why() -> None:
    log: list[int] = []

    def noted(a: Any) -> Any:
        log.append(1)
        return a.sum()

    with pytest.raises(CaptureError, match="the function of a transform changes what it has not made itself"):
        ml.compile(lambda x: grad(noted)(x), fullgraph=True)(ml.tensor(X))
    assert not log
    f = ml.compile(lambda x: grad(noted)(x))
    assert [f(ml.tensor(X)).tolist() for _ in range(2)] == [[1.0] * 3] * 2
    assert log == [1, 1]
