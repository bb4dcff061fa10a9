"""Transforms against JAX, in every nesting of three; and against our own eager tape on random programs."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.func import grad, jvp, vmap
from tests.func.functions import FUNCTIONS, POINT, TANGENT
from tests.oracles.test_fuzz import A, attempt, program

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module")
def jax() -> Any:
    import jax  # a second to import, so only for the tests that need it

    jax.config.update("jax_enable_x64", True)
    return jax


def ways(lib: Any, jit: Any, tangent: Any, ones: Any) -> dict[str, Any]:
    """From a function R³ → R to another, by the transforms of `lib`."""
    return {
        "capture": jit,
        "grad": lambda f: lambda x: (lib.grad(f)(x) * tangent).sum(),
        "jvp": lambda f: lambda x: lib.jvp(f, (x,), (tangent,))[1],
        "vmap": lambda f: lambda x: lib.vmap(lambda s: f(x * s))(ones).sum() * 0.5,
    }


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("order", list(itertools.product(("grad", "jvp", "vmap", "capture"), repeat=3)), ids="-".join)
def test_any_nesting_of_three_agrees_with_jax(jax: Any, name: str, order: tuple[str, ...]) -> None:
    f = FUNCTIONS[name]
    jnp = jax.numpy
    ours: Any = lambda x: f(x, ml)  # noqa: E731
    theirs: Any = lambda x: f(x, jnp)  # noqa: E731
    mine = ways(ml.func, ml.jit, ml.tensor(TANGENT), ml.ones(2, dtype=ml.float64))
    other = ways(jax, jax.jit, jnp.array(TANGENT), jnp.ones(2))
    for way in order:
        ours, theirs = mine[way](ours), other[way](theirs)
    np.testing.assert_allclose(ours(ml.tensor(POINT)).item(), float(theirs(jnp.array(POINT))), rtol=1e-9, atol=1e-12)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("block", range(10))
def test_random_programs_under_transforms(block: int) -> None:
    compared = 0
    x, y = ml.tensor(A[0]), ml.tensor(A[1])
    t = ml.tensor(np.random.default_rng(1).normal(size=A[0].shape))
    for seed in range(block * 40, (block + 1) * 40):
        want = attempt(seed, [ml.tensor(a, requires_grad=True) for a in A], ml)
        if isinstance(want, type):
            continue

        def f(a: Any, seed: int = seed) -> Any:
            return program(seed, [a, y], ml)

        compared += 1
        gradient = want[1][0]
        np.testing.assert_allclose(grad(f)(x).value, gradient, rtol=1e-9, atol=1e-9, err_msg=f"grad, seed {seed}")
        slope = jvp(f, (x,), (t,))[1].item()
        np.testing.assert_allclose(slope, (gradient * t.value).sum(), rtol=1e-8, atol=1e-8, err_msg=f"jvp, seed {seed}")
        many = vmap(grad(f))(ml.stack([x, x]))
        np.testing.assert_allclose(many.value, [gradient, gradient], rtol=1e-9, atol=1e-9, err_msg=f"vmap, seed {seed}")
    assert compared > 5
