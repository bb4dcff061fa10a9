"""saved_tensors_hooks: what is packed, when it is unpacked, and what a walk makes of it."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.autograd import Function, grad, saved_tensors_hooks
from minitorch_lab.errors import ArgumentError, DTypeError, GradientError, RecordingError, ShapeError


def leaf(*values: float) -> ml.Tensor:
    return ml.tensor(values, dtype=ml.float64, requires_grad=True)


class Log:
    """Hooks that write down what they do, and keep tensors as lists."""

    def __init__(self) -> None:
        self.packed: list[Any] = []
        self.unpacked: list[Any] = []

    def pack(self, x: ml.Tensor) -> Any:
        assert not x.requires_grad
        self.packed.append(x.tolist())
        return x.tolist(), x.dtype

    def unpack(self, kept: Any) -> ml.Tensor:
        self.unpacked.append(kept[0])
        return ml.tensor(kept[0], dtype=kept[1])

    def block(self) -> Any:
        return saved_tensors_hooks(self.pack, self.unpack)


def test_both_inputs_of_a_product_are_packed_and_unpacked_once() -> None:
    x, log = leaf(3.0), Log()
    with log.block():
        y = x * x
    assert (log.packed, log.unpacked) == ([[3.0], [3.0]], [])
    y.backward()
    assert log.unpacked == [[3.0], [3.0]]
    assert x.grad.tolist() == [6.0]


def test_a_tensor_that_two_rules_want_is_unpacked_once() -> None:
    x, y, log = leaf(3.0), leaf(2.0), Log()
    with log.block():
        z = x / y  # both rules want y
    z.backward(retain_graph=True)
    assert len(log.unpacked) == len(log.packed) == 2
    z.backward()
    assert len(log.unpacked) == 4
    assert (x.grad.tolist(), y.grad.tolist()) == ([1.0], [-1.5])


def test_nothing_outside_and_nothing_without_gradients() -> None:
    x, log = leaf(3.0), Log()
    with log.block():
        with ml.no_grad():
            x * x
        x + x
    x * x
    assert log.packed == []


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x.exp() * x).sum(),
        lambda x: (x / x.sum()).log().sum(),
        lambda x: ml.cat([x, x * x])[ml.tensor([0, 3])].sin().sum(),
        lambda x: (x.reshape(2, 1) @ x.reshape(1, 2)).T.softmax(dim=1).amax(dim=1).sum(),
        lambda x: ml.cross_entropy(x.reshape(1, 2), ml.tensor([1])),
        lambda x: ml.stack([x * x, x.sin()]).logsumexp(dim=0).sum(),
    ],
)
def test_gradients_of_any_order_are_the_same(function: Any) -> None:
    def derivatives(x: ml.Tensor) -> list[Any]:
        (first,) = grad(function(x), x, create_graph=True)
        (second,) = grad((first * first).sum(), x)
        return [first.tolist(), second.tolist()]

    log = Log()
    want = derivatives(leaf(0.5, 1.5))
    with log.block():
        assert derivatives(leaf(0.5, 1.5)) == want
    assert log.unpacked


def test_writes_in_place() -> None:
    def run(x: ml.Tensor) -> ml.Tensor:
        y = x * 2.0
        y[0] = x[1] * x[0]
        y.mul_(x)
        y[1:].exp_()
        return y.sum()

    a, b = leaf(0.5, 1.5), leaf(0.5, 1.5)
    run(a).backward()
    with Log().block():
        out = run(b)
    out.backward()
    assert a.grad.tolist() == b.grad.tolist()


def test_what_an_op_has_itself_written_over_is_stale() -> None:
    x, log = leaf(3.0), Log()
    with log.block():
        y = x * 1.0
        y.mul_(y)
    with pytest.raises(GradientError, match="MulBackward saved 'y' at version 0"):
        y.backward()


def test_the_inner_block_counts() -> None:
    outer, inner, x = Log(), Log(), leaf(3.0)
    with outer.block():
        with inner.block():
            y = x.exp()
        z = y.sin()
    (y + z).backward()
    assert (len(outer.packed), len(inner.packed)) == (1, 1)


def test_a_function_is_packed_too() -> None:
    class Cube(Function):
        @staticmethod
        def forward(ctx: Any, x: ml.Tensor) -> ml.Tensor:
            ctx.save_for_backward(x, out := x * x * x)
            return out

        @staticmethod
        def backward(ctx: Any, g: ml.Tensor) -> ml.Tensor:
            x, out = ctx.saved_tensors
            return g * 3 * out / x

    x, log = leaf(2.0), Log()
    with log.block():
        y = Cube.apply(x)
    (slope,) = grad(y, x, create_graph=True)
    assert (log.packed, log.unpacked) == ([[2.0], [8.0]], [[2.0], [8.0]])
    assert slope.tolist() == [12.0]
    assert grad(slope, x)[0].tolist() == [12.0]


def test_saved_tensors_are_shown_unpacked() -> None:
    x = leaf(2.0)
    with Log().block():
        y = x.exp()
    assert y.grad_fn.saved_tensors["out"].item() == pytest.approx(7.389, abs=1e-3)
    y.backward()
    with pytest.raises(GradientError, match="freed"):
        y.backward()


def test_half_precision_in_a_hook() -> None:
    x = leaf(0.1, 0.2)
    with saved_tensors_hooks(lambda t: (t.dtype, t.to(ml.float32)), lambda kept: kept[1].to(kept[0])):
        y = (x * x).sum()
    y.backward()
    assert x.grad.tolist() == pytest.approx([0.2, 0.4], rel=1e-7)
    assert x.grad.tolist() != [0.2, 0.4]


def test_wrong_hooks() -> None:
    x = leaf(1.0, 2.0)
    with saved_tensors_hooks(lambda t: 5, lambda kept: kept):
        y = (x * x).sum()
    with pytest.raises(ArgumentError, match=r"(?s)The unpack hook returned the int .*Return a tensor"):
        y.backward()
    with saved_tensors_hooks(lambda t: t, lambda kept: kept[0]):
        y = (x * x).sum()
    with pytest.raises(ShapeError, match=r"returned a tensor of shape \(\) for one of shape \(2,\)"):
        y.backward()
    with saved_tensors_hooks(lambda t: t, lambda kept: kept.to(ml.float32)):
        y = (x * x).sum()
    with pytest.raises(DTypeError, match="returned a tensor of dtype float32 for one of dtype float64"):
        y.backward()
    with pytest.raises(ArgumentError, match="takes pack_hook, unpack_hook"):
        saved_tensors_hooks(lambda t: t)


def test_inside_a_transform_it_is_refused() -> None:
    def f(x: ml.Tensor) -> ml.Tensor:
        with Log().block():
            return (x * x).sum()

    with pytest.raises(GradientError, match=r"(?s)saved_tensors_hooks inside a function that grad.*around"):
        ml.func.grad(f)(leaf(1.0))
    with Log().block():
        assert ml.func.grad(lambda x: (x * x).sum())(leaf(1.0)).tolist() == [2.0]


def test_a_recording_comes_first() -> None:
    early = r"(?s)while Packing runs the ops.*Open record\(\) first"
    with Log().block(), pytest.raises(RecordingError, match=early), ml.record():
        pass
    with ml.record(), Log().block():
        y = (x := leaf(2.0)) * x
        y.backward()
    assert x.grad.tolist() == [4.0]
