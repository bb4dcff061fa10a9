"""The checks of 18: right answers of several kinds, every wrong one is told what it is, and the picture never fails."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import pytest

from minitorch_lab.costmodel import A100_FLOAT32
from minitorch_lab.costmodel import break_even as law_of_break_even
from minitorch_lab.errors import ArgumentError
from minitorch_lab.lessons import lesson_18_step as lesson
from minitorch_lab.lessons.lesson_18_step.counting import asked
from minitorch_lab.lessons.lesson_18_step.feeding import times_of
from minitorch_lab.lessons.lesson_18_step.ordering import ASKED as STEPS
from minitorch_lab.lessons.lesson_18_step.ordering import first_fault
from minitorch_lab.lessons.lesson_18_step.paying import NEVER, least_steps
from tests.notebooks.inject import parts_of

SOLUTIONS = Path(__file__).parents[1] / "notebooks/solutions/s18_anatomy_of_a_training_step.py"
CHECKS = {
    "cost": lesson.check_cost, "bound": lesson.check_bound, "pays_from": lesson.check_pays,
    "measure": lesson.check_measure, "throughput": lesson.check_throughput, "order": lesson.check_order,
}  # fmt: skip


def right(exercise: str) -> Any:
    """A function of the solutions."""
    space: dict[str, Any] = {}
    exec(parts_of(SOLUTIONS.read_text("utf-8"))[f"{exercise}-exercise"], space)
    return space[exercise]


def told(verdict: Any, text: str) -> None:
    assert verdict.state == "not yet"
    assert text in verdict.text


# ---- checks ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
@pytest.mark.parametrize(
    "answer",
    [None, 3, "cost", lambda *_: None, lambda *_: 3, lambda *_: "word", lambda *_: (1, 2, 3), lambda *_: [(1, 2), 3],
     lambda *_: {"a": []}, lambda *_: (float("nan"), float("inf")), lambda: 1, lambda *_: 1 / 0, lambda *_: ("a", "b"),
     lambda *_: float("inf"), lambda *_: (x for x in "ab"), lambda *_: -5, lambda *_: [["a"], None], lambda *_: 2**2000,
     lambda *_: (0, []), lambda *_: [None, {}], lambda *_: ([1], 0), lambda *_: ({}, 3),
     lambda *_: (2**2000, "memory"), lambda *_: ("compute", 2**2000), lambda *_: (2**2000, 2**2000),
     lambda *_: ("loader", -(2**2000))],
)  # fmt: skip
def test_a_check_has_an_answer_to_anything(check: Any, answer: Any) -> None:
    verdict = check(answer)
    assert not verdict.done
    assert len(verdict.text) > 10
    assert "cannot read" not in verdict.text


@pytest.mark.parametrize("exercise", CHECKS)
def test_the_solutions_are_right(exercise: str) -> None:
    assert CHECKS[exercise](right(exercise)).done


def changed(exercise: str, change: Any) -> Any:
    """The right function, whose answer is changed; the change sees what was asked, too."""
    return lambda *given: change(right(exercise)(*given), *given)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda found, op, *_: (found[0] // 2 if op == "matmul" else found[0], found[1]), "multiply-accumulate steps"),
        (lambda found, op, reads, write: (found[0], found[1] - 4), "each operand is read once"),
        (lambda found, op, reads, write: (found[1], found[0]), "The operations come first"),
        (lambda found, *_: (*found, 1), "It is two numbers"),
        (lambda found, op, *_: (found[0] + (op == "sum"), found[1]), "n - 1 additions"),
        (lambda found, op, *_: (found[0] + (op == "relu"), found[1]), "one operation for each entry of its result"),
    ],
)
def test_wrong_counts_are_told_what_they_are(change: Any, text: str) -> None:
    told(lesson.check_cost(changed("cost", change)), text)


@pytest.mark.parametrize(
    ("bound", "text"),
    [
        (lambda f, b, p, w: (f / p + b / w, "memory"), "you add the two"),
        (lambda f, b, p, w: (min(f / p, b / w), "memory"), "the slower of the two"),
        (lambda f, b, p, w: (min(p, w * f / b), "memory"), "Seconds are asked for"),
        (lambda f, b, p, w: (1e6 * max(f / p, b / w), "memory"), "those are microseconds"),
        (lambda f, b, p, w: (f / p, "arithmetic"), "moving the bytes takes longer here"),
        (lambda f, b, p, w: (b / w, "memory"), "the arithmetic takes longer here"),
        (lambda f, b, p, w: (max(f / p, b / w), "compute"), "the second is a word"),
        (lambda f, b, p, w: (max(f / p, b / w), "memory" if f / b < 100 else "arithmetic"), "An intensity alone"),
        (lambda f, b, p, w: (max(f / p, b / w), "memory" if b / w >= f / p else "arithmetic"), "on the ridge both"),
    ],
)
def test_wrong_bounds_are_told_what_they_are(bound: Any, text: str) -> None:
    told(lesson.check_bound(bound), text)


@pytest.mark.parametrize(
    ("pays", "text"),
    [
        (lambda e, c, s, n: s * (1 + n) / (e - c) if e > c else None, "Round up"),
        (lambda e, c, s, n: s * (1 + n) // (e - c) if e > c else None, "has not been earned: round up"),
        (lambda e, c, s, n: s * (1 + n) // (e - c) + 1 if e > c else None, "nothing is added"),
        (lambda e, c, s, n: -(-s // (e - c)) if e > c else None, "compiled again"),
        (lambda e, c, s, n: -(-s * (1 + n) // (e - c)), "you divide by 0"),
        (lambda e, c, s, n: -(-s * (1 + n) // (e - c)) if e > c else 0, "no number of steps earns"),
        (lambda e, c, s, n: -(-s * (1 + n) // e) if e > c else None, "the difference"),
        (lambda e, c, s, n: None, "some number of them is enough"),
    ],
)
def test_wrong_break_evens_are_told_what_they_are(pays: Any, text: str) -> None:
    told(lesson.check_pays(pays), text)


def timing(warm_up: int, calls: int, wait: bool, of: Any) -> Any:
    def measure(device: lesson.Device) -> Any:
        for _ in range(warm_up):
            device.call()
        device.wait()
        times: list[float] = []
        for _ in range(calls):
            start = device.now()
            device.call()
            if wait:
                device.wait()
            times.append(device.now() - start)
        return of(times)

    return measure


@pytest.mark.parametrize(
    ("measure", "text"),
    [
        (timing(5, 9, False, min), "that is the launch alone"),
        (timing(0, 1, True, min), "that is a cold call"),
        (timing(25, 1, True, min), "somebody has disturbed"),
        (timing(30, 100, True, lambda times: sum(times) / len(times)), "pull a mean up"),
        (timing(5, 9, True, lambda times: -min(times)), "subtracted from the later one"),
        (timing(30, 9, True, lambda times: min(times) / 3), "divided once too often"),
        (timing(5, 41, True, sum), "gave their sum"),
        (timing(0, 41, True, median), "that is a cold call"),
    ],
)
def test_wrong_measurements_are_told_what_they_are(measure: Any, text: str) -> None:
    told(lesson.check_measure(measure), text)


def fed(change: Any) -> Any:
    """An answer that is made from the three times, and from the batch."""
    return lambda *given: change(times_of(*given), given[0])


@pytest.mark.parametrize(
    ("throughput", "text"),
    [
        (fed(lambda each, n: (max(each, key=each.get), n / sum(each.values()))), "you add the three times"),
        (fed(lambda each, n: (min(each, key=each.get), n / min(each.values()))), "the fastest of the three"),
        (fed(lambda each, n: (max(each, key=each.get), 1 / max(each.values()))), "batches per second"),
        (fed(lambda each, n: (max(each, key=each.get), max(each.values()))), "the seconds of a batch"),
        (fed(lambda each, n: ("worker", 1)), "the first is a word"),
        (fed(lambda each, n: (max(each, key=each.get), "fast")), "The second of the two is a number"),
        (lambda n, load, k, b, link, c: right("throughput")(n, load, 1, b, link, c), "load at the same time"),
        (lambda n, load, k, b, link, c: right("throughput")(n, load / n, k, b / n, link, c), "those of one example"),
    ],
)
def test_wrong_throughputs_are_told_what_they_are(throughput: Any, text: str) -> None:
    told(lesson.check_throughput(throughput), text)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (lambda step, each: -each[2], "you sort by the factor"),
        (lambda step, each: -step[each[1]] * (1 - 1 / each[2]), "the first step"),
        (lambda step, each: (each[1] == "loader", -step[each[1]] * (1 - 1 / each[2])), "the loader sets the pace"),
    ],
)
def test_wrong_orders_are_told_what_they_are(key: Any, text: str) -> None:
    def order(step: Any, rewrites: Any) -> Any:
        return [name for name, *_ in sorted(rewrites, key=lambda each: key(step, each))]

    told(lesson.check_order(order), text)


def test_a_loader_that_nothing_waits_for_comes_later() -> None:
    def order(step: Any, rewrites: Any) -> Any:
        made: list[str] = []
        for _ in rewrites:
            left = [each for each in rewrites if each[0] not in made]
            name, term, times = max(left, key=lambda each: step[each[1]] * (1 - 1 / each[2]))
            step[term] /= times
            made.append(name)
        return made

    told(lesson.check_order(order), "nothing waits for the loader")


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (lambda step, rewrites: [name for name, *_ in rewrites[1:]], "Every one is made"),
        (lambda step, rewrites: rewrites, "It holds names alone"),
        (lambda step, rewrites: ["x"], "no rewrite has that name"),
        (lambda step, rewrites: [rewrites[0][0]] * 2, "on your list twice"),
    ],
)
def test_what_is_no_order_is_told_so(order: Any, text: str) -> None:
    told(lesson.check_order(order), text)


# ---- what the checks hold to be right --------------------------------------------------------------------------------
def test_the_counts_of_the_step_are_those_of_the_formulas() -> None:
    """The formulas of the text beside what has been counted in the captured graphs."""
    for row, found in asked():
        assert right("cost")(*row[1:]) == found


def test_the_step_of_the_text() -> None:
    flop = {part: sum(n for row, (n, _) in asked()[:32] if row.part == part and row.op == "matmul")
            for part in ("forward", "backward")}  # fmt: skip
    assert flop == {"forward": 2 * 32 * (784 * 256 + 256 * 10), "backward": 2 * 32 * (784 * 256 + 2 * 256 * 10)}
    assert lesson.shares()["optimizer"][1] == 5 * 4 * 203_530


def test_the_break_even_is_that_of_the_law() -> None:
    for eager, compiled, setup, changes in [(10, 7, 1000, 0), (10, 7, 1000, 3), (690, 465, 30_000_000, 10)]:
        even = law_of_break_even(eager, compiled, setup * (1 + changes))
        assert 0 <= least_steps(eager, compiled, setup, changes) - even < 1
    assert least_steps(5, 5, 1, 0) == NEVER


def test_no_rule_of_thumb_orders_every_step() -> None:
    rules: list[Any] = [lambda step, each: -each[2], lambda step, each: -step[each[1]], lambda step, each: each[0]]
    for rule in rules:
        faults = [
            first_fault(step, rewrites, [name for name, *_ in sorted(rewrites, key=lambda each: rule(step, each))])
            for step, rewrites in STEPS.values()
        ]
        assert any(faults)


def test_a_device_stops_who_never_stops() -> None:
    device = lesson.Device(10)
    with pytest.raises(ArgumentError, match="some dozen calls is enough"):
        list(iter(device.call, "never"))
    with pytest.raises(ArgumentError, match="moves with the calls alone"):
        list(iter(device.now, "never"))


# ---- pictures -------------------------------------------------------------------------------------------------------
def test_the_step_stands_under_its_roof() -> None:
    chart = lesson.step_on_the_roof(right("cost"), right("bound"), lesson.anatomy(), A100_FLOAT32)
    assert repr(chart) == (
        "32 ops under the roof of A100, float32: 30 bound by memory, 2 by arithmetic. At least 3.5 µs by your two "
        "functions."
    )


@pytest.mark.parametrize(
    ("cost", "bound", "text"),
    [
        (lambda *_: (0, 0), lambda *_: (0, "memory"), "no place for that"),
        (lambda *_: None, lambda *_: (1, "memory"), "cost gives no two numbers"),
        (lambda *_: 1 / 0, lambda *_: (1, "memory"), "cost gives no two numbers"),
        (lambda *_: (1, 1), lambda *_: None, "bound gives no seconds and word"),
        (lambda *_: (1, 1), lambda *_: (0, "memory"), "takes 0 seconds"),
        (lambda *_: (1, 1), lambda *_: ("a", "memory"), "takes 'a' seconds"),
        (lambda *_: (1, 1), lambda *_: (1, ["memory"]), "bound gives no seconds and word"),
        (lambda *_: (1, 1), lambda *_: 1 / 0, "bound gives no seconds and word"),
        (None, None, "cost gives no two numbers"),
    ],
)
def test_a_picture_of_wrong_functions_says_why_it_is_not_drawn(cost: Any, bound: Any, text: str) -> None:
    said = repr(lesson.step_on_the_roof(cost, bound, lesson.anatomy(), A100_FLOAT32))
    assert said.startswith("no picture: ")
    assert text in said
