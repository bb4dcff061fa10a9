"""A call that goes on where a program ends is replayed up to there, and meets the same names again."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import nn, optim


def trained(compile: Any, make: Any) -> list[Any]:
    """What four steps of an optimizer with a state give, where labels are reshaped in the step."""
    ml.manual_seed(0)
    norm, head = nn.LayerNorm(4), nn.Linear(4, 3)
    optimizer = make([*norm.parameters(), *head.parameters()])

    @compile
    def step(x: Any, y: Any) -> Any:
        hidden = norm(x)
        rows, columns = hidden.shape
        loss = nn.functional.cross_entropy(head(hidden.reshape(rows, columns)), y.view(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return [step(ml.randn(2, 4), ml.tensor([[i % 3], [2]])).item() for i in range(5)]


@pytest.mark.parametrize("make", [
    lambda ps: optim.SGD(ps, lr=0.1, momentum=0.9), lambda ps: optim.Adam(ps, lr=0.1), lambda ps: optim.AdamW(ps),
])  # fmt: skip
def test_a_container_that_an_op_reads_is_read_in_a_replay_too(make: Any) -> None:
    assert trained(ml.compile, make) == trained(lambda f: f, make)
