"""Rows B2, B8 and B9 of the systems: the figures of forward mode, of softmax cross-entropy and of the transforms."""

from __future__ import annotations

import math
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.func import grad, jacfwd, jacrev, jvp, vjp, vmap
from minitorch_lab.lessons.counting import counted


def number(x: float) -> Any:
    return ml.tensor(x, dtype=ml.float64)


# ---- B2: forward mode ----------------------------------------------------------------------------------------------


def test_row_b2_x_squared_times_sine() -> None:
    def steps(x: Any) -> Any:
        a, b = x**2, x.sin()
        return a, b, a * b

    values, slopes = jvp(steps, (number(2.0),), (number(1.0),))
    assert [v.item() for v in values] == pytest.approx([4.0, 0.9093, 3.6372], abs=5e-5)
    assert [s.item() for s in slopes] == pytest.approx([4.0, -0.4161, 1.9726], abs=5e-5)
    assert slopes[2].item() == pytest.approx(4 * math.sin(2) + 4 * math.cos(2), rel=1e-14)


def test_row_b2_the_run_of_row_b1_forward() -> None:
    def steps(v1: Any) -> Any:
        v2 = v1.exp()
        v3 = 1 + v2
        return v2, v3, v2 * v3

    values, slopes = jvp(steps, (number(math.log(2)),), (number(1.0),))
    assert [v.item() for v in values] == pytest.approx([2.0, 3.0, 6.0])
    assert [s.item() for s in slopes] == pytest.approx([2.0, 2.0, 10.0])


def test_row_b2_two_inputs_both_ways() -> None:
    def y(x1: Any, x2: Any) -> Any:
        return x1.log() + x1 * x2 - x2.sin()

    at, on, off = (number(2.0), number(5.0)), number(1.0), number(0.0)
    value, first = jvp(y, at, (on, off))
    second = jvp(y, at, (off, on))[1]
    assert (value.item(), first.item(), second.item()) == pytest.approx((11.6521, 5.5, 1.7163), abs=5e-5)
    back, pull = vjp(y, *at)
    assert (back.item(), *(g.item() for g in pull(on))) == pytest.approx((value.item(), first.item(), second.item()))
    assert jvp(y, at, (on, on))[1].item() == pytest.approx(first.item() + second.item())


def test_row_b2_forward_costs_grow_with_inputs_and_reverse_costs_with_outputs() -> None:
    def runs(transform: Any, n: int, m: int) -> float:
        ml.manual_seed(0)
        a, b = ml.randn(64, n), ml.randn(m, 64)
        f, x = (lambda x: b @ (a @ x).tanh()), ml.ones(n)
        return counted(transform(f), x).work / counted(f, x).work

    assert [runs(jacfwd, n, 8) / n for n in (64, 256)] == pytest.approx([1, 1], rel=0.06)
    assert [runs(jacrev, 8, m) / m for m in (64, 256)] == pytest.approx([1, 1], rel=0.06)
    assert runs(jacfwd, 8, 1) == pytest.approx(runs(jacfwd, 8, 256), rel=0.01)
    assert runs(jacrev, 1, 8) == pytest.approx(runs(jacrev, 256, 8), rel=0.03)
    assert runs(jacrev, 256, 1) < 3


# ---- B8: softmax cross-entropy -------------------------------------------------------------------------------------


def loss(scores: Any, label: Any) -> Any:
    moved = scores - scores.amax(dim=0)
    return moved.exp().sum().log() - moved[label]


def test_row_b8_the_gradient_is_p_minus_y() -> None:
    ml.manual_seed(0)
    scores, labels = 3 * ml.randn(20, 7, dtype=ml.float64), ml.randint(0, 7, (20,))
    made = vmap(grad(loss))(scores, labels).tolist()
    for row, label, found in zip(scores.tolist(), labels.tolist(), made, strict=True):
        total = sum(math.exp(s) for s in row)
        wanted = [math.exp(s) / total - (k == label) for k, s in enumerate(row)]
        assert found == pytest.approx(wanted, abs=1e-12)
        assert sum(found) == pytest.approx(0.0, abs=1e-12)


def test_row_b8_equal_scores_and_scores_beyond_exp() -> None:
    assert grad(loss)(ml.zeros(3, dtype=ml.float64), ml.tensor(0)).tolist() == pytest.approx([-2 / 3, 1 / 3, 1 / 3])
    assert grad(loss)(number(1000.0) * ml.tensor([1.0, 0.0, -1.0]), ml.tensor(1)).tolist() == [1.0, -1.0, 0.0]


# ---- B9: functional transforms -------------------------------------------------------------------------------------


def test_row_b9_the_listing_with_in_axes() -> None:
    """A linear model's loss, its gradient, that for a batch with shared parameters, and the program of it kept."""

    def squared(params: Any, x: Any, y: Any) -> Any:
        return ((x @ params["w"] + params["b"] - y) ** 2).mean()

    ml.manual_seed(0)
    params = {"w": ml.randn(3, 2, dtype=ml.float64), "b": ml.randn(2, dtype=ml.float64)}
    xs, ys = ml.randn(5, 3, dtype=ml.float64), ml.randn(5, 2, dtype=ml.float64)
    batched = vmap(grad(squared), in_axes=(None, 0, 0))
    found = batched(params, xs, ys)
    assert {name: g.shape for name, g in found.items()} == {"w": (5, 3, 2), "b": (5, 2)}
    for k in range(5):
        error = xs[k] @ params["w"] + params["b"] - ys[k]  # the mean over two outputs: 2/2 · error
        assert found["b"][k].tolist() == pytest.approx(error.tolist(), abs=1e-12)
        assert found["w"][k].tolist() == [pytest.approx((x * error).tolist(), abs=1e-12) for x in xs[k]]
    kept = ml.jit(batched)(params, xs, ys)
    for name in params:
        assert kept[name].flatten().tolist() == pytest.approx(found[name].flatten().tolist())


def test_row_b9_side_effects_vanish_after_the_first_trace() -> None:
    runs: list[int] = []

    def noted(x: Any) -> Any:
        runs.append(1)
        return (x.sin() * x).sum()

    fast = ml.jit(vmap(grad(noted)))
    for batch, so_far in ((ml.ones(2, 3), 1), (ml.zeros(2, 3), 1), (ml.ones(4, 3), 2)):
        fast(batch)
        assert len(runs) == so_far
