"""Rows and the tests that hold their figures: `test_row_<row>_…` in these files."""

from __future__ import annotations

import re

import pytest

from tests.house.source import ROOT, tracked

ROWS = {
    "a14": ["costmodel/test_laws.py"],
    "a16": ["costmodel/test_laws.py"],
    "a17": ["compile/test_plan.py"],
    "a18": ["test_bench.py"],
    "b1": ["autograd/test_backward.py", "lessons/test_the_walk.py"],
    "b2": ["func/test_rows_b2_b8_b9.py"],
    "b3": ["autograd/test_rows.py"],
    "b4": ["autograd/test_rows.py"],
    "b5": ["memory/test_rows.py"],
    "b7": ["memory/test_rows.py"],
    "b8": ["func/test_rows_b2_b8_b9.py"],
    "b9": ["func/test_rows.py", "func/test_rows_b2_b8_b9.py"],
    "b10": ["costmodel/test_laws.py"],
    "b11": ["memory/test_allocator.py"],
    "c1": ["autograd/test_views.py"],
    "c2": ["costmodel/test_laws.py", "costmodel/test_simulator.py"],
    "c3": ["costmodel/test_laws.py", "costmodel/test_simulator.py", "memory/test_streams.py"],
    "c4": ["costmodel/test_laws.py"],
    "c5": ["nn/test_residual.py", "nn/test_rows.py"],
    "c7": ["costmodel/test_flops.py"],
    "c8": ["costmodel/test_flops.py", "costmodel/test_laws.py"],
    "c13": ["compile/test_choice.py", "costmodel/test_laws.py"],
    "c14": ["ops/test_random.py"],
}


def held() -> dict[str, set[str]]:
    """The files with a test named after each row."""
    found: dict[str, set[str]] = {}
    for path in tracked("tests/*.py"):
        for row in re.findall(
            r"^def test_row_([a-z]\d+)_", (ROOT / path).read_text("utf-8"), re.MULTILINE | re.IGNORECASE
        ):
            found.setdefault(row.lower(), set()).add(path.as_posix().removeprefix("tests/"))
    return found


@pytest.mark.parametrize("row", ROWS)
def test_the_figures_of_a_row_are_held_by_tests_named_after_it(row: str) -> None:
    assert held()[row] == set(ROWS[row])
