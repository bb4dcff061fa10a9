"""Row C5: parts that register themselves, freezing, and hooks on a module (listings 23, 25 and 26)."""

from __future__ import annotations

from typing import Any

import minitorch_lab as ml
from minitorch_lab import nn


class Custom(nn.Module):
    """Two parameters and a buffer, by assignment and by name."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(ml.randn(outputs, inputs))
        self.bias = nn.Parameter(ml.randn(outputs))
        self.register_buffer("running_mean", ml.zeros(outputs))

    def forward(self, x: ml.Tensor) -> ml.Tensor:
        return x @ self.weight.T + self.bias


def test_row_c5_parameters_and_buffers_are_found() -> None:
    layer = Custom(10, 20)
    assert [(name, tuple(p.shape)) for name, p in layer.named_parameters()] == [("weight", (20, 10)), ("bias", (20,))]
    assert [name for name, _ in layer.named_buffers()] == ["running_mean"]
    assert list(layer.state_dict()) == ["weight", "bias", "running_mean"]
    assert sum(p.numel() for p in layer.parameters()) == 220
    assert layer(ml.ones(3, 10)).shape == (3, 20)


def test_row_c5_of_a_frozen_network_only_the_new_head_learns() -> None:
    ml.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
    for parameter in model.parameters():
        parameter.requires_grad = False
    model[2] = nn.Linear(8, 2)
    learning = [p for p in model.parameters() if p.requires_grad]
    assert [tuple(p.shape) for p in learning] == [(2, 8), (2,)]
    before = [p.detach().clone() for p in model.parameters()]
    optimizer = ml.optim.Adam(learning, lr=0.001)
    model(ml.ones(5, 4)).sum().backward()
    optimizer.step()
    assert [p.grad is None for p in model.parameters()] == [True, True, False, False]
    assert [a.equal(b) for a, b in zip(before, model.parameters(), strict=True)] == [True, True, False, False]


def test_row_c5_hooks_see_activations_and_gradients() -> None:
    model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 5))
    seen: list[Any] = []

    def forward_hook(module: Any, args: Any, output: Any) -> None:
        seen.append((type(module).__name__, tuple(args[0].shape), tuple(output.shape)))

    def backward_hook(module: Any, grad_input: Any, grad_output: Any) -> None:
        seen.append((type(module).__name__, tuple(grad_output[0].shape), grad_output[0].norm().item() > 0))

    forward = model[0].register_forward_hook(forward_hook)
    backward = model[0].register_full_backward_hook(backward_hook)
    model(ml.randn(32, 10)).sum().backward()
    assert seen == [("Linear", (32, 10), (32, 20)), ("Linear", (32, 20), True)]
    forward.remove()
    backward.remove()
    model(ml.randn(32, 10)).sum().backward()
    assert len(seen) == 2
