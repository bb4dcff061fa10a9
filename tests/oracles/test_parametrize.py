"""Parametrizations beside PyTorch: the same weights while they are trained, and the same names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = pytest.mark.oracle

MAKERS: dict[str, Callable[[Any], Any]] = {
    "weight norm": lambda lib: lib.nn.utils.parametrizations.weight_norm(lib.nn.Linear(4, 3)),
    "of columns": lambda lib: lib.nn.utils.parametrizations.weight_norm(lib.nn.Linear(4, 3), dim=1),
    "of all": lambda lib: lib.nn.utils.parametrizations.weight_norm(lib.nn.Conv1d(4, 3, 1), dim=None),
    "of a convolution": lambda lib: lib.nn.utils.parametrizations.weight_norm(lib.nn.Conv1d(4, 3, 1)),
    "spectral norm": lambda lib: lib.nn.utils.parametrizations.spectral_norm(lib.nn.Linear(4, 3)),
    "of a transposed convolution": lambda lib: lib.nn.utils.parametrizations.spectral_norm(
        lib.nn.ConvTranspose1d(4, 3, 1), n_power_iterations=2
    ),
    "orthogonal": lambda lib: lib.nn.utils.parametrizations.orthogonal(lib.nn.Linear(4, 4)),
    "by Cayley's map": lambda lib: lib.nn.utils.parametrizations.orthogonal(lib.nn.Linear(4, 4), "weight", "cayley"),
    "older weight norm": lambda lib: lib.nn.utils.weight_norm(lib.nn.Linear(4, 3)),
    "older spectral norm": lambda lib: lib.nn.utils.spectral_norm(lib.nn.Linear(4, 3)),
}


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("name", MAKERS)
def test_training_is_the_same(name: str) -> None:
    ours, theirs = MAKERS[name](ml), MAKERS[name](torch)
    assert sorted(ours.state_dict()) == sorted(theirs.state_dict())
    ours.load_state_dict(theirs.state_dict())
    x = np.sin(np.arange(20.0, dtype=np.float32)).reshape(5, 4)
    x = x[:, :, None] if "convolution" in name or name == "of all" else x
    ends = []
    for lib, model in ((ml, ours), (torch, theirs)):
        optimizer = lib.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(4):
            optimizer.zero_grad()
            (model(lib.tensor(x)) ** 2).sum().backward()
            optimizer.step()
        model.eval()
        found = {**model.state_dict(), "out": model(lib.tensor(x)).detach()}
        ends.append({key: value.numpy() for key, value in found.items()})
    for key, expected in ends[1].items():
        np.testing.assert_allclose(ends[0][key], expected, rtol=1e-4, atol=1e-5, err_msg=key)
