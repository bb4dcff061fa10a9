"""Custom Functions, and gradients as a result."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.autograd import Function, grad
from minitorch_lab.errors import ArgumentError, GradientError, ShapeError


class MultiplyAdd(Function):
    @staticmethod
    def forward(ctx: Any, x: Any, y: Any, z: Any) -> Any:
        ctx.save_for_backward(x, y)
        return x * y + z

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensors
        return g * y, g * x, g


class Exp(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        out = x.exp()
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (out,) = ctx.saved_tensors
        return g * out


def leaves(*values: float) -> list[Any]:
    return [ml.tensor(v, dtype=ml.float64, requires_grad=True) for v in values]


def test_multiply_add_has_the_gradients_3_2_1() -> None:
    x, y, z = leaves(2.0, 3.0, 4.0)
    out = MultiplyAdd.apply(x, y, z)
    assert out.item() == 10.0
    assert out.grad_fn.name() == "MultiplyAddBackward"
    assert [t.item() for t in out.grad_fn.saved_tensors.values()] == [2.0, 3.0]
    out.backward()
    assert (x.grad.item(), y.grad.item(), z.grad.item()) == (3.0, 2.0, 1.0)
    with pytest.raises(GradientError, match="freed"):
        out.backward()


def test_a_function_can_be_differentiated_again() -> None:
    (x,) = leaves(0.5)
    y = Exp.apply(x)
    for _ in range(3):
        (y,) = grad(y, x, create_graph=True)
        assert y.item() == pytest.approx(1.6487212707)
    a, b, c = leaves(2.0, 3.0, 4.0)
    (slope,) = grad(MultiplyAdd.apply(a * a, b, c), a, create_graph=True)
    assert grad(slope, a)[0].item() == 6.0


def test_a_stale_output_is_noticed() -> None:
    (x,) = leaves(0.5)
    y = Exp.apply(x)
    y += 1
    with pytest.raises(GradientError, match="ExpBackward saved 'ctx' at version 0"):
        y.backward()


def test_nothing_is_recorded_without_need() -> None:
    with ml.no_grad():
        assert not Exp.apply(*leaves(1.0)).requires_grad
    assert not Exp.apply(ml.tensor(1.0)).requires_grad


def test_an_argument_without_gradient() -> None:
    class Scale(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, factor: float) -> Any:
            ctx.factor = factor
            assert ctx.needs_input_grad == (True, False)
            return x * factor

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.factor, None

    (x,) = leaves(1.0)
    Scale.apply(x, 5.0).backward()
    assert x.grad.item() == 5.0


def test_the_wrong_number_and_the_wrong_shape() -> None:
    class Few(MultiplyAdd):
        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    class Wide(Exp):
        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return ml.ones(3)

    class Odd(Exp):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return 3.0

    with pytest.raises(GradientError, match=r"Few.backward returned 1 gradients"):
        Few.apply(*leaves(1.0, 2.0, 3.0)).backward()
    with pytest.raises(ShapeError, match=r"Wide.backward returned a gradient of shape \(3,\) for argument 0"):
        Wide.apply(*leaves(1.0)).backward()
    with pytest.raises(ArgumentError, match=r"Odd.forward returned a float"):
        Odd.apply(*leaves(1.0))


def test_a_recording_sees_a_function() -> None:
    x, y, z = leaves(2.0, 3.0, 4.0)
    with ml.record() as rec:
        out = MultiplyAdd.apply(x, y, z)
        out.backward()
    assert "MultiplyAdd" in "".join(ml.widgets.Backward(rec).transcript())
    assert x.grad.item() == 3.0


# ---- autograd.grad ---


def test_gradients_as_a_result() -> None:
    x, y = leaves(2.0, 3.0)
    h = x * y
    out = h * h + y
    assert [g.item() for g in grad(out, (x, y, h), retain_graph=True)] == [36.0, 25.0, 12.0]
    assert (x.grad, y.grad) == (None, None)
    assert grad((out, h), x, (ml.tensor(2.0), ml.tensor(10.0)))[0].item() == 2 * 36 + 30


def test_an_input_that_is_not_used() -> None:
    x, y = leaves(2.0, 3.0)
    with pytest.raises(GradientError, match="no output depends on input 1"):
        grad(x * x, (x, y))
    assert grad(x * x, (x, y), allow_unused=True)[1] is None
    with pytest.raises(GradientError, match="requires no gradient"):
        grad(x * x, ml.tensor(1.0))


def test_only_the_needed_part_is_walked() -> None:
    x, y = leaves(2.0, 3.0)
    fired: list[str] = []
    side = y * 2
    side.register_hook(lambda g: fired.append("side"))
    out = x * x + side
    grad(out, x)
    assert fired == []
