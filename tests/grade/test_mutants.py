"""Judges see what is wrong: a sample of the mutants of each solution. `python -m tests.grade.mutants` tries all."""

from __future__ import annotations

import random

import pytest

from minitorch_lab.grade.release import judged_lessons
from tests.grade.in_process import exercises
from tests.grade.mutants import Mutant, mutants_of, outcome, reasons

SLOW = {"keep": 1, "placement": 1, "tame": 1}  # mutants of the exercises whose judges take seconds


@pytest.mark.family(3)
@pytest.mark.parametrize("name", judged_lessons())
def test_a_mutant_earns_nothing_and_is_not_called_done(name: str) -> None:
    for exercise in exercises(name):
        every = [mutant for mutant in mutants_of(name, exercise) if mutant.name not in reasons()]
        for mutant in random.Random(0).sample(every, min(SLOW.get(exercise, 2), len(every))):
            answer, says = outcome(mutant)
            assert answer, mutant.name
            assert not answer.startswith("fault"), (mutant.name, answer)
            assert not says.startswith("done"), mutant.name


def test_what_is_argued_is_a_mutant_still() -> None:
    known = {
        mutant.name
        for name in judged_lessons()
        for exercise in exercises(name)
        for mutant in mutants_of(name, exercise)
    }
    assert reasons().keys() - known == set()
    assert all(len(reason) >= 20 for reason in reasons().values())


FOUND = [  # checks that called these done, and judges that gave them nothing
    ("04_forward_and_reverse", "dual", "`self.value + other.value` → `self.value - other.value`"),
    ("05_autograd_internals", "careful", "`math.log(2)` → `2`"),
    ("05_autograd_internals", "packing", "`t.abs()` → `t`"),
    ("10_execution_models", "mended", "`0` → `1`"),
    (
        "05_autograd_internals",
        "spoiled",
        "`node.saved_tensors[name].detach() != before` → `node.saved_tensors[name].detach() > before`",
    ),
]


@pytest.mark.parametrize(("name", "exercise", "what"), FOUND)
def test_what_once_was_called_done_is_not(name: str, exercise: str, what: str) -> None:
    mutant: Mutant = next(mutant for mutant in mutants_of(name, exercise) if mutant.what == what)
    answer, says = outcome(mutant)
    assert answer
    assert not says.startswith("done")
