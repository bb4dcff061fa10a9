"""The same right answers in other people's styles: what the lesson's check calls done earns its points, and both do."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from minitorch_lab.grade import probe
from minitorch_lab.grade.release import judged_lessons
from tests.grade.adversary.suite import LEVELS, ROOT
from tests.grade.answers import right
from tests.grade.honest import STYLES
from tests.grade.in_process import exercises, judged
from tests.grade.styles import MEANT, busy, lost, style_of, styles_course

SLOW = {"keep": ("as numpy", "as array", "as float"), "placement": ("as numpy", "as array", "as float", "as tuple")}
EVERY = [(name, exercise, style) for name in judged_lessons() for exercise in exercises(name)
         for style in SLOW.get(exercise, STYLES) if (exercise, style) not in MEANT]  # fmt: skip


@pytest.mark.family(6)
@pytest.mark.parametrize(("name", "exercise", "style"), EVERY)
def test_a_right_answer_is_right_in_every_style(name: str, exercise: str, style: str) -> None:
    heard: list[str] = []
    answer = STYLES[style](right(name)[f"{exercise}-exercise"])
    assert judged(name, exercise, answer, heard=heard) == ""
    assert heard == [""]


@pytest.mark.parametrize("level", LEVELS)
def test_a_lesson_in_every_style_at_every_level(level: str) -> None:
    """All lessons, as root and as an ordinary user, with busy processes beside or without, is `make styles`.

    Here every style stands in one exercise of the four, at each level in another.
    """
    part = list(LEVELS).index(level)
    with styles_course(["03_backward"], part, parts=4) as course, busy(8 if level == "weak" else 0):
        names = [each.name for each in course.lessons["03_backward"].exercises]
        count, zeros = lost(course, probe(LEVELS[level]), "03_backward")
    assert zeros == []
    assert count == len(names) == len(STYLES)
    assert sorted(map(style_of, names)) == sorted(STYLES)
    assert len({name.partition(".")[0] for name in names}) == 4


@pytest.mark.skipif(not ROOT, reason="only root can become another user")
def test_a_lesson_in_every_style_as_an_ordinary_user() -> None:
    words = ["-m", "tests.grade.adversary.ordinary", "-m", "tests.grade.styles", list(LEVELS)[-1], "01", "0/5"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=280, env=os.environ)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert f"{len(STYLES)} right answers, 0 lost points" in done.stdout
