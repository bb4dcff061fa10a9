"""The backward walk: worked numbers, accumulation, freeing, hooks, double backward, long chains."""

from __future__ import annotations

import copy
import gc
import math
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml


def leaf(value: float) -> ml.Tensor:
    return ml.tensor(value, dtype=ml.float64, requires_grad=True)


def test_listing_1_leaves_two_nodes() -> None:
    x = leaf(1.0)
    z = x * 2 + 1
    assert z.item() == 3.0
    add = z.grad_fn
    (mul, _), (nothing, _) = add.next_functions
    assert [n.name() for n in (add, mul, mul.next_functions[0][0])] == ["AddBackward", "MulBackward", "AccumulateGrad"]
    assert nothing is None
    assert add.saved_tensors == {}
    assert mul.saved_tensors == {"y": 2}
    z.backward()
    assert x.grad.item() == 2.0


def test_row_b1_x_squared_times_sine() -> None:
    x = leaf(2.0)
    a, b = x**2, x.sin()
    c = a * b
    a.retain_grad(), b.retain_grad()
    c.backward()
    assert (a.item(), b.item(), c.item()) == pytest.approx((4.0, 0.9093, 3.6372), abs=5e-5)
    assert (a.grad.item(), b.grad.item()) == pytest.approx((0.9093, 4.0), abs=5e-5)
    assert x.grad.item() == pytest.approx(4 * math.sin(2) + 4 * math.cos(2), rel=1e-14)
    assert x.grad.item() == pytest.approx(1.9726, abs=5e-5)


def test_row_b1_exp_v_times_one_plus_exp_v() -> None:
    v1 = leaf(math.log(2.0))
    v2 = v1.exp()
    v3 = 1 + v2
    v4 = v2 * v3
    parts = []
    v2.register_hook(lambda g: parts.append(g.item()))
    v4.backward()
    assert v4.item() == pytest.approx(6.0)
    assert parts == pytest.approx([5.0])
    assert v1.grad.item() == pytest.approx(10.0)


def test_row_b1_two_leaves() -> None:
    x1, x2 = leaf(2.0), leaf(5.0)
    y = x1.log() + x1 * x2 - x2.sin()
    y.backward()
    assert (y.item(), x1.grad.item(), x2.grad.item()) == pytest.approx((11.6521, 5.5, 1.7163), abs=5e-5)


def test_no_gradient_array_is_shared() -> None:
    x, b, seed = ml.ones(2, requires_grad=True), ml.ones(2, requires_grad=True), ml.ones(2)
    (x + b).backward(seed)
    x.grad.mul_(5.0)
    assert (b.grad.tolist(), seed.tolist()) == ([1.0, 1.0], [1.0, 1.0])
    y = ml.ones(2, requires_grad=True)
    y.backward(seed)
    y.grad.zero_()
    assert seed.tolist() == [1.0, 1.0]
    z = ml.ones(2, 2, requires_grad=True)
    z.sum().backward()
    z.grad[0, 0] = 7.0
    assert z.grad.tolist() == [[7.0, 1.0], [1.0, 1.0]]


def test_second_and_third_derivatives() -> None:
    x = leaf(2.0)
    y = x**4
    for want in (32.0, 48.0, 48.0):
        x.grad = None
        y.backward(create_graph=True)
        y = x.grad
        assert y.item() == pytest.approx(want)


def test_hooks() -> None:
    x = ml.tensor([1.0], requires_grad=True)
    y = x * 10
    handle = y.register_hook(lambda g: g.clamp(max=1.0) * 0.1)
    y.backward()
    assert x.grad.tolist() == pytest.approx([1.0])
    handle.remove()
    handle.remove()


def test_hooks_run_in_order_and_on_the_sum() -> None:
    x = leaf(3.0)
    seen: list[tuple[str, float]] = []
    y = x * 1.0
    y.register_hook(lambda g: seen.append(("first", g.item())))
    y.register_hook(lambda g: g * 2)
    y.register_hook(lambda g: seen.append(("third", g.item())))
    y.retain_grad()
    y.grad_fn.register_hook(lambda sent, g: seen.append(("node", sent[0].item())))
    (y * y).backward()
    assert seen == [("first", 6.0), ("third", 12.0), ("node", 12.0)]
    assert (y.grad.item(), x.grad.item()) == (12.0, 12.0)


def test_a_hook_can_run_a_backward_pass_of_its_own() -> None:
    x, w = leaf(2.0), leaf(3.0)
    y = x * 1.0

    def inner(g: ml.Tensor) -> None:
        with ml.enable_grad():  # inside backward() nothing is recorded unless it is asked for, as in PyTorch
            (w * w).backward()

    y.register_hook(inner)
    (y * y).backward()
    assert (x.grad.item(), w.grad.item()) == (4.0, 6.0)


def test_no_grad_and_detach_cut() -> None:
    x = leaf(2.0)
    with ml.no_grad():
        y = x * 2
        with ml.enable_grad():
            assert (x * 2).requires_grad
        assert not ml.is_grad_enabled()
    assert not y.requires_grad
    assert ml.is_grad_enabled()
    (x.detach() * x).backward()
    assert x.grad.item() == 2.0


def test_freezing() -> None:
    a, b = leaf(2.0), leaf(3.0)
    a.requires_grad_(False)
    (a * b).backward()
    assert a.grad is None
    assert b.grad.item() == 2.0


def test_a_chain_of_100_000_ops() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(100_000):
        y = y + 1.0
    y.backward()
    assert x.grad.item() == 1.0
    last = weakref.ref(y.grad_fn)
    del y
    gc.collect()
    assert last() is None


def test_a_diamond_of_depth_64_is_walked_in_64_steps() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(64):
        y = y + y
    y.backward()
    assert x.grad.item() == 2.0**64


def test_nothing_is_kept_alive_by_the_graph() -> None:
    x = ml.ones(3, requires_grad=True)
    y = (x * 2).exp()
    ref = weakref.ref(y)
    gc.disable()
    try:
        del y
        assert ref() is None  # no cycle: freed by reference counting alone
    finally:
        gc.enable()


def test_threads_have_their_own_mode() -> None:
    x, seen = leaf(2.0), []

    def work() -> None:
        seen.append(ml.is_grad_enabled())
        y = x * x
        y.backward()
        seen.append(x.grad.item())

    with ml.no_grad():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert seen == [True, 4.0]


def test_seed_of_another_dtype_is_cast() -> None:
    x = ml.ones(2, requires_grad=True)
    (x * 2).backward(np.array([1.0, 2.0]))
    assert x.grad.dtype == ml.float32
    assert x.grad.tolist() == [2.0, 4.0]


@pytest.mark.parametrize("whole", [ml.int8, ml.int64, ml.uint8, ml.bool])
def test_no_gradient_passes_a_dtype_without_fractions(whole: Any) -> None:
    x = ml.tensor([2.5, 1.25], requires_grad=True)
    steps = x.to(whole)
    assert not steps.requires_grad
    assert steps.grad_fn is None
    product = steps.float() * x  # a staircase is flat wherever it has a slope: the slope of the product is the stair
    product.sum().backward()
    assert x.grad.tolist() == steps.float().tolist()

    def stairs(x: ml.Tensor) -> ml.Tensor:
        return x.to(whole).float() * x

    at, along = x.detach(), ml.tensor([1.0, 3.0])
    assert ml.func.grad(lambda x: stairs(x).sum())(at).tolist() == x.grad.tolist()
    assert ml.func.jvp(stairs, (at,), (along,))[1].tolist() == (steps.float() * along).tolist()
    assert ml.compile(ml.func.grad(lambda x: stairs(x).sum()), backend="numpy")(at).tolist() == x.grad.tolist()


def test_a_frozen_leaf_keeps_its_gradient_and_its_hooks() -> None:
    x, seen = ml.ones(3, requires_grad=True), list[float]()
    x.register_hook(lambda g: seen.append(g.sum().item()))
    (2 * x).sum().backward()
    x.requires_grad_(False)
    assert x.grad is not None
    assert x.grad.tolist() == [2, 2, 2]
    assert (copied := copy.deepcopy(x).grad) is not None
    assert copied.tolist() == [2, 2, 2]
    assert not (3 * x).requires_grad
    x.requires_grad_()
    (2 * x).sum().backward()
    assert x.grad.tolist() == [4, 4, 4]
    assert seen == [6, 6]


def test_a_gradient_can_lie_with_a_tensor_that_requires_none() -> None:
    x = ml.zeros(2)
    x.grad = ml.ones(2)
    assert not x.requires_grad
    ml.optim.SGD([x], lr=0.5).step()
    assert x.tolist() == [-0.5, -0.5]
    x.requires_grad_()
    (3 * x).sum().backward()
    assert x.grad.tolist() == [4, 4]
    x.grad = None
    assert x.requires_grad_(False).grad is None
