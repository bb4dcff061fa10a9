"""Every module beside PyTorch's: its state goes in, the same numbers and gradients come out, eager and compiled."""

# ruff: noqa: E501

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = pytest.mark.oracle

ROW, SEQUENCE, IMAGE, VOLUME = (3, 4), (2, 4, 9), (2, 4, 7, 6), (1, 2, 4, 5, 4)
Case = tuple[str, tuple[Any, ...], dict[str, Any], tuple[tuple[int, ...], ...]]

CURVES: list[Case] = [
    (name, args, {}, (ROW,))
    for name, args in [
        ("ReLU", ()), ("ReLU6", ()), ("LeakyReLU", (0.2,)), ("ELU", (1.5,)), ("SELU", ()), ("CELU", (0.7,)), ("GELU", ()),
        ("GELU", ("tanh",)), ("SiLU", ()), ("Mish", ()), ("Sigmoid", ()), ("LogSigmoid", ()), ("Tanh", ()), ("Softmin", (1,)),
        ("Tanhshrink", ()), ("Softsign", ()), ("Softplus", (2.0, 1.0)), ("GLU", (1,)), ("Hardtanh", (-0.5, 0.7)),
        ("Hardsigmoid", ()), ("Hardswish", ()), ("Threshold", (0.1, 5.0)), ("Softshrink", (0.3,)), ("Hardshrink", (0.3,)),
        ("Softmax", (1,)), ("LogSoftmax", (0,)),
    ]
]  # fmt: skip
FRAMES: list[Case] = [
    ("ZeroPad2d", (1,), {}, (IMAGE,)), ("ConstantPad1d", ((1, 2), 0.5), {}, (SEQUENCE,)),
    ("ReflectionPad1d", (2,), {}, (SEQUENCE,)), ("ReflectionPad2d", ((1, 2, 0, 3),), {}, (IMAGE,)),
    ("ReplicationPad2d", (2,), {}, (IMAGE,)), ("ReplicationPad3d", (1,), {}, (VOLUME,)), ("CircularPad2d", (1,), {}, (IMAGE,)),
]  # fmt: skip
POOLS: list[Case] = [
    ("MaxPool1d", (3,), {"stride": 2, "ceil_mode": True}, (SEQUENCE,)), ("MaxPool2d", (3,), {"stride": 2, "padding": 1}, (IMAGE,)),
    ("MaxPool2d", ((3, 2),), {"ceil_mode": True, "return_indices": True, "dilation": (1, 2)}, (IMAGE,)),
    ("MaxPool3d", (2,), {"return_indices": True}, (VOLUME,)), ("AvgPool1d", (3,), {"padding": 1, "count_include_pad": False}, (SEQUENCE,)),
    ("AvgPool2d", (3,), {"stride": 2, "padding": 1, "ceil_mode": True}, (IMAGE,)),
    ("AvgPool2d", (3,), {"stride": 2, "padding": 1, "ceil_mode": True, "count_include_pad": False}, (IMAGE,)),
    ("AvgPool2d", (2,), {"divisor_override": 3}, (IMAGE,)), ("AvgPool3d", (2,), {}, (VOLUME,)),
    ("AdaptiveAvgPool1d", (4,), {}, (SEQUENCE,)), ("AdaptiveAvgPool2d", ((3, None),), {}, (IMAGE,)),
    ("AdaptiveAvgPool2d", (1,), {}, (IMAGE,)), ("AdaptiveAvgPool3d", (2,), {}, (VOLUME,)), ("AdaptiveMaxPool1d", (4,), {}, (SEQUENCE,)),
    ("AdaptiveMaxPool2d", ((3, 4),), {}, (IMAGE,)), ("LPPool1d", (2, 3), {"stride": 2, "ceil_mode": True}, (SEQUENCE,)),
    ("LPPool2d", (2.0, (3, 2)), {}, (IMAGE,)), ("LPPool3d", (4, 2), {"stride": 1}, (VOLUME,)),
]  # fmt: skip
SHAPES: list[Case] = [
    ("Unflatten", (1, (2, 2)), {}, (ROW,)), ("PixelShuffle", (2,), {}, (IMAGE,)), ("PixelUnshuffle", (2,), {}, ((2, 3, 4, 6),)),
    ("Upsample", (), {"scale_factor": 2.5}, (IMAGE,)), ("Upsample", (), {"size": (5, 9), "mode": "bilinear"}, (IMAGE,)),
    ("Upsample", (), {"scale_factor": 2, "mode": "bilinear", "align_corners": True}, (IMAGE,)),
    ("Upsample", (), {"size": 4, "mode": "linear"}, (SEQUENCE,)), ("Upsample", (), {"size": 5, "mode": "nearest-exact"}, (IMAGE,)),
    ("Upsample", (), {"size": (5, 9), "mode": "bicubic"}, (IMAGE,)), ("Upsample", (), {"size": (5, 9), "mode": "area"}, (IMAGE,)),
    ("Upsample", (), {"scale_factor": 1.5, "mode": "bicubic", "align_corners": True}, (IMAGE,)),
    ("Upsample", (), {"scale_factor": 2, "mode": "trilinear"}, (VOLUME,)), ("Unfold", ((2, 3),), {"padding": 1, "stride": 2}, (IMAGE,)),
    ("Fold", ((4, 5), 2), {"dilation": (1, 2), "padding": 1}, ((2, 8, 25),)),
]  # fmt: skip
PAIRS: list[Case] = [
    ("CosineSimilarity", (), {}, (ROW, ROW)), ("PairwiseDistance", (), {"keepdim": True}, (ROW, ROW)),
    ("L1Loss", (), {}, (ROW, ROW)), ("HuberLoss", ("sum", 0.5), {}, (ROW, ROW)), ("SmoothL1Loss", (), {"beta": 0.5}, (ROW, ROW)),
    ("MSELoss", (), {"reduction": "none"}, (ROW, ROW)), ("PoissonNLLLoss", (), {}, (ROW, ROW)),
    ("TripletMarginLoss", (), {"swap": True}, (ROW, ROW, ROW)),
    ("TripletMarginWithDistanceLoss", (), {"swap": True, "margin": 0.3}, (ROW, ROW, ROW)),
    ("MarginRankingLoss", (0.3,), {}, (ROW, ROW, ROW)),
]  # fmt: skip
WEIGHTED: list[Case] = [
    ("PReLU", (), {}, (ROW,)), ("PReLU", (4,), {}, (IMAGE,)), ("BatchNorm3d", (2,), {}, (VOLUME,)),
    ("InstanceNorm1d", (4,), {"affine": True}, (SEQUENCE,)), ("InstanceNorm2d", (4,), {"track_running_stats": True}, (IMAGE,)),
    ("InstanceNorm2d", (4,), {}, (IMAGE[1:],)), ("InstanceNorm3d", (2,), {}, (VOLUME,)),
    ("Conv1d", (4, 6, 4), {"padding": "same", "dilation": 2}, (SEQUENCE,)),
    ("Conv2d", (4, 6, 3), {"padding": (2, 1), "padding_mode": "circular"}, (IMAGE,)),
    ("Conv2d", (4, 4, 3), {"padding": "same", "padding_mode": "reflect", "groups": 2}, (IMAGE,)),
    ("Conv3d", (2, 3, 2), {"stride": 2, "padding": 1}, (VOLUME,)), ("ConvTranspose1d", (4, 6, 3), {"stride": 2, "output_padding": 1}, (SEQUENCE,)),
    ("ConvTranspose3d", (2, 3, 2), {"stride": 2}, (VOLUME,)), ("Bilinear", (4, 9, 3), {}, ((2, 4), (2, 9))),
    ("RNN", (4, 5), {"num_layers": 2}, ((6, 2, 4),)), ("RNN", (4, 5), {"nonlinearity": "relu", "bias": False}, ((6, 4),)),
    ("LSTM", (4, 5), {"num_layers": 2, "bidirectional": True, "batch_first": True}, ((2, 6, 4),)), ("LSTM", (4, 5), {}, ((6, 4),)),
    ("GRU", (4, 5), {"bidirectional": True}, ((6, 2, 4),)), ("RNNCell", (4, 5), {}, ((2, 4), (2, 5))), ("GRUCell", (4, 5), {}, ((2, 4), (2, 5))),
    ("LSTMCell", (4, 5), {"bias": False}, ((2, 4),)),
    ("MultiheadAttention", (8, 2), {"kdim": 6, "vdim": 5}, ((3, 2, 8), (4, 2, 6), (4, 2, 5))),
    ("MultiheadAttention", (8, 2), {}, ((3, 8), (4, 8), (4, 8))),
    ("MultiheadAttention", (8, 2, 0.0, True, True, True), {"batch_first": True}, ((2, 3, 8), (2, 4, 8), (2, 4, 8))),
    ("TransformerDecoderLayer", (8, 2, 16), {"dropout": 0.0, "activation": "gelu"}, ((3, 2, 8), (4, 2, 8))),
    ("TransformerDecoderLayer", (8, 2, 16), {"dropout": 0.0, "norm_first": True}, ((3, 2, 8), (4, 2, 8))),
    ("Transformer", (8, 2, 1, 1, 16, 0.0), {"batch_first": True}, ((2, 3, 8), (2, 4, 8))),
]  # fmt: skip
CASES = [*CURVES, *FRAMES, *POOLS, *SHAPES, *PAIRS, *WEIGHTED]
NAMED = pytest.mark.parametrize(("name", "args", "settings", "shapes"), CASES, ids=lambda v: str(v).replace(" ", ""))


def twins(name: str, args: tuple[Any, ...], settings: dict[str, Any]) -> tuple[Any, Any]:
    """The same module here and there in float64, with one state, whose names and shapes agree."""
    ours, theirs = (getattr(lib.nn, name)(*args, **settings).double() for lib in (ml, torch))
    rng = np.random.default_rng(0)
    with torch.no_grad():
        for p in theirs.parameters():
            p += torch.tensor(rng.normal(size=tuple(p.shape)) * 0.1)
    states = [{k: tuple(t.shape) for k, t in m.state_dict().items()} for m in (ours, theirs)]
    assert states[0] == states[1]
    ours.load_state_dict({k: ml.tensor(t.numpy()) for k, t in theirs.state_dict().items()})
    return ours, theirs


def arrays(shapes: tuple[tuple[int, ...], ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    return [rng.normal(size=shape) for shape in shapes]


def flat(out: Any) -> list[Any]:
    """The tensors of a result, which may be tuples of tuples."""
    return [x for part in out for x in flat(part)] if isinstance(out, tuple) else [] if out is None else [out]


def run(lib: Any, layer: Any, call: Any, given: list[np.ndarray]) -> list[np.ndarray]:
    """The results, and the gradients of a weighted sum of them."""
    leaves = [lib.tensor(a, requires_grad=True) for a in given]
    outs = flat(call(*leaves))
    rng = np.random.default_rng(2)
    floats = [x for x in outs if "float" in str(x.dtype)]
    sum((x * lib.tensor(rng.normal(size=tuple(x.shape)))).sum() for x in floats).backward()
    grads = [x.grad for x in [*leaves, *layer.parameters()]]
    found = [*outs, *(g for g in grads if g is not None), *layer.buffers()]
    result = [x.detach().numpy().copy() for x in found]
    for p in layer.parameters():
        p.grad = None
    return result


def agree(ours: list[np.ndarray], theirs: list[np.ndarray]) -> None:
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-9)


@NAMED
def test_a_module_is_pytorchs(name: str, args: Any, settings: Any, shapes: Any) -> None:
    ours, theirs = twins(name, args, settings)
    agree(run(ml, ours, ours, arrays(shapes)), run(torch, theirs, theirs, arrays(shapes)))
    agree(run(ml, ours.eval(), ours, arrays(shapes)), run(torch, theirs.eval(), theirs, arrays(shapes)))
    if name not in ("Transformer", "TransformerDecoderLayer", "Threshold") and not list(ours.children()):
        assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@NAMED
def test_a_compiled_module_is_eager(name: str, args: Any, settings: Any, shapes: Any, backend: str) -> None:
    ours, _ = twins(name, args, settings)
    ours.eval()
    eager = run(ml, ours, ours, arrays(shapes))
    agree(run(ml, ours, ml.compile(ours, backend=backend), arrays(shapes)), eager)


SMOOTH = [
    *(case for case in CURVES if case[0] in ("GELU", "SiLU", "Mish", "Sigmoid", "Softsign", "GLU")),
    *PAIRS[:2],
    *WEIGHTED[16:22],
]


@pytest.mark.parametrize(("name", "args", "settings", "shapes"), SMOOTH, ids=lambda v: str(v).replace(" ", ""))
def test_second_gradients(name: str, args: Any, settings: Any, shapes: Any) -> None:
    sides: list[list[np.ndarray]] = []
    for lib, layer in zip((ml, torch), twins(name, args, settings), strict=True):
        leaves = [lib.tensor(a, requires_grad=True) for a in arrays(shapes)]
        total = sum((x**2).sum() for x in flat(layer(*leaves)))
        firsts = lib.autograd.grad(total, leaves, create_graph=True)
        seconds = lib.autograd.grad(sum((g**2).sum() for g in firsts), leaves)
        sides.append([g.detach().numpy() for g in (*firsts, *seconds)])
    agree(*sides)


LABELS = [[1, 2, 2], [3, 1, 0], [4, 4, 4], [2, 0, 0]]
LABELLED: dict[str, tuple[str, dict[str, Any], tuple[int, ...], tuple[Any, ...]]] = {
    "all sequences": ("CTCLoss", {}, (7, 3, 5), (LABELS[:3], [7, 5, 6], [3, 2, 3])),
    "one after the other": ("CTCLoss", {"reduction": "sum"}, (7, 3, 5), ([1, 2, 2, 3, 1, 2], [7, 5, 6], [3, 2, 1])),
    "one sequence": ("CTCLoss", {"reduction": "none"}, (7, 5), ([1, 2, 2], [6], [3])),
    "no labels": ("CTCLoss", {"reduction": "none"}, (4, 2, 5), (LABELS[:2], [4, 3], [0, 2])),
    "no room": ("CTCLoss", {"zero_infinity": True}, (4, 2, 5), (LABELS[2:], [4, 4], [3, 1])),
    "another blank": ("CTCLoss", {"blank": 4}, (7, 2, 5), (LABELS[:2], [7, 7], [3, 3])),
    "margins": ("MultiLabelMarginLoss", {}, (2, 4), ([[3, 0, -1, 1], [1, -1, 0, 2]],)),
    "margins of a row": ("MultiLabelMarginLoss", {"reduction": "none"}, (4,), ([2, 1, 0, -1],)),
}


@pytest.mark.parametrize("case", LABELLED)
def test_a_loss_of_labels_is_pytorchs(case: str) -> None:
    """By the scores before log_softmax: PyTorch's own rule of ctc_loss is right behind one only."""
    name, settings, shape, given = LABELLED[case]
    scores, found = np.random.default_rng(3).normal(size=shape), list[list[np.ndarray]]()
    for lib, run_by in ((torch, lambda f: f), (ml, lambda f: f), (ml, ml.compile)):
        x, layer = lib.tensor(scores, requires_grad=True), getattr(lib.nn, name)(**settings)
        rest = [lib.tensor(part) for part in given]
        loss = run_by(lambda x, *rest, layer=layer: layer(x.log_softmax(-1), *rest))(x, *rest)
        loss.sum().backward()
        found.append([loss.detach().numpy(), x.grad.numpy()])
    agree(found[1], found[0])
    agree(found[2], found[1])
