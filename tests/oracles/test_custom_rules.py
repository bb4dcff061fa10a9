"""custom_vjp, custom_jvp, linearize and nested structures, side by side with JAX."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml

pytestmark = pytest.mark.oracle

POINT, TANGENT = np.array([0.7, -0.4, 1.1]), np.array([0.3, -0.2, 0.5])


@pytest.fixture(scope="module")
def jax() -> Any:
    import jax

    jax.config.update("jax_enable_x64", True)
    return jax


def ruled(front: Any, lib: Any) -> dict[str, Any]:
    """Functions R³ → R around rules that are not the true derivative, so that their use shows."""

    @front.custom_jvp
    def forward(x: Any) -> Any:
        return lib.sin(x) * x

    forward.defjvp(lambda p, t: (forward(p[0]), t[0] * lib.cos(p[0]) * 3.0 + t[0] * p[0] ** 2))

    @front.custom_jvp
    def product(x: Any, y: Any) -> Any:
        return lib.exp(x) * y

    product.defjvps(lambda t, out, x, y: t * out * 2.0, lambda t, out, x, y: t * lib.exp(x) + t * y)

    @front.custom_vjp
    def reverse(x: Any) -> Any:
        return lib.sin(x) * x

    reverse.defvjp(lambda x: (lib.sin(x) * x, (x, lib.cos(x))), lambda kept, g: (g * kept[1] * 3.0 + g * kept[0] ** 2,))

    @front.custom_vjp
    def again(x: Any, y: Any) -> Any:
        return {"a": lib.exp(x) * y, "b": lib.sin(y)}

    def again_fwd(x: Any, y: Any) -> Any:
        out = again(x, y)
        return out, {"out": out["a"], "y": y}

    again.defvjp(again_fwd, lambda kept, g: (g["a"] * kept["out"] * 2.0, g["b"] * kept["y"] + g["a"] * 5.0))
    both = lambda x: again(x, x * 2.0)  # noqa: E731
    return {
        "custom_jvp": lambda x: (forward(x) * x).sum(),
        "custom_jvp inside": lambda x: forward((forward(x) * x[0]).sum()) * 2.0,
        "defjvps": lambda x: product(x, x * x).sum() + product(x[0], x).sum(),
        "custom_vjp": lambda x: (reverse(x) * x).sum(),
        "custom_vjp nested": lambda x: (both(x)["a"] * both(x)["b"] + both(x)["b"]).sum(),
    }


def ways(lib: Any, tangent: Any, ones: Any) -> dict[str, Any]:
    return {
        "grad": lambda f: lambda x: (lib.grad(f)(x) * tangent).sum(),
        "jvp": lambda f: lambda x: lib.jvp(f, (x,), (tangent,))[1],
        "vmap": lambda f: lambda x: lib.vmap(lambda s: f(x * s))(ones).sum() * 0.5,
        "vmapped": lambda f: lambda x: lib.vmap(f)(x * ones[:, None]).sum(),
    }


def value(run: Any) -> Any:
    """The result, or "refused"."""
    try:
        return float(run())
    except (TypeError, NotImplementedError, ml.errors.GradientError):
        return "refused"  # a jvp of custom_vjp


@pytest.mark.family(4)
@pytest.mark.parametrize("name", ["custom_jvp", "custom_jvp inside", "defjvps", "custom_vjp", "custom_vjp nested"])
@pytest.mark.parametrize("order", list(itertools.product(("grad", "jvp", "vmap", "vmapped"), repeat=3)), ids="-".join)
def test_any_nesting_of_three_around_a_custom_rule(jax: Any, name: str, order: tuple[str, ...]) -> None:
    if "vmapped" in order[:-1]:
        order = tuple("vmap" if way == "vmapped" else way for way in order)
    ours, theirs = ruled(ml.func, ml)[name], ruled(jax, jax.numpy)[name]
    mine = ways(ml.func, ml.tensor(TANGENT), ml.ones(2, dtype=ml.float64))
    other = ways(jax, jax.numpy.array(TANGENT), jax.numpy.ones(2))
    for way in order:
        ours, theirs = mine[way](ours), other[way](theirs)
    want = value(lambda: theirs(jax.numpy.array(POINT)))
    found = value(lambda: ours(ml.tensor(POINT)).item())
    if "refused" in (want, found):
        assert found == want
    else:
        np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["custom_jvp", "custom_jvp inside", "defjvps", "custom_vjp nested"])
def test_backward_on_plain_tensors(jax: Any, name: str) -> None:
    x = ml.tensor(POINT, requires_grad=True)
    theirs = ruled(jax, jax.numpy)[name]
    t = jax.numpy.array(TANGENT)
    (first,) = ml.autograd.grad(ruled(ml.func, ml)[name](x), x, create_graph=True)
    np.testing.assert_allclose(first.detach().numpy(), jax.grad(theirs)(POINT), rtol=1e-9)
    (second,) = ml.autograd.grad((first * ml.tensor(TANGENT)).sum(), x)
    want = jax.grad(lambda x: (jax.grad(theirs)(x) * t).sum())(POINT)
    np.testing.assert_allclose(second.numpy(), want, rtol=1e-9)


def test_arguments_that_are_not_differentiated(jax: Any) -> None:
    found: list[Any] = []
    for front, lib, point in ((ml.func, ml, ml.tensor(POINT)), (jax, jax.numpy, jax.numpy.array(POINT))):
        from functools import partial

        @partial(front.custom_vjp, nondiff_argnums=(0, 2))
        def applied(f: Any, x: Any, k: Any) -> Any:
            return f(x) * k

        applied.defvjp(
            lambda f, x, k: (applied(f, x, k), x),
            lambda f, k, kept, g: (g * f(kept) * k * 7.0,),
        )

        @partial(front.custom_jvp, nondiff_argnums=(1,))
        def power(x: Any, n: int) -> Any:
            return x**n

        power.defjvp(lambda n, p, t: (power(p[0], n), 100.0 * t[0] * n * p[0]))
        f = lambda x, a=applied, p=power, lib=lib: (a(lib.sin, x, 3.0) + p(x, n=2)).sum()  # noqa: E731
        found.append(np.asarray(front.vmap(front.grad(f))(point[:, None]).tolist()))
        found.append(np.asarray(front.jvp(lambda x, p=power: p(x, 3), (point,), (point,))[1].tolist()))
    np.testing.assert_allclose(found[0], found[2], rtol=1e-12)
    np.testing.assert_allclose(found[1], found[3], rtol=1e-12)


def nested(lib: Any) -> Any:
    return lambda p, x: {"y": lib.sin(p["w"] * x) * p["b"][0], "a": (x.sum() * p["b"][1],)}


def arguments(lib: Any) -> Any:
    make = lib.tensor if lib is ml else lib.array
    return {"w": make(POINT), "b": (make(TANGENT), make(np.array(2.5)))}, make(POINT * 2)


def plain(tree: Any) -> Any:
    """A tree with NumPy leaves, as nested tuples in order of keys."""
    if isinstance(tree, dict):
        return tuple((key, plain(tree[key])) for key in sorted(tree))
    if isinstance(tree, (tuple, list)):
        return tuple(map(plain, tree))
    return np.asarray(tree.tolist()) if hasattr(tree, "tolist") else tree


def same(a: Any, b: Any) -> None:
    a, b = plain(a), plain(b)
    if isinstance(a, tuple):
        assert len(a) == len(b)
        for p, q in zip(a, b, strict=True):
            same(p, q)
    elif isinstance(a, str):
        assert a == b
    else:
        assert np.shape(a) == np.shape(b)
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


def test_linearize(jax: Any) -> None:
    ours = ml.func.linearize(nested(ml), *arguments(ml))
    theirs = jax.linearize(nested(jax.numpy), *arguments(jax.numpy))
    same(ours[0], theirs[0])
    p, x = arguments(ml)
    q, y = arguments(jax.numpy)
    for k in (1.0, -2.0):
        same(ours[1]({"w": p["w"] * k, "b": (p["b"][0], p["b"][1])}, x), theirs[1]({"w": q["w"] * k, "b": q["b"]}, y))
    f = lambda lib: lambda x: lib.sin(x) * x.sum()  # noqa: E731
    many = ml.func.vmap(ml.func.linearize(f(ml), x)[1])(ml.eye(3, dtype=ml.float64))
    same(many, jax.vmap(jax.linearize(f(jax.numpy), y)[1])(jax.numpy.eye(3)))


@pytest.mark.parametrize("argnums", [0, 1, (0, 1), (1,)])
@pytest.mark.parametrize("name", ["jacrev", "jacfwd"])
def test_jacobians_of_nested_structures(jax: Any, name: str, argnums: Any) -> None:
    ours = getattr(ml.func, name)(nested(ml), argnums)(*arguments(ml))
    same(ours, getattr(jax, name)(nested(jax.numpy), argnums)(*arguments(jax.numpy)))


@pytest.mark.parametrize("argnums", [0, (0, 1)])
def test_hessians_of_nested_structures(jax: Any, argnums: Any) -> None:
    f = lambda lib: lambda p, x: (nested(lib)(p, x)["y"] * x).sum()  # noqa: E731
    same(
        ml.func.hessian(f(ml), argnums)(*arguments(ml)),
        jax.hessian(f(jax.numpy), argnums)(*arguments(jax.numpy)),
    )


def test_other_results(jax: Any) -> None:
    f = lambda lib: lambda x: (lib.sin(x) * x.sum(), {"seen": x * 2})  # noqa: E731
    x, y = ml.tensor(POINT), jax.numpy.array(POINT)
    same(ml.func.jvp(f(ml), (x,), (x,), has_aux=True), jax.jvp(f(jax.numpy), (y,), (y,), has_aux=True))
    mine, theirs = ml.func.vjp(f(ml), x, has_aux=True), jax.vjp(f(jax.numpy), y, has_aux=True)
    same((mine[0], mine[1](x), mine[2]), (theirs[0], theirs[1](y), theirs[2]))
    for name in ("jacrev", "jacfwd"):
        same(getattr(ml.func, name)(f(ml), has_aux=True)(x), getattr(jax, name)(f(jax.numpy), has_aux=True)(y))


def test_keywords_of_vmap(jax: Any) -> None:
    f = lambda x, k: x * k  # noqa: E731
    x, y = ml.tensor(np.eye(3)), jax.numpy.eye(3)
    same(ml.func.vmap(f)(x, k=x[0]), jax.vmap(f)(y, k=y[0]))
    constant = lambda x: (x, 3.0)  # noqa: E731
    same(ml.func.vmap(constant, out_axes=(1, None))(x), jax.vmap(constant, out_axes=(1, None))(y))


def test_a_mapped_rule_over_the_imperative_tape(jax: Any) -> None:
    """One call on three levels at once: mapped, on a transform's tape, and on that of backward()."""
    for name in ("custom_jvp", "custom_vjp nested"):
        x = ml.tensor(POINT, requires_grad=True)
        f, g = ruled(ml.func, ml)[name], ruled(jax, jax.numpy)[name]
        each = ml.func.vmap(ml.func.grad(f), in_axes=0)(ml.stack([x, x * 2]))
        (each * each).sum().backward()
        many = lambda x, g=g: (jax.vmap(jax.grad(g))(jax.numpy.stack([x, x * 2])) ** 2).sum()  # noqa: E731
        np.testing.assert_allclose(x.grad.numpy(), jax.grad(many)(POINT), rtol=1e-9)
