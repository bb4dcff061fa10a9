"""`ml.bench`: its rules, its guards, its table. Time is a clock that the programs turn, so no test depends on it."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.costmodel import measure
from minitorch_lab.costmodel.measure import Bench, Spread, Timed, format_time
from minitorch_lab.errors import ArgumentError


class Clock:
    """A clock that stands still until a program says how long it took."""

    def __init__(self) -> None:
        self.now, self.order = 0.0, list[str]()

    def program(self, name: str, seconds: Callable[[int], float], value: Any = 1.0) -> Callable[[], Any]:
        calls = 0

        def run() -> Any:
            nonlocal calls
            calls += 1
            self.now += seconds(calls)
            self.order.append(name)
            return value

        return run


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(measure, "perf_counter", lambda: clock.now)
    return clock


# ---- the rules ------------------------------------------------------------------------------------------------------
def test_row_A18_warm_up_is_left_out(clock: Clock) -> None:
    slow_start = clock.program("a", lambda call: 5.0 if call == 1 else 0.01 if call < 24 else 0.001)
    found = ml.bench(a=slow_start, calls=2)
    assert found["a"].first == 5.0
    assert found["a"].rounds == pytest.approx([0.001] * 61)


def test_row_A18_a_call_is_over_when_its_result_is_there(clock: Clock) -> None:
    class Promise:
        def block_until_ready(self) -> None:
            clock.now += 0.25

        def __array__(self, *_: Any, **__: Any) -> Any:
            return np.ones(1)

    found = ml.bench(a=clock.program("a", lambda call: 0.001, [Promise()]), calls=1)
    assert found["a"].seconds.median == pytest.approx(0.251)
    assert found["a"].first == pytest.approx(0.251)


def test_row_A18_the_gpu_is_waited_for(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    class Cupy:
        is_available = staticmethod(lambda: True)

        class cuda:  # noqa: N801 - as CuPy names it
            class Device:
                def synchronize(self) -> None:
                    clock.now += 0.5

    monkeypatch.setitem(measure.synchronise.__globals__["modules"], "cupy", Cupy)
    assert ml.bench(a=clock.program("a", lambda call: 0.001), calls=1)["a"].seconds.median == pytest.approx(0.501)


def test_row_A18_many_short_rounds_in_turn(clock: Clock) -> None:
    ml.bench(a=clock.program("a", lambda c: 0.001), b=clock.program("b", lambda c: 0.001), calls=1, rounds=7)
    assert "".join(clock.order[-48:]) == "aabbbbaa" * 6  # the other order every second round
    assert clock.order.count("a") == clock.order.count("b") == 1 + 1 + 2 * (5 + 7)


def test_row_A18_what_another_program_left_in_the_caches_is_not_timed(clock: Clock) -> None:
    def cold_for_three_calls(_: int) -> float:
        return 0.001 if clock.order[-3:] == ["a"] * 3 else 0.01

    found = ml.bench(a=clock.program("a", cold_for_three_calls), b=clock.program("b", lambda c: 0.001), calls=4)
    assert found["a"].rounds == pytest.approx([0.001] * 61)


def test_no_garbage_is_collected_while_a_program_is_timed() -> None:
    seen: list[bool] = []
    ml.bench(a=lambda: seen.append(gc.isenabled()) or 1.0, calls=1, rounds=7)
    assert seen[2:] == [True, False] * 12
    assert gc.isenabled()


def test_a_machine_that_drifts_does_not_change_the_ratio(clock: Clock) -> None:
    found = ml.bench(
        a=clock.program("a", lambda c: 1e-3 * 1.05**c), b=clock.program("b", lambda c: 2e-3 * 1.05**c), calls=1
    )
    assert found.ratio("b").median == pytest.approx(2.0)
    assert found.ratio("a", to="b").median == pytest.approx(0.5)
    assert found["a"].seconds.upper > 4 * found["a"].seconds.lower


def test_short_programs_are_called_often_and_slow_ones_get_fewer_rounds(clock: Clock) -> None:
    found = ml.bench(short=clock.program("s", lambda c: 1e-6), long=clock.program("l", lambda c: 1e-2))
    assert (found["short"].calls, found["long"].calls) == (4000, 1)
    assert len(found["short"].rounds) == 61
    assert len(found["long"].rounds) == 61
    assert len(ml.bench(a=clock.program("a", lambda c: 1.0))["a"].rounds) == 7


# ---- guards ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("programs", "text"),
    [
        (
            {},
            "bench got no program.\n  It times functions against each other.\n  Did you mean bench(mine=f, theirs=g)?",
        ),
        (
            {"a": lambda: 1, "b": lambda: [None]},
            "The program b returned nothing.\n"
            "  What nobody reads need not be computed: a compiler leaves it out, and nothing is what is timed.\n"
            "  Did you mean to return what b computes?",
        ),
        (
            {"a": lambda: ml.ones(3), "b": lambda: np.array([1, 1, 1.01])},
            "The programs a and b do not return the same.\n"
            "  A ratio of times is about the same work: results may differ by 0.0001 of their largest entry.\n"
            "  Did you mean agree=None, for programs that draw random numbers?",
        ),
    ],
)
def test_what_would_measure_nothing_is_refused(programs: dict[str, Any], text: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        ml.bench(**programs)
    assert str(caught.value) == text


@pytest.mark.parametrize(
    "other", [np.ones((2, 2)), np.array([1.0, np.nan]), [np.ones(2), 1.0], np.array([1.0, 2.0])], ids=repr
)
def test_results_are_compared(other: Any) -> None:
    with pytest.raises(ArgumentError, match="do not return the same"):
        ml.bench(a=lambda: np.ones(2), b=lambda: other)


def test_results_that_agree(clock: Clock) -> None:
    x = ml.tensor([1.0, float("nan")], requires_grad=True)
    ml.bench(a=lambda: x * 1, b=lambda: np.array([1.0 + 1e-6, np.nan]), calls=1, rounds=2)
    ml.bench(a=lambda: (x, 1), b=lambda: [np.array([1.0, np.nan]), 1.0], calls=1, rounds=2)
    ml.bench(a=lambda: np.zeros(0), b=lambda: np.zeros(0), calls=1, rounds=2)
    ml.bench(a=lambda: ml.randn(3), b=lambda: ml.randn(3), calls=1, rounds=2, agree=None)


# ---- the table ------------------------------------------------------------------------------------------------------
def test_the_table() -> None:
    found = Bench(
        (Timed("numpy", (1e-6, 2e-6, 3e-6), 5e-3, 10), Timed("ours", (3e-6, 3e-6, 6e-6), 2.0, 10)),
        flop=3000,
        nbytes=8e3,
    )
    assert repr(found) == (
        """\
       median    quartiles  ÷ numpy      quartiles  first call  GFLOP/s  GB/s
numpy    2 µs  1 µs – 3 µs    1.000  1.000 – 1.000        5 ms     1.50  4.00
ours     3 µs  3 µs – 6 µs    2.000  1.500 – 3.000         2 s     1.00  2.67"""
    )
    assert found.ratio("ours") == Spread(1.5, 2.0, 3.0)
    assert [format_time(s) for s in (0.0, 1.5e-9, 2e-5, 12.0)] == ["0 ns", "1.5 ns", "20 µs", "12 s"]
