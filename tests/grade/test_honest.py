"""The same right answers in other people's styles: what the lesson's check calls done earns its points, and both do."""

from __future__ import annotations

import pytest

from minitorch_lab.grade.release import judged_lessons
from tests.grade.answers import right
from tests.grade.honest import STYLES
from tests.grade.in_process import exercises, judged

# What an exercise is about cannot be a style of its answer.
MEANT = {
    ("tame", "a class with __call__"): "script reads the text of one function",
    ("tame", "all that is written around it"): "script refuses annotations that are no types of tensors",
    ("graphs", "a class with __call__"): "the functions of the cell are the question, and not the answer",
    ("graphs", "all that is written around it"): "they are counted as they stand",
    ("graphs", "lambdas"): "they are known by their names",
    ("whole", "all that is written around it"): "a print ends the graph, and one graph is what is asked for",
}
SLOW = {"keep": ("as numpy", "as array", "as float"), "placement": ("as numpy", "as array", "as float", "as tuple")}
EVERY = [(name, exercise, style) for name in judged_lessons() for exercise in exercises(name)
         for style in SLOW.get(exercise, STYLES) if (exercise, style) not in MEANT]  # fmt: skip


@pytest.mark.parametrize(("name", "exercise", "style"), EVERY)
def test_a_right_answer_is_right_in_every_style(name: str, exercise: str, style: str) -> None:
    heard: list[str] = []
    answer = STYLES[style](right(name)[f"{exercise}-exercise"])
    assert judged(name, exercise, answer, heard=heard) == ""
    assert heard == [""]
