"""Functions of nn.functional beside PyTorch's: values, gradients, and their gradients, in float64 and float32."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

import minitorch_lab as ml

pytestmark = pytest.mark.oracle

rng = np.random.default_rng(0)
X, Y, Z = rng.normal(size=(3, 4, 6))
P, T = rng.uniform(0.1, 0.9, (2, 4, 6))
SIGNS, CLASSES, IMAGE, HEADS = (
    np.sign(Y),
    rng.integers(0, 6, 4),
    rng.normal(size=(2, 4, 6, 6)),
    rng.normal(size=(2, 3, 5, 4)),
)
KERNELS, CUBES, FORMS = rng.normal(size=(4, 3, 3, 3)), rng.normal(size=(2, 1, 2, 3, 3)), rng.normal(size=(3, 6, 6))

Call = Callable[..., Any]
PLAIN = (
    "celu elu gelu glu hardshrink hardswish hardtanh leaky_relu logsigmoid mish relu relu6 rrelu selu sigmoid silu "
    "softplus softshrink softsign tanh tanhshrink"
)
CASES: dict[str, tuple[Call, tuple[np.ndarray, ...]]] = {
    **{name: (lambda nnf, t, a, name=name: getattr(nnf, name)(a), (X,)) for name in PLAIN.split()},
    "gelu by tanh": (lambda nnf, t, a: nnf.gelu(a, approximate="tanh"), (X,)),
    "softplus of beta": (lambda nnf, t, a: nnf.softplus(a, 2.0, 1.0), (X,)),
    "softmin": (lambda nnf, t, a: nnf.softmin(a, 1), (X,)),
    "prelu": (lambda nnf, t, a, w: nnf.prelu(a, w), (X, P[0])),
    "mse_loss": (lambda nnf, t, a, b: nnf.mse_loss(a, b), (X, Y)),
    "huber_loss": (lambda nnf, t, a, b: nnf.huber_loss(a, b, delta=0.7), (X, Y)),
    "smooth_l1_loss": (lambda nnf, t, a, b: nnf.smooth_l1_loss(a, b, beta=0.5), (X, Y)),
    "binary_cross_entropy": (lambda nnf, t, a, b: nnf.binary_cross_entropy(a, b), (P, T)),
    "of logits": (lambda nnf, t, a: nnf.binary_cross_entropy_with_logits(a, t(T), t(T), pos_weight=t(P)), (X,)),
    "kl_div": (lambda nnf, t, a: nnf.kl_div(a, t(T), reduction="batchmean"), (X,)),
    "kl_div of logs": (lambda nnf, t, a, b: nnf.kl_div(a, b, reduction="sum", log_target=True), (X, Y)),
    "poisson_nll_loss": (lambda nnf, t, a: nnf.poisson_nll_loss(a, t(T * 5), full=True), (X,)),
    "gaussian_nll_loss": (lambda nnf, t, a, b, v: nnf.gaussian_nll_loss(a, b, v, full=True), (X, Y, P)),
    "soft_margin_loss": (lambda nnf, t, a: nnf.soft_margin_loss(a, t(SIGNS)), (X,)),
    "hinge_embedding_loss": (lambda nnf, t, a: nnf.hinge_embedding_loss(a, t(SIGNS)), (X,)),
    "margin_ranking_loss": (lambda nnf, t, a, b: nnf.margin_ranking_loss(a, b, t(SIGNS), 0.3), (X, Y)),
    "cosine_embedding_loss": (lambda nnf, t, a, b: nnf.cosine_embedding_loss(a, b, t(SIGNS[:, 0]), 0.1), (X, Y)),
    "triplet_margin_loss": (lambda nnf, t, a, b, c: nnf.triplet_margin_loss(a, b, c, swap=True), (X, Y, Z)),
    "multilabel": (lambda nnf, t, a: nnf.multilabel_soft_margin_loss(a, t((T > 0.5) * 1.0)), (X,)),
    "cross_entropy": (lambda nnf, t, a: nnf.cross_entropy(a, t(CLASSES), t(P[0]), label_smoothing=0.2), (X,)),
    "ignored": (lambda nnf, t, a: nnf.cross_entropy(a, t(CLASSES), ignore_index=int(CLASSES[0])), (X,)),
    "at probabilities": (
        lambda nnf, t, a: nnf.cross_entropy(a, t(T / T.sum(1, keepdims=True)), label_smoothing=0.1),
        (X,),
    ),
    "nll_loss": (lambda nnf, t, a: nnf.nll_loss(nnf.log_softmax(a, 1), t(CLASSES), t(P[0])), (X,)),
    "normalize": (lambda nnf, t, a: nnf.normalize(a, p=3.0), (X,)),
    "cosine_similarity": (lambda nnf, t, a, b: nnf.cosine_similarity(a, b), (X, Y)),
    "pairwise_distance": (lambda nnf, t, a, b: nnf.pairwise_distance(a, b, p=3.0), (X, Y)),
    "bilinear": (lambda nnf, t, a, b, w: nnf.bilinear(a, b, w), (X, Y, FORMS)),
    "avg_pool2d": (lambda nnf, t, a: nnf.avg_pool2d(a, 3, 2, 1, ceil_mode=True, count_include_pad=False), (IMAGE,)),
    "max_pool2d": (lambda nnf, t, a: nnf.max_pool2d(a, 3, 2, 1, ceil_mode=True), (IMAGE,)),
    "adaptive_avg_pool2d": (lambda nnf, t, a: nnf.adaptive_avg_pool2d(a, (4, 5)), (IMAGE,)),
    "adaptive_max_pool2d": (lambda nnf, t, a: nnf.adaptive_max_pool2d(a, (4, 5)), (IMAGE,)),
    "interpolate": (lambda nnf, t, a: nnf.interpolate(a, size=(9, 4), mode="bilinear"), (IMAGE,)),
    "aligned": (lambda nnf, t, a: nnf.interpolate(a, scale_factor=2, mode="bilinear", align_corners=True), (IMAGE,)),
    "instance_norm": (lambda nnf, t, a: nnf.instance_norm(a), (IMAGE,)),
    "group_norm": (lambda nnf, t, a: nnf.group_norm(a, 2), (IMAGE,)),
    "layer_norm": (lambda nnf, t, a: nnf.layer_norm(a, (6,)), (IMAGE,)),
    "rms_norm": (lambda nnf, t, a: nnf.rms_norm(a, (6,)), (IMAGE,)),
    "pixel_shuffle": (lambda nnf, t, a: nnf.pixel_shuffle(a, 2), (IMAGE,)),
    "unfold": (lambda nnf, t, a: nnf.unfold(a, 3, 1, 1, 2), (IMAGE,)),
    "pad by reflection": (lambda nnf, t, a: nnf.pad(a, (2, 1, 1, 3), mode="reflect"), (IMAGE,)),
    "conv_transpose2d": (lambda nnf, t, a, w: nnf.conv_transpose2d(a, w, None, 2, 1, 1), (IMAGE, KERNELS)),
    "conv3d": (lambda nnf, t, a, w: nnf.conv3d(a.reshape(2, 1, 4, 6, 6), w), (IMAGE, CUBES)),
    "attention": (
        lambda nnf, t, a, b: nnf.scaled_dot_product_attention(a, b, a * b, t(HEADS[0, 0] @ HEADS[0, 0].T)),
        (HEADS, HEADS[::-1]),
    ),
}


def weights(n: int, shape: Any, turn: float) -> np.ndarray:
    """Numbers of which no two are alike, so that no error hides in a sum."""
    return np.cos(1.7 * np.arange(n) + turn).reshape(tuple(shape))


def answers(library: Any, call: Call, inputs: tuple[np.ndarray, ...], dtype: str) -> list[np.ndarray]:
    """The value, its gradient in one direction, and the gradient of that."""

    def tensor(x: np.ndarray) -> Any:
        return library.tensor(np.ascontiguousarray(x).astype(dtype if x.dtype.kind == "f" else x.dtype))

    leaves = [tensor(x).requires_grad_() for x in inputs]
    out = call(library.nn.functional, tensor, *leaves)
    first = library.autograd.grad((out * tensor(weights(out.numel(), out.shape, 0.0))).sum(), leaves, create_graph=True)
    bent = sum((g * g * tensor(weights(g.numel(), g.shape, 1.0))).sum() for g in first)
    second = library.autograd.grad(bent, leaves, allow_unused=True) if bent.requires_grad else [None] * len(leaves)
    there = [np.zeros(x.shape, dtype) if g is None else g.detach().numpy() for x, g in zip(inputs, second, strict=True)]
    return [out.detach().numpy(), *(g.detach().numpy() for g in first), *there]


@pytest.mark.parametrize(("dtype", "near"), [("float64", 1e-8), ("float32", 2e-3)])
@pytest.mark.parametrize("case", CASES)
def test_values_gradients_and_their_gradients(case: str, dtype: str, near: float) -> None:
    with sdpa_kernel(SDPBackend.MATH):  # the others have no second gradient
        theirs = answers(torch, *CASES[case], dtype)
    ours = answers(ml, *CASES[case], dtype)
    for a, b in zip(ours, theirs, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=near, atol=near)
