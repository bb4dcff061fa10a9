"""What a recording sees inside transforms: the reader's ops on every level, tangents, batch axes, walks."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.func import batch, forward, reverse
from minitorch_lab.recording import Recording, record
from minitorch_lab.recording import events as ev


def ops(recording: Recording, run: str | None) -> list[str]:
    return [op.op for op in recording.each(ev.Op) if op.run == run]


def named(recording: Recording, name: str, run: str | None) -> ev.Tensor:
    ids = [n.id for n in recording.each(ev.Name) if n.name == name]
    return next(t for t in recording.each(ev.Tensor) if t.id in ids and t.run == run)


def test_a_tensor_of_jvp_has_a_value_and_a_tangent() -> None:
    with record() as rec:
        ml.func.jvp(lambda x: x**2 * x.sin(), (ml.tensor(2.0),), (ml.tensor(1.0),))
    assert [(run.id, run.transform, run.outer) for run in rec.runs] == [("x1", "jvp", None)]
    assert ops(rec, "x1") == ["pow", "sin", "mul"], "the reader's ops; how their tangents are computed is not theirs"
    result = [t for t in rec.each(ev.Tensor) if t.run == "x1"][-1]
    assert result.tangent is not None
    assert (round(result.value.scalar or 0, 4), round(result.tangent.scalar or 0, 4)) == (3.6372, 1.9726)


def test_grad_is_a_walk_over_a_tape_of_its_own() -> None:
    def f(x1: Any, x2: Any) -> Any:
        return x1.log() + x1 * x2 - x2.sin()

    with record() as rec:
        ml.func.grad(f, argnums=(0, 1))(ml.tensor(2.0), ml.tensor(5.0))
    assert ops(rec, "x1") == ["log", "mul", "add", "sin", "sub"]
    (begin,) = rec.each(ev.Begin)
    assert (begin.call, begin.run) == ("vjp", "x1")
    names = {n.id: n.name for n in rec.each(ev.Name)}
    found = {names[str(r.tensor)]: round(r.value.scalar or 0, 4) for r in rec.each(ev.Result)}
    assert found == {"x1": 5.5, "x2": 1.7163}
    assert [end.error for end in rec.each(ev.End)] == [None]


def test_vmap_shows_one_example_and_the_batch_axis() -> None:
    def f(w: Any, x: Any) -> Any:
        h = w * x
        return h.sum()

    with record() as rec:
        ml.func.vmap(ml.func.grad(f), in_axes=(None, 0))(ml.ones(3), ml.ones(8, 3))
    assert [(run.transform, run.outer) for run in rec.runs] == [("vmap", None), ("vjp", "x1")]
    assert (named(rec, "x", "x1").batch, named(rec, "x", "x1").value.shape) == ((8,), (8, 3))
    assert named(rec, "w", "x1").batch == ()
    assert named(rec, "h", "x2").batch == (8,), "the batch axis is there on every level above"


def test_the_transforms_are_plain_again_after_the_block() -> None:
    plain = reverse.Tape, reverse.Arriving, reverse.walk, forward.Forward, forward.vjp, batch.Vmap
    with record():
        assert reverse.Tape is not plain[0]
    assert (reverse.Tape, reverse.Arriving, reverse.walk, forward.Forward, forward.vjp, batch.Vmap) == plain


def test_another_thread_is_not_recorded() -> None:
    found: list[Any] = []
    with record() as rec:
        other = threading.Thread(target=lambda: found.append(ml.func.grad(lambda x: x**3)(ml.tensor(2.0)).item()))
        other.start()
        other.join()
    assert found == [12.0]
    assert len(rec.each(ev.Op)) == 0


@pytest.mark.parametrize("transform", [ml.func.grad, lambda f: ml.func.grad(ml.func.grad(f))])
def test_recording_changes_no_result(transform: Any) -> None:
    def f(x: Any) -> Any:
        y = x.sin()
        y *= x
        return (y[1:] * y[:-1]).sum()

    x = ml.tensor([0.3, 0.7, 1.1])

    def result() -> Any:
        return ml.func.jacrev(ml.func.grad(f))(x).tolist()

    before = result()
    with record():
        assert result() == before
    assert result() == before


def test_a_write_inside_a_transform_is_a_new_state_of_the_tensor() -> None:
    def f(x: Any) -> Any:
        y = x * 2
        y += 1
        return y * x

    with record() as rec:
        ml.func.grad(f)(ml.tensor(3.0))
    made = [op for op in rec.each(ev.Op) if op.run == "x1"]
    assert [op.op for op in made] == ["mul", "add", "mul"]
    assert made[1].inputs[0] == made[0].output
    assert made[2].inputs[0] == made[1].output


def test_gradients_as_a_result_are_walks_too() -> None:
    x = ml.tensor(3.0, requires_grad=True)
    w = ml.tensor(2.0, requires_grad=True)
    with record() as rec:
        y = w * x**3
        (slope,) = ml.autograd.grad(y, x, create_graph=True)
        ml.autograd.grad(slope, x)
    assert [(walk.call, walk.create) for walk in rec.each(ev.Begin)] == [("grad", True), ("grad", False)]
    assert [r.value.scalar for r in rec.each(ev.Result)] == [54.0, 36.0]
    sent = {send.to for send in rec.each(ev.Send)}
    names = {n.id: n.name for n in rec.each(ev.Name)}
    leaf = next(t for t in rec.each(ev.Tensor) if names.get(t.id) == "w")
    assert leaf.node not in sent, "nobody asked for the gradient of w"


def test_a_function_of_several_results_inside_a_transform() -> None:
    class SinCos(ml.autograd.Function):
        @staticmethod
        def forward(x: Any) -> Any:
            return x.sin(), x.cos()

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*output)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            s, c = ctx.saved_tensors
            return grads[0] * c - grads[1] * s

    def f(x: Any) -> Any:
        s, c = SinCos.apply(x)
        return s * c

    with record() as rec:
        ml.func.grad(f)(ml.tensor(0.5))
    assert ops(rec, "x1") == ["SinCos", "[0]", "[1]", "mul"]
    (found,) = rec.each(ev.Result)
    assert round(found.value.scalar or 0, 4) == 0.5403
