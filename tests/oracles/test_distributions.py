"""Distributions give PyTorch's numbers: densities, moments, entropies, divergences, and the gradients of all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = pytest.mark.oracle

rng = np.random.default_rng(0)
LOC, SCALE, PROBS = rng.normal(size=(3, 2)), rng.uniform(0.5, 2.0, (3, 2)), rng.uniform(0.1, 0.9, (3, 2))
ROWS, WIDE = rng.normal(size=(2, 4)), rng.normal(size=(2, 3, 3))
MATRIX = WIDE @ WIDE.swapaxes(1, 2) + 0.5 * np.eye(3)
REAL, POSITIVE, COUNTS = (
    rng.normal(size=(3, 2)),
    rng.uniform(0.2, 3.0, (3, 2)),
    np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]),
)
CLASSES, CORNERS = np.array([[0, 3], [2, 1], [1, 1]]), np.eye(4)[[1, 3]]

Make = Callable[..., Any]
CASES: dict[str, tuple[Make, tuple[np.ndarray, ...], np.ndarray]] = {
    "Normal": (lambda d, a, b: d.Normal(a, b), (LOC, SCALE), REAL),
    "Laplace": (lambda d, a, b: d.Laplace(a, b), (LOC, SCALE), REAL),
    "Cauchy": (lambda d, a, b: d.Cauchy(a, b), (LOC, SCALE), REAL),
    "Gumbel": (lambda d, a, b: d.Gumbel(a, b), (LOC, SCALE), REAL),
    "LogNormal": (lambda d, a, b: d.LogNormal(a, b), (LOC, SCALE), POSITIVE),
    "HalfNormal": (lambda d, a: d.HalfNormal(a), (SCALE,), POSITIVE),
    "HalfCauchy": (lambda d, a: d.HalfCauchy(a), (SCALE,), POSITIVE),
    "Exponential": (lambda d, a: d.Exponential(a), (SCALE,), POSITIVE),
    "Uniform": (lambda d, a, b: d.Uniform(a - 5.0, b + 5.0), (LOC, SCALE), REAL),
    "Bernoulli": (lambda d, a: d.Bernoulli(a), (PROBS,), COUNTS),
    "Bernoulli of logits": (lambda d, a: d.Bernoulli(logits=a), (LOC,), COUNTS),
    "Geometric": (lambda d, a: d.Geometric(a), (PROBS,), COUNTS * 3),
    "Geometric of logits": (lambda d, a: d.Geometric(logits=a), (LOC,), COUNTS * 3),
    "Categorical": (lambda d, a: d.Categorical(a.exp()), (ROWS,), CLASSES),
    "Categorical of logits": (lambda d, a: d.Categorical(logits=a), (ROWS,), CLASSES),
    "OneHotCategorical": (lambda d, a: d.OneHotCategorical(logits=a), (ROWS,), CORNERS),
    "Independent": (lambda d, a, b: d.Independent(d.Normal(a, b), 1), (LOC, SCALE), REAL),
    "MultivariateNormal": (
        lambda d, a, b: d.MultivariateNormal(a[:, :1] * 0.1 + b[0, 0], b),
        (ROWS, MATRIX),
        ROWS[:, :3],
    ),
    "MultivariateNormal of a precision": (
        lambda d, a, b: d.MultivariateNormal(a[:, :3], precision_matrix=b),
        (ROWS, MATRIX),
        ROWS[:, 1:],
    ),
    "MixtureSameFamily": (
        lambda d, a, b: d.MixtureSameFamily(d.Categorical(logits=a), d.Normal(a, b)),
        (LOC, SCALE),
        REAL[:, 0],
    ),
    "mixture of vectors": (
        lambda d, a, b: d.MixtureSameFamily(d.Categorical(logits=a[:, 0]), d.Independent(d.Normal(a, b), 1)),
        (LOC, SCALE),
        REAL[0],
    ),
    "tanh of a Gaussian": (
        lambda d, a, b: d.Independent(d.TransformedDistribution(d.Normal(a, b), [d.TanhTransform()]), 1),
        (LOC, SCALE),
        np.tanh(REAL),
    ),
    "affine, then sigmoid": (
        lambda d, a, b: d.TransformedDistribution(d.Normal(a, b), [d.AffineTransform(a, b), d.SigmoidTransform()]),
        (LOC, SCALE),
        PROBS,
    ),
    "inverse and power": (
        lambda d, a, b: d.TransformedDistribution(
            d.Exponential(b),
            d.ComposeTransform([d.PowerTransform(2.0), d.ExpTransform().inv, d.AffineTransform(0.5, -2.0)]),
        ),
        (LOC, SCALE),
        REAL,
    ),
    "softplus of vectors": (
        lambda d, a, b: d.TransformedDistribution(
            d.Normal(a, b), [d.transforms.SoftplusTransform(), d.AffineTransform(0.0, 2.0, event_dim=1)]
        ),
        (LOC, SCALE),
        POSITIVE,
    ),
}
KNOWN = ("log_prob", "cdf", "icdf", "entropy", "perplexity", "mean", "mode", "variance", "stddev", "probs", "logits")


def of_torch(x: np.ndarray, grad: bool = False) -> Any:
    return torch.tensor(x).requires_grad_(grad)


def of_ours(x: np.ndarray, grad: bool = False) -> Any:
    return ml.tensor(x).requires_grad_(grad)


def asked(d: Any, name: str, value: Any) -> Any:
    """What a distribution says, or None if it does not know."""
    try:
        if name in ("log_prob", "cdf"):
            return getattr(d, name)(value)
        if name == "icdf":
            return d.icdf(value * 0.0 + 0.3)
        found = getattr(d, name)
        return found() if callable(found) else found
    except (NotImplementedError, ml.errors.ArgumentError, AttributeError):
        return None


def answer(library: Any, tensor: Any, case: str, name: str) -> list[Any] | None:
    """The values and the gradients by the parameters."""
    make, parameters, value = CASES[case]
    leaves = [tensor(p, True) for p in parameters]
    out = asked(make(library.distributions, *leaves), name, tensor(value))
    if out is None:
        return None
    if out.requires_grad and bool((out == out).all()):
        out.sum().backward()
    return [
        out.detach().numpy(),
        *(0.0 * p if leaf.grad is None else leaf.grad.numpy() for p, leaf in zip(parameters, leaves, strict=True)),
    ]


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("case", CASES)
def test_what_a_distribution_knows(case: str, name: str) -> None:
    theirs = answer(torch, of_torch, case, name)
    if theirs is None:
        pytest.skip("PyTorch does not know it either")
    ours = answer(ml, of_ours, case, name)
    assert ours is not None, f"{case} has no {name}"
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


PAIRS = {
    "Normal": lambda d, a, b: (d.Normal(a, b), d.Normal(b, b * 2.0)),
    "LogNormal": lambda d, a, b: (d.LogNormal(a, b), d.LogNormal(b, b * 2.0)),
    "HalfNormal": lambda d, a, b: (d.HalfNormal(b), d.HalfNormal(b * 2.0)),
    "Laplace": lambda d, a, b: (d.Laplace(a, b), d.Laplace(b, b * 2.0)),
    "Cauchy": lambda d, a, b: (d.Cauchy(a, b), d.Cauchy(b, b * 2.0)),
    "Exponential": lambda d, a, b: (d.Exponential(b), d.Exponential(b * b)),
    "Uniform": lambda d, a, b: (d.Uniform(a, a + b), d.Uniform(a - 1.0, a + b * 2.0)),
    "Uniform out of it": lambda d, a, b: (d.Uniform(a, a + b), d.Uniform(a + 0.1, a + b * 2.0)),
    "Bernoulli": lambda d, a, b: (d.Bernoulli(logits=a), d.Bernoulli(logits=b)),
    "Geometric": lambda d, a, b: (d.Geometric(logits=a), d.Geometric(logits=b)),
    "Categorical": lambda d, a, b: (d.Categorical(logits=a), d.Categorical(b)),
    "OneHotCategorical": lambda d, a, b: (d.OneHotCategorical(logits=a), d.OneHotCategorical(b)),
    "Independent": lambda d, a, b: (d.Independent(d.Normal(a, b), 1), d.Independent(d.Normal(b, b), 1)),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_divergences(pair: str) -> None:
    found: list[list[Any]] = []
    for library, tensor in ((torch, of_torch), (ml, of_ours)):
        a, b = tensor(LOC, True), tensor(SCALE, True)
        kl = library.distributions.kl_divergence(*PAIRS[pair](library.distributions, a, b))
        kl.sum().backward()
        found.append([kl.detach().numpy(), *(0 if x.grad is None else x.grad.numpy() for x in (a, b))])
    for theirs, ours in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


def test_the_divergence_of_two_multivariate_bell_curves() -> None:
    found: list[np.ndarray] = []
    for library, tensor in ((torch, of_torch), (ml, of_ours)):
        d = library.distributions
        p = d.MultivariateNormal(tensor(ROWS[:, :3]), tensor(MATRIX))
        q = d.MultivariateNormal(tensor(ROWS[:, 1:]), tensor(MATRIX[::-1].copy()))
        found.append(d.kl_divergence(p, q).numpy())
    np.testing.assert_allclose(*found, rtol=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_shapes_of_draws_and_of_larger_batches(case: str) -> None:
    make, parameters, value = CASES[case]
    theirs, ours = (make(lib.distributions, *map(t, parameters)) for lib, t in ((torch, of_torch), (ml, of_ours)))
    assert (ours.batch_shape, ours.event_shape) == (tuple(theirs.batch_shape), tuple(theirs.event_shape))
    assert tuple(ours.sample((4, 2)).shape) == tuple(theirs.sample((4, 2)).shape)
    assert str(ours.sample((4,)).dtype) == str(theirs.sample((4,)).dtype).removeprefix("torch.")
    assert bool(ours.has_rsample) == bool(theirs.has_rsample)
    wide = (3, *ours.batch_shape)
    a, b = ours.expand(wide), theirs.expand(wide)
    assert (a.batch_shape, a.event_shape) == (tuple(b.batch_shape), tuple(b.event_shape))
    np.testing.assert_allclose(a.log_prob(of_ours(value)).numpy(), b.log_prob(of_torch(value)).numpy(), rtol=1e-9)
