"""detect_anomaly: the forward line whose rule gave NaN."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.autograd import checkpoint, detect_anomaly, grad
from minitorch_lab.errors import GradientError


def leaf(*values: float) -> ml.Tensor:
    return ml.tensor(values, dtype=ml.float64, requires_grad=True)


def caught(run: Any) -> str:
    with detect_anomaly(), pytest.raises(GradientError) as error:
        run()
    return str(error.value)


def root(x: ml.Tensor) -> ml.Tensor:
    y = x * 1.0
    bad = y.sqrt()  # the line
    return (bad * y).sum()


def test_the_line_is_named() -> None:
    text = caught(lambda: root(leaf(0.0, 4.0)).backward())
    assert re.fullmatch(
        r"SqrtBackward gave NaN for input 0, in 1 of 2 entries\.\n"
        r"  The forward pass made it at test_anomaly\.py, line \d+: bad = y\.sqrt\(\)  # the line\n"
        r"  NaN comes of 0·∞, .*",
        text,
    )


def test_nothing_is_said_without_nan_and_the_gradients_are_the_same() -> None:
    x, y = leaf(1.0, 4.0), leaf(1.0, 4.0)
    with detect_anomaly():
        root(x).backward()
    root(y).backward()
    assert x.grad.tolist() == y.grad.tolist()


def test_outside_nothing_is_checked() -> None:
    x = leaf(0.0, 4.0)
    with detect_anomaly():
        pass
    root(x).backward()
    assert x.grad.isnan().tolist() == [True, False]


def test_a_layer_of_ours_is_named_by_the_line_that_calls_it() -> None:
    model = ml.nn.Sequential(ml.nn.Linear(1, 1), ml.nn.ReLU())
    with ml.no_grad():
        model[0].weight.fill_(math.inf)
    x = ml.ones(1, 1, requires_grad=True)

    def run() -> None:
        y = model(x)  # the user's line
        y.clamp(max=1.0).sum().backward()

    assert "LinearBackward" in (text := caught(run))
    assert "y = model(x)  # the user's line" in text


def test_a_tape_that_was_made_before() -> None:
    y = root(leaf(0.0))
    assert "made before detect_anomaly() began" in caught(y.backward)


def test_gradients_as_a_result_and_of_gradients() -> None:
    x = leaf(0.0)
    assert "SqrtBackward" in caught(lambda: grad(root(x), x))

    def second() -> None:
        y = (x * x * x.abs().pow(0.5)).sum()  # first derivative 0, the second is 0·∞
        (slope,) = grad(y, x, create_graph=True)
        slope.sum().backward()

    assert "the second is 0·∞" in caught(second)


def test_writes_views_and_casts() -> None:
    def run() -> None:
        y = leaf(0.0, 4.0) * 1.0
        y[:1].sqrt_()  # in place
        (y * y).sum().backward()

    assert "y[:1].sqrt_()  # in place" in caught(run)

    def cast() -> None:
        y = leaf(0.0).float().sqrt() * 0.0
        y.sum().backward()

    assert "leaf(0.0).float().sqrt()" in caught(cast)


def test_inside_a_checkpoint() -> None:
    def piece(x: ml.Tensor) -> ml.Tensor:
        return x.sqrt() * 0.0  # here

    text = caught(lambda: checkpoint(piece, leaf(0.0)).backward())
    assert "return x.sqrt() * 0.0  # here" in text


def test_inside_a_transform_it_is_refused() -> None:
    def f(x: ml.Tensor) -> ml.Tensor:
        with detect_anomaly():
            return x.sum()

    with pytest.raises(GradientError, match=r"detect_anomaly inside a function that grad, vjp"):
        ml.func.grad(f)(leaf(1.0))


def test_a_function_is_named_by_the_line_that_applies_it() -> None:
    class Root(ml.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x.sqrt(), x * 2

        @staticmethod
        def backward(ctx: Any, g: Any, h: Any) -> Any:
            (x,) = ctx.saved_tensors
            return g * 0.5 / x.sqrt() + h * 2

    def run() -> None:
        y, z = Root.apply(leaf(0.0))  # applied here
        (y * 0.0 + z).sum().backward()

    text = caught(run)
    assert text.startswith("RootBackward gave NaN for input 0")
    assert "y, z = Root.apply(leaf(0.0))  # applied here" in text


def test_around_a_transform() -> None:
    def run() -> None:
        y = ml.func.vmap(lambda x: x.sqrt() * x)(leaf(0.0, 4.0))  # mapped here
        y.sum().backward()

    assert "(leaf(0.0, 4.0))  # mapped here" in caught(run)


def test_as_a_decorator() -> None:
    @detect_anomaly()
    def step(x: ml.Tensor) -> None:
        root(x).backward()

    with pytest.raises(GradientError, match=r"bad = y\.sqrt"):
        step(leaf(0.0))
