"""Layers side by side with PyTorch, in float64: its state goes in, the same numbers and gradients come out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = pytest.mark.oracle

IMAGE, WORDS = (2, 4, 9, 8), (3, 5, 8)
LAYERS: list[tuple[str, tuple[Any, ...], dict[str, Any], tuple[int, ...]]] = [
    ("Conv1d", (4, 6, 3), {}, (2, 4, 9)),
    ("Conv1d", (4, 6, 3), {"stride": 2, "padding": 1, "dilation": 2, "groups": 2, "bias": False}, (2, 4, 9)),
    ("Conv2d", (4, 6, 3), {}, IMAGE),
    ("Conv2d", (4, 6, (3, 2)), {"stride": (2, 1), "padding": 1, "groups": 2}, IMAGE),
    ("Conv2d", (4, 6, 3), {"dilation": 2, "bias": False}, IMAGE),
    ("ConvTranspose2d", (4, 6, 3), {}, IMAGE),
    ("ConvTranspose2d", (4, 6, 3), {"stride": 2, "padding": 1, "output_padding": 1, "groups": 2}, IMAGE),
    ("BatchNorm1d", (4,), {}, (5, 4)),
    ("BatchNorm1d", (4,), {"affine": False}, (5, 4, 3)),
    ("BatchNorm2d", (4,), {"momentum": 0.3, "eps": 0.01}, IMAGE),
    ("BatchNorm2d", (4,), {"track_running_stats": False}, IMAGE),
    ("LayerNorm", (8,), {}, WORDS),
    ("LayerNorm", ((5, 8),), {"bias": False}, WORDS),
    ("LayerNorm", (8,), {"elementwise_affine": False}, WORDS),
    ("GroupNorm", (2, 4), {}, IMAGE),
    ("GroupNorm", (4, 4), {"affine": False}, IMAGE),
    ("RMSNorm", (8,), {}, WORDS),
    ("RMSNorm", (8,), {"eps": 0.1}, WORDS),
    ("TransformerEncoderLayer", (8, 2, 16), {"dropout": 0.0, "batch_first": True}, WORDS),
    ("TransformerEncoderLayer", (8, 4, 16), {"dropout": 0.0, "norm_first": True}, WORDS),
    ("TransformerEncoderLayer", (8, 2, 16), {"dropout": 0.0, "bias": False}, WORDS),
]  # fmt: skip


def twins(name: str, args: tuple[Any, ...], settings: dict[str, Any]) -> tuple[Any, Any]:
    """The same layer here and there, with PyTorch's state moved a little from where it starts."""
    ours, theirs = (getattr(lib.nn, name)(*args, **settings, dtype=lib.float64) for lib in (ml, torch))
    rng = np.random.default_rng(0)
    with torch.no_grad():
        for p in theirs.parameters():
            p += torch.tensor(rng.normal(size=tuple(p.shape)) * 0.1)
    states = [
        {k: (tuple(t.shape), str(t.dtype).split(".")[-1]) for k, t in m.state_dict().items()} for m in (ours, theirs)
    ]
    assert states[0] == states[1]
    assert list(states[0]) == list(states[1])
    ours.load_state_dict({k: ml.tensor(t.numpy()) for k, t in theirs.state_dict().items()})
    return ours, theirs


def close(a: Any, b: Any) -> None:
    np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy(), rtol=1e-9, atol=1e-11)


def run(ours: Any, theirs: Any, *arrays: np.ndarray, **params: Any) -> None:
    """Output, input gradients, parameter gradients and buffers agree."""
    sides = []
    for lib, layer in ((ml, ours), (torch, theirs)):
        leaves = [lib.tensor(a, requires_grad=a.dtype.kind == "f") for a in arrays]
        masks = {k: lib.tensor(v) if isinstance(v, np.ndarray) else v for k, v in params.items()}
        out = layer(*leaves, **masks)
        outs = [x for x in (out if isinstance(out, tuple) else (out,)) if x is not None]
        rng = np.random.default_rng(1)
        for p in layer.parameters():
            p.grad = None
        sum((x * lib.tensor(rng.normal(size=tuple(x.shape)))).sum() for x in outs).backward()
        sides.append([*outs, *(x.grad for x in leaves if x.requires_grad), *(p.grad for p in layer.parameters())])
    for a, b in zip(*sides, strict=True):
        close(a, b)
    for a, b in zip(ours.buffers(), theirs.buffers(), strict=True):
        close(a, b)


def normal(*shape: int, seed: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize(("name", "args", "settings", "shape"), LAYERS, ids=lambda v: str(v) if v else "")
def test_layer(name: str, args: tuple[Any, ...], settings: dict[str, Any], shape: tuple[int, ...]) -> None:
    ours, theirs = twins(name, args, settings)
    if name != "TransformerEncoderLayer":
        assert repr(ours) == repr(theirs)
    for seed in (2, 3):
        run(ours, theirs, normal(*shape, seed=seed))
    run(ours.eval(), theirs.eval(), normal(*shape))


@pytest.mark.parametrize("name", ["MaxPool2d", "AvgPool2d"])
def test_pooling(name: str) -> None:
    for settings in ({"kernel_size": 3}, {"kernel_size": (3, 2), "stride": 2, "padding": 1}):
        ours, theirs = (getattr(lib.nn, name)(**settings) for lib in (ml, torch))
        assert repr(ours) == repr(theirs)
        run(ours, theirs, normal(*IMAGE))


def test_embedding() -> None:
    asked: list[dict[str, Any]] = [{}, {"padding_idx": 1}, {"max_norm": 0.5}, {"max_norm": 0.7, "norm_type": 1.0}]
    for settings in [*asked, {"scale_grad_by_freq": True, "padding_idx": -1}]:
        ours, theirs = twins("Embedding", (5, 3), settings)
        assert repr(ours) == repr(theirs)
        run(ours, theirs, np.array([[0, 1, 1], [4, 2, 0]]))
        np.testing.assert_allclose(ours.weight.detach().numpy(), theirs.weight.detach().numpy(), rtol=1e-6)


@pytest.mark.parametrize("settings", [{"batch_first": True}, {}, {"bias": False}], ids=str)
def test_multihead_attention(settings: dict[str, Any]) -> None:
    ours, theirs = twins("MultiheadAttention", (8, 2), settings)
    first = settings.get("batch_first", False)
    q, k, v = (normal(*((3, n) if first else (n, 3)), 8, seed=n + i) for n, i in ((4, 0), (6, 0), (6, 1)))
    hidden = np.zeros((3, 6), bool)
    hidden[1, 4:] = True
    ahead = np.triu(np.ones((4, 6), bool), 1)
    run(ours, theirs, q, k, v)
    run(ours, theirs, q, k, v, need_weights=False)
    run(ours, theirs, q, k, v, key_padding_mask=hidden)
    run(ours, theirs, q, k, v, key_padding_mask=hidden, attn_mask=ahead)
    run(ours, theirs, q, k, v, attn_mask=normal(4, 6))


def test_encoder_masks() -> None:
    ours, theirs = twins("TransformerEncoderLayer", (8, 2, 16), {"dropout": 0.0, "batch_first": True})
    ahead, hidden = np.triu(np.ones((5, 5), bool), 1), np.zeros((3, 5), bool)
    hidden[2, 3:] = True
    run(ours, theirs, normal(*WORDS), src_mask=ahead)
    run(ours, theirs, normal(*WORDS), src_mask=ahead, src_key_padding_mask=hidden)
    close(
        ours(ml.tensor(normal(*WORDS)), is_causal=True),
        theirs(torch.tensor(normal(*WORDS)), src_mask=torch.tensor(ahead)),
    )


def test_containers_speak_the_same() -> None:
    for lib in (ml, torch):
        nn = lib.nn
        rows = nn.ModuleList([nn.Linear(2, 3)]).append(nn.ReLU()).extend([nn.Identity(4)])
        named = nn.ModuleDict({"a": nn.Linear(3, 1), "b": rows})
        assert list(named.state_dict()) == ["a.weight", "a.bias", "b.0.weight", "b.0.bias"]
        assert [type(m).__name__ for m in rows[1:]] == ["ReLU", "Identity"]
        assert ("a" in named, len(named), list(named)) == (True, 2, ["a", "b"])
    ours, theirs = (
        lib.nn.ModuleDict({"a": lib.nn.Identity(), "b": lib.nn.ModuleList([lib.nn.ReLU()])}) for lib in (ml, torch)
    )
    assert repr(ours) == repr(theirs)
