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


# ---- grids ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("corners", [False, True])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["bilinear", "nearest"])
def test_grid_sample(mode: str, padding: str, corners: bool) -> None:
    for lengths in ((4, 5), (3, 2, 4), (1, 3)):
        rng = np.random.default_rng(1)
        new = (3, 4, 2)[: len(lengths)]
        arrays = rng.normal(size=(2, 3, *lengths)), rng.uniform(-2.5, 2.5, (2, *new, len(lengths)))
        arrays[1].flat[:4] = [-1.0, 1.0, 0.0, 0.5]
        u, found = rng.normal(size=(2, 3, *new)), []
        for t in (ml, torch):
            x, grid = leaves(t, *arrays)
            out = t.nn.functional.grid_sample(x, grid, mode, padding, corners)
            gx, gg = t.autograd.grad((out * t.tensor(u)).sum(), (x, grid), allow_unused=True)
            found.append((out, gx, t.zeros_like(grid.detach()) if gg is None else gg))
        for a, b in zip(*found, strict=True):
            near(a, b)


@pytest.mark.filterwarnings("ignore:Since version 1.3.0")
@pytest.mark.parametrize("corners", [False, True])
@pytest.mark.parametrize("size", [(2, 1, 3, 4), (2, 1, 1, 2), (1, 2, 2, 3, 4)])
def test_affine_grid(size: tuple[int, ...], corners: bool) -> None:
    n, found = len(size) - 2, []
    theta = np.random.default_rng(2).normal(size=(size[0], n, n + 1))
    for t in (ml, torch):
        (x,) = leaves(t, theta)
        grid = t.nn.functional.affine_grid(x, size, align_corners=corners)
        (grid * grid).sum().backward()
        found.append((grid, x.grad))
    for a, b in zip(*found, strict=True):
        near(a, b)


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_a_compiled_grid_sample(backend: str) -> None:
    def warped(x: Any, theta: Any) -> Any:
        grid = ml.nn.functional.affine_grid(theta, x.shape, align_corners=False)
        return ml.nn.functional.grid_sample(x, grid, padding_mode="border", align_corners=False)

    compiled = ml.compile(warped, backend=backend)
    for seed in (0, 1):
        rng = np.random.default_rng(seed)
        arrays = rng.normal(size=(2, 1, 3, 4)), rng.normal(size=(2, 2, 3))
        found = []
        for fn in (compiled, warped):
            x, theta = leaves(ml, *arrays)
            out = fn(x, theta)
            out.sum().backward()
            found.append([v.tolist() for v in (out.detach(), x.grad, theta.grad)])
        for a, b in zip(*found, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


# ---- further names --------------------------------------------------------------------------------------------------

IMAGE, KERNEL = RNG.normal(size=(2, 3, 5, 5)), RNG.normal(size=(4, 3, 3, 3))
NAMED = {
    "conv2d": lambda t: t.conv2d(t.tensor(IMAGE), t.tensor(KERNEL), None, 1, 1),
    "conv1d": lambda t: t.conv1d(t.tensor(IMAGE[..., 0]), t.tensor(KERNEL[..., 0])),
    "dropout": lambda t: t.dropout(t.tensor(A), 0.5, False),
    "cosine_similarity": lambda t: t.cosine_similarity(t.tensor(A), t.tensor(A[::-1].copy()), dim=1),
    "pairwise_distance": lambda t: t.pairwise_distance(t.tensor(A), t.tensor(A + 1.0)),
    "celu": lambda t: t.celu(t.tensor(A), 0.5),
    "max_pool2d": lambda t: t.max_pool2d(t.tensor(IMAGE), 2),
    "layer_norm": lambda t: t.layer_norm(t.tensor(A), (3,)),
    "group_norm": lambda t: t.group_norm(t.tensor(IMAGE), 3),
    "prelu": lambda t: t.prelu(t.tensor(A), t.tensor([0.25], dtype=t.float64)),
    "threshold": lambda t: t.threshold(t.tensor(A), 0.1, 7.0),
    "singular values": lambda t: t.svd(t.tensor(A)).S,
    "svd": lambda t: t.svd(t.tensor(A))[0].abs() @ t.svd(t.tensor(A))[2].abs().mT,
    "whole svd": lambda t: t.svd(t.tensor(B), some=False).V.abs()[:, :3],
    "no vectors": lambda t: t.svd(t.tensor(A), compute_uv=False).V,
    "pinverse": lambda t: t.pinverse(t.tensor(A)),
    "a method": lambda t: t.tensor(A).pinverse(),
    "split_with_sizes": lambda t: t.tensor(A).split_with_sizes([1, 2], 1)[1],
    "range": lambda t: t.range(1, 4),
    "range with steps": lambda t: t.range(0, 1, 0.25, dtype=t.float64),
    "hann_window": lambda t: t.hann_window(7, dtype=t.float64),
    "a hann_window with both ends": lambda t: t.hann_window(7, periodic=False, dtype=t.float64),
    "a hann_window of one": lambda t: t.hann_window(1, dtype=t.float64),
    "bernoulli": lambda t: t.tensor([0.0, 1.0]).bernoulli(),
    "multinomial": lambda t: t.tensor([0.0, 1.0]).multinomial(3, replacement=True),
}


@pytest.mark.filterwarnings("ignore:torch.range")
@pytest.mark.parametrize("name", NAMED)
def test_names_that_say_something_else_in_few_words(name: str) -> None:
    near(*(NAMED[name](t) for t in (ml, torch)))


def test_rooms_under_the_names_of_torch() -> None:
    from minitorch_lab.nn.utils.clip_grad import clip_grad_norm_
    from minitorch_lab.utils.data.dataloader import default_collate
    from minitorch_lab.utils.data.sampler import Sampler

    assert clip_grad_norm_ is ml.nn.utils.clip_grad_norm_
    assert default_collate is ml.utils.data.default_collate
    assert Sampler is ml.data.Sampler
    ml.random.manual_seed(3)
    first = ml.rand(2).tolist()
    ml.manual_seed(3)
    assert ml.rand(2).tolist() == first
