"""Floats that differ between calls: a function that hands them to ops is captured twice, whatever else it does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.ops import OPS
from tests.compile.fuzz_walks import near

VALUES = [0.5 + i / 3 for i in range(12)]
HANDED = [
    "ml.clamp(x, a)", "x.clamp(max=a)", "x.clamp(-1.0, a)", "x.clone().clamp_(0.0, a)", "ml.where(x > 0, a, x)",
    "ml.where(x > 0, a, a + 1) * x", "ml.full((3,), a) * x", "ml.full_like(x, a) * x", "x.new_full((3,), a) * x",
    "x.masked_fill(x > 0, a)", "x.clone().masked_fill_(x > 0, a)", "ml.add(x, y, alpha=a)", "x.add(y, alpha=a)",
    "x.clone().add_(y, alpha=a)", "ml.addcmul(x, y, y, value=a)", "ml.addcdiv(x, y, y, value=a)", "ml.lerp(x, y, a)",
    "x.lerp(y, a)", "x.clone().lerp_(y, a)", "x.clone().addcmul_(y, y, value=a)", "F.leaky_relu(x, a)", "F.elu(x, a)",
    "x.clone().fill_(a) * x", "ml.tensor(a) * x", "F.threshold(x, a, 0.0)", "F.hardtanh(x, -a, a)", "ml.clip(x, -a, a)",
    "F.hardshrink(x, a)", "ml.addmm(m, m, m, beta=a, alpha=2.0)", "ml.addmv(x, m, y, alpha=a)",
    "ml.baddbmm(m[None], m[None], m[None], beta=a)", "x.index_fill(0, ml.arange(1), a)", "ml.float_power(x * x, a)",
    "F.margin_ranking_loss(x, y, y.sign(), margin=a)", "F.triplet_margin_loss(m, m + 1, m - 1, margin=a)",
    "F.cosine_embedding_loss(m, m, y.sign(), margin=a)", "F.rms_norm(x, (3,), eps=a)", "F.normalize(x, eps=a, dim=0)",
    "F.celu(x, a)", "F.softplus(x, beta=a)", "F.softplus(x, a, 1 / a)", "F.huber_loss(x, y, delta=a)",
    "F.softshrink(x, a)", "F.smooth_l1_loss(x, y, beta=a)", "F.rrelu(x, a / 8, a)", "F.dropout(x, a / 8)",
    "x.sigmoid().logit(a / 16)",
    "F.cross_entropy(m, m.softmax(1), label_smoothing=a / 8)", "F.gumbel_softmax(x, tau=a)", "x.clone().uniform_(0, a)",
    "F.cross_entropy(m, ml.arange(3), label_smoothing=a / 8)", "F.alpha_dropout(x, a / 8)", "F.selu(x) * min(a, 2.5)",
    "F.poisson_nll_loss(x, y, eps=a)", "ml.renorm(m, 2.0, 0, a)", "F.pairwise_distance(m, m + 1, eps=a)",
]  # fmt: skip


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("body", HANDED)
def test_a_number_that_is_handed_on_is_an_operand_from_the_second_value_on(body: str, backend: str) -> None:
    if backend == "llvm":
        pytest.importorskip("llvmlite")
    space: dict[str, Any] = {"ml": ml, "F": ml.nn.functional}
    exec(f"def f(x, y, m, a):\n    return {body}", space)
    compiled = ml.compile(space["f"], backend=backend, fullgraph=True)
    for a in VALUES:
        found = list[Any]()
        for f in (compiled, space["f"]):
            rows = [[0.5, -1.0, 2.0], [1.5, 1.0, -2.0]], [[1.0, 2.0, 3.0], [0.5, -1.0, 2.0], [3.0, -2.0, 1.0]]
            x, y = (ml.tensor(row, dtype=ml.float64, requires_grad=True) for row in rows[0])
            m = ml.tensor(rows[1], dtype=ml.float64, requires_grad=True)
            ml.manual_seed(0)
            out = f(x, y, m, a)
            (out * out).sum().backward()
            slopes = [g.grad.tolist() for g in (x, y, m) if g.grad is not None]
            found.append([out.tolist(), out.dtype, *slopes])
        assert near(found[0], found[1], 1e-12), a
    assert compiled.captures <= 2
    assert not compiled.reason


def test_a_number_that_decides_is_asked_for() -> None:
    compiled = ml.compile(lambda x, a: ml.nn.functional.softplus(x, a))
    for a in (1.0, 2.0, 3.0, 1.0, 2.0):
        x = ml.tensor([-1.0, 0.5, 30.0])
        assert compiled(x, a).tolist() == ml.nn.functional.softplus(x, a).tolist()


def test_a_comparison_with_a_constant_is_a_guard() -> None:
    def f(x: Any, a: Any) -> Any:
        return ml.addcmul(x, x, x, value=a)

    compiled = ml.compile(f)
    for a in (0.5, 2.0, 3.0, 1.0, 4.0, 1.0, 0.25):
        assert compiled(ml.tensor([2.0]), a).tolist() == [2.0 + 4.0 * a]
    assert compiled.captures <= 3
    assert "a == 1" in compiled.text


@pytest.mark.parametrize("name", [name for name, op in OPS.items() if op.operands is not None])
def test_an_op_whose_numbers_are_operands_is_the_same(name: str) -> None:
    op = OPS[name]
    for args, params in op.samples(np.random.default_rng(3)):
        ours, theirs = ([ml.tensor(x, requires_grad=True) for x in args] for _ in range(2))
        want, out = op(*theirs, **params), op.operands(*ours, **params)  # pyright: ignore[reportOptionalCall]
        assert (out.tolist(), out.dtype) == (want.tolist(), want.dtype)
        for y in (out, want):
            if y.requires_grad:
                y.sum().backward()
        assert [x.grad is None or x.grad.tolist() for x in ours] == [x.grad is None or x.grad.tolist() for x in theirs]
