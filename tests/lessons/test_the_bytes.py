"""The checks of 06: right answers of several kinds, and every wrong one is told what it is."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.lessons.lesson_06_memory import kept as lesson
from tests.notebooks.inject import parts_of

SOLUTIONS = Path(__file__).parents[1] / "notebooks/solutions/s06_memory_and_checkpointing.py"


def right(exercise: str, name: str) -> Any:
    """A function of the solutions."""
    space: dict[str, Any] = {"ml": ml}
    exec(parts_of(SOLUTIONS.read_text("utf-8"))[exercise], space)
    return space[name]


def told(verdict: Any, text: str) -> None:
    assert verdict.state == "not yet"
    assert text in verdict.text


# ---- what is kept ---


def weights(widths: Any) -> int:
    return sum(a * b + b for a, b in pairwise(widths))


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (lambda b, w: b * sum(w[1:]), "you counted entries. A float32 is 4 bytes. For 32 rows through 784 → 256 → 10"),
        (lambda b, w: 4 * sum(w[1:]), "you counted one row"),
        (lambda b, w: 4 * b * (2 * sum(w[1:-1]) + w[-1]), "you counted what goes into a ReLU too"),
        (lambda b, w: 4 * b * sum(w), "you counted the input x"),
        (lambda b, w: 4 * b * sum(w[1:-1]), "you left out the result of the last layer"),
        (lambda b, w: 4 * weights(w), "you counted the weights. They are parameters"),
        (lambda b, w: 4 * weights(w) + 4 * b * sum(w[1:]), "you counted the weights too"),
        (lambda b, w: 17, "not these bytes. For 32 rows through 784 → 256 → 10 you say 17, and it is 34,048."),
        (lambda b, w: b / 0, "your formula stops with ZeroDivisionError"),
    ],
)
def test_what_is_kept(formula: Callable[[int, Any], Any], text: str) -> None:
    told(lesson.check_kept(formula), text)


def test_the_right_bytes() -> None:
    assert lesson.check_kept(right("kept-exercise", "kept_bytes")).done
    assert lesson.check_kept(lambda batch, widths: 0).state == "not written yet"


# ---- in parts ---


def parts(
    scale: Callable[[int], float] = lambda parts: 1 / parts,
    rows: Callable[[int, int], int] = lambda n, parts: n // parts,
    before: Callable[[Any], None] = lambda model: None,
) -> Callable[..., None]:
    def accumulate(model: Any, x: Any, y: Any, parts: int) -> None:
        size = rows(len(x), parts)
        for k in range(parts):
            before(model)
            part = slice(k * size, (k + 1) * size)
            (ml.cross_entropy(model(x[part]), y[part]) * scale(parts)).backward()

    return accumulate


def emptied(model: Any) -> None:
    for p in model.parameters():
        p.grad = None


def one_walk(model: Any, x: Any, y: Any, parts: int) -> None:
    size = len(x) // parts
    pieces = [slice(k * size, (k + 1) * size) for k in range(parts)]
    losses = [ml.cross_entropy(model(x[piece]), y[piece]) / parts for piece in pieces]
    sum(losses[1:], losses[0]).backward()


def no_walk(model: Any, x: Any, y: Any, parts: int) -> None:
    for k in range(parts):
        model(x[k::parts])


def first_part_only(model: Any, x: Any, y: Any, parts: int) -> None:
    size = len(x) // parts
    for _ in range(parts):
        (ml.cross_entropy(model(x[:size]), y[:size]) / parts).backward()


@pytest.mark.parametrize(
    ("accumulate", "text"),
    [
        (parts(scale=lambda parts: 1.0), "6 times as large as that of the whole batch. Each part's loss is a mean"),
        (parts(scale=lambda parts: 1 / parts**2), "0.1667 times as large as that of the whole batch. You divided by"),
        (parts(scale=lambda parts: 2 / parts), "2 times as large as that of the whole batch. What is each part's"),
        (parts(before=emptied), "is .grad emptied between the parts, or a part run twice?"),
        (first_part_only, "is .grad emptied between the parts, or a part run twice?"),
        (parts(rows=lambda n, parts: n // parts - 1), "your parts have 42 rows together, and the batch has 48"),
        (one_walk, "the tapes of all parts were alive together"),
        (no_walk, "some parameters have no gradient"),
        (lambda model, x, y, parts: 1 / 0, "your function stops with ZeroDivisionError"),
    ],
)
def test_parts(accumulate: Callable[..., None], text: str) -> None:
    told(lesson.check_parts(accumulate), text)


def test_the_right_parts() -> None:
    assert lesson.check_parts(right("parts-exercise", "accumulate")).done
    whole = lesson.check_parts(lambda model, x, y, parts: ml.cross_entropy(model(x), y).backward())
    assert whole.state == "not written yet"


def test_other_right_parts() -> None:
    def every_sixth(model: Any, x: Any, y: Any, parts: int) -> None:
        for k in range(parts):
            ml.cross_entropy(model(x[k::parts]), y[k::parts]).backward()
        for p in model.parameters():
            p.grad /= parts

    assert lesson.check_parts(every_sixth).done


# ---- in segments ---


@pytest.mark.parametrize(
    ("placement", "text"),
    [
        (lambda n: [1] * n, "with segments of one layer nothing is dropped: with [1, 1,"),
        (
            lambda n: [int(n**0.5)] * int(n**0.5),
            "your segments [3, 3, 3] hold 9 of 10 layers; the last ones would never",
        ),
        (lambda n: [8, n - 8], "the last segment is not checkpointed: its 8 results all stay"),
        (lambda n: [n - 2, 2], "when a segment runs again, all its results are there at once, 14 in your longest"),
        (lambda n: [2] * (n // 2), "every segment but the last leaves its end behind, 7 of them here"),
        (lambda n: [n, 1], "are no way to cut 16 layers"),
        (lambda n: 4, "for 16 layers your placement gives the int 4. It gives a list of whole numbers"),
        (lambda n: [n**0.5 + 0.5] * 4, "It gives a list of whole numbers"),
        (lambda n: 1 / 0, "your placement stops with ZeroDivisionError"),
    ],
)
def test_segments(placement: Callable[[int], Any], text: str) -> None:
    told(lesson.check_placement(placement), text)


def test_the_right_segments() -> None:
    assert lesson.check_placement(right("placement-exercise", "placement")).done
    assert lesson.check_placement(lambda n: {16: (5, 4, 4, 3), 36: (8, 7, 6, 5, 5, 5), 10: (4, 3, 3)}[n]).done
    assert lesson.check_placement(lambda n: [n]).state == "not written yet"


# ---- run again ---


def second_run(
    start: Callable[[Any], Any] = lambda x: x.detach().requires_grad_(),
    mode: Callable[[], Any] = ml.enable_grad,
    walk: Callable[[Any, Any], Any] = lambda z, g: z.backward(g),
    give: Callable[[Any, Any], Any] = lambda x, z: x.grad,
) -> Callable[..., Any]:
    def run_again(fn: Any, x: Any, g: Any) -> Any:
        x = start(x)
        with mode():
            z = fn(x)
        walk(z, g)
        return give(x, z)

    return run_again


def only_x(fn: Any, x: Any, g: Any) -> Any:
    x = x.detach().requires_grad_()
    with ml.enable_grad():
        return ml.autograd.grad(fn(x), x, g)[0]


@pytest.mark.parametrize(
    ("run_again", "text"),
    [
        (second_run(mode=ml.no_grad), "your second run left no tape"),
        (second_run(start=lambda x: x), "your walk went on past x into the layers below"),
        (second_run(give=lambda x, z: ml.zeros(*x.shape)), "nothing came back for x"),
        (second_run(walk=lambda z, g: z.backward()), "its walk must start with something: with g"),
        (second_run(walk=lambda z, g: z.backward(g * 0 + 1)), "Does your walk start with g, and not with ones?"),
        (second_run(give=lambda x, z: z), "what you return for x is not its gradient. It is in x.grad"),
        (second_run(give=lambda x, z: None), "nothing came back for x"),
        (only_x, "the gradient of x is right, but the weights inside fn got nothing"),
        (lambda fn, x, g: None, "the walk ended at your checkpoint"),
        (lambda fn, x, g: 1 / 0, "your second run stops with ZeroDivisionError"),
    ],
)
def test_running_again(run_again: Callable[..., Any], text: str) -> None:
    told(lesson.check_run_again(run_again), text)


def test_the_right_second_run() -> None:
    assert lesson.check_run_again(right("own-exercise", "run_again")).done
    assert lesson.check_run_again(lambda fn, x, g: g).state == "not written yet"


def test_a_walk_that_goes_on_past_x_counts_twice() -> None:
    def twice(fn: Any, x: Any, g: Any) -> Any:
        x.retain_grad()
        with ml.enable_grad():
            z = fn(x)
        z.backward(g, retain_graph=True)
        return x.grad

    told(lesson.check_run_again(twice), "the layers below got everything twice")


# ---- charts ---


def test_charts_say_what_they_show() -> None:
    found = lesson.measured(lesson.tower(2), ml.randn(4, 16))
    chart = lesson.area(found, "A step.")
    assert repr(chart) == f"A step. The peak: {found.peak:,} bytes, backward ({found.at_peak().moment.op})."
    assert set(chart._repr_mimebundle_()) == {"application/vnd.plotly.v1+json", "text/plain"}
    chart = lesson.trade([1, 2, 4], [9, 5, 6], [0, 4, 5], "Memory against work.")
    assert repr(chart) == "Memory against work. Fewest alive: 5, with 2 segments."
    assert [trace.name for trace in chart.figure.data] == ["results alive at the peak", "layers run again"]
