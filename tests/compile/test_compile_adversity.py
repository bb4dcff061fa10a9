"""`ml.compile` when things go wrong: errors, storms, threads, interrupts, unknown instructions."""

from __future__ import annotations

import asyncio
import cProfile
import sys
import threading
import time
import traceback
import warnings
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.capture.bytecode import machine
from minitorch_lab.errors import CaptureError
from tests.compile.captured.engine import S, T


# ---- errors ---------------------------------------------------------------------------------------------------------
def test_fullgraph_makes_a_break_an_error() -> None:
    @ml.compile(fullgraph=True)
    def f(x):
        if x > 0:
            return x
        return -x

    for _ in range(2):
        with pytest.raises(CaptureError) as caught:
            f(S(1))
        first, rule, hint = str(caught.value).split("\n  ")
        assert first.startswith(
            "f cannot be one graph: Python decides by an entry of a tensor, at test_compile_adversity.py, line"
        )
        assert first.endswith("if x > 0:.")
        assert rule == "With fullgraph=True nothing may happen between tensor ops."
        assert hint.startswith("Did you mean ml.where")


def test_fullgraph_of_what_cannot_be_captured() -> None:
    async def f(x):
        return x

    with pytest.raises(CaptureError, match="f cannot be one graph: it is asynchronous"):
        ml.compile(f, fullgraph=True)(S(1))


def test_no_such_backend() -> None:
    with pytest.raises(CaptureError, match="There is no backend 'x'"):
        ml.compile(lambda x: x, backend="x")


def test_a_traceback_shows_the_users_line_cold_and_warm() -> None:
    def check(x, n):
        if n > 2:
            raise ValueError(f"bad {n}")
        return x * int("1" if n < 2 else "q")

    @ml.compile
    def f(x, n):
        return check(x + 1, n)

    for n in (1, 3, 3, 2, 2, 2):
        try:
            f(S(1), n)
        except ValueError as error:
            steps = traceback.extract_tb(error.__traceback__)
            lines = [step.line for step in steps if step.filename == __file__]
            assert "return check(x + 1, n)" in lines
            assert ('raise ValueError(f"bad {n}")' if n == 3 else 'return x * int("1" if n < 2 else "q")') in lines


def test_a_wrong_call_names_the_users_function() -> None:
    @ml.compile
    def f(x, y):
        return x

    with pytest.raises(TypeError, match=r"f\(\) missing 1 required positional argument: 'y'"):
        f(1)


# ---- adversity ------------------------------------------------------------------------------------------------------
def test_a_storm_of_recompilations_ends_with_a_warning() -> None:
    f = ml.compile(lambda x, s: x * len(s))
    with pytest.warns(UserWarning, match="The guard that failed last: s: 'aaaaaaaa', now 'aaaaaaaaa'"):
        got = [f(S(1), "a" * n).item() for n in range(1, 30)]
    assert got == list(range(1, 30))
    assert "captured 8 times" in f.reason


def test_a_global_that_changes_each_call() -> None:
    space: dict[str, Any] = {"n": 0, "k": 0.5}
    exec("def f(x):\n    global n, k\n    n += 1\n    k *= 2\n    return x * n + k", space)
    f = ml.compile(space["f"])
    assert [f(S(1)).item() for _ in range(20)] == [n + 0.5 * 2**n for n in range(1, 21)]
    assert (space["n"], f.captures) == (20, 2)


def test_generators_and_coroutines_run_eagerly() -> None:
    @ml.compile
    def g(x):
        yield x
        yield x + 1

    async def h(x):
        return x + 1

    assert [t.item() for t in g(S(1))] == [1.0, 2.0]
    assert asyncio.run(ml.compile(h)(S(1))).item() == 2.0


def test_c_callables() -> None:
    assert ml.compile(len)([1, 2]) == 2
    assert ml.compile(int)("3") == 3
    assert ml.compile(ml.exp)(S(0)).item() == 1.0


def test_threads_call_the_same_function() -> None:
    @ml.compile
    def f(x, out):
        y = x * 2
        if y.sum() > 4:
            y = y + 1
        out.append(y.tolist())

    outs: list[list[Any]] = [[] for _ in range(4)]

    def work(k: int) -> None:
        for j in range(50):
            f(ml.full((1 + j % 2,), float(j % (k + 2))), outs[k])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for k, out in enumerate(outs):
        want: list[Any] = []
        for j in range(50):
            f.__wrapped__(ml.full((1 + j % 2,), float(j % (k + 2))), want)
        assert out == want


def test_a_thread_that_is_waited_for_during_a_capture_does_not_wait_in_turn() -> None:
    results: list[Any] = []

    def call(n):
        return lambda: results.append(f(S(n), 0).item())

    def other(n):
        exec("t = Thread(target=call)\nt.start()\nt.join(5)\nassert not t.is_alive()", scope | {"call": call(n)})

    @ml.compile
    def f(x, n):
        y = x * 2
        if n:
            other(n)
        return y + n

    scope = {"Thread": threading.Thread}
    assert [f(S(1), n).item() for n in (3, 4, 3)] == [5.0, 6.0, 5.0]
    assert results == [6.0, 8.0, 6.0]


def test_recursion() -> None:
    @ml.compile
    def f(x, n):
        return x if n == 0 else f(x, n - 1) + 1

    def deep(x, n):
        return x if n == 0 else deep(x, n - 1) + 1

    assert f(S(0), 60).item() == 60.0
    g = ml.compile(deep)
    assert [g(S(0), 200).item() for _ in range(2)] == [200.0] * 2


def test_endless_recursion_is_an_error() -> None:
    def f(x):
        return f(x + 1)

    with pytest.raises(RecursionError):
        ml.compile(f)(S(0))


def test_an_interrupt_during_capture_leaves_the_function_whole() -> None:
    stop = [True]

    def interrupted(log):
        exec("log.append('i')\nif stop[0]: raise KeyboardInterrupt", {"log": log, "stop": stop})

    @ml.compile
    def f(x, log):
        y = x + 1
        log.append("a")
        interrupted(log)
        return y * 2

    for _ in range(2):
        log: list[str] = []
        with pytest.raises(KeyboardInterrupt):
            f(S(1), log)
        assert log == ["a", "i"]
    stop[0] = False
    for _ in range(3):
        log = []
        assert f(S(1), log).item() == 4.0
        assert log == ["a", "i"]


@pytest.mark.parametrize("name", ["BINARY_OP", "RETURN_VALUE", "LOAD_GLOBAL", "CALL"])
def test_an_unknown_instruction_runs_eagerly(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(machine.MEANINGS, name)
    f = ml.compile(lambda x: ml.exp(x * 0) + 1)
    assert f(S(1)).item() == 2.0
    assert f.reason == f"the instruction {name} is not known"


def test_whoever_profiles_goes_on() -> None:
    seen: list[str] = []

    def f(x: Any) -> Any:
        return (x * 2).exp().sum()

    def watch(frame: Any, event: str, _: Any) -> None:
        seen.append(f"{event} {frame.f_code.co_name}")

    want = f(ml.ones(4)).item()
    profile = cProfile.Profile()
    profile.enable()
    try:
        assert ml.compile(f)(ml.ones(4)).item() == want
        time.sleep(0)
    finally:
        profile.disable()
    assert any("sleep" in str(row.code) for row in profile.getstats())
    sys.setprofile(watch)
    try:
        assert ml.compile(f)(ml.ones(4)).item() == want
        assert sys.getprofile() is watch
    finally:
        sys.setprofile(None)


def test_an_unknown_instruction_in_a_callee_is_a_break(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(machine.MEANINGS, "FOR_ITER")

    def total(xs):
        out = 0
        for x in xs:
            out = out + x
        return out

    f = ml.compile(lambda x: total([x, x]) * 2)
    assert [f(S(1)).item() for _ in range(2)] == [4.0, 4.0]
    assert [b.breaks for b in f.breaks] == ["the call of total() cannot be looked into"]


def test_transforms_and_recordings_see_the_function_itself() -> None:
    f = ml.compile(lambda x: x * x)
    assert f(S(3)).item() == 9.0
    assert ml.func.grad(f)(S(3)).item() == 6.0
    assert ml.func.vmap(f)(T(1, 2)).tolist() == [1.0, 4.0]
    with ml.inference_mode():
        assert f(S(2)).is_inference()


def test_decorated_methods() -> None:
    class Scale:
        def __init__(self, k: float) -> None:
            self.k = k

        @ml.compile
        def apply(self, x):
            return x * self.k

    assert [Scale(k).apply(S(2)).item() for k in (1.0, 2.0, 3.0)] == [2.0, 4.0, 6.0]


def test_no_warning_when_all_is_well() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f = ml.compile(lambda x: x + 1)
        assert [f(S(n)).item() for n in range(3)] == [1.0, 2.0, 3.0]
