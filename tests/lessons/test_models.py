"""The checks of 10 about when a function runs and what it decides: typical wrong answers are told what they believe."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.lessons import lesson_10_models as lesson
from tests.notebooks.solutions import s10_execution_models as right


def test_the_right_answers_are_done() -> None:
    assert lesson.check_times(right.times).done
    assert lesson.check_mended(right.mended).done
    assert lesson.check_tame(right.tame).done


# ---- the timetable --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("style", "row", "said", "told"),
    [
        ("eager", "runs", 4, "Eager has none"),
        ("eager", "shows", "a name", "was computed on the line before"),
        ("static", "runs", 3, "A session does not call your function again"),
        ("static", "prints", 3, "is not part of it"),
        ("static", "shows", "a number", "Nothing is computed before run"),
        ("trace", "runs", 4, "The example is one run"),
        ("trace", "runs", 0, "it watches it, and so it has to run once"),
        ("trace", "shows", "A name", "You took it for define-then-run"),
        ("script", "runs", 1, "as a trace does. It reads the text"),
        ("script", "prints", 0, "and yet print is not lost"),
        ("script", "prints", 1, "Compiling prints nothing"),
    ],
)
def test_the_timetable(style: str, row: str, said: Any, told: str) -> None:
    answers = copy.deepcopy(right.times)
    answers[style][row] = said
    verdict = lesson.check_times(answers)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_an_open_timetable_waits() -> None:
    empty = {style: dict.fromkeys(row) for style, row in right.times.items()}
    assert lesson.check_times(empty).state == "not written yet"
    empty["eager"] = right.times["eager"]
    assert "Still open: static, runs; static, prints" in lesson.check_times(empty).text


def test_the_timetable_is_what_happens(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: ml.Tensor) -> ml.Tensor:
        print("y is", x * 2)
        return x + 1

    x = ml.ones(1)
    traced, scripted = ml.jit.trace(f, x), ml.jit.script(f)
    assert lesson.lines_run(f, lambda: [f(x), traced(x), scripted(x)]) == 2
    assert capsys.readouterr().out == "y is tensor([2.])\n"  # the trace's; what lines_run runs stays silent
    assert [scripted(x).item(), traced(x).item()] == [2.0, 2.0]
    assert capsys.readouterr().out == "y is tensor([2.])\n"  # the script's


def test_the_traceback_of_a_script_names_no_line_of_the_user() -> None:
    def wrong(x: ml.Tensor) -> ml.Tensor:
        return x @ ml.ones(3)

    scripted = ml.jit.script(wrong)
    assert lesson.your_lines(lambda: wrong(ml.ones(2))) == ["return x @ ml.ones(3)"]
    assert lesson.your_lines(lambda: scripted(ml.ones(2))) == ["none of your lines"]
    assert lesson.your_lines(lambda: scripted(ml.ones(3))) == ["no error"]


# ---- a choice that can be traced ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fn", "told"),
    [
        (lambda x: ml.where(x > 0, x * 2, x * 3), "you choose entry by entry"),
        (lambda x: ml.where(x.sum() > 0, x * 3, x * 2), "the sides are swapped"),
        (lambda x: ml.where(x.sum() >= 0, x * 2, x * 3), "has the sum 0, which is not above 0"),
        (lambda x: x * 2, "one of the two branches"),
        (lambda x: x * 3, "one of the two branches"),
        (lambda x: x * 2 + x * 3, "you add the two branches"),
        (lambda x: ml.where(x.sum() > 0, 2.0, 3.0), "do not multiply x by it"),
        (lambda x: x * (3 - int(x.sum().item() > 0)), "a number was read out of the tensor"),
        (lambda x: ml.tensor(right.mended(x).tolist()), "has left the ops on the way"),
        (lambda x: None, "returns nothing"),
        (lambda x: x * 7, "for [1.0, 2.0] your function gives [7.0, 14.0]"),
        (lambda x: x.nonsense(), "stops with AttributeError"),
    ],
)
def test_the_choice(fn: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_mended(fn)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_an_if_is_the_starter() -> None:
    assert lesson.check_mended(lambda x: x * 2 if x.sum() > 0 else x * 3).state == "not written yet"


def test_a_chosen_factor_is_as_good() -> None:
    assert lesson.check_mended(lambda x: x * ml.where(x.sum() > 0, 2.0, 3.0)).done


# ---- a function that can be scripted --------------------------------------------------------------------------------


def starter(x, limit: float):
    import math

    return x * math.pi


def breaking(x, limit: float):
    steps = 0
    while steps < 100:
        if x.abs().max() < limit:
            break
        x = x / 2
        steps += 1
    return x, steps


def telling(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x = x / 2
        steps += 1
    print(f"{steps} steps")
    return x, steps


def in_a_dict(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x = x / 2
        steps += 1
    return {"x": x, "steps": steps}


def alone(x, limit: float):
    while x.abs().max() >= limit:
        x = x / 2
    return x


def turned(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x = x / 2
        steps += 1
    return steps, x


def at_the_limit(x, limit: float):
    steps = 0
    while x.abs().max() > limit:
        x = x / 2
        steps += 1
    return x, steps


def without_sign(x, limit: float):
    steps = 0
    while x.max() >= limit:
        x = x / 2
        steps += 1
    return x, steps


def halving_first(x, limit: float):
    x = x / 2
    steps = 1
    while x.abs().max() >= limit:
        x = x / 2
        steps += 1
    return x, steps


def flipped(x, limit: float):
    steps = 0
    while x.abs().max() < limit:
        x = x / 2
        steps += 1
    return x, steps


def endless(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        steps += 1
    return x, steps


def from_one(x, limit: float):
    steps = 1
    while x.abs().max() >= limit:
        x = x / 2
        steps += 1
    return x, steps


def in_place(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x /= 2
        steps += 1
    return x, steps


def by_three(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x = x / 3
        steps += 1
    return x, steps


@pytest.mark.parametrize(
    ("fn", "told"),
    [
        (breaking, "script still refuses break. The condition of the loop can say it"),
        (telling, "script still refuses an f-string"),
        (in_a_dict, "script still refuses a dict. Return a tuple"),
        (alone, "the script gives a tensor of shape (2,)"),
        (turned, "the pair is turned round"),
        (at_the_limit, "at the limit itself it stops"),
        (without_sign, "−8 is large as well"),
        (halving_first, "test first, then halve"),
        (flipped, "turn it round"),
        (endless, "the loop has no end"),
        (from_one, "x is right, and the steps are not: 5"),
        (in_place, "you halve x in place"),
        (by_three, "It should be [0.625, -0.1875] after 4"),
    ],
)
def test_the_script(fn: Callable[..., Any], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = lesson.check_tame(fn)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_an_import_is_the_starter() -> None:
    assert lesson.check_tame(starter).state == "not written yet"


# ---- the race -------------------------------------------------------------------------------------------------------


def test_a_race_runs_all_in_turn() -> None:
    ran: list[str] = []
    times = lesson.race({"a": lambda: ran.append("a"), "b": lambda: ran.append("b")}, rounds=2)
    assert "".join(ran) == "ababababab"
    assert times.keys() == {"a", "b"}


def test_the_figure_of_a_race() -> None:
    chart = lesson.raced([1, 10], [{"eager": 2.0, "trace": 9.0}, {"eager": 3.0, "trace": 9.5}], "Two ways.")
    assert repr(chart) == "Two ways. With 1 entries: eager 2 µs; trace 9 µs."
    assert [list(line.y) for line in chart.figure.data] == [[2.0, 3.0], [9.0, 9.5]]
