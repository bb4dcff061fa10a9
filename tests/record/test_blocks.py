"""Births and deaths in a recording: they say what an account says, and name ops and lines as the other events do."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import minitorch_lab as ml
from minitorch_lab.recording import Recording, record
from minitorch_lab.recording import events as ev


def training() -> None:
    w = ml.ones(250, requires_grad=True)
    optimizer = ml.optim.SGD([w], lr=0.1, momentum=0.9)
    loss = (w * 2).exp().sum()
    loss.backward()
    optimizer.step()


def balance(rec: Recording) -> Counter[str]:
    """Bytes that live at the end, by category."""
    gone = {death.id for death in rec.each(ev.Death)}
    left: Counter[str] = Counter()
    for birth in rec.each(ev.Birth):
        left[birth.category] += 0 if birth.id in gone else birth.nbytes
    return +left


def test_they_say_what_an_account_says() -> None:
    with record() as rec:
        with ml.memory.account() as found:
            training()
        assert balance(rec) == {name: size for name, size in found.live_by_category.items() if size}
    births = {b.id: b for b in rec.each(ev.Birth)}
    told = [("+", b.nbytes, b.category) for b in births.values()]
    assert told == [("+", b.nbytes, b.category) for b in found.blocks]
    assert all(births[d.id].n < d.n for d in rec.each(ev.Death))


def test_a_block_has_its_op_its_line_and_the_memory_of_its_tensor() -> None:
    with record() as rec:
        w = ml.ones(250, requires_grad=True)
        y = w * 2
    assert y.shape == (250,)
    op = next(op for op in rec.each(ev.Op) if op.op == "mul")
    block = next(b for b in rec.each(ev.Birth) if b.op == "mul")
    assert (block.line, block.shape, block.phase) == (op.line, (250,), "forward")
    assert block.memory == rec.tensor(op.output).memory
    assert rec.tensor(op.inputs[0]).memory in {b.memory for b in rec.each(ev.Birth)}


def test_a_gradient_knows_its_leaf() -> None:
    with record() as rec:
        training()
    (found,) = [b for b in rec.each(ev.Birth) if b.category == "gradient"]
    assert found.leaf is not None
    assert rec.names[found.leaf].name == "w"


def test_the_recording_itself_keeps_nothing_alive() -> None:
    """A cotangent that was added up dies when its node has run, not when the walk ends."""
    with record() as rec:
        x = ml.ones(250, requires_grad=True)
        y = x * 2
        (y * y + y).exp().sum().backward()
    steps = {step.node: step.n for step in rec.each(ev.Step)}
    total = [b for b in rec.each(ev.Birth) if b.op == "sum of cotangents"][-1]
    death = next(d for d in rec.each(ev.Death) if d.id == total.id)
    later = min(n for n in steps.values() if n > death.n)
    node = next(op.node for op in rec.each(ev.Op) if op.op == "mul")
    assert steps[str(node)] < death.n < later


def test_when_memory_is_released_does_not_change_the_id() -> None:
    def run(keep: list[ml.Tensor]) -> Recording:
        with record() as rec:
            x = ml.ones(250) * 2
            keep.append(x)
            del x
        return rec

    class Forgetful(list[ml.Tensor]):
        def append(self, _: ml.Tensor) -> None: ...

    kept, dropped = run([]), run(Forgetful())
    assert len(dropped.each(ev.Death)) == len(kept.each(ev.Death)) + 1
    assert kept.id == dropped.id


def test_they_are_saved_and_loaded(tmp_path: Path) -> None:
    with record() as rec:
        training()
    rec.save(tmp_path / "rec.json")
    assert Recording.load(tmp_path / "rec.json").events == rec.events
