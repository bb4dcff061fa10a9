"""The figures of rows B5 and B7: small tensors, true proportions."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.autograd import checkpoint, checkpoint_sequential
from minitorch_lab.memory import Account, Moment, account

MB = 8000  # bytes that stand for one megabyte
ROWS, WIDTH = 671, 200  # then a result is 67.1 MB, and a weight 20 MB


class Careful(ml.optim.Optimizer):
    """Two float64 buffers per float32 weight: four times the weights, as for a model in half precision."""

    def update(self, parameter: Any, grad: Any, state: Any, group: Any) -> None:
        if not state:
            state.update({name: ml.zeros(*parameter.shape, dtype=ml.float64) for name in "mv"})
        for name in "mv":
            state[name].mul_(1.0)


def layers(n: int) -> list[Any]:
    """Each keeps one result: the tanh its own, and the weight the same one."""
    return [ml.nn.Sequential(ml.nn.Tanh(), ml.nn.Linear(WIDTH, WIDTH, bias=False)) for _ in range(n)]


def step(model: Any, run: Any) -> Account:
    """A training step, the second one: the optimizer has its state."""
    optimizer = Careful([p for layer in model for p in layer.parameters()], {"lr": 0.0})
    for p in optimizer.param_groups[0]["params"]:
        p.grad = ml.zeros(*p.shape)
    optimizer.step()
    optimizer.zero_grad()
    with account() as found:
        run(model, ml.ones(ROWS, WIDTH)).sum().backward()
        optimizer.step()
    return found


def plain(model: Any, x: Any) -> Any:
    for layer in model:
        x = layer(x)
    return x


def every(count: int) -> Any:
    """Every segment is checkpointed, the last one too."""

    def run(model: Any, x: Any) -> Any:
        size = len(model) // count
        for start in range(0, len(model), size):
            x = checkpoint(plain, model[start : start + size], x)
        return x

    return run


def gigabytes(m: Moment) -> float:
    """Without what is on its way: the text counts weights, states, gradients and results."""
    return sum(size for name, size in m.live.items() if name != "temporary") / MB / 1000


def last(moments: list[Moment], gradients: int) -> Moment:
    """The last moment with so many weight gradients: so many layers are done."""
    return [m for m in moments if m.live["gradient"] == gradients * 20 * MB and m.phase == "backward"][-1]


def kept(m: Moment) -> float:
    """Results and inputs, in units of one result."""
    return (m.live["activation"] + m.live["input"]) // (ROWS * WIDTH * 4)


def runs_again(found: Account) -> int:
    """How many layers ran a second time, by their matrix product."""
    return sum(b.op == "linear" and b.phase == "recomputation" for b in found.blocks)


def test_row_b5_the_administrative_tax_of_100_layers() -> None:
    """100 layers × 67.1 MB on 10 GB that stay: 16.71 GB at the turn, then down to 12.0; the gradients grow to 2."""
    moments = step(layers(100), plain).timeline
    assert round((moments[0].live["parameter"] + moments[0].live["optimizer state"]) / MB / 1000, 2) == 10.0
    turn = [m for m in moments if m.phase == "forward"][-1]
    assert (kept(turn), round(gigabytes(turn), 2)) == (100, 16.71)
    assert [round(gigabytes(last(moments, done)), 2) for done in (25, 50, 75)] == [15.53, 14.36, 13.18]
    assert round(gigabytes(last(moments, 100)), 1) == 12.0


def test_row_b5_ten_checkpoints_of_100_layers() -> None:
    """1.34 GB of results instead of 6.71, and a peak of 12.5 GB, which now comes late in the backward pass."""
    found = step(layers(100), every(10))
    turns = [list(group) for phase, group in groupby(found.timeline, key=lambda m: m.phase) if phase == "backward"]
    starts = [group[0] for group in turns if kept(group[0]) >= 11]  # a segment is there again, and its walk begins
    assert kept(starts[0]) == 20
    assert round(20 * 67.1 / 1000, 2) == 1.34
    assert round(gigabytes(starts[-1]), 1) == 12.5
    worst = max(turns[-1] + turns[0], key=gigabytes)
    assert worst.live["gradient"] >= 90 * 20 * MB
    more, work = runs_again(found), 100 + 199  # matrix products: one forward, two backward, none for the first input
    assert 0.5 <= 1 - 20 / 100 <= 0.9
    assert 0.20 <= more / work <= 0.33


def test_row_b5_sixteen_layers() -> None:
    """16 → 8 units, for 12 to 16 layers run again; fewer, where the ends of segments are not computed twice."""
    model = layers(16)
    whole, cut, better = (step(model, run) for run in (plain, every(4), lambda m, x: checkpoint_sequential(m, 4, x)))
    backward = [m for m in cut.timeline if m.phase == "backward"]
    assert max(kept(m) for m in whole.timeline if m.phase == "backward") == 16
    assert max(kept(m) for m in backward) == 8
    assert 12 <= runs_again(cut) <= 16
    assert runs_again(better) <= 12


def test_row_b7_64_micro_batches_of_64_give_the_gradient_of_4096() -> None:
    """The mean over 4096 is the mean of the means over 64; the results kept are those of 64 rows."""
    ml.manual_seed(0)
    model = ml.nn.Sequential(ml.nn.Linear(16, 32), ml.nn.Tanh(), ml.nn.Linear(32, 4))
    weights = list(model.parameters())
    for p in weights:
        p.value = p.value.astype("float64")
    x, target = ml.randn(4096, 16, dtype=ml.float64), ml.randint(0, 4, (4096,))

    def whole() -> None:
        ml.cross_entropy(model(x), target).backward()

    def in_parts() -> None:
        for k in range(0, 4096, 64):
            (ml.cross_entropy(model(x[k : k + 64]), target[k : k + 64]) / 64).backward()

    found: list[Any] = []
    for run in (whole, in_parts):
        for p in weights:
            p.grad = None
        with account() as memory:
            run()
        found.append(([p.grad.numpy().copy() for p in weights], memory.peak_by_category["activation"]))
    (big, bytes_big), (small, bytes_small) = found
    for one, other in zip(big, small, strict=True):
        assert one == pytest.approx(other, rel=1e-12, abs=1e-15)
    assert 60 <= bytes_big / bytes_small <= 64
