"""Checkpointing: the same gradients to the last bit, from less memory and a little more work."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.autograd import Function, Node, checkpoint, checkpoint_sequential, grad, saved_tensors_hooks
from minitorch_lab.autograd.checkpoint import Frame
from minitorch_lab.autograd.node import Saved
from minitorch_lab.autograd.saved import Parcel
from minitorch_lab.core.array import memory_of
from minitorch_lab.errors import ArgumentError, GradientError


def leaf(*values: float) -> ml.Tensor:
    return ml.tensor(values, dtype=ml.float64, requires_grad=True)


def gradients(leaves: list[ml.Tensor], function: Callable[[], ml.Tensor]) -> list[bytes]:
    for x in leaves:
        x.grad = None
    function().backward()
    return [x.grad.numpy().tobytes() for x in leaves]


def memories(kept: Any) -> list[Any]:
    """The arrays that one saved thing keeps alive."""
    if isinstance(kept, tuple):
        return [m for part in kept for m in memories(part)]
    if isinstance(kept, Saved):
        return [memory_of(np.asarray(kept.value))]
    if isinstance(kept, Parcel) and isinstance(frame := getattr(kept.hooks.unpack, "__self__", None), Frame):
        return memories(tuple(frame.args)) + [memory_of(x.value) for x, _ in frame.found.values()]
    return []


def held(root: Node, parameters: set[int]) -> int:
    """Bytes that the tape under `root` keeps: every memory once, parameters not at all."""
    found: dict[int, int] = {}
    seen, pending = {root}, [root]
    while pending:
        node = pending.pop()
        for kept in dict.values(node.saved or {}):
            found |= {id(m): m.nbytes for m in memories(kept)}
        for edge in node.edges:
            if edge is not None and edge not in seen:
                seen.add(edge)
                pending.append(edge)
    return sum(size for memory, size in found.items() if memory not in parameters)


# ---- what it computes ---


def test_one_call_keeps_its_input_alone() -> None:
    x = leaf(0.5)
    y = checkpoint(lambda x: x.exp().sin().exp(), x)
    assert held(y.grad_fn, set()) == 8
    want = x.exp().sin().exp()
    want.backward()
    expected, x.grad = x.grad.item(), None
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 2 * expected
    with pytest.raises(GradientError, match="freed"):
        y.backward()


def test_random_numbers_are_the_same_again() -> None:
    x = leaf(1.0, 2.0, 3.0)

    def noisy(x: ml.Tensor) -> ml.Tensor:
        return (x * ml.rand(3, dtype=ml.float64)).exp().sum()

    ml.manual_seed(1)
    want = gradients([x], lambda: noisy(x))
    ml.manual_seed(1)
    y = checkpoint(noisy, x)
    between = ml.rand(1).item()
    assert gradients([x], lambda: y) == want
    after = ml.rand(1).item()
    ml.manual_seed(1)
    ml.rand(3, dtype=ml.float64)
    assert [ml.rand(1).item(), ml.rand(1).item()] == [between, after]


def test_nested() -> None:
    x, w, runs = leaf(0.3, 0.4), leaf(0.5, 0.6), []

    def inner(x: ml.Tensor) -> ml.Tensor:
        runs.append("inner")
        return (x * w).sin() * x

    def outer(x: ml.Tensor) -> ml.Tensor:
        runs.append("outer")
        return checkpoint(inner, checkpoint(inner, x).exp()).cos()

    want = gradients([x, w], lambda: inner(inner(x).exp()).cos().sum())
    runs.clear()
    y = checkpoint(outer, x).sum()
    assert runs == ["outer", "inner", "inner"]
    node = y.grad_fn
    assert held(node, set()) == 16  # x alone
    assert gradients([x, w], lambda: y) == want


def test_three_deep_and_offloaded() -> None:
    def deep(x: ml.Tensor, depth: int) -> ml.Tensor:
        return checkpoint(deep, (x * x).sin(), depth - 1) * x if depth else x.exp()

    def plain(x: ml.Tensor, depth: int) -> ml.Tensor:
        return plain((x * x).sin(), depth - 1) * x if depth else x.exp()

    x = leaf(0.7)
    want = gradients([x], lambda: plain(x, 3))
    assert gradients([x], lambda: checkpoint(deep, x, 3)) == want
    with saved_tensors_hooks(lambda t: t.numpy().copy(), ml.tensor):
        y = checkpoint(deep, x, 3)
    assert gradients([x], lambda: y) == want


def test_second_derivatives() -> None:
    def f(x: ml.Tensor) -> ml.Tensor:
        return (x.sin() * x.exp() / (x * x)).sum()

    x = leaf(0.7, 0.2)
    found: list[Any] = []
    for y in (f(x), checkpoint(f, x)):
        (slope,) = grad(y, x, create_graph=True)
        (curve,) = grad(slope.sum(), x, create_graph=True)
        found.append([slope.tolist(), curve.tolist(), grad(curve.sum(), x)[0].tolist()])
    assert found[0] == found[1]


def test_several_inputs_and_no_gradient() -> None:
    x, y = leaf(0.5), leaf(2.0)
    checkpoint(lambda x, k, y: (x * y) ** k, x, 3, y).backward()
    assert (x.grad.item(), y.grad.item()) == (6.0, 1.5)
    assert not checkpoint(lambda x: x * x, ml.ones(2)).requires_grad
    with ml.no_grad():
        assert not checkpoint(lambda x: x * x, x).requires_grad
    assert ml.func.grad(lambda x: checkpoint(lambda x: (x * x).sum(), x))(x).item() == 1.0


def test_a_module_is_recomputed_once() -> None:
    calls: list[int] = []

    class Layer(ml.nn.Module):
        def forward(self, x: Any) -> Any:
            calls.append(1)
            return x.sigmoid() / (x * x + 1)

    x = leaf(0.5)
    y = checkpoint(Layer(), x)
    y.backward()
    assert len(calls) == 2


def test_a_function_of_the_users_is_run_again() -> None:
    class Square(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2 * ctx.saved_tensors[0]

    x = leaf(0.3, 0.4)
    want = gradients([x], lambda: Square.apply(Square.apply(x)).sum())
    assert gradients([x], lambda: checkpoint(lambda x: Square.apply(Square.apply(x)), x).sum()) == want


def test_memory_is_freed_as_the_walk_goes() -> None:
    x = leaf(0.3)
    h = x * 1.0
    kept = weakref.ref(h.value)
    gc.disable()
    try:
        y = checkpoint(lambda h: h.exp().sin(), h)
        del h
        assert kept() is not None
        y.backward()
        assert kept() is None
    finally:
        gc.enable()


def test_a_recording_sees_the_second_run() -> None:
    x = leaf(0.5)
    with ml.record() as rec:
        y = checkpoint(lambda x: x.exp().sin(), x)
        y.backward()
    from minitorch_lab.recording.events import Op

    assert [event.op for event in rec.each(Op)] == ["exp", "sin", "exp"]  # the sine needs no more than exp x
    with ml.record() as rec:
        y = checkpoint(lambda x: x.exp().sin(), x)
    events = len(rec)
    y.backward()
    assert len(rec) == events  # it is over


# ---- what goes in and comes out ---


def test_keywords_and_other_things_go_in_and_anything_comes_out() -> None:
    x, y = leaf(0.5), leaf(2.0)

    def function(x: Any, names: Any, *, y: Any, power: int) -> Any:
        z = (x * y).exp()
        return {"z": z**power, "twice": [z * 2, names], "count": 3}

    out = checkpoint(function, x, ("a", "b"), y=y, power=2)
    assert (out["count"], out["twice"][1]) == (3, ("a", "b"))
    (out["z"] + out["twice"][0]).backward()
    e = np.exp(1.0)
    assert x.grad.item() == pytest.approx(2 * (2 * e * e + 2 * e))
    assert y.grad.item() == pytest.approx(0.5 * (2 * e * e + 2 * e))


def test_one_of_several_outputs_is_enough() -> None:
    x = leaf(0.5)
    a, b = checkpoint(lambda x: (x.exp(), x.sin()), x)
    b.backward()
    assert x.grad.item() == pytest.approx(np.cos(0.5))
    a.backward()
    assert x.grad.item() == pytest.approx(np.cos(0.5) + np.exp(0.5))


def test_there_is_one_way_here() -> None:
    with pytest.raises(ArgumentError, match=r"(?s)use_reentrant=True.*There is one way here.*Leave it out"):
        checkpoint(ml.exp, leaf(0.5), use_reentrant=True)


def test_dropout_drops_the_same() -> None:
    model = ml.nn.Sequential(ml.nn.Linear(20, 20), ml.nn.Dropout(0.5), ml.nn.Tanh(), ml.nn.Linear(20, 20))
    weights, x = list(model.parameters()), ml.rand(4, 20)

    def run(function: Callable[[], ml.Tensor]) -> list[bytes]:
        ml.manual_seed(3)
        return gradients(weights, function)

    want = run(lambda: model(x).tanh().sum())
    assert run(lambda: checkpoint(model, x).tanh().sum()) == want
    other = run(lambda: checkpoint(model, x, preserve_rng_state=False).tanh().sum())
    assert other != want


def test_nothing_is_left_behind() -> None:
    x = leaf(0.5, 0.6)
    gc.disable()
    try:
        y = checkpoint(lambda x: checkpoint(lambda x: x.exp().sin(), x * 2).exp(), x).sum()
        frames = [weakref.ref(o) for o in gc.get_objects() if isinstance(o, Frame)]
        assert frames
        y.backward()
        del y
        assert [frame() for frame in frames if frame() is not None] == []
    finally:
        gc.enable()


# ---- what goes wrong ---


def test_an_input_that_was_written_is_noticed() -> None:
    x = leaf(0.5)
    y = (x * 1.0).detach().requires_grad_()
    squared, summed = checkpoint(lambda y: (y * y).sum(), y), checkpoint(lambda y: (y + 1.0).exp().sin(), y)
    with ml.no_grad():
        y.mul_(2.0)
    with pytest.raises(GradientError, match=r"(?s)MulBackward saved a tensor of .*, which was written in place before"):
        squared.backward()
    with pytest.raises(GradientError, match=r"(?s)An input of a checkpointed function was written.*x\.clone"):
        summed.backward()


def test_a_step_between_the_two_runs_is_noticed() -> None:
    x, w = leaf(0.5), leaf(2.0)
    y = checkpoint(lambda x: (x * w).sin(), x)
    with ml.no_grad():
        w.sub_(0.1)
    with pytest.raises(GradientError, match=r"(?s)MulBackward saved.*call backward\(\) before optimizer\.step\(\)"):
        y.backward()


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (
            ml.exp,
            lambda x: (x * x).exp(),
            r"MulBackward saved a tensor of shape \(1,\) .*, where ExpBackward saved a tensor of shape \(1,\)",
        ),
        (
            lambda x: x.expand(2, 1).exp(),
            lambda x: x.expand(3, 1).exp(),
            r"ExpBackward saved a tensor of shape \(3, 1\) .*, where ExpBackward saved a tensor of shape \(2, 1\)",
        ),
        (lambda x: x.exp().sin().exp(), ml.exp, "A checkpointed function saved 2 tensors, and 1 when it ran again"),
        (lambda x: x.exp() + 1, lambda x: x.double() + 1, "saved 1 tensors, and 0 when it ran again"),
    ],
)
def test_a_function_that_does_something_else_is_noticed(first: Any, second: Any, told: str) -> None:
    runs = iter((first, second))
    y = checkpoint(lambda x: next(runs)(x), leaf(0.5)) * 2
    with pytest.raises(GradientError, match=rf"(?s){told}.*must do what the first did.*or pass it as an argument"):
        y.sum().backward()


def test_a_function_that_spoils_what_it_has_saved_is_noticed() -> None:
    def careless(x: ml.Tensor) -> ml.Tensor:
        y = x.exp()
        y.add_(1.0)
        return y.sin().sum()

    with pytest.raises(GradientError, match=r"wrote in place over what it had saved: ExpBackward saved"):
        checkpoint(careless, leaf(0.5)).backward()


def test_twice_is_once_too_often() -> None:
    y = checkpoint(lambda x: x.exp().sin(), leaf(0.5))
    y.backward()
    with pytest.raises(GradientError, match=r"(?s)SinBackward has nothing left.*retain_graph=True"):
        y.backward()


def test_an_error_of_the_functions_own_comes_through() -> None:
    turns: list[int] = []

    def failing(x: ml.Tensor) -> ml.Tensor:
        turns.append(1)
        return x.exp().sin() if len(turns) == 1 else 1 / 0

    with pytest.raises(ZeroDivisionError):
        checkpoint(failing, leaf(0.5)).backward()


def test_segments() -> None:
    layers = [ml.sin, ml.exp, ml.cos, ml.tanh, ml.sigmoid]
    x = leaf(0.5)

    def plain() -> ml.Tensor:
        y = x
        for layer in layers:
            y = layer(y)
        return y

    want = gradients([x], plain)
    for segments in (None, 1, 2, 3, 5):
        assert gradients([x], lambda segments=segments: checkpoint_sequential(layers, segments, x)) == want
    for segments in (0, 6, -1):
        with pytest.raises(ArgumentError, match=rf"got {segments} segments for 5 functions"):
            checkpoint_sequential(layers, segments, x)
    for lengths in ([5], [2, 3], [1, 1, 1, 1, 1], (4, 1)):
        assert gradients([x], lambda lengths=lengths: checkpoint_sequential(layers, lengths, x)) == want
    for lengths in ([2, 2], [5, 0], []):
        with pytest.raises(ArgumentError, match=r"(?s)of the lengths .* for 5 functions.*must add up to 5"):
            checkpoint_sequential(layers, lengths, x)
    with pytest.raises(ArgumentError, match="for 0 functions"):
        checkpoint_sequential([], None, x)
