"""The journal: what is in it stays, a torn line is passed over, and there is one writer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade.journal import Journal


def test_what_was_written_is_there_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        journal.append("a", {"status": "graded", "score": 1})
        journal.append("b", {"status": "unreadable", "score": 0})
    with Journal(tmp_path / "j") as journal:
        assert ("a" in journal, "b" in journal, "c" in journal) == (True, True, False)
        assert journal["a"] == {"status": "graded", "score": 1}


@pytest.mark.parametrize("cut", range(2, 60, 7))
def test_a_line_that_a_killed_run_left_half_written_is_graded_again(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal(path) as journal:
        journal.append("a", {"status": "graded", "score": 1})
        journal.append("b", {"status": "graded", "score": 2})
    path.write_bytes(path.read_bytes()[:-cut])
    with Journal(path) as journal:
        assert ("a" in journal, "b" in journal) == (True, False)
        journal.append("b", {"status": "graded", "score": 2})
    with Journal(path) as journal:
        assert (journal["a"]["score"], journal["b"]["score"]) == (1, 2)


def test_a_line_that_lacks_only_its_end_counts_and_the_next_stands_on_its_own(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal(path) as journal:
        journal.append("a", {"status": "graded", "score": 1})
    path.write_bytes(path.read_bytes()[:-1])
    with Journal(path) as journal:
        assert journal["a"]["score"] == 1
        journal.append("b", {"status": "graded", "score": 2})
    with Journal(path) as journal:
        assert (journal["a"]["score"], journal["b"]["score"]) == (1, 2)


def test_a_fault_of_the_grader_is_no_result(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        journal.append("a", {"status": "fault", "fault": "disk full"})
        assert "a" in journal  # not tried for ever in one run
    with Journal(tmp_path / "j") as journal:
        assert "a" not in journal
        journal.append("a", {"status": "graded", "score": 3})
    with Journal(tmp_path / "j") as journal:
        assert journal["a"]["score"] == 3


def test_nothing_is_written_twice(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        journal.append("abc", {"status": "graded"})
        with pytest.raises(ArgumentError, match="has a record for abc… already"):
            journal.append("abc", {"status": "graded"})
    assert len((tmp_path / "j").read_text().splitlines()) == 1


def test_one_writer(tmp_path: Path) -> None:
    with Journal(tmp_path / "j"), pytest.raises(ArgumentError) as caught, Journal(tmp_path / "j"):
        pass
    assert str(caught.value) == (
        f"Another run is writing to {tmp_path / 'j'}.\n"
        "  A journal has one writer, so that nothing is graded twice.\n"
        "  Wait for that run to end, or give this one another folder with --out."
    )
    with Journal(tmp_path / "j"):
        pass


def test_strange_lines_are_passed_over(tmp_path: Path) -> None:
    good = json.dumps({"key": "a", "record": {"status": "graded"}})
    (tmp_path / "j").write_text(f"[]\nnull\n{{}}\n\x00\n{good}\n")
    with Journal(tmp_path / "j") as journal:
        assert list(journal.records) == ["a"]
