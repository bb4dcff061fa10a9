"""Threads at once in different modes, transforms and walks: each sees its own, and the numbers are right."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.core.interpret import stack
from minitorch_lab.func import grad, jvp, vmap
from tests.autograd.test_function import Halves, MultiplyAdd

POINT = np.array([0.5, -1.0, 2.0])
W = ml.tensor(POINT * 2, requires_grad=True)  # shared, and only read
ROUNDS = 30


@pytest.fixture(autouse=True)
def switch_often() -> Generator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def f(x: Any) -> Any:
    return (x.sin() * x * W.detach()).sum()


SLOPE = POINT * 2 * (np.sin(POINT) + POINT * np.cos(POINT))


def walks() -> None:
    x = ml.tensor(POINT, requires_grad=True)
    f(x).backward()
    np.testing.assert_allclose(x.grad.value, SLOPE)
    (shared,) = ml.autograd.grad((x.detach() * W).sum(), W)
    np.testing.assert_allclose(shared.value, POINT)


def silent() -> None:
    with ml.no_grad():
        y = W * 2
        with ml.enable_grad():
            assert (W * 2).requires_grad
        assert not ml.is_grad_enabled()
    assert not y.requires_grad


def inferring() -> None:
    with ml.inference_mode():
        y = W * 2
    assert y.is_inference()


def transforming() -> None:
    x = ml.tensor(POINT)
    np.testing.assert_allclose(vmap(grad(f))(ml.stack([x, x])).value, [SLOPE, SLOPE])
    np.testing.assert_allclose(jvp(f, (x,), (x,))[1].item(), (SLOPE * POINT).sum())


def calling() -> None:
    x = ml.tensor(POINT[1:], requires_grad=True)
    low, high = Halves.apply(x)
    MultiplyAdd.apply(low, high, low).sum().backward()
    np.testing.assert_allclose(x.grad.value, [POINT[2] + 1, POINT[1]])


def packing() -> None:
    x = ml.tensor(POINT, requires_grad=True)
    with ml.autograd.saved_tensors_hooks(lambda t: t.tolist(), lambda v: ml.tensor(v, dtype=ml.float64)):
        y = f(x)
    y.backward()
    np.testing.assert_allclose(x.grad.value, SLOPE)


def anomalous() -> None:
    x = ml.tensor([0.0], dtype=ml.float64, requires_grad=True)
    with ml.autograd.detect_anomaly(), pytest.raises(ml.errors.GradientError, match="SqrtBackward"):
        (x.sqrt() * x).sum().backward()


WORK: list[Callable[[], None]] = [walks, silent, inferring, transforming, calling, packing, anomalous]


def test_each_thread_has_its_own_modes_and_transforms() -> None:
    start = Barrier(len(WORK))
    bottom = stack.get()

    def run(work: Callable[[], None]) -> None:
        start.wait()
        for _ in range(ROUNDS):
            work()
            assert ml.is_grad_enabled()
            assert stack.get() is bottom

    with ml.no_grad(), ThreadPoolExecutor(len(WORK)) as pool:  # the starter's own mode reaches no thread
        for done in [pool.submit(run, work) for work in WORK]:
            done.result()
    assert W.grad is None
    assert ml.is_grad_enabled()
