"""Tracing: what it remembers, what it silently does not, and the check that finds it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, CaptureError


def branching(x: Any) -> Any:
    if x.sum() > 0:
        return x * 2
    return x * 3


def test_row_a4_a_trace_is_silently_wrong_on_the_other_branch() -> None:
    traced = ml.jit.trace(branching, ml.tensor([1.0]))
    assert traced(ml.tensor([2.0])).tolist() == [4.0]
    assert branching(ml.tensor([-1.0])).tolist() == [-3.0]
    assert traced(ml.tensor([-1.0])).tolist() == [-2.0]
    assert str(traced) == (
        "branching(x: f32[1]):\n"
        "    sum: f32[] = sum(x, axis=(0,), keepdims=False)\n"
        "    gt: b8[] = gt(sum, 0)\n"
        "    mul: f32[1] = mul(x, 2)\n"
        "    return mul"
    )


def test_row_a4_the_check_finds_it() -> None:
    ml.jit.trace(branching, ml.tensor([1.0]), check=(ml.tensor([5.0]),))
    with pytest.raises(CaptureError) as caught:
        ml.jit.trace(branching, ml.tensor([1.0]), check=[(ml.tensor([5.0]),), (ml.tensor([-1.0]),)])
    assert "silently wrong on the arguments in check" in str(caught.value)
    assert "`mul: f32[1] = mul(x, 2)` (test_trace.py, line" in str(caught.value)
    assert "the function ran `mul: f32[1] = mul(x, 3)` (test_trace.py, line" in str(caught.value)


def test_the_trace_keeps_writes_views_and_modes() -> None:
    def f(x: Any) -> Any:
        y = x * 2.0
        with ml.no_grad():
            y.mul_(3.0)
        y[1:].add_(1.0)
        return (y * y).sum()

    traced = ml.jit.trace(f, ml.ones(3))
    for run in (f, traced):
        x = ml.tensor([1.0, 2.0, 3.0], requires_grad=True)
        out = run(x)
        out.backward()
        assert out.item() == 6.0**2 + 13.0**2 + 19.0**2
        assert x.grad is not None
        assert x.grad.tolist() == [24.0, 52.0, 76.0]


def test_a_walk_inside_is_part_of_the_trace() -> None:
    def slope(x: Any) -> Any:
        x = x.detach().requires_grad_()
        return ml.autograd.grad((x**3).sum(), x)[0]

    traced = ml.jit.trace(slope, ml.ones(2))
    got = traced(ml.tensor([1.0, 2.0]))
    assert got.tolist() == [3.0, 12.0]
    assert not got.requires_grad


def test_constants_are_read_when_the_trace_runs() -> None:
    w = ml.tensor([1.0, 2.0], requires_grad=True)
    traced = ml.jit.trace(lambda x: x * w, ml.ones(2))
    with ml.no_grad():
        w.mul_(10.0)
    out = traced(ml.ones(2))
    out.sum().backward()
    assert out.tolist() == [10.0, 20.0]
    assert w.grad is not None
    assert w.grad.tolist() == [1.0, 1.0]


def test_the_same_tensor_twice_is_one_argument() -> None:
    x = ml.ones(2)
    traced = ml.jit.trace(lambda a, b: a.add_(1.0) * b, x, x)
    assert len(traced.graph.placeholders) == 1
    y = ml.zeros(2)
    np.testing.assert_array_equal(traced(y, y).numpy(), [1.0, 1.0])


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: ml.jit.trace(branching), ArgumentError, "no examples"),
        (lambda: ml.jit.trace(branching, ml.ones(1))(ml.ones(2)), CaptureError, r"(?s)made with f32\[1\].*trace again"),
        (lambda: ml.jit.trace(branching, ml.ones(1))(ml.ones(1), ml.ones(1)), CaptureError, "trace of 1 tensors got 2"),
        (
            lambda: ml.jit.trace(lambda x: x.requires_grad_().sum().backward(), ml.ones(1)),
            CaptureError,
            "autograd.grad",
        ),
    ],
    ids=["no examples", "another shape", "too many", "backward"],
)
def test_wrong_uses(call: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        call()
