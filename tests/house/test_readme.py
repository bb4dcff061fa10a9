"""The README's code runs, shows what its pictures show, and names commands and lessons that exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import minitorch_lab as ml
from tests.browser.readme_picture import PICTURES, Picture, run_code
from tests.house.source import ROOT

README = (ROOT / "README.md").read_text("utf-8")
SENTENCES = (
    "`mul` sends −3 to `a`: 1 (from above) × (−3) (the saved b).",
    "`pow` sends 18 to `x`: 3 (from above) × 6 (n × xⁿ⁻¹).",
)


@pytest.mark.parametrize(("picture", "said"), list(zip(PICTURES, SENTENCES, strict=True)))
def test_the_code_runs_and_gives_the_step_of_the_picture(picture: Picture, said: str, tmp_path: Path) -> None:
    steps = ml.widgets.Backward(run_code(picture, tmp_path)["rec"]).transcript()
    assert said in steps[picture.step]
    words = said.removesuffix(".").replace("`", "")
    text = " ".join(README.split())
    assert words in text, "the picture's alternative text says another step"
    assert f"at step {picture.step + 1} of {len(steps)}" in text


@pytest.mark.parametrize("picture", PICTURES)
def test_the_picture_is_there_and_small(picture: Picture) -> None:
    assert f"]({picture.path.relative_to(ROOT).as_posix()})" in README
    assert picture.path.stat().st_size < 150_000


def test_the_table_names_every_lesson_as_the_lesson_does() -> None:
    rows = re.findall(r"^\| \[(.+?)\]\((notebooks/.+?)\) \| (.+) \|$", README, re.MULTILINE)
    lessons = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
    assert [path for _, path, _ in rows] == [lesson.relative_to(ROOT).as_posix() for lesson in lessons]
    for (title, _, finds), lesson in zip(rows, lessons, strict=True):
        first = "".join(json.loads(lesson.read_text("utf-8"))["cells"][0]["source"])
        assert first.splitlines()[0] == f"# {title}"
        assert finds[0].islower(), "a row goes on where the heading 'what you find out' stops"


def test_every_make_target_it_names_exists() -> None:
    targets = set(re.findall(r"make ([a-z]+)", README))
    rules = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert {"lab", "test", "check"} <= targets <= rules
