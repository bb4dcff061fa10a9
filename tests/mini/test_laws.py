"""The laws over the table of mini, and op by op the big engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import mini
from minitorch_lab.mini import ops
from minitorch_lab.mini.program import TARGETS

RNG = np.random.default_rng(0)
X, Y, P = RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4)), RNG.uniform(0.5, 2.0, size=(3, 4))
INDEX = np.array([2, 0, 2])

# (op, arguments, parameters, the same in the big engine)
SAMPLES: dict[str, tuple[tuple[Any, ...], dict[str, Any], Any]] = {
    "add": ((X, Y[0]), {}, lambda x, y: x + y),
    "sub": ((X, Y[:, :1]), {}, lambda x, y: x - y),
    "mul": ((X, Y[:1]), {}, lambda x, y: x * y),
    "div": ((X, P), {}, lambda x, y: x / y),
    "neg": ((X,), {}, lambda x: -x),
    "exp": ((X,), {}, lambda x: x.exp()),
    "log": ((P,), {}, lambda x: x.log()),
    "tanh": ((X,), {}, lambda x: x.tanh()),
    "sin": ((X,), {}, lambda x: x.sin()),
    "power": ((P,), {"exponent": -1.5}, lambda x: x**-1.5),
    "greater": ((X, Y), {}, lambda x, y: (x > y) * 1.0),
    "detach": ((X,), {}, lambda x: x.detach()),
    "relu": ((X,), {}, lambda x: x.relu()),
    "maximum": ((X, Y), {}, lambda x, y: x.maximum(y)),
    "sum": ((X,), {"axes": (1,)}, lambda x: x.sum(1, keepdim=True)),
    "max": ((X,), {"axes": (0, 1)}, lambda x: x.amax((0, 1), keepdim=True)),
    "reshape": ((X,), {"shape": (2, 6)}, lambda x: x.reshape(2, 6)),
    "expand": ((X[:, :1],), {"shape": (2, 3, 4)}, lambda x: x.expand(2, 3, 4)),
    "permute": ((X,), {"axes": (1, 0)}, lambda x: x.permute(1, 0)),
    "crop": ((X,), {"bounds": ((1, 3), (0, 2))}, lambda x: x[1:3, 0:2]),
    "pad": ((X,), {"widths": ((1, 0), (0, 2))}, lambda x: ml.pad(x, (0, 2, 1, 0))),
    "matmul": ((RNG.normal(size=(2, 3, 4)), RNG.normal(size=(4, 2))), {}, lambda x, y: x @ y),
    "take": ((X, INDEX), {}, lambda x, i: x[i]),
    "put": ((X, INDEX), {"rows": 5}, lambda x, i: ml.zeros(5, 4, dtype=x.dtype).index_add(0, i, x)),
}
every_op = pytest.mark.parametrize("name", ops.OPS)


def sample(name: str) -> tuple[Any, list[np.ndarray], list[int]]:
    """The op as a function of its arguments, the arguments, and which of them may move."""
    args, params, _ = SAMPLES[name]
    op = ops.OPS[name]
    moving = [k for k, a in enumerate(args) if a.dtype.kind == "f"] if op.vjp else []
    return (lambda *xs: op(*xs, **params)), list(args), moving


def near(ours: Any, theirs: Any, tolerance: float = 1e-10) -> None:
    np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), rtol=tolerance, atol=tolerance)


def moved(f: Any, args: list[np.ndarray], k: int, by: np.ndarray) -> Any:
    return f(*(a + by if i == k else a for i, a in enumerate(args))).numpy()


def slope(f: Any, args: list[np.ndarray], k: int, v: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """The derivative along v, by a central difference."""
    return (moved(f, args, k, h * v) - moved(f, args, k, -h * v)) / (2 * h)


def test_every_op_has_a_sample() -> None:
    assert SAMPLES.keys() == ops.OPS.keys()


@every_op
def test_shape_and_dtype_are_those_of_the_array(name: str) -> None:
    f, args, _ = sample(name)
    params = SAMPLES[name][1]
    for dtype in ("float32", "float64"):
        cast = [a.astype(dtype) if a.dtype.kind == "f" else a for a in args]
        out = f(*cast)
        assert ops.OPS[name].shape(*(a.shape for a in cast), **params) == out.shape
        assert ops.OPS[name].dtype(*(a.dtype for a in cast), **params) == out.dtype == dtype


def only(f: Any, args: list[np.ndarray], k: int) -> Any:
    """f as a function of argument k."""
    return lambda x: f(*args[:k], x, *args[k + 1 :])


@every_op
def test_gradients_are_differences(name: str) -> None:
    f, args, moving = sample(name)
    for k in moving:
        v, u = RNG.normal(size=args[k].shape), RNG.normal(size=f(*args).shape)
        (pulled,) = mini.vjp(only(f, args, k), args[k])[1](u)
        near((pulled.numpy() * v).sum(), (slope(f, args, k, v) * u).sum(), 1e-6)


@every_op
def test_second_derivatives_are_differences_of_first(name: str) -> None:
    f, args, moving = sample(name)
    for k in moving:
        v, u = RNG.normal(size=args[k].shape), RNG.normal(size=f(*args).shape)
        g = only(f, args, k)
        first = mini.grad(lambda x, g=g, u=u: (g(x) * g(x) * u).sum())
        second = mini.grad(lambda x, first=first, v=v: (first(x) * v).sum())(args[k])
        near(second, (first(args[k] + 1e-6 * v).numpy() - first(args[k] - 1e-6 * v).numpy()) / 2e-6, 1e-5)


@every_op
def test_tangents_are_differences(name: str) -> None:
    f, args, moving = sample(name)
    for k in moving:
        v = RNG.normal(size=args[k].shape)
        _, tangent = mini.jvp(only(f, args, k), (args[k],), (v,))
        near(tangent, slope(f, args, k, v), 1e-6)


@every_op
def test_a_batch_is_its_examples(name: str) -> None:
    f, args, _ = sample(name)
    others = [np.stack([a, a[::-1], a]) for a in args]
    near(mini.vmap(f)(*others), np.stack([f(*(b[k] for b in others)).numpy() for k in range(3)]))
    for k in range(len(args)):  # one argument for all
        some = tuple(None if i == k else 0 for i in range(len(args)))
        if any(axis == 0 for axis in some):
            mixed = [args[i] if i == k else others[i] for i in range(len(args))]
            expected = [f(*(m if i == k else m[e] for i, m in enumerate(mixed))).numpy() for e in range(3)]
            near(mini.vmap(f, some)(*mixed), np.stack(expected))


@every_op
@pytest.mark.parametrize("target", TARGETS)
def test_compiled_is_eager(name: str, target: str) -> None:
    f, args, _ = sample(name)
    for dtype in ("float32", "float64"):
        cast = [a.astype(dtype) if a.dtype.kind == "f" else a for a in args]
        out = mini.compile(lambda *xs: f(*xs) * 1.5, target)(*cast)
        assert out.dtype == dtype
        near(out, f(*cast).numpy() * np.asarray(1.5, dtype), 1e-6)


@every_op
def test_the_big_engine_says_the_same(name: str) -> None:
    f, args, moving = sample(name)
    g = SAMPLES[name][2]
    big = [ml.tensor(a, requires_grad=k in moving) for k, a in enumerate(args)]
    small = [mini.tensor(a, requires_grad=k in moving) for k, a in enumerate(args)]
    ours, theirs = f(*small), g(*big)
    near(ours, theirs.detach().numpy())
    if moving:
        u = RNG.normal(size=ours.shape)
        ours.backward(u)
        theirs.backward(ml.tensor(u))
        for k in moving:
            near(small[k].grad, big[k].grad.numpy())


SPECIAL = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -2.0])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["add", "mul", "neg", "exp", "tanh", "relu", "maximum", "greater", "detach", "max"])
@pytest.mark.filterwarnings("ignore:invalid value")
def test_nan_and_infinity_survive_compilation(name: str, target: str) -> None:
    op = ops.OPS[name]
    grid = np.stack(np.meshgrid(SPECIAL, SPECIAL))
    args = grid[:1] if name in {"neg", "exp", "tanh", "relu", "detach", "max"} else grid
    params = {"axes": (1,)} if name == "max" else {}
    f = lambda *xs: op(*xs, **params) + 0.0  # noqa: E731
    np.testing.assert_array_equal(mini.compile(f, target)(*args).numpy(), f(*map(mini.tensor, args)).numpy())


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("shape", [(), (1,), (0, 3), (3, 0), (5, 1), (1, 5), (2, 3, 1)])
def test_small_and_empty_shapes(shape: tuple[int, ...], target: str) -> None:
    x = RNG.normal(size=shape)
    f = lambda x: ((x * 2.0).exp().sum(-1, keepdims=True) if x.shape else x) * x + x.sum()  # noqa: E731
    near(mini.compile(f, target)(x), f(mini.tensor(x)).numpy())


@pytest.mark.parametrize(("exponent", "expected"), [(0, 0.0), (1, 1.0), (2, 0.0)])
def test_powers_at_zero(exponent: int, expected: float) -> None:
    x = mini.tensor(0.0, requires_grad=True)
    (x**exponent).backward()
    assert x.grad.item() == expected
