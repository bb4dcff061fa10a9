"""The README's code runs, shows what its pictures show, and names commands and lessons that exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.browser.readme_pictures import PICTURES, THEMES, Picture
from tests.house.source import ROOT

README = (ROOT / "README.md").read_text("utf-8")
SENTENCES = {
    "tape": "`mul` makes a * b = 2 × (−3) = −6 and keeps both inputs: each is the other's derivative.",
    "backward": "`mul` sends −3 to `a`: 1 (from above) × (−3) (the saved b).",
    "fusion": "`add_1` joins `mul`: both work entry by entry, at the same points. `mul` stays in a register, "
    "8,000 bytes less.",
    "memory": "Here is the peak: 1,795,672 B, 45 % of it parameters.",
    "double_backward": "`pow` sends 18 to `x`: 3 (from above) × 6 (n × xⁿ⁻¹).",
}


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_the_code_runs_and_gives_the_step_of_the_picture(picture: Picture, tmp_path: Path) -> None:
    said, steps = SENTENCES[picture.name], picture.make(tmp_path).transcript()
    assert plain(said) in plain(steps[picture.step])
    alt = re.findall(rf'{picture.name}-light\.png" alt="(.*?)"', README, re.DOTALL)[0]
    assert plain(said).removesuffix(".") in plain(alt), "the picture's alternative text says another step"
    assert f"at step {picture.step + 1} of {len(steps)}" in plain(alt)


def plain(text: str) -> str:
    """A sentence without marks of code, and with plain spaces."""
    return " ".join(text.replace("`", "").split())


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_the_picture_is_there_and_small(picture: Picture, theme: str) -> None:
    path = picture.path(theme)
    assert path.relative_to(ROOT).as_posix() in README
    assert path.stat().st_size < 150_000


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
