"""Streams and events with PyTorch's meaning, on the simulated device; and how calls go to CuPy where there is a GPU."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.costmodel import Machine, overlapped_time
from minitorch_lab.costmodel.simulator import KERNEL
from minitorch_lab.errors import ArgumentError, DeviceError
from minitorch_lab.memory import simulated_device, streams

SIDE = 100
MATRIX = 4 * SIDE**2  # bytes
COMPUTE = Machine("slow", peak=1e6, bandwidth=1e12)  # a product of two matrices takes 2 SIDE³ / peak = 2 s


def run(link: float, steps: int, streamed: bool) -> float:
    """Listing 19 in ops of ours: upload the next batch while this one is multiplied."""
    weight, batch = ml.ones(SIDE, SIDE), ml.ones(SIDE, SIDE)
    with simulated_device(COMPUTE, link) as device:
        transfer, compute = (ml.Stream(), ml.Stream()) if streamed else (None, None)
        for _ in range(steps):
            if transfer is None or compute is None:
                device.upload(batch) @ weight
                continue
            with transfer:
                x = device.upload(batch)
            compute.wait_stream(transfer)
            with compute:
                x @ weight
        return device.synchronize()


@pytest.mark.parametrize("copy", [0.5, 2.0, 8.0])
def test_row_c3_max_of_copy_and_compute_against_the_sum_with_ops_of_ours(copy: float) -> None:
    compute, steps = 2 * SIDE**3 / COMPUTE.peak, 6
    assert compute == 2.0
    assert run(MATRIX / copy, steps, streamed=False) == pytest.approx(steps * (copy + compute))
    assert run(MATRIX / copy, steps, streamed=True) == pytest.approx(overlapped_time(copy, compute, steps))


def test_ops_give_what_they_always_give_and_the_backward_walk_takes_its_time_too() -> None:
    def step() -> tuple[Any, Any]:
        ml.manual_seed(0)
        w = ml.randn(20, 20, requires_grad=True)
        loss = (ml.randn(5, 20) @ w).tanh().sum()
        loss.backward()
        return loss.item(), w.grad

    loss, grad = step()
    with simulated_device() as device:
        found, other = step()
        device.synchronize()
    assert found == loss
    assert other.equal(grad)
    names = [span.name for span in device.simulator.spans]
    assert {"matmul", "tanh", "sum"} <= set(names)
    assert names.count("matmul") >= 2, "the product again, for the gradient"
    assert all(span.engine == KERNEL and span.stream == "default stream" for span in device.simulator.spans)


def test_events_order_streams_without_stopping_the_host() -> None:
    """Listing 21: the consumer waits for the producer, and the host for nobody."""
    x = ml.ones(SIDE, SIDE)
    with simulated_device(COMPUTE, 1e9) as device:
        producer, consumer, event = ml.Stream(), ml.Stream(), ml.Event()
        with producer:
            y = x @ x
            event.record()
        with consumer:
            event.wait()
            y @ x
        assert device.simulator.now == 0.0
        assert (event.query(), producer.query(), consumer.query()) == (False, False, False)
        event.synchronize()
        assert device.simulator.now == 2.0
        assert (event.query(), producer.query(), consumer.query()) == (True, True, False)
        consumer.synchronize()
        assert device.simulator.now == 4.0
        assert consumer.query()
    spans = device.simulator.spans
    assert [(s.stream, s.start, s.end) for s in spans] == [("stream 1", 0.0, 2.0), ("stream 2", 2.0, 4.0)]


def test_an_event_that_was_never_recorded_is_not_waited_for() -> None:
    with simulated_device(COMPUTE) as device:
        event, stream = ml.Event(), ml.Stream()
        stream.wait_event(event)
        event.synchronize()
        assert event.query()
        assert device.synchronize() == 0.0


def test_recording_again_moves_the_event_and_those_who_wait_already_wait_for_the_first() -> None:
    x = ml.ones(SIDE, SIDE)
    with simulated_device(COMPUTE) as device:
        producer, early = ml.Stream(), ml.Stream()
        with producer:
            x @ x
        event = producer.record_event()
        early.wait_event(event)
        with producer:
            x @ x
        producer.record_event(event)
        early.synchronize()
        assert device.simulator.now == 2.0
        event.synchronize()
        assert device.simulator.now == 4.0


def test_the_time_between_events() -> None:
    x = ml.ones(SIDE, SIDE)
    with simulated_device(COMPUTE):
        start, end, other = ml.Event(enable_timing=True), ml.Event(enable_timing=True), ml.Event()
        with pytest.raises(ArgumentError, match=r"(?s)the first event was never recorded.*Call record\(\) on both"):
            start.elapsed_time(end)
        start.record()
        x @ x
        end.record()
        with pytest.raises(ArgumentError, match=r"(?s)the second event has not happened yet.*Call synchronize\(\)"):
            start.elapsed_time(end)
        end.synchronize()
        assert start.elapsed_time(end) == pytest.approx(2000.0)
        with pytest.raises(ArgumentError, match=r"(?s)made without enable_timing.*Did you mean ml.Event\("):
            start.elapsed_time(other)


def test_pageable_memory_stops_the_host() -> None:
    x = ml.ones(SIDE, SIDE)
    with simulated_device(COMPUTE, MATRIX / 3.0) as device:
        device.upload(x)
        assert device.simulator.now == 0.0
        device.download(x, pinned=False)
        assert device.simulator.now == 6.0


def test_without_a_device_there_are_no_streams() -> None:
    if ml.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(DeviceError, match=r"(?s)A Stream was made.*Did you mean .*simulated_device\(\)"):
        ml.Stream()
    with pytest.raises(DeviceError, match=r"An Event was made"):
        ml.Event()


class Told:
    """Writes down what it is asked; everything else is another one."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name, self.log, self.done = name, log, True

    def __getattr__(self, name: str) -> Any:
        def called(*args: Any, **kwargs: Any) -> Any:
            given = [getattr(a, "name", a) for a in args] + [f"{k}={v}" for k, v in kwargs.items()]
            self.log.append(f"{self.name}.{name}({', '.join(map(str, given))})")
            return 1.5 if name == "get_elapsed_time" else Told(name, self.log)

        return called

    def __enter__(self) -> Told:
        self.log.append(f"{self.name} in force")
        return self

    def __exit__(self, *_: object) -> None:
        self.log.append(f"{self.name} no more")


def test_on_cuda_they_are_cupys(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    cupy = type("cupy", (), {"cuda": Told("cuda", log)})
    monkeypatch.setattr(streams, "cuda", lambda: cupy)
    stream, start, end = ml.Stream(), ml.Event(enable_timing=True), ml.Event(enable_timing=True)
    with stream:
        start.record()
    end.record(stream)
    end.wait()
    stream.wait_event(start)
    stream.synchronize()
    assert start.elapsed_time(end) == 1.5
    assert log == [
        "cuda.Stream(non_blocking=True)", "cuda.Event(disable_timing=False)", "cuda.Event(disable_timing=False)",
        "Stream in force", "Event.record()", "Stream no more", "Event.record(Stream)", "cuda.get_current_stream()",
        "get_current_stream.wait_event(Event)", "Stream.wait_event(Event)", "Stream.synchronize()",
        "cuda.get_elapsed_time(Event, Event)",
    ]  # fmt: skip
