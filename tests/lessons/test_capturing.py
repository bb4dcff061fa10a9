"""The checks of 11: right answers of several kinds, and every wrong one is told what it is."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.lessons import lesson_11_capture as lesson
from minitorch_lab.lessons.lesson_11_capture.guarding import PAIRS, outcome
from tests.notebooks.inject import parts_of

SOLUTIONS = Path(__file__).parents[1] / "notebooks/solutions/s11_capture_guards_breaks.py"


def right(exercise: str, name: str) -> Any:
    """What a part of the solutions defines."""
    space: dict[str, Any] = {"ml": ml, "lesson": lesson}
    exec(parts_of(SOLUTIONS.read_text("utf-8"))[exercise], space)
    return space[name]


def told(verdict: Any, text: str) -> None:
    assert verdict.state == "not yet"
    assert text in verdict.text


# ---- captured anew --------------------------------------------------------------------------------------------------


ANEW = right("anew-exercise", "anew")


def test_which_calls_are_captured_anew() -> None:
    assert list(ANEW) == lesson.CALLS
    assert lesson.check_anew(ANEW).done
    assert lesson.check_anew({lesson.CALLS[0]: True}).state == "not written yet"
    told(lesson.check_anew({lesson.CALLS[1]: False}), "right so far. 11 are still open")
    told(lesson.check_anew({lesson.CALLS[1]: "no"}), "'no' is neither True nor False")


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (1, "scaled(5 * ml.ones(2)): it is False. the entries stand in no graph"),
        (2, "the kernel was made for two entries"),
        (3, "that axis became a symbol"),
        (4, "another dtype is another kernel"),
        (5, "this call needs a node on the tape"),
        (6, "whether gradients are on"),
        (7, "what was captured is kept"),
        (8, "so it is a constant of the graph, and guarded"),
        (9, "k differs from call to call"),
        (10, "a float from outside is an argument of the graph"),
        (11, "it was a float, and now it is an int"),
    ],
)
def test_wrong_about_a_call(call: int, text: str) -> None:
    name = lesson.CALLS[call]
    told(lesson.check_anew({name: not ANEW[name]}), text)


def test_each_capture_says_which_guard_failed() -> None:
    rows = lesson.recaptured().splitlines()
    assert sum(row.startswith("captured anew") for row in rows) == sum(ANEW.values())
    reasons = [row.strip() for row in rows if row.startswith(" ")]
    assert reasons == [
        "x: shape (2,), now (3,)",
        "x: dtype dtype('float32'), now dtype('float64'); strides (4,), now (8,)",
        "x: dtype dtype('float64'), now dtype('float32'); strides (8,), now (4,); requires_grad False, now True",
        "gradients on: True, now False",
        "k: 3, now a int",
        "rate: a float, now a int",
    ]


# ---- a guard of one's own -------------------------------------------------------------------------------------------


def asking(*names: str) -> Callable[[Any, Any], bool]:
    """A guard that compares these facts."""
    facts: dict[str, Callable[[Any, Any], bool]] = {
        "shape": lambda x, seen: x.shape == seen.shape,
        "dtype": lambda x, seen: x.dtype == seen.dtype,
        "grad": lambda x, seen: x.requires_grad == seen.requires_grad,
        "type": lambda x, seen: type(x) is seen.type,
        "isinstance": lambda x, seen: isinstance(x, seen.type),
        "stride": lambda x, seen: x.stride() == seen.stride,
        "device": lambda x, seen: x.device == seen.device,
        "ndim": lambda x, seen: x.ndim == len(seen.shape),
        "numel": lambda x, seen: x.numel() == ml.ones(*seen.shape).numel(),
    }
    return lambda x, seen: all(facts[name](x, seen) for name in names)


def test_right_guards() -> None:
    assert lesson.check_guard(right("guard-exercise", "holds")).done
    assert lesson.check_guard(asking("shape", "dtype", "grad", "type", "stride", "device")).done
    assert lesson.check_guard(lambda x, seen: True).state == "not written yet"


@pytest.mark.parametrize(
    ("holds", "text"),
    [
        (asking("ndim"), "a graph captured for length 2 ran for length 3"),
        (asking("numel"), "a graph for (2, 3) ran for (3, 2)"),
        (asking("shape"), "a graph for float32 ran for float64"),
        (asking("shape", "dtype", "type", "stride"), "compare requires_grad"),
        (asking("shape", "dtype", "grad", "stride"), "the graph for a Tensor ran for a Parameter"),
        (asking("shape", "dtype", "grad", "stride", "isinstance"), "the graph for a Tensor ran for a Parameter"),
        (asking("shape", "dtype", "grad", "type"), "Compare the strides: x.stride()"),
        (asking("shape", "dtype", "grad", "type", "stride"), "Compare the devices"),
        (lambda x, seen: False, "were captured 6 times"),
        (lambda x, seen: None, "your guard gives None. It gives True or False"),
        (lambda x, seen: x.tolist() == [1.0, 0.0], "such as the numbers"),
        (lambda x, seen: x.shap == seen.shape, "your guard stops with AttributeError"),
    ],
)
def test_wrong_guards(holds: Callable[..., Any], text: str) -> None:
    told(lesson.check_guard(holds), text)


def test_the_pairs_are_what_they_say() -> None:
    """With the compiler's own guards every pair comes out right, and needs two captures."""
    for pair in PAIRS:
        compiled = ml.compile(pair.fn)
        for make in (pair.first, pair.first, pair.second):
            assert outcome(compiled, make()) == outcome(pair.fn, make())
        assert compiled.captures == 2


def test_guards_in_words() -> None:
    def inner(x: Any) -> Any:
        return x + 1

    f = ml.compile(lambda x, k: inner(x) * k if x.sum() > 0 else sum([x, x]))
    f(ml.ones(2, requires_grad=True), 3)
    f(ml.ones(2, requires_grad=True), "x" == "y")
    f(-ml.ones(2, requires_grad=True), False)
    assert lesson.guards(f) == (
        "gradients on: True\n"
        "x: a Tensor f32[2] on cpu, wants a gradient\n"
        "k: 3, or False\n"
        "the truth of a tensor: True, or False\n"
        "inner: " + inner.__qualname__ + "\n"
        "the code of inner: as it was\n"
        "a global of yours named sum: False\n"
        "the builtin sum: as it was"
    )


# ---- how many graphs ------------------------------------------------------------------------------------------------


def prints(x: Any) -> Any:
    y = x + 1
    print("y is there")
    return y * 2


def unrolls(x: Any) -> Any:
    parts = []
    for k in range(3):
        parts.append(x * k)
    return sum(parts)


def draws(x: Any) -> Any:
    return (x + 1) * random.random()


def other(x: Any) -> Any:
    return x * x.max().item()


def test_how_many_graphs(capsys: pytest.CaptureFixture[str]) -> None:
    functions = [prints, unrolls, draws, other]
    assert lesson.check_graphs(functions, {"prints": 2, "unrolls": 1, "draws": 2, "other": 2}).done
    assert lesson.check_graphs(functions, {"prints": None}).state == "not written yet"
    told(lesson.check_graphs(functions, {"prints": 2}), "right so far. 3 are still open")
    told(
        lesson.check_graphs(functions, {"prints": 1}),
        "prints: you say 1, and it is 2. print() writes to the screen now",
    )
    told(lesson.check_graphs(functions, {"unrolls": 3}), "and leaves six ops in a row")
    told(lesson.check_graphs(functions, {"draws": 1}), "random.random() is C")
    told(lesson.check_graphs(functions, {"other": 1}), "lesson.told shows where it breaks")
    assert capsys.readouterr().out == ""
    unrolled = ml.compile(unrolls)
    unrolled(ml.ones(2))
    assert len(unrolled.graphs[0].calls) == 6


# ---- a function made whole ------------------------------------------------------------------------------------------


def largest(x: Any) -> Any:
    return x.detach().abs().max()


def broken(x: Any) -> Any:
    top = x.abs().max().item()
    if top > 1:
        x = x / top
    print(top)
    return x * 2


def still_asking(x: Any) -> Any:
    top = x.abs().max().item()
    return (x / top if top > 1 else x) * 2


def printing(x: Any) -> Any:
    print("damped")
    return x / largest(x).clamp(min=1) * 2


def test_right_repairs() -> None:
    assert lesson.check_whole(right("whole-exercise", "damped_whole")).done
    assert lesson.check_whole(lambda x: x / ml.where(largest(x) > 1, largest(x), 1.0) * 2).done
    assert lesson.check_whole(lambda x: x * 2 / ml.maximum(largest(x), ml.ones_like(largest(x)))).done
    assert lesson.check_whole(broken).state == "not written yet"


@pytest.mark.parametrize(
    ("fn", "text"),
    [
        (still_asking, "it still breaks: item() gives an entry"),
        (lambda x: x / max(float(x.abs().max()), 1.0) * 2, "it still breaks: float() gives an entry"),
        (lambda x: (x / x.abs().max() if x.abs().max() > 1 else x) * 2, "Python decides by an entry"),
        (printing, "print() writes to the screen, at"),
        (lambda x: x / largest(x) * 2, "you always divide"),
        (lambda x: x.clamp(-1, 1) * 2, "you cut off each entry for itself"),
        (lambda x: x / x.detach().max().clamp(min=1) * 2, "It is the largest in size, with abs()"),
        (lambda x: x * 2, "you never divide"),
        (lambda x: x / largest(x).clamp(min=1), "the factor 2 at the end is lost"),
        (lambda x: ml.where(largest(x) > 1, x, x / largest(x)) * 2, "the sides are swapped"),
        (lambda x: ml.where(largest(x) > 1, x / largest(x), x) * 2, "the gradient is NaN"),
        (lambda x: x / x.abs().max().clamp(min=1) * 2, "unless you detach() it"),
        (lambda x: x + 1, "your function gives"),
        (lambda x: None, "your function gives None"),
        (lambda x: x.dampen(), "your function stops with AttributeError"),
    ],
)
def test_wrong_repairs(fn: Callable[..., Any], text: str) -> None:
    told(lesson.check_whole(fn), text)
