"""Products behind a relu: what meets a 0 is left out where that pays, and no number changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.targets.llvm import bounds, marks
from minitorch_lab.compiler.targets.llvm.backend import compile_llvm
from tests.compile.test_llvm_backend import normal, pure, same

TARGETS = ["host", "avx2", "generic"]
SHAPES = [(8, 16, 128), (9, 17, 129), (32, 40, 200), (64, 33, 333)]


def gradient(g: Any, h: Any, x: Any, w: Any) -> Any:
    """A weight that takes a step against dW = dyᵀ x, where dy is g behind the gradient of a relu."""
    return w - (g * h.relu().sign()).mT @ x * 0.1


def drawn(k: int, m: int, n: int, share: float) -> list[Any]:
    """A gradient, what went into the relu, of which a share is above 0, inputs, a weight."""
    h = np.abs(normal(k, m)) + 0.1
    h[np.random.default_rng(4).random((k, m)) >= share] *= -1
    return [normal(k, m), h.astype("float32"), normal(k, n), normal(m, n)]


def kernels_of(arrays: list[Any], target: str = "host") -> Any:
    return compile_llvm(pure(gradient, *(ml.ones(x.shape) for x in arrays)), target=target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("shape", SHAPES)
def test_many_few_and_no_gaps(shape: tuple[int, int, int], target: str) -> None:
    for share in (0.0, 0.1, 0.5, 0.9, 1.0):
        arrays = drawn(*shape, share)
        found = same(pure(gradient, *map(ml.tensor, arrays)), arrays, target)
        assert "but for gaps of" in str(found.program)


def test_both_ways_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = drawn(32, 70, 210, 0.5)
    (with_gaps,) = kernels_of(arrays)(*arrays)
    monkeypatch.setattr(marks, "MOST", (0, 1))
    (dense,) = kernels_of(arrays)(*arrays)
    np.testing.assert_array_equal(with_gaps.view("int32"), dense.view("int32"))


def test_the_gaps_are_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = drawn(32, 70, 210, 0.5)
    want = kernels_of(arrays)(*arrays)[0]
    monkeypatch.setattr(bounds.Bounds, "all_finite", lambda self, *given: marks.ir.Constant(marks.I1, 1))
    blind = kernels_of(arrays)
    arrays[2][3] = np.inf
    gone = arrays[1][3] < 0
    np.testing.assert_array_equal(blind(*arrays)[0][gone], want[gone])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("which", [0, 1, 2, 3])
def test_zeros_times_infinity_are_not_left_out(which: int, bad: float) -> None:
    for place in (0, 37, -1):
        arrays = drawn(32, 70, 210, 0.5)
        arrays[which].flat[place] = bad
        with np.errstate(invalid="ignore"):
            g, h, x, w = arrays
            want = w - (g * (h > 0)).T @ x * np.float32(0.1)  # the sign of NaN is 0
        np.testing.assert_allclose(kernels_of(arrays)(*arrays)[0], want, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("target", TARGETS)
def test_a_batch_of_products_with_gaps(target: str) -> None:
    h, x = normal(3, 20, 18), normal(3, 20, 150)
    found = same(pure(lambda h, x: h.relu().mT @ x, ml.tensor(h), ml.tensor(x)), [h, x], target)
    assert "but for gaps of" in str(found.program)


def test_only_what_has_passed_a_relu_has_gaps() -> None:
    h, x = ml.ones(32, 64), ml.ones(32, 256)
    for fn in (lambda h, x: h.mT @ x, lambda h, x: h.tanh().mT @ x, lambda h, x: (h.relu() + 1).mT @ x):
        assert "gaps" not in str(compile_llvm(pure(fn, h, x)).program)
    for k, m, n in ((4, 64, 256), (65, 64, 256), (32, 8, 256), (32, 64, 96)):
        program = compile_llvm(pure(lambda h, x: h.relu().mT @ x, ml.ones(k, m), ml.ones(k, n))).program
        assert "gaps" not in str(program)


def test_training_with_gaps_follows_eager() -> None:
    def model() -> Any:
        ml.manual_seed(3)
        return ml.nn.Sequential(ml.nn.Linear(130, 40), ml.nn.ReLU(), ml.nn.Linear(40, 5))

    x, y = ml.tensor(normal(16, 130)), ml.tensor(np.arange(16) % 5)
    found = []
    for compiled in (False, True):
        net = model()
        update = ml.optim.Adam(net.parameters(), lr=1e-2)

        def step(x: Any, y: Any, net: Any = net, update: Any = update) -> Any:
            update.zero_grad()
            loss = ml.nn.functional.cross_entropy(net(x), y)
            loss.backward()
            update.step()
            return loss

        run = ml.compile(step, backend="llvm") if compiled else step
        losses = [run(x, y).item() for _ in range(8)]
        found.append([*losses, *(p.detach().numpy() for p in net.parameters())])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-3, atol=2e-4)
