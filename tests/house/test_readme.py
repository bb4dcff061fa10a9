"""The README's code runs, shows what its picture shows, and names commands that exist."""

from __future__ import annotations

import re
from pathlib import Path

import minitorch_lab as ml
from tests.browser.readme_picture import PICTURE, STEP, run_code
from tests.house.source import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def test_the_code_runs_and_gives_the_step_of_the_picture(tmp_path: Path) -> None:
    sentence = ml.widgets.Backward(run_code(tmp_path)["rec"]).transcript()[STEP]
    assert "`mul` sends −3 to `a`: 1 (from above) × (−3) (the saved b)." in sentence
    words = sentence.removeprefix(f"{STEP + 1}. ").removesuffix(".").replace("`", "")
    assert words in " ".join(README.split()), "the picture's alternative text says another step"


def test_the_picture_is_there_and_small() -> None:
    assert f"]({PICTURE.relative_to(ROOT).as_posix()})" in README
    assert PICTURE.stat().st_size < 150_000


def test_every_make_target_it_names_exists() -> None:
    targets = set(re.findall(r"make ([a-z]+)", README))
    rules = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert {"lab", "test", "check"} <= targets <= rules
