"""Attributes that a class of the package computes when they are first asked for: computed in each call, not kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml

D, nn = ml.distributions, ml.nn
LAZY: dict[str, Callable[[Any], Any]] = {
    "probs of logits": lambda x: D.Categorical(logits=x).probs,
    "logits of probs": lambda x: D.Categorical(probs=x.exp()).logits,
    "Bernoulli": lambda x: D.Bernoulli(logits=x).probs * x,
    "Bernoulli, logits": lambda x: D.Bernoulli(probs=x.sigmoid()).logits,
    "Geometric": lambda x: D.Geometric(logits=x).probs + x,
    "covariance": lambda x: D.MultivariateNormal(x, scale_tril=ml.eye(3) * x[0, 0].exp()).covariance_matrix,
    "precision": lambda x: D.MultivariateNormal(x, ml.eye(3) * x[0, 0].exp()).precision_matrix,
    "asked for twice": lambda x: (d := D.Categorical(logits=x)).probs + d.probs + d.entropy().sum(),
}


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("name", LAZY)
def test_a_lazy_attribute_is_that_of_the_call(name: str, backend: str) -> None:
    f = LAZY[name]
    compiled = ml.compile(f, backend=backend)
    for n in (4, 4, 4, 2, 4, 2, 5):
        x = ml.randn(n, 3)
        assert ml.allclose(compiled(x), f(x), rtol=1e-4, atol=1e-6)


def test_its_gradient_too() -> None:
    w = ml.ones(2, requires_grad=True)

    def f(x: ml.Tensor) -> Any:
        w.grad = None
        (D.Bernoulli(logits=x * w).probs * x).sum().backward()
        return w.grad

    compiled = ml.compile(f)
    for k in range(3):
        x = ml.full((2,), k - 1.0)
        assert ml.allclose(compiled(x).clone(), f(x))


@pytest.mark.parametrize("layers", [1, 2])
def test_a_parametrization_that_takes_a_shape_apart(layers: int) -> None:
    model = nn.Sequential(*[nn.utils.parametrizations.orthogonal(nn.Linear(4, 4)) for _ in range(layers)])
    compiled = ml.compile(model)
    for n in (3, 4, 5, 6):
        x = ml.randn(n, 4)
        assert ml.allclose(compiled(x), model(x), atol=1e-5)
