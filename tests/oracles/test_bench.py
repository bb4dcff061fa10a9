"""The rows of `bench/` without a clock: every library computes what our eager engine computes in float64."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bench.__main__ as run
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


def test_a_whole_run_is_kept_and_part_of_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "RESULTS.md"
    monkeypatch.setattr(run, "RESULTS", results)
    monkeypatch.setattr(run, "MEASUREMENTS", ("machine",))
    monkeypatch.setattr(run.one_thread, "pin", lambda: None)
    monkeypatch.setattr("sys.argv", ["bench"])
    run.main(["machine"])
    assert not results.exists()
    said = capsys.readouterr().out
    run.main([])
    assert results.read_text("utf-8") == run.HEAD + said
    for fact in ("- machine: ", "- versions: Python ", "- commit: ", "- command: `make bench`, which runs `python -m "):
        assert fact in results.read_text("utf-8")
