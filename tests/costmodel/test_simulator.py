"""The simulated device, against what can be said by hand, and against a plain search through all of its time."""

from __future__ import annotations

import random
from typing import Any

import pytest

from minitorch_lab.costmodel import A100, LADDER, Machine, overlapped_time, transfer_time
from minitorch_lab.costmodel.simulator import KERNEL, TO_DEVICE, TO_HOST, Simulator
from minitorch_lab.errors import ArgumentError

ROUND = Machine("round", peak=1.0, bandwidth=1.0)  # a kernel of n operations takes n seconds, a copy of n bytes too


def device(link: float = 1.0) -> Simulator:
    return Simulator(ROUND, link)


@pytest.mark.parametrize(("copy", "compute"), [(3.0, 5.0), (5.0, 3.0), (4.0, 4.0)])
@pytest.mark.parametrize("steps", [1, 2, 10])
def test_row_c3_copy_and_compute_take_the_longer_of_the_two_and_not_the_sum(
    copy: float, compute: float, steps: int
) -> None:
    """Listing 19: the next batch is copied on one stream while this one is computed on the other."""
    both, alone = device(), device()
    copies, kernels, single = both.queue("copies"), both.queue("kernels"), alone.queue("default")
    for _ in range(steps):
        both.copy(copies, copy)
        both.wait(kernels, both.record(copies))
        both.launch(kernels, flops=compute)
        alone.copy(single, copy)
        alone.launch(single, flops=compute)
    assert alone.synchronize() == steps * (copy + compute)
    assert both.synchronize() == pytest.approx(overlapped_time(copy, compute, steps))
    assert both.now == pytest.approx((steps - 1) * max(copy, compute) + copy + compute)


def test_row_c3_three_stages_of_a_pipeline_fill_three_engines() -> None:
    """Listing 20 with an engine for each stage: n micro-batches through three stages take n + 2 turns, not 3 n."""
    found = device()
    streams = [found.queue(name) for name in ("in", "compute", "out")]
    for _ in range(8):
        found.copy(streams[0], 1.0)
        found.wait(streams[1], found.record(streams[0]))
        found.launch(streams[1], flops=1.0)
        found.wait(streams[2], found.record(streams[1]))
        found.copy(streams[2], 1.0, to_host=True)
    assert found.synchronize() == 8 + 2


def test_row_c3_synchronising_after_everything_makes_a_sequence_of_it() -> None:
    found = device()
    copies, kernels = found.queue("copies"), found.queue("kernels")
    for _ in range(10):
        found.copy(copies, 3.0)
        found.synchronize()
        found.launch(kernels, flops=5.0)
        found.synchronize()
    assert found.now == 80.0


def test_row_c3_without_pinned_memory_the_host_waits_and_nothing_overlaps() -> None:
    found = device()
    copies, kernels = found.queue("copies"), found.queue("kernels")
    for _ in range(10):
        found.copy(copies, 3.0, pinned=False)
        found.launch(kernels, flops=1.0)
    assert found.synchronize() == 31.0


@pytest.mark.parametrize(
    ("rung", "milliseconds"),
    [("PCIe 3.0 x16", 0.253), ("PCIe 4.0 x16", 0.125), ("NVLink 3.0", 0.013), ("HBM2e", 0.002)],
)
def test_row_c2_the_bandwidth_ladder_for_4_mb(rung: str, milliseconds: float) -> None:
    """The text of one edition has 0.254 for PCIe 3; 4 MB at 15.8 GB/s are 0.253."""
    found = Simulator(Machine("no price for asking", peak=1.0, bandwidth=1.0), LADDER[rung])
    found.copy(found.queue("copies"), 4e6)
    assert round(1e3 * found.synchronize(), 3) == milliseconds
    assert found.now == transfer_time(4e6, LADDER[rung])


def test_row_c2_the_ladder_from_pcie_4_to_hbm_is_64_to_1_and_1_gb_costs_31_ms() -> None:
    assert round(LADDER["HBM2e"] / LADDER["PCIe 4.0 x16"], 1) == 63.7
    found = Simulator(A100)
    start = found.record(found.queue("copies"))
    found.copy(found.queues[0], 1e9)
    found.synchronize()
    assert start.time == 0.0
    assert round(1e3 * (found.now - A100.dispatch), 2) == 31.25


def test_the_host_pays_for_every_hand_over_and_goes_on() -> None:
    found = Simulator(Machine("slow host", peak=1.0, bandwidth=1.0, dispatch=2.0))
    queue = found.queue("kernels")
    for _ in range(3):
        found.launch(queue, flops=1.0)
    assert found.now == 6.0
    assert [(span.start, span.end) for span in done(found)] == [(2.0, 3.0), (4.0, 5.0), (6.0, 7.0)]


def done(found: Simulator) -> list[Any]:
    found.synchronize()
    return found.spans


def test_an_event_that_has_not_happened_is_not_set_and_the_host_can_wait_for_it() -> None:
    found = device()
    queue = found.queue("kernels")
    found.launch(queue, flops=2.0)
    first = found.record(queue)
    found.launch(queue, flops=3.0)
    assert not found.is_set(first)
    assert found.reach(first) == 2.0
    assert found.is_set(first)
    assert not found.is_idle(queue)
    assert found.synchronize(queue) == 5.0
    assert found.is_idle(queue)


def test_what_is_ready_first_goes_first_whoever_handed_it_over() -> None:
    """The stream that waits does not hold an engine that the other one could use."""
    found = device()
    slow, waiting, other = found.queue("slow"), found.queue("waiting"), found.queue("other")
    found.copy(slow, 10.0)
    found.wait(waiting, found.record(slow))
    found.launch(waiting, flops=1.0, name="late")
    found.launch(other, flops=1.0, name="early")
    assert [span.name for span in done(found) if span.engine == KERNEL] == ["early", "late"]


def test_random_programs_are_what_a_search_through_time_finds() -> None:
    """Beside the simulator a slow one, which looks at every whole second what could begin."""
    for seed in range(200):
        rng = random.Random(seed)
        found = device()
        queues = [found.queue(str(i)) for i in range(rng.randint(1, 4))]
        plain: list[list[Any]] = [[] for _ in queues]
        marks: list[Any] = []
        for number in range(rng.randint(1, 25)):
            i = rng.randrange(len(queues))
            what = rng.choice([KERNEL, TO_DEVICE, TO_HOST, "record", "wait"])
            if what == "record":
                marks.append((found.record(queues[i]), len(marks)))
                plain[i].append(("record", len(marks) - 1))
            elif what == "wait":
                if marks:
                    mark, name = rng.choice(marks)
                    found.wait(queues[i], mark)
                    plain[i].append(("wait", name))
            else:
                seconds = rng.randint(1, 5)
                if what == KERNEL:
                    found.launch(queues[i], flops=seconds)
                else:
                    found.copy(queues[i], seconds, to_host=what == TO_HOST)
                plain[i].append((what, seconds, number))
        found.synchronize()
        spans = sorted((s.engine, s.start, s.end, s.stream) for s in found.spans)
        assert spans == sorted(searched(plain)), seed


def searched(streams: list[list[Any]]) -> list[tuple[str, float, float, str]]:
    """Every span, found by going through all whole seconds."""
    spans: list[tuple[str, float, float, str]] = []
    at, busy, engines, happened = [0] * len(streams), [0] * len(streams), dict[str, int](), dict[int, int]()
    now = 0
    while any(at[i] < len(items) for i, items in enumerate(streams)):
        moved = True
        while moved:
            moved = False
            for i, items in enumerate(streams):
                while at[i] < len(items) and busy[i] <= now and items[at[i]][0] in ("record", "wait"):
                    kind, name = items[at[i]]
                    if kind == "wait" and name not in happened:
                        break
                    if kind == "record":
                        happened[name] = now
                    at[i], moved = at[i] + 1, True
            if moved:
                continue  # until all marks are passed: then whoever is ready is known
            ready = [
                (items[at[i]][2], i)
                for i, items in enumerate(streams)
                if at[i] < len(items) and busy[i] <= now and items[at[i]][0] not in ("record", "wait")
                and engines.get(items[at[i]][0], 0) <= now
            ]  # fmt: skip
            if ready:
                _, i = min(ready)
                engine, seconds, _ = streams[i][at[i]]
                spans.append((engine, float(now), float(now + seconds), str(i)))
                busy[i] = engines[engine] = now + seconds
                at[i], moved = at[i] + 1, True
        now += 1
    return spans


def test_amounts_that_are_none() -> None:
    with pytest.raises(ArgumentError, match=r"Simulator got link=0"):
        Simulator(link=0)
    with pytest.raises(ArgumentError, match=r"launch got flops=-1"):
        device().launch(device().queue("q"), flops=-1)
