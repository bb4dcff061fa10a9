"""Transforms inside compiled functions against those of PyTorch, with its own transforms, on both back ends."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

RNG = np.random.default_rng(0)
X, T, ONES = RNG.normal(size=3), RNG.normal(size=3), np.ones(2)
INNER = {
    "products": lambda x, lib: (x * x.sin()).sum() + (x[0] * x[2]).exp(),
    "reduced": lambda x, lib: lib.softmax(x * x, 0).log().sum() + (x * x).sum().sqrt(),
    "indexed": lambda x, lib: lib.stack([x[1] * x[0], x.mean(), x[2] ** 3]).tanh().prod(),
}

ORDERS = list(itertools.product(("grad", "jvp", "vmap", "vjp", "jacrev", "jacfwd"), repeat=2))


def ways(lib: Any, tangent: Any, ones: Any) -> dict[str, Any]:
    """From a function R³ → R to another, by the transforms of `lib`."""
    return {
        "grad": lambda f: lambda x: (lib.grad(f)(x) * tangent).sum(),
        "jvp": lambda f: lambda x: lib.jvp(f, (x,), (tangent,))[1],
        "vmap": lambda f: lambda x: lib.vmap(lambda s: f(x * s))(ones).sum() * 0.5,
        "vjp": lambda f: lambda x: lib.vmap(lambda s: (lib.vjp(f, x * s)[1](s)[0] * tangent).sum())(ones).sum(),
        "jacrev": lambda f: lambda x: lib.jacrev(lambda a: f(a) * a)(x).sum(),
        "jacfwd": lambda f: lambda x: lib.jacfwd(lambda a: f(a) * a)(x).sum(),
    }


@pytest.mark.family(3)
@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_a_nesting_of_two_agrees_with_torch(backend: str, order: tuple[str, ...]) -> None:
    name = list(INNER)[ORDERS.index(order) % len(INNER)]
    ours: Any = lambda x: INNER[name](x, ml)  # noqa: E731
    theirs: Any = lambda x: INNER[name](x, torch)  # noqa: E731
    mine = ways(ml.func, ml.tensor(T), ml.tensor(ONES))
    other = ways(torch.func, torch.tensor(T), torch.tensor(ONES))
    for way in order:
        ours, theirs = mine[way](ours), other[way](theirs)
    f = ml.compile(lambda x: (ours(x), ml.func.grad(ours)(x)), backend=backend, fullgraph=True)
    want, slope = theirs(torch.tensor(X)), torch.func.grad(theirs)(torch.tensor(X))
    for _ in range(2):
        value, grads = f(ml.tensor(X))
        np.testing.assert_allclose(value.item(), want.item(), rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(grads.numpy(), slope.numpy(), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_per_sample_gradients_of_a_convolutional_net_agree_with_torch(backend: str) -> None:
    ml.manual_seed(0)
    layers = lambda nn: nn.Sequential(  # noqa: E731
        nn.Conv2d(1, 2, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8, 3)
    )
    model, twin = layers(ml.nn), layers(torch.nn)
    twin.load_state_dict({k: torch.tensor(v.detach().numpy()) for k, v in model.state_dict().items()})
    x, y = RNG.normal(size=(5, 1, 6, 6)).astype("float32"), np.array([0, 2, 1, 0, 2])

    def step(lib: Any, net: Any) -> Any:
        def loss(p: Any, x: Any, y: Any) -> Any:
            out = lib.func.functional_call(net, p, (x.unsqueeze(0),))
            return lib.nn.functional.cross_entropy(out, y.unsqueeze(0))

        return lib.func.vmap(lib.func.grad_and_value(loss), (None, 0, 0))

    f = ml.compile(step(ml, model), backend=backend, fullgraph=True)
    theirs, losses = step(torch, twin)(dict(twin.named_parameters()), torch.tensor(x), torch.tensor(y))
    for _ in range(2):
        ours, found = f(dict(model.named_parameters()), ml.tensor(x), ml.tensor(y))
        np.testing.assert_allclose(found.detach().numpy(), losses.detach().numpy(), rtol=1e-5, atol=1e-6)
        for name, g in theirs.items():
            np.testing.assert_allclose(ours[name].detach().numpy(), g.detach().numpy(), rtol=1e-4, atol=1e-5)
