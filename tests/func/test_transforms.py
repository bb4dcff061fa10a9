"""grad, vjp, jvp and vmap: closed forms, every nesting, buffers, and what they refuse."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, GradientError, ShapeError
from minitorch_lab.func import grad, hessian, jacfwd, jacrev, jvp, value_and_grad, vjp, vmap

from .functions import FUNCTIONS, POINT, TANGENT, polynomial, smooth

X, T = ml.tensor(POINT), ml.tensor(TANGENT)
BATCH = np.random.default_rng(0).normal(size=(5, 3))


def buffered(x: Any, lib: Any = ml) -> Any:
    """`polynomial`, written with a buffer, views and writes in place."""
    out = ml.zeros(3, dtype=ml.float64)
    out[0] = x[1] * x[0]
    out[1:] = x[:2] * 2.0
    view = out[1:]
    view *= x[2]
    out += x
    return (out * out).sum()


def ours(f: Any) -> Any:
    return lambda x: f(x, ml)


WAYS = {  # from a function R³ → R to another: each differentiates along T, or maps and averages
    "grad": lambda f: lambda x: (grad(f)(x) * T).sum(),
    "jvp": lambda f: lambda x: jvp(f, (x,), (T,))[1],
    "vjp": lambda f: lambda x: (vjp(f, x)[1](ml.tensor(1.0, dtype=ml.float64))[0] * T).sum(),
    "vmap": lambda f: lambda x: vmap(lambda s: f(x * s))(ml.ones(2, dtype=ml.float64)).sum() * 0.5,
}


@pytest.mark.parametrize("name", [*FUNCTIONS, "buffered"])
@pytest.mark.parametrize("order", list(itertools.product(WAYS, repeat=3)), ids="-".join)
def test_any_nesting_of_three(name: str, order: tuple[str, ...]) -> None:
    f = ours(FUNCTIONS.get(name, buffered))
    nested, plain = f, ours(polynomial) if name == "buffered" else f
    for way in order:
        nested = WAYS[way](nested)
        plain = plain if way == "vmap" else WAYS["grad"](plain)
    np.testing.assert_allclose(nested(X).item(), plain(X).item(), rtol=1e-9, atol=1e-12)


def numeric(f: Any, x: np.ndarray) -> np.ndarray:
    return np.array([(f(ml.tensor(x + e)).item() - f(ml.tensor(x - e)).item()) / 2e-6 for e in np.eye(x.size) * 1e-6])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_slopes(name: str) -> None:
    f = ours(FUNCTIONS[name])
    np.testing.assert_allclose(grad(f)(X).value, numeric(f, POINT), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(
        vmap(grad(f))(ml.tensor(BATCH)).value, [grad(f)(ml.tensor(r)).value for r in BATCH], rtol=1e-12
    )


def test_a_hessian_in_four_ways() -> None:
    want = np.array([numeric(lambda z, i=i: grad(ours(smooth))(z)[i], POINT) for i in range(3)])
    for a, b in itertools.product((jacfwd, jacrev), repeat=2):
        np.testing.assert_allclose(a(b(ours(smooth)))(X).value, want, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(hessian(buffered)(X).value, hessian(ours(polynomial))(X).value)


def test_jacobians_of_several_outputs() -> None:
    def f(x: Any) -> Any:
        return ml.stack([x[0] * x[1], x[1] ** 2, x[2].sin(), x.sum()])

    a, b, c = POINT
    want = [[b, a, 0], [0, 2 * b, 0], [0, 0, np.cos(c)], [1, 1, 1]]
    np.testing.assert_allclose(jacrev(f)(X).value, want)
    np.testing.assert_allclose(jacfwd(f)(X).value, want)


def test_no_perturbation_confusion() -> None:
    one, two, three = (ml.tensor(v, dtype=ml.float64) for v in (1.0, 2.0, 3.0))

    def forward(f: Any) -> Any:
        return lambda x: jvp(f, (x,), (one,))[1]

    for outer, inner in itertools.product((grad, forward), repeat=2):
        assert outer(lambda x, d=inner: x * d(lambda y: x + y)(one))(three).item() == 1.0
        assert outer(lambda x, d=inner: x * d(lambda y: x * y)(two))(three).item() == 6.0


def test_the_imperative_tape_lies_below() -> None:
    w = ml.tensor(BATCH[1], requires_grad=True)
    vmap(lambda x: (x * w).tanh().sum())(ml.tensor(BATCH)).sum().backward()
    np.testing.assert_allclose(w.grad.value, sum(r * (1 - np.tanh(r * BATCH[1]) ** 2) for r in BATCH))
    w.grad = None
    jvp(ours(smooth), (w,), (T,))[1].backward()  # a Hessian-vector product: forward mode over the imperative tape
    np.testing.assert_allclose(w.grad.value, hessian(ours(smooth))(ml.tensor(BATCH[1])).value @ TANGENT)


def test_arguments_may_be_nested() -> None:
    params = {"w": ml.tensor([2.0, 3.0]), "layers": (ml.tensor(5.0), [ml.tensor(7.0)])}

    def f(p: Any, x: Any) -> Any:
        return (p["w"] * x).sum() * p["layers"][0] + p["layers"][1][0] ** 2

    g = grad(f)(params, ml.tensor([1.0, 1.0]))
    assert g["w"].tolist() == [5.0, 5.0]
    assert g["layers"][0].item() == 5.0
    assert g["layers"][1][0].item() == 14.0
    value, (gp, gx) = value_and_grad(f, argnums=(0, 1))(params, ml.tensor([1.0, 1.0]))
    assert (value.item(), gp["layers"][0].item(), gx.tolist()) == (74.0, 5.0, [10.0, 15.0])


def test_other_results_ride_along() -> None:
    g, aux = grad(lambda x: (x * x, {"seen": x + 1}), has_aux=True)(ml.tensor(3.0))
    assert (g.item(), aux["seen"].item()) == (6.0, 4.0)


def test_axes_of_vmap() -> None:
    x, y = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(4, 3)
    out = vmap(lambda a, b: (a * b, {"sum": a + b}), in_axes=(1, {"k": 1}["k"]), out_axes=(0, 1))(
        ml.tensor(x), ml.tensor(y[:2])
    )
    np.testing.assert_array_equal(out[0].value, (x * y[:2]).T)
    np.testing.assert_array_equal(out[1]["sum"].value, x + y[:2])
    shared = vmap(lambda a, b: a @ b, in_axes=(0, None))(ml.tensor(y), ml.tensor(x[0]))
    np.testing.assert_array_equal(shared.value, y @ x[0])
    same = vmap(lambda a: ml.tensor(7.0))(ml.tensor(y))
    assert same.tolist() == [7.0] * 4


def test_a_network_gives_per_example_gradients() -> None:
    ml.manual_seed(0)
    w = ml.randn(4, 3)
    xs, ys = ml.randn(6, 4), ml.randint(0, 3, (6,))

    def loss(w: Any, x: Any, y: Any) -> Any:
        return ml.cross_entropy(x @ w, y)

    together = vmap(grad(loss), in_axes=(None, 0, 0))(w, xs, ys)
    for i in range(6):
        np.testing.assert_allclose(together[i].value, grad(loss)(w, xs[i], ys[i]).value, rtol=1e-5, atol=1e-7)


def test_no_grad_and_detach_mean_the_same_in_both_modes() -> None:
    def f(x: Any) -> Any:
        y = x * 2.0
        v = y[:2]
        y *= x
        with ml.no_grad():
            z = x * 3.0
            y += x
            v *= 0.5
        first = v[0] * 1.0
        w = y.detach()
        w *= x
        return (y * first + w * z).sum()

    want = grad(f)(X).value
    leaf = ml.tensor(POINT, requires_grad=True)
    f(leaf).backward()
    np.testing.assert_allclose(leaf.grad.value, want)
    np.testing.assert_allclose(jvp(f, (X,), (T,))[1].item(), want @ TANGENT)
    np.testing.assert_allclose(jacfwd(f)(X).value, want)


def test_a_view_of_an_outer_tensor_is_written_outside() -> None:
    outer = ml.zeros(3, dtype=ml.float64)

    def f(x: Any) -> Any:
        view = outer[1:]
        view += 1.0
        return (x * outer).sum()

    assert grad(f)(X).tolist() == [0.0, 1.0, 1.0]
    assert outer.tolist() == [0.0, 1.0, 1.0]


def leak() -> None:
    kept: list[Any] = []
    grad(lambda x: kept.append(x) or x.sum())(X)
    _ = kept[0] + 1.0


def write_outside() -> None:
    buffer = ml.zeros(3, dtype=ml.float64)

    def f(x: Any) -> Any:
        buffer[0] = x[0]
        return x.sum()

    grad(f)(X)


class Double(ml.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2


WRONG = {
    "leak": (leak, GradientError, "A tensor that belongs to a transform that has ended"),
    "write outside": (
        write_outside,
        ArgumentError,
        "setitem_ would write a value of vjp into a tensor made outside it",
    ),
    "not a number": (lambda: grad(lambda x: x * 2)(X), GradientError, r"grad of a function whose result is \(3,\)"),
    "integer result": (
        lambda: grad(lambda x: (x > 0).sum())(X),
        GradientError,
        "grad of a function whose result is of dtype int64",
    ),
    "integer argument": (
        lambda: grad(lambda x: x.sum())(ml.arange(3)),
        GradientError,
        "A derivative by a tensor of dtype int64",
    ),
    "argnums": (lambda: grad(lambda x: x, argnums=2)(X), GradientError, "argnums=2 for a call with 1 arguments"),
    "tangent": (
        lambda: jvp(lambda x: x, (X,), (ml.ones(2),)),
        ShapeError,
        r"tangent of shape \(2,\) for a primal of shape \(3,\)",
    ),
    "branch": (
        lambda: vmap(lambda x: x if x.sum() > 0 else -x)(ml.tensor(BATCH)),
        ArgumentError,
        "a branch, from a tensor inside vmap",
    ),
    "item": (lambda: vmap(lambda x: x.sum().item())(ml.tensor(BATCH)), ArgumentError, "A Python number"),
    "sizes": (
        lambda: vmap(lambda a, b: a)(ml.ones(2), ml.ones(3)),
        ShapeError,
        r"vmap got arguments of the shapes \(2,\), \(3,\)",
    ),
    "no batch": (
        lambda: vmap(lambda a: a, in_axes=None)(ml.ones(2)),
        ShapeError,
        "At least one argument has a batch axis",
    ),
    "0-d": (lambda: vmap(lambda a: a)(ml.tensor(1.0)), ShapeError, "It has no axis to map"),
    "random": (
        lambda: vmap(lambda a: a * ml.rand(3, dtype=ml.float64))(ml.tensor(BATCH)),
        ArgumentError,
        r"Random numbers \(uniform\) inside vmap",
    ),
    "numpy": (
        lambda: grad(lambda x: ml.tensor(x.numpy()).sum())(X),
        GradientError,
        "numpy\\(\\) of a tensor inside a transform",
    ),
    "requires_grad": (
        lambda: grad(lambda x: x.detach().requires_grad_().sum())(X),
        GradientError,
        "requires_grad_\\(\\) on a tensor inside vjp",
    ),
    "backward": (
        lambda: grad(lambda x: x.sum().backward())(X),
        GradientError,
        "backward\\(\\) from a tensor inside vjp",
    ),
    "Function": (lambda: grad(lambda x: Double.apply(x).sum())(X), ArgumentError, "The Function Double inside vjp"),
    "in place shape": (
        lambda: grad(lambda x: x[:1].clone().add_(x).sum())(X),
        ShapeError,
        r"add_ would write a result of shape \(3,\)",
    ),
    "shapes inside": (lambda: grad(lambda x: (x + ml.ones(2)).sum())(X), ShapeError, r"add cannot combine the shapes"),
    "keyword": (lambda: vmap(lambda x: x, in_axis=0), ArgumentError, "vmap got the keyword in_axis"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_uses_are_answered(name: str) -> None:
    call, kind, text = WRONG[name]
    with pytest.raises(kind, match=text):
        call()
    assert (ml.ones(2) + 1).tolist() == [2.0, 2.0]  # the stack is as it was
    assert ml.is_grad_enabled()
