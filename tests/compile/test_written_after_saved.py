"""What was saved for a gradient and then written: compiled code refuses the walk as eager does, in every call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.autograd import grad
from minitorch_lab.errors import GradientError
from tests.compile.fuzz_writes import differs

ONCE_DIFFERED = [
    23,
    33,
    43,
    94,
    102,
    109,
    100005,
]  # freed by name, half a walk, to one input, copies


def inside(x: Any) -> Any:
    y = x.exp()
    z = y * 2
    y.add_(1)
    return z


def through_a_view(x: Any) -> Any:
    y = x.sigmoid()
    y[0].mul_(2)
    return y * 1


def through_a_detached_alias(x: Any) -> Any:
    y = x * 2
    z = y.sin()
    y.detach().zero_()
    return z


def unseen(x: Any) -> Any:
    y = x.tanh()
    with ml.no_grad():
        y.add_(1)
    return y.sum()


REFUSED = {
    inside: "ExpBackward saved 'out' at version 0, and its memory is now at version 1.",
    through_a_view: "SigmoidBackward saved 'out' at version 0, and its memory is now at version 1.",
    through_a_detached_alias: "SinBackward saved 'x' at version 0, and its memory is now at version 1.",
    unseen: "TanhBackward saved 'out' at version 0, and its memory is now at version 1.",
}


@pytest.mark.parametrize("dynamic", [None, True, False])
@pytest.mark.parametrize("f", REFUSED)
def test_a_walk_is_refused_in_every_call(f: Any, dynamic: bool | None) -> None:
    compiled = ml.compile(f, dynamic=dynamic)
    for n in (3, 4, 4, 5):
        y = compiled(ml.randn(n, 2, requires_grad=True))
        with pytest.raises(GradientError) as refused:
            y.sum().backward()
        assert str(refused.value).partition("\n")[0] == REFUSED[f]


def test_what_is_written_before_it_is_used_is_no_cause() -> None:
    def f(x: Any) -> Any:
        y = x * 2
        y.add_(1)
        return y * y

    compiled = ml.compile(f)
    for n in (3, 3, 4):
        x: Any = ml.ones(n, requires_grad=True)
        compiled(x).sum().backward()
        assert x.grad.tolist() == [12.0] * n


def test_what_is_written_after_the_call_is_refused_if_eager_had_saved_it() -> None:
    compiled = ml.compile(lambda x, w: (x.exp(), (x * w).sum()))
    for _ in range(3):
        x, w = ml.ones(3, requires_grad=True), ml.ones(3)
        y, z = compiled(x, w)
        y.detach().mul_(2)
        with pytest.raises(GradientError, match=r"^ExpBackward saved 'out' at version 0"):
            y.sum().backward()
        w.add_(1)
        with pytest.raises(GradientError, match=r"^MulBackward saved 'y' at version 0"):
            z.backward()


def test_what_only_the_kernel_had_kept_may_be_written() -> None:
    def f(x: Any) -> Any:
        return (x.clone().sin(), x.exp().clone()) if x.ndim else x

    compiled = ml.compile(f)
    for _ in range(3):
        x: Any = ml.tensor([0.0, 1.0], requires_grad=True)
        y, z = compiled(x)
        with ml.no_grad():
            x.add_(1)
            z.add_(1)
        (y + z).sum().backward()
        assert np.allclose(x.grad.numpy(), np.cos([0, 1]) + np.exp([0, 1]))


def test_a_walk_to_one_argument_asks_for_no_more() -> None:
    def f(x: Any, y: Any) -> Any:
        u = y.exp()
        v = u * 1 + x.sin()
        u.zero_()
        return v

    compiled = ml.compile(f)
    for _ in range(3):
        x, y = ml.zeros(2, requires_grad=True), ml.zeros(2, requires_grad=True)
        v = compiled(x, y).sum()
        slope: Any = grad(v, x, retain_graph=True)[0]
        assert slope.tolist() == [1.0, 1.0]
        with pytest.raises(GradientError, match=r"^ExpBackward saved 'out'"):
            grad(v, y)


def test_a_walk_that_is_refused_half_way_has_used_up_what_it_passed() -> None:
    def f(x: Any) -> Any:
        y = x.exp()
        z = y.sin()
        y.zero_()
        return z * z

    for g in (f, *[ml.compile(f)] * 3):
        y = g(ml.ones(2, requires_grad=True)).sum()
        with pytest.raises(GradientError, match=r"^SinBackward saved 'x' at version 0"):
            y.backward()
        with pytest.raises(GradientError, match=r"^MulBackward has nothing left"):
            y.backward()


@pytest.mark.parametrize("dynamic", [None, True, False])
@pytest.mark.parametrize("seed", [*range(8), *ONCE_DIFFERED])
def test_random_programs_that_write_are_refused_as_in_eager(seed: int, dynamic: bool | None) -> None:
    assert differs(seed, "numpy", dynamic) == []


@pytest.mark.parametrize("dynamic", [None, True, False])
@pytest.mark.parametrize("seed", range(300, 305))
def test_random_programs_that_write_are_refused_by_fused_kernels(seed: int, dynamic: bool | None) -> None:
    pytest.importorskip("llvmlite")
    assert differs(seed, "llvm", dynamic) == []
