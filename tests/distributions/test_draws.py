"""Draws have the moments that a distribution says it has, carry gradients where it says so, and errors teach."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import distributions as d
from minitorch_lab.errors import ArgumentError, ShapeError

N = 20_000
DRAWN: dict[str, Callable[[], d.Distribution]] = {
    "Normal": lambda: d.Normal(1.0, 2.0),
    "Laplace": lambda: d.Laplace(1.0, 0.5),
    "Gumbel": lambda: d.Gumbel(1.0, 0.5),
    "LogNormal": lambda: d.LogNormal(0.5, 0.25),
    "HalfNormal": lambda: d.HalfNormal(2.0),
    "Exponential": lambda: d.Exponential(2.0),
    "Uniform": lambda: d.Uniform(-1.0, 3.0),
    "Bernoulli": lambda: d.Bernoulli(0.3),
    "Geometric": lambda: d.Geometric(0.4),
    "OneHotCategorical": lambda: d.OneHotCategorical(ml.tensor([0.2, 0.3, 0.5])),
    "MultivariateNormal": lambda: d.MultivariateNormal(ml.zeros(2), ml.tensor([[2.0, 0.5], [0.5, 1.0]])),
    "MixtureSameFamily": lambda: d.MixtureSameFamily(
        d.Categorical(ml.tensor([1.0, 3.0])), d.Normal(ml.tensor([-2.0, 1.0]), ml.tensor([0.5, 1.0]))
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_draws_have_the_mean_and_the_variance(name: str) -> None:
    ml.manual_seed(0)
    each = DRAWN[name]()
    x, deviation = each.sample((N,)), each.stddev.numpy()
    assert np.all(np.abs(x.mean(0).numpy() - each.mean.numpy()) < 4 * deviation / N**0.5)
    np.testing.assert_allclose(x.var(0).numpy(), each.variance.numpy(), rtol=0.15)


def test_draws_of_classes_come_as_often_as_they_should() -> None:
    ml.manual_seed(0)
    rows = ml.tensor([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0]])
    x = d.Categorical(rows).sample((N,))
    shares = ml.stack([(x == k).float().mean(0) for k in range(3)], 1)
    assert float((shares - rows).abs().max()) < 0.02
    assert d.Categorical(rows).sample((0,)).shape == (0, 2)


@pytest.mark.parametrize("median", [0.0, 1.5])
def test_half_of_a_cauchy_lies_below_its_median(median: float) -> None:
    ml.manual_seed(0)
    below = (d.Cauchy(median, 2.0).sample((N,)) < median).float().mean()
    assert abs(float(below) - 0.5) < 0.02


def test_gradients_reach_the_parameters_of_a_draw() -> None:
    loc, scale = ml.tensor([0.5], requires_grad=True), ml.tensor([2.0], requires_grad=True)
    z = d.Normal(loc, scale).rsample((3,))
    z.sum().backward()
    assert loc.grad is not None
    assert scale.grad is not None
    assert loc.grad.tolist() == [3.0]
    np.testing.assert_allclose(scale.grad.numpy(), ((z.detach() - 0.5) / 2.0).sum(0).numpy(), rtol=1e-5)
    assert not d.Normal(loc, scale).sample((3,)).requires_grad
    logits = ml.tensor([0.5, -0.5], requires_grad=True)
    hard = d.OneHotCategoricalStraightThrough(logits=logits).rsample()
    assert sorted(hard.tolist()) == pytest.approx([0.0, 1.0], abs=1e-6)
    (hard * ml.tensor([1.0, 0.0])).sum().backward()
    p = float(logits.detach().softmax(0)[0])
    assert logits.grad is not None
    assert logits.grad.tolist() == pytest.approx([p * (1 - p), -p * (1 - p)], rel=1e-4)


def test_a_policy_learns_by_reinforce_inside_compiled_code() -> None:
    def loss(logits: ml.Tensor, action: ml.Tensor) -> ml.Tensor:
        policy = d.Categorical(logits=logits)
        return -(policy.log_prob(action) * 2.0).mean() - 0.1 * policy.entropy().mean()

    found: list[ml.Tensor] = []
    for f in (loss, ml.compile(loss)):
        logits = (ml.arange(12).reshape(4, 3) * 0.3).requires_grad_()
        f(logits, ml.tensor([0, 2, 1, 1])).backward()
        assert logits.grad is not None
        found.append(logits.grad)
    assert float((found[0] - found[1]).abs().max()) < 1e-6


def test_all_values_of_a_support() -> None:
    assert d.Bernoulli(ml.ones(2) * 0.5).enumerate_support().tolist() == [[0.0, 0.0], [1.0, 1.0]]
    classes = d.Categorical(ml.ones(2, 3))
    assert classes.enumerate_support().tolist() == [[0, 0], [1, 1], [2, 2]]
    assert float(classes.log_prob(classes.enumerate_support()).exp().sum(0)[0]) == pytest.approx(1.0)
    assert d.OneHotCategorical(ml.ones(3)).enumerate_support().tolist() == ml.eye(3).tolist()


def test_a_divergence_of_ones_own() -> None:
    class Still(d.Normal):
        """A bell curve."""

    @d.register_kl(Still, d.Uniform)
    def infinite(p: Still, q: d.Uniform) -> ml.Tensor:
        return p.loc * 0.0 + 7.0

    assert d.kl_divergence(Still(0.0, 1.0), d.Uniform(0.0, 1.0)).item() == 7.0
    assert d.kl_divergence(Still(0.0, 1.0), d.Normal(0.0, 1.0)).item() == 0.0


ERRORS: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: d.Normal(0.0, -1.0), ArgumentError, "Normal got a scale that lies where it may not.\n  It is a positive"),
    (lambda: d.Normal(0.0), ArgumentError, "Normal: missing a required argument: 'scale'"),
    (lambda: d.Bernoulli(1.5), ArgumentError, "Bernoulli got a probs .*\n  It is a number from 0.0 to 1.0"),
    (lambda: d.Bernoulli(), ArgumentError, "Bernoulli got none of probs, logits"),
    (lambda: d.Categorical(ml.ones(2), ml.ones(2)), ArgumentError, "Categorical got probs and logits"),
    (lambda: d.Categorical(ml.ones(2)).log_prob(ml.tensor(2)), ArgumentError, "a whole number from 0 to 1"),
    (lambda: d.Uniform(1.0, 0.0), ArgumentError, "Did you swap them"),
    (lambda: d.Uniform(0.0, 1.0).log_prob(ml.tensor(2.0)), ArgumentError, "Uniform got a value"),
    (lambda: d.Categorical(ml.ones(2)).rsample(), ArgumentError, "has no rsample.*\n.*\n.*REINFORCE"),
    (lambda: d.Normal(ml.zeros(2), ml.ones(3)), ShapeError, r"The shapes \(2,\) and \(3,\) do not fit"),
    (lambda: d.Independent(d.Normal(0.0, 1.0), 1), ArgumentError, "Did you mean reinterpreted_batch_ndims=0"),
    (lambda: d.kl_divergence(d.Normal(0.0, 1.0), d.Bernoulli(0.5)), ArgumentError, "a Normal and a Bernoulli"),
    (
        lambda: d.MixtureSameFamily(d.Categorical(ml.ones(2)), d.Normal(ml.zeros(3), 1.0)),
        ShapeError,
        "2 classes and components of shape",
    ),
]


@pytest.mark.parametrize(("call", "kind", "text"), ERRORS)
def test_errors_teach(call: Callable[[], object], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=f"(?s){text}"):
        call()


def test_checks_can_be_left_out() -> None:
    assert d.Normal(0.0, -1.0, validate_args=False).stddev.item() == -1.0
    assert d.Categorical(ml.ones(2), validate_args=False).validates is False
    d.Distribution.set_default_validate_args(False)
    try:
        assert d.Exponential(-1.0).mean.item() == -1.0
    finally:
        d.Distribution.set_default_validate_args(True)


def test_a_distribution_is_shown_by_its_parameters() -> None:
    assert repr(d.Normal(0.0, 1.0)) == "Normal(loc: 0.0, scale: 1.0)"
    assert repr(d.Categorical(logits=ml.zeros(2, 3))) == "Categorical(logits: (2, 3))"
    assert repr(d.Independent(d.Exponential(ml.ones(2)), 1)) == "Independent(Exponential(rate: (2,)), 1)"
