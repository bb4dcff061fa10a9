"""Right answers of strangers are right for judge and check, and wrong ones for neither: some of each exercise here.

`python -m tests.grade.strangers` tries all.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from minitorch_lab.grade.release import judged_lessons
from tests.grade.in_process import exercises
from tests.grade.strangers import mistaken, strangers


@pytest.mark.parametrize("name", judged_lessons())
def test_a_stranger_is_judged_by_what_they_answer(name: str) -> None:
    every = strangers(name)
    for exercise in exercises(name):
        for right in (True, False):
            mine = [each for each in every if (each.exercise, each.right) == (exercise, right)]
            for stranger in random.Random(1).sample(mine, 1 if exercise in ("keep", "placement", "tame") else 2):
                assert mistaken(stranger) == "", stranger


@pytest.mark.parametrize("name", judged_lessons())
def test_every_exercise_has_strangers(name: str) -> None:
    counts = Counter((each.exercise, each.right) for each in strangers(name))
    for exercise in exercises(name):
        assert counts[exercise, True] >= 3
        assert counts[exercise, False] >= 5
