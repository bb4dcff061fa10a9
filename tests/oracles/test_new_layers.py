"""Layers and functions that came late, side by side with PyTorch in float64, gradients too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = pytest.mark.oracle

CALLS: dict[str, tuple[Callable[[Any, Any], Any], tuple[int, ...]]] = {
    "LocalResponseNorm": (lambda nn, x: nn.LocalResponseNorm(3, alpha=0.5, beta=0.6, k=1.5)(x), (2, 6, 3, 4)),
    "LocalResponseNorm, even": (lambda nn, x: nn.LocalResponseNorm(4, alpha=0.5)(x), (2, 6, 5)),
    "local_response_norm": (lambda nn, x: nn.functional.local_response_norm(x, 2, 0.3), (2, 4, 2, 3, 2)),
    "ChannelShuffle": (lambda nn, x: nn.ChannelShuffle(3)(x), (2, 6, 3, 4)),
    "channel_shuffle": (lambda nn, x: nn.functional.channel_shuffle(x, 2), (2, 6, 5)),
    "Softmax2d": (lambda nn, x: nn.Softmax2d()(x), (2, 3, 4, 5)),
    "Softmax2d, unbatched": (lambda nn, x: nn.Softmax2d()(x), (3, 4, 5)),
    "pdist": (lambda nn, x: nn.functional.pdist(x, 1.5), (5, 3)),
    "relu_": (lambda nn, x: nn.functional.relu_(x * 2), (4, 5)),
    "elu_": (lambda nn, x: nn.functional.elu_(x * 2, 0.7), (4, 5)),
    "selu_": (lambda nn, x: nn.functional.selu_(x * 2), (4, 5)),
    "celu_": (lambda nn, x: nn.functional.celu_(x * 2, alpha=0.5), (4, 5)),
    "leaky_relu_": (lambda nn, x: nn.functional.leaky_relu_(x * 2, 0.2), (4, 5)),
    "rrelu_": (lambda nn, x: nn.functional.rrelu_(x * 2, 0.1, 0.4), (4, 5)),
    "threshold_": (lambda nn, x: nn.functional.threshold_(x * 2, 0.1, 7.0), (4, 5)),
    "hardtanh_": (lambda nn, x: nn.functional.hardtanh_(x * 2, -0.5, 0.8), (4, 5)),
}


@pytest.mark.parametrize("name", CALLS)
def test_value_and_gradient(name: str) -> None:
    call, shape = CALLS[name]
    array = np.random.default_rng(0).normal(size=shape)
    sides: list[Any] = []
    for lib in (ml, torch):
        x = lib.tensor(array, requires_grad=True)
        out = call(lib.nn, x)
        (out * lib.tensor(np.random.default_rng(1).normal(size=tuple(out.shape)))).sum().backward()
        sides.append((out.detach().numpy(), x.grad.numpy()))
    for mine, theirs in zip(*sides, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["relu_", "elu_", "selu_", "celu_", "leaky_relu_", "rrelu_", "hardtanh_"])
def test_what_is_given_back_is_the_input(name: str) -> None:
    x = ml.tensor([-2.0, 0.5])
    assert getattr(ml.nn.functional, name)(x) is x


@pytest.mark.parametrize("layer", [("LocalResponseNorm", (2,)), ("ChannelShuffle", (2,)), ("Softmax2d", ())])
def test_the_words(layer: tuple[str, tuple[Any, ...]]) -> None:
    assert repr(getattr(ml.nn, layer[0])(*layer[1])) == repr(getattr(torch.nn, layer[0])(*layer[1]))


NAMES = ["eq_", "ne_", "lt_", "le_", "gt_", "ge_", "greater_", "less_", "greater_equal_", "less_equal_", "not_equal_"]


@pytest.mark.parametrize("dtype", ["float64", "int64", "bool"])
@pytest.mark.parametrize("name", [*NAMES, "logical_and_", "logical_or_", "logical_xor_", "logical_not_"])
def test_truth_values_are_written_as_numbers(name: str, dtype: str) -> None:
    sides: list[Any] = []
    for lib in (ml, torch):
        x = lib.tensor([[0, 1, 2], [2, 1, 0]]).to(getattr(lib, dtype))
        same = getattr(x, name)(*(() if name == "logical_not_" else (lib.tensor([1, 1, 0]),)))
        assert same is x
        sides.append(x)
    assert sides[0].tolist() == sides[1].tolist()
    assert str(sides[0].dtype) == dtype


def test_no_gradient_passes_a_comparison_in_place() -> None:
    grads: list[Any] = []
    for lib in (ml, torch):
        x = lib.tensor([1.0, 3.0], requires_grad=True)
        y = x * 2
        y.gt_(3)
        (y.sum() + x.sum()).backward()
        grads.append(x.grad.tolist())
    assert grads[0] == grads[1]
