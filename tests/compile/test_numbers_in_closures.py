"""Numbers that inner functions share, and that differ from call to call: one program does for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml


def shared(x: ml.Tensor, k: Any) -> Any:
    return (lambda v: v * k)(x)


def changed(x: ml.Tensor, k: Any) -> Any:
    def step(v: ml.Tensor) -> ml.Tensor:
        nonlocal k
        k += 1
        return v * k

    return step(x), step(x), k


def given_back(x: ml.Tensor, k: Any) -> Any:
    held = lambda: k  # noqa: E731
    return x * k, held(), type(held())


def in_comprehensions(x: ml.Tensor, k: Any) -> Any:
    return [v * k for v in (x, x + 1)], sorted([3, 1, 2], key=lambda i: i * k), sum(v + k for v in (x, x))


def in_a_transform(x: ml.Tensor, k: Any) -> Any:
    return ml.func.grad(lambda v: (v * v).sum() * k)(x)


def a_step_of_gradients(x: ml.Tensor, k: Any) -> Any:
    return x - k * ml.func.grad(lambda v: (v * v * k).sum())(x)


@pytest.mark.parametrize(
    "fn",
    [shared, changed, given_back, in_comprehensions, in_a_transform, a_step_of_gradients],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("number", [lambda i: i + 1, lambda i: 0.25 * i], ids=["int", "float"])
def test_a_number_in_a_closure_may_differ(fn: Callable[..., Any], number: Callable[[int], Any]) -> None:
    compiled = ml.compile(fn)
    for i in range(12):
        x = ml.tensor([1.0, -2.0]) * i
        assert str(compiled(x, number(i))) == str(fn(x, number(i)))
    assert len(compiled.recompiles) <= 2


def test_a_function_that_is_given_back_holds_pythons_own_number() -> None:
    compiled = ml.compile(lambda x, k: (x * k, lambda: k))
    for k in range(2, 8):
        out, held = compiled(ml.ones(1), k)
        assert (out.item(), held(), type(held())) == (k, k, int)
