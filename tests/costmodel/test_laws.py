"""The quantitative laws against the worked figures of the field, by row of the list of systems, and against accounts.

Where a published figure is only roughly right, the test holds the one that its own parts add up to, and says so.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import costmodel as cm
from minitorch_lab import nn
from minitorch_lab.errors import ArgumentError

US, MB, GB = 1e-6, 1e6, 1e9
AXES = [cm.Strategy("eager", 0, 10e-6), cm.Strategy("JIT", 10, 5e-6), cm.Strategy("AOT", 30, 2e-6)]


# ---- A14: dispatch tax, Dispatch Overhead Law, Compilation Continuum ------------------------------------------------
@pytest.mark.parametrize(("kernel", "tax"), [(1 * US, 0.94), (100 * US, 0.13)])
def test_row_a14_dispatch_tax(kernel: float, tax: float) -> None:
    assert round(cm.dispatch_tax(15 * US, kernel), 2) == tax


@pytest.mark.parametrize(
    ("hardware", "ratio", "part", "speedup"),
    [(2.6 * US, 11.5, 0.92, 12.5), (2.18 * US, 13.8, 0.932, 14.8)],  # the same step; by its own table it is the second
)
def test_row_a14_dispatch_overhead_law(hardware: float, ratio: float, part: float, speedup: float) -> None:
    found = cm.overhead_ratio(6, 5 * US, hardware)
    assert round(found, 1) == ratio
    assert found / (1 + found) == pytest.approx(part, abs=5e-3)
    assert round(cm.dispatch_speedup(6, 5 * US, hardware), 1) == speedup
    assert cm.dispatch_speedup(6, 5 * US, hardware) == pytest.approx(1 + found)


def test_row_a14_one_launch_is_kept() -> None:
    assert round(cm.dispatch_speedup(6, 5 * US, 2.6 * US, left=1), 1) == 4.3
    assert cm.overhead_ratio(1, 50 * US, 100_000 * US) == pytest.approx(0.0005)


def test_row_a14_break_even() -> None:
    assert cm.break_even(1 / 1450, 1 / 2150, 30) == pytest.approx(133_607, abs=1)
    assert cm.break_even(1.0, 2.0, 30) == math.inf
    benefit = cm.compilation_benefit(133_607.14, 0, eager=1 / 1450, compiled=1 / 2150, compilation=30)
    assert benefit == pytest.approx(1, abs=1e-5)
    assert cm.compilation_benefit(1e6, 10, eager=1.0, compiled=0.5, compilation=30) == pytest.approx(5e5 / 330)


def test_row_a14_ten_edits_of_a_program() -> None:
    eager, compiled = 10_000 / 1450, 10 * 30 + 10_000 / 2150  # the images are run once, after the last edit
    assert (round(eager, 1), round(compiled, 1)) == (6.9, 304.7)


def test_row_a14_the_continuum() -> None:
    assert [(round(n), way.name) for n, way in cm.crossovers(AXES)] == [
        (0, "eager"), (2_000_000, "JIT"), (6_666_667, "AOT"),
    ]  # fmt: skip
    for n in (0, 1e3, 1.9e6, 2.1e6, 6e6, 7e6, 1e9):  # brute force: the lowest of the three lines
        assert cm.cheapest(AXES, n).seconds(n) == min(way.seconds(n) for way in AXES)
        last = [way for at, way in cm.crossovers(AXES) if at <= n][-1]
        assert last.seconds(n) == pytest.approx(cm.cheapest(AXES, n).seconds(n))


def test_a_way_that_never_wins_is_no_crossover() -> None:
    ways = [cm.Strategy("a", 0, 4.0), cm.Strategy("never", 100, 3.0), cm.Strategy("b", 10, 2.0)]
    assert [(n, way.name) for n, way in cm.crossovers(ways)] == [(0, "a"), (5, "b")]


# ---- A16: the iron law ----------------------------------------------------------------------------------------------
def test_row_a16_the_terms_of_a_training_step() -> None:
    terms = cm.iron_law(cm.Demand(39.1e6, 4.2 * MB, 6), cm.A100)
    assert [round(t / US, 1) for t in (terms.work, terms.data, terms.overhead)] == [0.1, 2.1, 30.0]
    assert round(terms.hardware / US, 2) == 2.19  # published as 2.18, from rounded terms
    assert terms.dominant == "overhead"
    assert round(cm.iron_law(cm.Demand(39.1e6, 0, 0), cm.A100_FLOAT32).work / US, 1) == 2.0  # its bytes are float32


def test_row_a16_what_an_optimisation_saves() -> None:
    def program(a: Any, b: Any) -> Any:
        return (a + b).relu()

    n = 1000
    x, y = ml.ones(n), ml.ones(n)
    before, after = cm.demand_of(program, x, y), cm.demand_of(program, x, y, as_one=True)
    assert (before.nbytes, after.nbytes) == (5 * 4 * n, 3 * 4 * n)
    assert (before.launches, after.launches, before.flop) == (2, 1, after.flop)
    saved = cm.saved_terms(cm.iron_law(before, cm.A100), cm.iron_law(after, cm.A100))
    assert saved == pytest.approx({"data": 8000 / 2.039e12, "work": 0.0, "overhead": 5 * US})


@pytest.mark.parametrize("utilisation", [0.0, -0.5, 1.5, math.nan])
def test_a_utilisation_is_a_part_of_one(utilisation: float) -> None:
    with pytest.raises(ArgumentError, match="utilisation"):
        cm.iron_law(cm.Demand(1, 1), cm.A100, utilisation)


# ---- B10: training memory -------------------------------------------------------------------------------------------
def test_row_b10_a_residual_network() -> None:
    found = [cm.training_memory(25.6e6, activations=n * GB) for n in (8, 12)]
    assert (round(found[0].weights / MB, 1), round(found[0].optimizer / MB, 1)) == (102.4, 204.8)
    assert [round(m.total / GB, 1) for m in found] == [8.4, 12.4]  # published as 10 to 15


def test_row_b10_large_models() -> None:
    seven = cm.training_memory(7e9, weight=2)
    assert (seven.weights, seven.optimizer) == (14 * GB, 56 * GB)
    kept = cm.stored_activations(32, 100, 1024, 1024)
    one = cm.training_memory(1e9, kept, weight=2)
    assert (one.weights, one.gradients, one.optimizer) == (2 * GB, 2 * GB, 8 * GB)
    assert (round(kept / GB, 1), round((one.total - one.weights) / GB, 1)) == (6.7, 16.7)


MODELS = {
    "mlp": (lambda: nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10)), (128, 64)),
    "cnn": (
        lambda: nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 16, 10)
        ),
        (64, 1, 8, 8),
    ),
    "transformer": (lambda: nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True), (16, 24, 32)),
}


@pytest.mark.parametrize("name", MODELS)
def test_row_b10_a_real_training_step_takes_what_its_parts_add_up_to(name: str) -> None:
    make, shape = MODELS[name]
    model, x = make(), ml.randn(*shape)
    adam = ml.optim.Adam(model.parameters())
    model(x).sum().backward()
    adam.step()  # the state is made by the first step
    found = cm.measure_training_memory(model, adam, lambda: model(x).square().mean())
    count = sum(p.numel() for p in model.parameters())
    law = cm.training_memory(count, found.activations)
    assert (found.weights, found.gradients) == (law.weights, law.gradients)
    assert found.optimizer == pytest.approx(law.optimizer, rel=0.02)
    adam.zero_grad(set_to_none=False)
    with ml.memory.account() as account:
        loss = model(x).square().mean()
        alive = account.live_by_category["activation"]
        loss.backward()
    kept = 0 if name == "cnn" else x.nbytes  # a convolution keeps the patches of its input, a product the input
    assert found.activations == pytest.approx(alive + kept, rel=0.02)


# ---- C2, C3: the bandwidth ladder, overlap --------------------------------------------------------------------------
def test_row_c2_the_ladder() -> None:
    times = [round(1e3 * cm.transfer_time(4 * MB, rate), 3) for rate in cm.LADDER.values()]
    assert times == [0.253, 0.125, 0.013, 0.002]
    assert round(cm.LADDER["HBM2e"] / cm.LADDER["PCIe 4.0 x16"], 1) == 63.7
    waiting = cm.transfer_time(1 * GB, cm.LADDER["PCIe 4.0 x16"])
    assert waiting == pytest.approx(31.25e-3)
    assert cm.missed_work(waiting, cm.A100) == pytest.approx(9.75e12)


@pytest.mark.parametrize(("copy", "compute"), [(1.0, 2.0), (2.0, 1.0), (1.5, 1.5), (0.0, 1.0)])
def test_row_c3_overlap_by_simulation(copy: float, compute: float) -> None:
    for steps in (1, 2, 7):
        copied = done = 0.0
        for _ in range(steps):  # one engine copies, another computes what has been copied
            copied += copy
            done = max(done, copied) + compute
        assert cm.overlapped_time(copy, compute, steps) == pytest.approx(done)


# ---- C4: the data pipeline ------------------------------------------------------------------------------------------
def test_row_c4_what_a_loader_must_deliver() -> None:
    assert cm.batches_in_flight(4, 2) == 8
    assert round(cm.loader_bandwidth(1000, 224 * 224 * 3) / MB, 1) == 150.5
    batch = 64 * 224 * 224 * 3 * 4
    assert round(batch / MB, 1) == 38.5
    assert round(1e3 * cm.transfer_time(batch, cm.LADDER["PCIe 4.0 x16"]), 1) == 1.2
    assert cm.workers_needed(1000, 0.001) == 1


# ---- C8: the roofline -----------------------------------------------------------------------------------------------
def test_row_c8_intensities_are_read_from_the_captured_graph() -> None:
    def forward(x: Any, w: Any, v: Any) -> Any:
        return (x @ w).relu() @ v

    first, relu, second = cm.roofline_points(forward, ml.zeros(32, 784), ml.zeros(784, 256), ml.zeros(256, 10))
    assert (round(first.flop / 1e6, 1), round(first.nbytes / MB, 1), round(first.intensity, 1)) == (12.8, 0.9, 13.7)
    assert relu.intensity == 0.125
    assert (second.flop, round(second.intensity, 1)) == (163_840, 3.7)
    assert {cm.bound_by(p, cm.A100) for p in (first, relu, second)} == {"memory"}


def test_row_c8_the_ridge() -> None:
    assert round(cm.A100.ridge) == 153
    assert round(cm.A100_FLOAT32.ridge, 1) == 9.6
    at = cm.A100.ridge
    assert cm.attainable(at, cm.A100) == pytest.approx(cm.A100.peak)
    assert cm.attainable(at / 2, cm.A100) == pytest.approx(cm.A100.peak / 2)
    assert cm.attainable(at * 2, cm.A100) == cm.A100.peak


# ---- C13: vectors ---------------------------------------------------------------------------------------------------
def test_row_c13_iterations_of_a_vector_loop() -> None:
    assert cm.vector_steps(256, 4) == 64
    assert [cm.vector_steps(n, 8) for n in (0, 1, 8, 9)] == [0, 1, 1, 2]


# ---- amounts that nothing has ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "call",
    [
        lambda: cm.dispatch_tax(-1e-6, 1e-6),
        lambda: cm.dispatch_tax(0, 0),
        lambda: cm.overhead_ratio(6, 5e-6, 0),
        lambda: cm.dispatch_speedup(6, 5e-6, 0),
        lambda: cm.break_even(1, 2, -1),
        lambda: cm.compilation_benefit(1, 0, eager=1, compiled=1, compilation=0),
        lambda: cm.Machine("none", 0, 1),
        lambda: cm.attainable(-1, cm.A100),
        lambda: cm.training_memory(-1),
        lambda: cm.transfer_time(1, 0),
        lambda: cm.overlapped_time(1, 1, 0),
        lambda: cm.step_time(1, -1, 1, 1),
        lambda: cm.vector_steps(1, 0),
        lambda: cm.iron_law(cm.Demand(-1, 0), cm.A100),
        lambda: cm.measure_loader([1]),
    ],
)
def test_amounts_that_nothing_has_are_refused(call: Any) -> None:
    with pytest.raises(ArgumentError, match="It is a finite amount"):
        call()
