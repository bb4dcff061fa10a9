"""Checkpointing: the same gradients to the last bit, from less memory and a little more work."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.array import memory_of
from minitorch_lab.autograd import Eager, Function, Node, checkpoint, checkpoint_sequential, grad, saved_tensors_hooks
from minitorch_lab.autograd.checkpoint import Frame
from minitorch_lab.autograd.node import Saved
from minitorch_lab.autograd.saved import Parcel
from minitorch_lab.errors import ArgumentError, GradientError
from minitorch_lab.interpret import interpreting

DEPTH, WIDTH, ROWS = 32, 16, 64


def leaf(*values: float) -> ml.Tensor:
    return ml.tensor(values, dtype=ml.float64, requires_grad=True)


def gradients(leaves: list[ml.Tensor], function: Callable[[], ml.Tensor]) -> list[bytes]:
    for x in leaves:
        x.grad = None
    function().backward()
    return [x.grad.numpy().tobytes() for x in leaves]


# ---- the tape's bytes and the work, on an MLP of 32 layers ---


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


class Counting(Eager):
    """Eager execution that counts the ops it runs and the rules of its walks, and looks at the tape after each."""

    def __init__(self, parameters: set[int]) -> None:
        self.parameters, self.forward, self.pulled, self.peak = parameters, 0, 0, 0
        self.root: Node | None = None

    def look(self) -> None:
        if self.root is not None:
            self.peak = max(self.peak, held(self.root, self.parameters))

    def run(self, op: Any, args: Any, params: Any) -> Any:
        out = super().run(op, args, params)
        self.forward += 1
        self.look()
        return out

    def rules(self, retain: bool, create: bool) -> Any:
        rules = super().rules(retain, create)
        pull = rules.pull

        def looked(node: Node, g: Any) -> Any:
            sent = pull(node, g)
            self.pulled += sum(part is not None for part in sent)
            self.look()
            return sent

        rules.pull = looked
        return rules


def mlp() -> Any:
    ml.manual_seed(0)
    layers = [ml.nn.Sequential(ml.nn.Linear(WIDTH, WIDTH), ml.nn.Tanh()) for _ in range(DEPTH)]
    return ml.nn.Sequential(*layers)


def measured(model: Any, run: Callable[[Any, Any], Any]) -> tuple[list[bytes], Counting]:
    """One step's gradients, and what it took."""
    x = ml.randn(ROWS, WIDTH)
    parameters = list(model.parameters())
    counting = Counting({id(memory_of(p.value)) for p in parameters})
    with interpreting(counting):
        loss = run(model, x).sum()
        counting.root = loss.grad_fn
        counting.look()
        found = gradients(parameters, lambda: loss)
    return found, counting


def test_a_32_layer_mlp() -> None:
    plain, whole = measured(mlp(), lambda model, x: model(x))
    same, cut = measured(mlp(), lambda model, x: checkpoint_sequential(model, input=x))
    assert same == plain
    assert whole.peak >= DEPTH * ROWS * WIDTH * 4
    assert cut.peak <= 0.35 * whole.peak
    assert cut.forward <= 2 * whole.forward  # each piece but the last once more
    assert cut.forward + cut.pulled <= 1.4 * (whole.forward + whole.pulled)  # one op or more per rule


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
    from minitorch_lab.record.events import Op

    assert [event.op for event in rec.each(Op)] == ["exp", "sin", "exp", "sin"]
    with ml.record() as rec:
        y = checkpoint(lambda x: x.exp().sin(), x)
    events = len(rec)
    y.backward()
    assert len(rec) == events  # it is over


def test_what_changes_is_noticed() -> None:
    x = leaf(0.5)
    y = (x * 1.0).detach().requires_grad_()
    out = checkpoint(lambda y: (y * y).sum(), y)
    with ml.no_grad():
        y.mul_(2.0)
    with pytest.raises(GradientError, match=r"(?s)An input of a checkpointed function was written.*x\.clone"):
        out.backward()

    turns: list[int] = []

    def odd(x: ml.Tensor) -> ml.Tensor:
        turns.append(1)
        return x.exp() if len(turns) % 2 else (x * x).exp()

    with pytest.raises(GradientError, match="saved 1 tensors, and 3 when it ran again"):
        checkpoint(odd, x).backward()

    def wide(x: ml.Tensor) -> ml.Tensor:
        turns.append(1)
        return x.expand(len(turns), 1).exp().sum()

    with pytest.raises(GradientError, match="other shapes or dtypes"):
        checkpoint(wide, x).backward()

    def careless(x: ml.Tensor) -> ml.Tensor:
        y = x.exp()
        y.add_(1.0)
        return y.sum()

    with pytest.raises(GradientError, match="wrote in place over a tensor that it had saved"):
        checkpoint(careless, x).backward()


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
    with pytest.raises(ArgumentError, match="for 0 functions"):
        checkpoint_sequential([], None, x)
