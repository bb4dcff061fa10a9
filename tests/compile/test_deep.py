"""Random Python programs do compiled what they do eagerly, and so do those that once did not: see `compile/deep`."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pytest

from tests.compile.deep.observe import differences
from tests.compile.deep.shrink import shrink
from tests.compile.deep.write import program

EXECUTORS = ("machine", "numpy", "llvm")
FOUND = sorted((Path(__file__).parent / "deep" / "found").glob("*.py"))
PART = 25


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_a_program_that_once_differed(path: Path) -> None:
    assert [str(d) for d in differences(path.read_text("utf-8"), (*EXECUTORS, "sizes"))] == []


@pytest.mark.parametrize("start", range(0, 1500, PART))
def test_random_programs(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with one of the executors; `make deep` tries each with all of them."""
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)  # errors in generators that nobody holds any more
    for seed in range(start, start + PART):
        text = program(seed)
        for difference in differences(text, (EXECUTORS[seed % len(EXECUTORS)],)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                pytest.fail(f"{difference}\n\nProgram {seed}, shrunk:\n{shrink(text, difference)}")
