"""The rows of `bench/` without a clock: every library computes what our eager engine computes in float64."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("jax")
from bench import compiled, eager

pytestmark = pytest.mark.oracle
ROWS = [row for row in [*compiled.rows(), *eager.rows()] if row.exact]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.work)
def test_the_programs_of_a_row_agree_with_float64(row: Any) -> None:
    for name, make in row.programs.items():
        if name != "torch.compile":
            row.check(make()())


def test_a_wrong_program_is_not_timed() -> None:
    row = next(row for row in ROWS if "tiny" in row.work)
    row.programs["wrong"] = lambda: lambda: 0.0
    (said,) = [line for line in row.lines() if "wrong" in line]
    assert "not run: AssertionError" in said
