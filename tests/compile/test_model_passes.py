"""Passes that know what layers are made of: a batch norm goes into weights, products become one, biases are joined."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.compiler.autodiff.aot import joint
from minitorch_lab.compiler.capture.jit import captured
from minitorch_lab.compiler.ir.cost import unfused
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.ir.graph import Graph
from minitorch_lab.compiler.ir.verify import verify
from minitorch_lab.compiler.passes.conv_bn import conv_bn
from minitorch_lab.compiler.passes.dce import dce
from minitorch_lab.compiler.passes.linear_act import epilogues, linear_act
from minitorch_lab.compiler.passes.pipeline import DEFAULT, optimize
from minitorch_lab.compiler.passes.qkv import qkv

F = nn.functional


def random_like(graph: Graph, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [ml.tensor((abs(rng.normal(size=n.shape)) + 0.5).astype(n.dtype)) for n in graph.placeholders]


def same(graph: Graph, new: Graph, rtol: float = 1e-5) -> None:
    verify(new)
    given = random_like(graph)
    want, got = evaluate(graph, given), evaluate(new, given)
    np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=rtol, atol=rtol)


# ---- convolution and batch norm -------------------------------------------------------------------------------------


def normed(x: Any, w: Any, b: Any, mean: Any, var: Any, gamma: Any, beta: Any) -> Any:
    return F.batch_norm(F.conv2d(x, w, b), mean, var, gamma, beta)


def test_row_a10_conv_and_batch_norm_become_a_convolution() -> None:
    graph = captured(normed, (ml.ones(1, 2, 3, 3), ml.ones(2, 2, 1, 1), *(ml.ones(2) for _ in range(5))), {})
    done: Counter[str] = Counter()
    new = optimize(conv_bn(graph, done), ["simplify", "cse", "dce"])
    assert done == {"scales in weights": 1}
    start = str(graph).splitlines()[:6]  # the windows, and the filters as a matrix, stay
    assert str(new).splitlines() == [*start, *GOLDEN.splitlines()]
    same(graph, new)


GOLDEN = """\
    add_1: f32[2] = add(var, 1e-05)
    sqrt: f32[2] = sqrt(add_1)
    sub_1: f32[2] = sub(b, mean)
    div_1: f32[2] = div(1.0, sqrt)
    div_2: f32[2] = div(sub_1, sqrt)
    mul_1: f32[2] = mul(div_1, gamma)
    mul_2: f32[2] = mul(div_2, gamma)
    add_3: f32[2] = add(mul_2, beta)
    reshape_14: f32[1, 2, 1] = reshape(mul_1, shape=(1, 2, 1))
    mul_3: f32[1, 2, 2] = mul(reshape, reshape_14)
    matmul_1: f32[1, 2, 9] = matmul(mul_3, reshape_2)
    reshape_15: f32[2, 1, 3, 3] = reshape(matmul_1, shape=(2, 1, 3, 3))
    permute_2: f32[1, 2, 3, 3] = permute(reshape_15, axes=(1, 0, 2, 3))
    reshape_16: f32[2, 1, 1] = reshape(add_3, shape=(2, 1, 1))
    add_2: f32[1, 2, 3, 3] = add(permute_2, reshape_16)
    return add_2"""


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("groups", [1, 2])
def test_a_frozen_network_loses_its_batch_norms(bias: bool, groups: int) -> None:
    ml.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(4, 6, 3, padding=1, groups=groups, bias=bias), nn.BatchNorm2d(6), nn.ReLU())
    for _ in range(3):
        net(ml.randn(8, 4, 5, 5) * 2 + 1)
    net.eval()
    x = ml.randn(2, 4, 5, 5)
    graph = captured(net.forward, (x,), {})
    new = optimize(graph, ["freeze", "conv_bn", "simplify", "fold", "cse", "dce"])
    verify(new)
    np.testing.assert_allclose(evaluate(new, [x]).numpy(), net(x).detach().numpy(), rtol=1e-4, atol=1e-5)
    arithmetic = [n.op.name for n in new.calls if n.op is not None and n.op.name in ("add", "sub", "mul", "div")]
    assert arithmetic == ["add"]  # of five passes over the activations one is left
    assert unfused(new).nbytes < unfused(graph).nbytes


def test_the_batch_norm_of_training_stays() -> None:
    ml.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3, track_running_stats=False))
    graph = captured(net.forward, (ml.randn(2, 2, 5, 5),), {})
    assert str(conv_bn(graph)) == str(graph)


def test_what_somebody_else_reads_stays() -> None:
    def f(x: Any, w: Any, mean: Any, var: Any) -> Any:
        out = F.conv2d(x, w)
        return F.batch_norm(out, mean, var) + out

    graph = captured(f, (ml.ones(1, 2, 3, 3), ml.ones(2, 2, 1, 1), ml.ones(2), ml.ones(2)), {})
    assert str(conv_bn(graph)) == str(graph)


def test_gradients_reach_the_weights_through_the_scaled_ones() -> None:
    given = (ml.ones(2, 2, 4, 4), ml.ones(2, 2, 3, 3), *(ml.ones(2) for _ in range(5)))
    graph = captured(lambda *a: normed(*a).sum(), given, {})
    new = optimize(graph)
    arrays = random_like(graph)
    want, got = (evaluate(joint(g).graph, [*arrays, ml.tensor(1.0)]) for g in (graph, new))
    for a, b in zip(want, got, strict=True):
        np.testing.assert_allclose(b.numpy(), a.numpy(), rtol=1e-3, atol=1e-3)


# ---- products of one input ------------------------------------------------------------------------------------------


def attention(h: Any, q: Any, k: Any, v: Any) -> Any:
    queries, keys, values = h @ q, h @ k, h @ v
    return (queries @ keys.mT).softmax(-1) @ values


def test_row_a10_qkv_one_read_of_h_not_three() -> None:
    graph = captured(attention, (ml.ones(64, 8), *(ml.ones(8, 4) for _ in range(3))), {})
    assert str(graph).splitlines()[1:4] == [
        "    matmul: f32[64, 4] = matmul(h, q)",
        "    matmul_1: f32[64, 4] = matmul(h, k)",
        "    matmul_2: f32[64, 4] = matmul(h, v)",
    ]
    done: Counter[str] = Counter()
    new = qkv(graph, done)
    assert done == {"3 products in one": 1}
    assert str(new).splitlines()[1:6] == [
        "    cat: f32[8, 12] = cat(q, k, v, axis=1)",
        "    matmul_5: f32[64, 12] = matmul(h, cat)",
        "    getitem: f32[64, 4] = getitem(matmul_5, index=(..., 0:4))",
        "    getitem_1: f32[64, 4] = getitem(matmul_5, index=(..., 4:8))",
        "    getitem_2: f32[64, 4] = getitem(matmul_5, index=(..., 8:12))",
    ]
    reads = [sum(n in call.inputs for call in g.calls) for g in (graph, new) for n in g.placeholders[:1]]
    assert reads == [3, 1]
    same(graph, new)


def test_linear_layers_of_different_widths() -> None:
    def f(h: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        return F.linear(h, w1, b1).sum() + F.linear(h, w2, b2).exp().sum()

    given = (ml.ones(32, 2, 4), ml.ones(3, 4), ml.ones(3), ml.ones(5, 4), ml.ones(5))
    graph = captured(f, given, {})
    new = qkv(graph)
    assert [n.op.name for n in new.calls if n.op is not None][:4] == ["cat", "cat", "linear", "getitem"]
    same(graph, new)


@pytest.mark.parametrize(
    ("fn", "rows"),
    [
        (lambda h, q, k: (h @ q) * (h @ k), 2),  # few rows: putting the matrices together would cost more
        (lambda h, q, k: (h @ q, h @ k), 64),  # each result has memory of its own
        (lambda h, q, k: h @ (h @ q).exp()[:4], 64),  # a matrix that is made later
        (lambda h, q, k: (h @ q[0]) * (h @ k[0]), 64),  # vectors
    ],
)
def test_products_that_stay(fn: Any, rows: int) -> None:
    graph = captured(fn, (ml.ones(rows, 4), ml.ones(4, 4), ml.ones(4, 4)), {})
    assert str(qkv(graph)) == str(graph)


def test_row_a10_qkv_is_found_in_a_transformer() -> None:
    """Its weights are slices of one, made one by one; long enough a text is worth putting them together again."""
    ml.manual_seed(0)
    layer = nn.MultiheadAttention(8, 2, batch_first=True)
    graph = captured(lambda x: layer(x, x, x, need_weights=False)[0], (ml.ones(4, 16, 8),), {})
    done: Counter[str] = Counter()
    new = qkv(graph, done)
    verify(new)
    assert done == {"3 products in one": 1}
    assert [n.op.name for n in graph.calls if n.op is not None].count("linear") == 4
    assert [n.op.name for n in new.calls if n.op is not None].count("linear") == 2
    x = ml.randn(4, 16, 8)
    np.testing.assert_allclose(evaluate(new, [x]).detach().numpy(), layer(x, x, x)[0].detach().numpy(), atol=1e-5)


def test_frozen_matrices_are_put_together_once() -> None:
    ml.manual_seed(0)
    q, k = nn.Linear(4, 4), nn.Linear(4, 4)
    graph = captured(lambda h: q(h).tanh() * k(h), (ml.ones(2, 4),), {})
    assert "cat" not in str(qkv(graph))
    new = optimize(graph, ["freeze", "qkv", "fold", "dce"])
    assert [n.op.name for n in new.calls if n.op is not None] == ["linear", "getitem", "getitem", "tanh", "mul"]
    x = ml.randn(2, 4)
    np.testing.assert_allclose(evaluate(new, [x]).numpy(), evaluate(graph, [x]).detach().numpy(), rtol=1e-5)


# ---- linear ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fn", [lambda x, w, b: (x @ w + b).relu(), lambda x, w, b: (b + x @ w).relu()], ids=["right", "left"]
)
def test_a_product_plus_a_bias_is_linear(fn: Any) -> None:
    graph = captured(fn, (ml.ones(4, 3), ml.ones(3, 2), ml.ones(2)), {})
    done: Counter[str] = Counter()
    new = dce(linear_act(graph, done))
    assert str(new) == (
        "graph(x: f32[4, 3], w: f32[3, 2], b: f32[2]):\n"
        "    permute: f32[2, 3] = permute(w, axes=(1, 0))\n"
        "    linear: f32[4, 2] = linear(x, permute, b)\n"
        "    relu: f32[4, 2] = relu(linear)\n"
        "    return relu"
    )
    assert done == {"linear": 1}
    assert [(e.product.name, e.activation.name) for e in epilogues(new)] == [("linear", "relu")]
    same(graph, new, rtol=1e-7)


@pytest.mark.parametrize(
    "fn",
    [
        lambda x, w, b: ((x @ w) + b) * (x @ w).exp() + (lambda y: (y + b) * y)(x @ w),  # the product is read twice
        lambda x, w, b: x @ w + b.reshape(2, 1)[0],  # one number for all
        lambda x, w, b: x @ w + 1.0,
    ],
)
def test_sums_that_stay(fn: Any) -> None:
    graph = captured(fn, (ml.ones(4, 3), ml.ones(3, 2), ml.ones(2)), {})
    last = str(graph).splitlines()[-3:]
    assert str(linear_act(graph)).splitlines()[-3:] == last


# ---- whole models ---------------------------------------------------------------------------------------------------


class Residual(nn.Module):
    """Two convolutions with batch norms around a shortcut."""

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two = nn.Conv2d(3, 3, 3, padding=1), nn.Conv2d(3, 3, 3, padding=1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(3), nn.BatchNorm2d(3)

    def forward(self, x: Any) -> Any:
        return (x + self.norm2(self.two(self.norm1(self.one(x)).relu()))).relu()


def mlp() -> Any:
    return nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 4), nn.LogSoftmax(1))


MODELS = [
    (mlp, (5, 8)),
    (Residual, (2, 3, 6, 6)),
    (lambda: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), (2, 5, 8)),
]


@pytest.mark.parametrize(("make", "shape"), MODELS, ids=["mlp", "residual", "transformer"])
@pytest.mark.parametrize("more", [(), ("freeze",), ("decompose",), ("freeze", "decompose")], ids=str)
def test_models_keep_their_values(make: Any, shape: tuple[int, ...], more: tuple[str, ...]) -> None:
    ml.manual_seed(0)
    model = make().eval()
    x = ml.randn(*shape)
    graph = captured(model.forward, (x,), {})
    new = optimize(graph, [*more, *DEFAULT])
    verify(new)
    assert unfused(new).nbytes <= unfused(graph).nbytes or "decompose" in more
    np.testing.assert_allclose(evaluate(new, [x]).detach().numpy(), model(x).detach().numpy(), rtol=1e-4, atol=1e-5)
