"""The checks of 08: right answers are done, and typical wrong ones are told what they believed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.lessons import lesson_08_modules as lesson
from minitorch_lab.lessons.lesson_08_modules.registering import CASES, grown
from minitorch_lab.lessons.lesson_08_modules.states import KINDS, built
from minitorch_lab.lessons.lesson_08_modules.stepping import stepped
from tests.grade.answers import variants
from tests.notebooks.solutions import s08_modules_and_state as right

NAME = "08_modules_and_state"
CHECKS: dict[str, Callable[[Any], Any]] = {
    "registers": lambda made: lesson.check_registers(made.Mini),
    "state": lambda made: lesson.check_state(made.snapshot, made.restore),
    "norm": lambda made: lesson.check_norm(made.Norm),
    "measured": lambda made: lesson.check_measured(made.measured),
    "adam": lambda made: lesson.check_adam(made.adam),
}


def made(source: str) -> Any:
    """What a source defines, as one namespace."""
    space: dict[str, Any] = {"ml": ml, "lesson": lesson}
    exec(source, space)
    return type("Made", (), {name: staticmethod(part) for name, part in space.items() if callable(part)})


def told(verdict: Any, text: str) -> None:
    assert verdict.state == "not yet"
    assert text in verdict.text


@pytest.mark.parametrize("exercise", CHECKS)
def test_the_solution_is_done(exercise: str) -> None:
    assert CHECKS[exercise](right).done


@pytest.mark.parametrize("exercise", CHECKS)
def test_other_people_s_right_answers_are_done(exercise: str) -> None:
    sources = [source for name, source in variants("strangers", NAME, "r") if name == exercise]
    assert len(sources) >= 3
    for source in sources:
        assert CHECKS[exercise](made(source)).done, source


TOLD = {
    "registers": [
        "bias was set to None afterwards",
        "first.weight and last.weight are one tensor",
        "the path goes on through every floor",
        "all modules write into one register",
        "weight was assigned and cannot be read afterwards",
        "parameters() gives other tensors",
        "a plain tensor is an ordinary attribute",
        "a list is an ordinary attribute",
        "__setattr__ needs self.own before it is there",
        "without end",
        "parameters() gives other tensors",
    ],
    "state": [
        "it shows the same memory",
        "a name is the path through the modules",
        "has a grad_fn (CloneBackward)",
        "A state holds it under both names",
        "which copy_ spreads over all",
        "the two lists are exchanged",
        "It gives two lists",
        "let one error list all that does not fit",
        "which the module has not",
        "an optimizer would go on with the old ones",
        "restore asks the module for load_state_dict()",
        "restore leaves the module as it is",
    ],
    "norm": [
        "eps stands outside of the root",
        "by the root of its unbiased variance",
        "moved by the part 1 − momentum",
        "mean and variance depend on x",
        "What decides is self.training alone",
        "is that of the last batch alone",
        "is where it began",
        "then comes · weight + bias",
        "is no buffer, so state_dict() leaves it out",
        "It is a buffer",
        "one mean over all entries",
    ],
    "measured": [
        "Add them up",
        "A float64 has 8 bytes",
        "its entries times its itemsize",
        "its entries times its itemsize",
        "Modules with modules inside are left out",
        "Remove them in a finally",
        "and 0.0 is missing",
        "somebody else's hook is gone",
        "Does a hook of yours return something?",
        "it gives out 96",
    ],
    "adam": [
        "eps is added to the root, and not under it",
        "v is corrected and m is not",
        "m is corrected and v is not",
        "It is divided by its root",
        "v is the mean of the squares",
        "your step writes into the gradient",
        "it goes uphill",
        "Take both from group",
        "the same run, a second time, gives other numbers",
        "after two steps state is empty",
        "count first",
        "count first",
    ],
}


@pytest.mark.parametrize("exercise", CHECKS)
def test_wrong_answers_are_told_what_they_believe(exercise: str) -> None:
    sources = [source for name, source in variants("strangers", NAME, "w") if name == exercise]
    for source, text in zip(sources, TOLD[exercise], strict=True):
        told(CHECKS[exercise](made(source)), text)


# ---- beside the engine ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_the_solution_finds_what_a_module_finds(case: Any) -> None:
    mine, theirs = grown(right.Mini, case.program), grown(ml.nn.Module, case.program)
    assert [name for name, _ in mine.named_parameters()] == [name for name, _ in theirs.named_parameters()]


@pytest.mark.parametrize("kind", KINDS)
def test_the_solution_keeps_what_a_state_keeps(kind: str) -> None:
    module = built(kind)
    mine, theirs = right.snapshot(module), ml.nn.Module.state_dict(module)
    assert {name: t.tolist() for name, t in mine.items()} == {name: t.tolist() for name, t in theirs.items()}
    with pytest.raises(NotImplementedError):
        module.state_dict()


def test_a_run_of_the_engine_s_adam_resumes_bit_for_bit() -> None:
    rounds = [[[0.5 * k - 1.0], [1.0]] for k in range(5)]
    groups = [{"lr": 0.1}, {"lr": 0.3}]
    assert stepped(ml.optim.Adam, rounds, groups) == stepped(ml.optim.Adam, rounds, groups, stop=2)


# ---- what is shown --------------------------------------------------------------------------------------------------
def test_what_a_reader_s_module_finds_is_a_tree_for_the_views() -> None:
    model = grown(right.Mini, CASES[2].program)
    shown = lesson.found_by(model)
    assert [name for name, _ in shown.named_parameters()] == ["first.weight", "first.bias", "last.weight"]
    said = ml.widgets.ModuleTree(shown).transcript()
    assert said[0].startswith("1. What is a module made of? `Mini` holds 2 modules, 3 parameters: 13 numbers")
    assert "`first`, Module, holds weight (6,) and bias (3,): 9 numbers to learn" in said[1]


def test_what_cannot_be_shown_is_left_out() -> None:
    found = [("", 1), ("a", 2), ("b.c", ml.nn.Parameter(ml.ones(2)))]
    model = type("Odd", (), {"named_parameters": lambda self: found})
    assert [name for name, _ in lesson.found_by(model()).named_parameters()] == ["b.c"]


def test_bars_are_as_long_as_they_are_large() -> None:
    drawn = lesson.bars({"long": 80, "short": 20.0, "none": 0}).splitlines()
    assert [line.count("█") for line in drawn] == [40, 10, 0]
    assert re.sub(r" +", " ", drawn[1]).startswith("short 20 B")
    assert lesson.bars({}) == "nothing was measured"
