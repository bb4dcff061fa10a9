"""The account under everything else that can be on the tape: checkpoints, hooks, transforms, a recording."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.autograd import Function, checkpoint, grad, saved_tensors_hooks
from minitorch_lab.memory import account

KB = 1000  # bytes of 250 float32


def leaf(n: int = 250) -> ml.Tensor:
    return ml.ones(n, requires_grad=True)


def story(found: Any) -> list[tuple[str, int, str]]:
    """The events: born or died, bytes, what made it."""
    return [("+" if e.kind == "birth" else "-", e.block.nbytes, e.block.op or e.block.category) for e in found.events]


def test_recomputation_is_a_phase_of_its_own() -> None:
    w = leaf()
    with account() as found:
        y = checkpoint(lambda w: (w * 2).exp().sin(), w)
        assert found.live_by_category["activation"] == KB  # y
        y.backward(ml.ones(250))
    assert found.ops["recomputation"] >= 2
    assert "recomputation" in {m.phase for m in found.timeline}


def test_offloaded_tensors_are_gone() -> None:
    w = leaf()
    with account() as found:
        with saved_tensors_hooks(lambda t: t.numpy().tobytes(), lambda b: ml.tensor(np.frombuffer(b, np.float32))):
            y = (w * 2).exp().sin().sum()
        assert found.live == KB + 4
        y.backward()
        assert found.live_by_category["gradient"] == KB


def test_second_derivatives_and_autograd_grad() -> None:
    w = leaf()
    with account() as found:
        (slope,) = grad((w * w * w).sum(), w, create_graph=True)
        (curve,) = grad(slope.sum(), w)
        assert curve.tolist()[0] == 6.0
        del slope
        assert found.live == 2 * KB


def test_a_function_of_the_users_and_its_context() -> None:
    class Cube(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            square = x * x
            ctx.save_for_backward(square)
            return square * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.saved_tensors[0] * 3

    w = leaf()
    with account() as found:
        y = Cube.apply(w)
        assert found.live_by_category["activation"] == 2 * KB
        y.backward(ml.ones(250))
        del y
        assert found.live == 2 * KB


def test_transforms_run_on_top() -> None:
    w = leaf()
    with account() as found:
        slope = ml.func.grad(lambda w: w.exp().sum())(w)
        assert slope.shape == (250,)
    assert found.ops["forward"] > 0


def test_a_hook_of_the_users_is_under_the_account() -> None:
    w = leaf()
    with account() as found:
        y = w * 2
        y.register_hook(lambda g: g * 0.5)
        y.exp().backward(ml.ones(250))
    assert found.live == 3 * KB  # w, its gradient, y
    assert "mul" in {e.block.op for e in found.events if e.phase == "backward"}


@pytest.mark.parametrize(
    "walk", [lambda y, w: y.backward(), lambda y, w: grad(y, w), lambda y, w: y.backward(create_graph=True)]
)
def test_inside_a_recording(walk: Any) -> None:
    """Each says what it says alone."""

    def run(w: Any) -> None:
        walk((w * w).sum(), w)

    with ml.record() as alone:
        run(leaf())
    with account() as by_itself:
        run(leaf())
    with ml.record() as recording, account() as found:
        run(leaf())
    assert [type(event).__name__ for event in recording] == [type(event).__name__ for event in alone]
    assert story(found) == story(by_itself)


def test_lines_are_the_users_own() -> None:
    w = leaf()
    with account() as found:
        y = w * 2
        y.sum().backward()
    made = {b.op: b.line for b in found.blocks if b.line is not None}
    assert str(made["mul"]).endswith("y = w * 2")
    assert str(made["MulBackward"]).endswith("y = w * 2")  # the forward line
    assert str(made["sum"]).endswith("y.sum().backward()")
