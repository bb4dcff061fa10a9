"""Lines written for PyTorch, with arguments and names that are seldom used: they mean here what they mean there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = pytest.mark.oracle
RNG = np.random.default_rng(0)


def near(a: Any, b: Any) -> None:
    a, b = (x.detach() if hasattr(x, "detach") else x for x in (a, b))
    assert tuple(a.shape) == tuple(b.shape)
    assert f"torch.{a.dtype.name}" == str(b.dtype)
    np.testing.assert_allclose(a.tolist(), b.tolist(), rtol=1e-9, atol=1e-12)


def leaves(t: Any, *arrays: np.ndarray) -> list[Any]:
    return [t.tensor(a, requires_grad=a.dtype.kind == "f") for a in arrays]


# ---- arguments ------------------------------------------------------------------------------------------------------

A, B = RNG.normal(size=(2, 3)), RNG.normal(size=(3, 4))
SUBLISTS = {
    "rows": lambda t, a, b: t.einsum(a, [0, 1], [0]),
    "product": lambda t, a, b: t.einsum(a, [0, 1], b, [1, 2], [2, 0]),
    "no result": lambda t, a, b: t.einsum(a, [40, 1], b, [1, 3]),
    "dots": lambda t, a, b: t.einsum(a, [..., 1], b, [1, 2], [..., 2]),
}


@pytest.mark.parametrize("name", SUBLISTS)
def test_einsum_of_numbered_axes(name: str) -> None:
    near(*(SUBLISTS[name](t, t.tensor(A), t.tensor(B)) for t in (ml, torch)))


LSTMS: list[dict[str, Any]] = [{}, {"num_layers": 2, "bidirectional": True}, {"bias": False, "batch_first": True}]


@pytest.mark.parametrize("settings", LSTMS)
def test_an_lstm_that_maps_its_state(settings: dict[str, Any]) -> None:
    ours = ml.nn.LSTM(4, 5, proj_size=3, dtype=ml.float64, **settings)
    theirs = torch.nn.LSTM(4, 5, proj_size=3, dtype=torch.float64, **settings)
    assert list(ours.state_dict()) == list(theirs.state_dict())
    assert repr(ours) == repr(theirs)
    assert [[tuple(p.shape) for p in run] for run in ours.all_weights] == [
        [tuple(p.shape) for p in run] for run in theirs.all_weights
    ]
    ours.load_state_dict({k: ml.tensor(v.numpy()) for k, v in theirs.state_dict().items()})
    x, ways = RNG.normal(size=(6, 2, 4)), 1 + settings.get("bidirectional", False)
    n = settings.get("num_layers", 1) * ways
    state = RNG.normal(size=(n, 6 if "batch_first" in settings else 2, 3)), RNG.normal(size=(n, 2, 5))
    state = state[0], RNG.normal(size=(*state[0].shape[:2], 5))
    (a, (h, c)), (b, (i, d)) = (
        layer(t.tensor(x), tuple(map(t.tensor, state))) for t, layer in ((ml, ours), (torch, theirs))
    )
    for one, other in ((a, b), (h, i), (c, d)):
        near(one, other)
    (a.sum() + c.sum()).backward()
    (b.sum() + d.sum()).backward()
    for p, q in zip(ours.parameters(), theirs.parameters(), strict=True):
        near(p.grad, q.grad)


def test_checkpoint_sequential_names_its_way() -> None:
    x = ml.tensor([0.3, -0.2], requires_grad=True)
    ml.utils.checkpoint.checkpoint_sequential([ml.sin, ml.exp, ml.tanh], 2, x, use_reentrant=False).sum().backward()
    assert x.grad is not None
    with pytest.raises(ml.errors.ArgumentError, match="checkpoint_sequential got use_reentrant=True"):
        ml.utils.checkpoint.checkpoint_sequential([ml.sin, ml.exp], 2, x, use_reentrant=True)


def test_interpolate_without_smoothing() -> None:
    x = RNG.normal(size=(1, 2, 4, 4))
    how = {"size": (2, 3), "mode": "bilinear", "antialias": False}
    near(*(t.nn.functional.interpolate(t.tensor(x), **how) for t in (ml, torch)))


@pytest.mark.parametrize("name", [
    "SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "ASGD", "Rprop", "LBFGS",
])  # fmt: skip
def test_groups_have_the_options_of_torch(name: str) -> None:
    ours, theirs = (getattr(t.optim, name)([t.zeros(2, requires_grad=True)]) for t in (ml, torch))
    for groups in (lambda x: x.param_groups, lambda x: x.state_dict()["param_groups"]):
        a, b = ({k: v for k, v in groups(x)[0].items() if k in OPTIONS} for x in (ours, theirs))
        assert a == b
    if name == "LBFGS":
        return
    found = []
    for t in (ml, torch):
        p = t.tensor([1.0, -2.0], dtype=t.float64, requires_grad=True)
        optimizer = getattr(t.optim, name)([p], maximize=True)
        for _ in range(3):
            optimizer.zero_grad()
            (p * p).sum().backward()
            optimizer.step()
        optimizer.param_groups[0]["maximize"] = False
        optimizer.step()
        found.append(p)
    near(*found)


OPTIONS = ("maximize", "foreach", "differentiable", "fused", "capturable")
