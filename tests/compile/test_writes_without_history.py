"""Training steps that write in place what has no history: batch statistics, counters, gradients that are scaled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.compiler.runtime.region import Region

F = nn.functional


def batch_norm(net: Any) -> None:
    """The statistics move in the forward pass."""


def scaled(net: Any) -> None:
    for p in net.parameters():
        p.grad.mul_(0.5)


def clipped(net: Any) -> None:
    total = ml.stack([p.grad.norm() for p in net.parameters()]).norm()
    for p in net.parameters():
        p.grad.mul_((1.0 / (total + 1e-6)).clamp(max=1.0))


def train(wrap: Callable[..., Any], between: Callable[[Any], None]) -> Any:
    ml.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 2)).to(ml.float64)
    adam = ml.optim.AdamW(net.parameters(), lr=0.01, weight_decay=0.1)

    def step(x: Any, y: Any) -> Any:
        adam.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        between(net)
        adam.step()
        return loss

    step = wrap(step)
    losses = [step(ml.randn(6, 3, dtype=ml.float64), ml.randint(0, 2, (6,))).item() for _ in range(6)]
    return losses, [v.tolist() for v in net.state_dict().values()]


@pytest.mark.parametrize("between", [batch_norm, scaled, clipped])
def test_the_step_is_kernels_and_not_op_by_op(between: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("it ran op by op")

    want = train(lambda f: f, between)
    monkeypatch.setattr(Region, "op_by_op", refuse)
    assert train(ml.compile, between) == want


def test_a_write_that_has_a_history_hands_it_on() -> None:
    def f(x: Any, w: Any, k: float) -> Any:
        loss = (x * w).sum() * k
        loss.backward()
        x.mul_(w)
        return loss

    for wrap in (lambda f: f, ml.compile):
        g = wrap(f)
        for k in (1.0, 2.0, 3.0):
            x, w = ml.ones(3), ml.full((3,), 2.0, requires_grad=True)
            g(x, w, k)
            assert x.requires_grad
            (3 * x).sum().backward()
            assert w.grad is not None
            assert w.grad.tolist() == [k + 3] * 3
