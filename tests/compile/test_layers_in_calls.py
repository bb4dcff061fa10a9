"""Layers that are made in the call, as PyTorch's tutorials make them: one graph, and what eager gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn

X, Y = (2, 4, 8, 8), {"CrossEntropyLoss": (2, 8, 8), "NLLLoss": (2, 8, 8)}
OWN: dict[str, Callable[[], nn.Module]] = {
    "Softmax": lambda: nn.Softmax(dim=1), "LogSoftmax": lambda: nn.LogSoftmax(dim=1),
    "MaxPool2d": lambda: nn.MaxPool2d(2),
    "Softmin": lambda: nn.Softmin(dim=1), "AvgPool2d": lambda: nn.AvgPool2d(2, ceil_mode=True),
    "AdaptiveAvgPool2d": lambda: nn.AdaptiveAvgPool2d(2), "ZeroPad2d": lambda: nn.ZeroPad2d(1),
    "LeakyReLU": lambda: nn.LeakyReLU(negative_slope=0.2), "Hardtanh": lambda: nn.Hardtanh(-0.5, 0.5),
    "Threshold": lambda: nn.Threshold(0.1, 2.0), "PixelShuffle": lambda: nn.PixelShuffle(2),
    "ConstantPad2d": lambda: nn.ConstantPad2d(1, 2.0), "ReflectionPad2d": lambda: nn.ReflectionPad2d((1, 2, 0, 1)),
}  # fmt: skip
PLAIN = ["ReLU", "GELU", "SiLU", "Mish", "Sigmoid", "LogSigmoid", "Tanh", "Tanhshrink", "Softsign", "Softplus", "GLU",
         "ReLU6", "ELU", "SELU", "CELU", "Hardsigmoid", "Hardswish", "Flatten", "Identity"]  # fmt: skip
LOSSES = ["MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "CrossEntropyLoss", "NLLLoss", "BCEWithLogitsLoss"]


def drawn(*shape: int) -> Any:
    return ml.tensor(np.random.default_rng(0).standard_normal(shape), dtype=ml.float32)


def observed(f: Callable[..., Any], *args: Any) -> list[Any]:
    seen = list[Any]()
    for k in range(3):
        x = (args[0] * (k + 1)).detach().requires_grad_()
        out = f(x, *args[1:])
        out.sum().backward()
        seen.append((out.tolist(), x.grad.tolist()))
    return seen


@pytest.mark.parametrize("name", [*OWN, *PLAIN])
def test_an_activation_or_pool_made_in_the_call_is_in_the_graph(name: str) -> None:
    make = OWN.get(name) or (lambda: getattr(nn, name)())
    f = lambda x: make()(x * 2)  # noqa: E731
    compiled = ml.compile(f, backend="numpy", fullgraph=True)
    assert observed(compiled, drawn(*X)) == observed(f, drawn(*X))
    assert compiled.captures == 1


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_made_in_the_call_is_in_the_graph(name: str) -> None:
    labels = ml.tensor(np.random.default_rng(1).integers(0, 4, Y[name])) if name in Y else drawn(*X).abs()
    f = lambda x, y: getattr(nn, name)(reduction="sum")(x, y)  # noqa: E731
    compiled = ml.compile(f, backend="numpy", fullgraph=True)
    assert observed(compiled, drawn(*X), labels) == observed(f, drawn(*X), labels)
    assert compiled.captures == 1


F = nn.functional
OF_SIZES: dict[str, Callable[[Any], Any]] = {
    "avg_pool, rounded up": lambda x: F.avg_pool2d(x, 3, ceil_mode=True),
    "avg_pool without its frame": lambda x: F.avg_pool2d(x, 3, padding=1, count_include_pad=False),
    "max_pool with places": lambda x: F.max_pool2d(x, 2, return_indices=True)[1] * F.max_pool2d(x, 2),
    "adaptive_avg_pool": lambda x: F.adaptive_avg_pool2d(x, 3),
    "adaptive_max_pool": lambda x: F.adaptive_max_pool2d(x, 2),
    "reflected": lambda x: F.pad(x, (1, 2, 0, 1), mode="reflect"), "round": lambda x: F.pad(x, (1, 2), mode="circular"),
    "nearest": lambda x: F.interpolate(x, scale_factor=2), "unfold": lambda x: F.unfold(x, 3),
    "bilinear": lambda x: F.interpolate(x, size=(5, 7), mode="bilinear"),
    "nll": lambda x: F.nll_loss(F.log_softmax(x, 1), (x[:, 0] > 0).long()),
    "weighted": lambda x: F.cross_entropy(x, (x[:, 0] > 0).long(), weight=ml.arange(1.0, 5.0), label_smoothing=0.1),
    "attention": lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True),
    "normalize": lambda x: F.normalize(x, dim=1), "taken": lambda x: x.index_select(3, ml.arange(2)),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_SIZES)
def test_what_a_function_makes_of_sizes_is_a_constant_of_those_sizes_alone(name: str) -> None:
    f = OF_SIZES[name]
    compiled = ml.compile(f, backend="numpy", fullgraph=True)
    for shape in ((2, 4, 8, 8), (3, 4, 8, 8), (2, 4, 6, 7), (3, 4, 9, 5), (2, 4, 8, 8)):
        assert observed(compiled, drawn(*shape)) == observed(f, drawn(*shape))


class Settled:
    """An object whose settings are written into a dict that is made in the call."""

    def __init__(self) -> None:
        self.step, self.size = 2, 3

    def settings(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in ("step", "size")}


def test_a_dict_made_in_the_call_makes_no_numbers_vary() -> None:
    thing = Settled()
    compiled = ml.compile(lambda x: x * thing.settings()["step"], backend="numpy")
    for n in (2, 3, 4):
        assert compiled(ml.ones(n)).tolist() == [2.0] * n
    assert "is 2" in compiled.text or "== 2" in compiled.text
