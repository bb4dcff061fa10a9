"""What a recording holds: every op, node, saved value, write, step and hook; and that it leaves no trace of itself."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.core.interpret import stack
from minitorch_lab.errors import GradientError, RecordingError
from minitorch_lab.recording import Recording, record
from minitorch_lab.recording import events as ev
from tests.widgets.runs import DOUBLE, EXP, HOOK, STALE, THROUGH_VIEW, TRAINING, TWICE, run

HIDDEN = {"n", "params", "line", "title", "shape", "grad", "during", "version", "fact", "walk"}
HIDDEN |= {"run", "inside", "call", "more", "segment", "again", "dropped", "module"}


def brief(recording: Recording) -> list[str]:
    """The stream in short: kind and ids."""
    keep = (ev.Op, ev.Node, ev.Save, ev.Free, ev.Begin, ev.Step, ev.Send, ev.Sum, ev.Accumulate, ev.End)
    lines: list[str] = []
    for event in recording:
        if isinstance(event, keep):
            fields = [
                f"{key}={value.scalar if hasattr(value, 'scalar') else value}"
                for key, value in event._asdict().items()
                if key not in HIDDEN
            ]
            lines.append(" ".join([type(event).__name__.lower(), *fields]))
    return lines


def test_the_stream_of_a_product() -> None:
    x = ml.tensor(3.0, requires_grad=True)
    with record() as rec:
        y = x * 2
        y.backward()
    assert brief(rec) == [
        "node id=n1 op=None edges=()",
        "node id=n2 op=mul edges=('n1', None)",
        "op id=o1 op=mul inputs=('t1', 't2') output=t3 node=n2",
        "save node=n2 name=y tensor=t2 counter=",
        "begin tensor=t3 node=n2 seed=1.0 given=False retain=False create=False",
        "step node=n2 cotangent=1.0",
        "send node=n2 edge=0 to=n1 value=2.0",
        "sum node=n1 parts=1 value=2.0",
        "free node=n2",
        "step node=n1 cotangent=2.0",
        "accumulate node=n1 tensor=t1 old=None new=2.0",
        "end error=None",
    ]
    assert [event.n for event in rec] == list(range(len(rec)))


def test_partial_adjoints_and_their_sums() -> None:
    rec = run(EXP)
    sends = [(s.node, s.to, s.value.scalar) for s in rec.each(ev.Send)]
    assert sends == [("n4", "n2", 3.0), ("n4", "n3", 2.0), ("n3", "n2", 2.0), ("n2", "n1", 10.0)]
    assert [(s.node, s.parts, s.value.scalar) for s in rec.each(ev.Sum)][2] == ("n2", 2, 5.0)


@pytest.mark.parametrize("create", [False, True])
def test_recording_changes_no_gradient(create: bool) -> None:
    def gradients(watched: bool) -> list[Any]:
        ml.manual_seed(3)
        model = ml.nn.Sequential(ml.nn.Linear(5, 4), ml.nn.Tanh(), ml.nn.Linear(4, 2))
        x = ml.rand(3, 5)
        if watched:
            with record():
                (model(x) ** 2).mean().backward(create_graph=create)
        else:
            (model(x) ** 2).mean().backward(create_graph=create)
        return [p.grad.tolist() for p in model.parameters()]

    assert gradients(True) == gradients(False)


def test_the_engine_is_as_before_after_the_block() -> None:
    top = stack.get()
    with record() as rec:
        pass
    assert stack.get() is top
    (ml.ones(2) * 2).sum()
    assert len(rec) == 0, "what runs after the block is not recorded"


def test_an_exception_leaves_a_usable_recording() -> None:
    top = stack.get()
    with pytest.raises(ZeroDivisionError), record() as rec:  # noqa: PT012
        ml.ones(2) * 2
        1 / 0  # noqa: B018
    assert stack.get() is top
    assert rec.complete
    (error,) = rec.each(ev.Error)
    assert (error.type, error.message) == ("ZeroDivisionError", "division by zero")
    rows = {row[0]: row[2] for source in rec.each(ev.Source) for row in source.rows}
    assert rows[str(error.line)].strip().startswith("1 / 0")


def test_a_second_recording_inside_is_refused() -> None:
    with record() as rec:
        with pytest.raises(RecordingError) as error, record():
            pass
        ml.zeros(2)
    assert str(error.value) == (
        "record() was called inside another record().\n"
        "  One recording at a time watches the engine.\n"
        "  Use the outer recording: it sees everything that runs in its block."
    )
    assert [op.op for op in rec.each(ev.Op)] == ["full"], "the outer one goes on"


def test_large_tensors_are_kept_as_a_summary() -> None:
    with record(values=6) as rec:
        x = ml.arange(6.0)
        a = x + 1
        b = ml.arange(7.0) + 1
    small, large = (rec.tensor(next(n.id for n in rec.each(ev.Name) if n.name == name)) for name in "ab")
    assert small.value.data == tuple(range(1, 7))
    assert large.value.data is None
    assert (large.value.shape, large.value.mean, large.value.low, large.value.high) == ((7,), 4.0, 1.0, 7.0)
    assert (a.numel(), b.numel()) == (6, 7)


def test_no_tensor_and_no_frame_is_kept_alive() -> None:
    def inner() -> tuple[Any, Recording]:
        with record() as rec:
            temporary = ml.ones(100) * 2
            alive = weakref.ref(temporary)
        del temporary
        return alive, rec

    alive, rec = inner()
    gc.collect()
    assert alive() is None
    assert [op.op for op in rec.each(ev.Op)] == ["full", "mul"]


def test_writes_in_place_raise_the_version_of_the_memory() -> None:
    (write,) = run(STALE, GradientError).each(ev.Write)
    assert (write.op, write.version) == ("add", 1)
    rec = run(STALE, GradientError)
    (save,) = [s for s in rec.each(ev.Save) if s.name == "out"]
    assert save.version == 0
    assert rec.tensor(write.new).memory == rec.tensor(write.old).memory
    assert [end.error for end in rec.each(ev.End)] == [
        "ExpBackward saved 'out' at version 0, and its memory is now at version 1."
    ]


def test_everything_on_written_memory_is_told() -> None:
    rec = run(THROUGH_VIEW)
    names = {n.id: n.name for n in rec.each(ev.Name)}
    assert [(names[w.old], names[w.new]) for w in rec.each(ev.Write)] == [("v", "v′"), ("y", "y′"), ("v", "v′′")]


def test_an_alias_without_history_is_told_too() -> None:
    x = ml.tensor([1.0, 2.0], requires_grad=True)
    with record() as rec:
        y = x * 1
        z = y.detach()
        z.add_(5)
    names = {n.id: n.name for n in rec.each(ev.Name)}
    assert [(names[w.old], names[w.new]) for w in rec.each(ev.Write)] == [("z", "z′"), ("y", "y")]
    assert [write.value.data for write in rec.each(ev.Write)] == [(6.0, 7.0), (6.0, 7.0)]
    assert y.tolist() == [6.0, 7.0]


def test_hooks_show_before_and_after() -> None:
    (hook,) = run(HOOK).each(ev.Hook)
    assert (hook.before.scalar, hook.after.scalar) == (10.0, 1.0)


def test_leaf_accumulation_shows_old_and_new() -> None:
    steps = [(a.old.scalar if a.old else None, a.new.scalar) for a in run(TWICE).each(ev.Accumulate)]
    assert steps == [(None, 2.0), (2.0, 5.0)]


def test_double_backward_records_the_ops_of_the_first_walk() -> None:
    rec = run(DOUBLE)
    assert [(op.op, op.during) for op in rec.each(ev.Op)] == [
        ("pow", None),
        ("pow", "n2"),
        ("mul", "n2"),
        ("mul", "n2"),
    ]
    assert [a.new.scalar for a in rec.each(ev.Accumulate)] == [27.0, 18.0]


def test_no_grad_is_on_the_op() -> None:
    x = ml.tensor(1.0, requires_grad=True)
    with record() as rec:
        x + 1
        with ml.no_grad():
            x + 2
    assert [(op.grad, op.node is not None) for op in rec.each(ev.Op)] == [(True, True), (False, False)]


def test_an_update_of_parameters_is_a_write_without_a_node() -> None:
    rec = run(TRAINING)
    names = {n.id: n.name for n in rec.each(ev.Name)}
    assert [names[w.old] for w in rec.each(ev.Write)] == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert {t.how for t in rec.each(ev.Tensor) if names.get(t.id) in ("0.weight", "0.weight′")} == {"parameter"}


def test_a_tensor_that_becomes_a_leaf_inside_the_block() -> None:
    with record() as rec:
        x = ml.ones(2).requires_grad_()
        (x * x).sum().backward()
    leaf = next(t for t in rec.each(ev.Tensor))
    assert (leaf.how, leaf.node) == ("leaf", "n1")
    assert [a.tensor for a in rec.each(ev.Accumulate)] == [leaf.id]


def test_gradients_as_a_result_can_be_asked_for_while_recording() -> None:
    x = ml.tensor(3.0, requires_grad=True)
    with record() as rec:
        y = x**3
        (slope,) = ml.autograd.grad(y, x, create_graph=True)
        (bend,) = ml.autograd.grad(slope, x)
    assert (slope.item(), bend.item()) == (27.0, 18.0)
    assert [op.op for op in rec.each(ev.Op)][:2] == ["pow", "pow"]
