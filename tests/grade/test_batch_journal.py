"""The journal: what is in it stays, a torn line is passed over, and there is one writer."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade.journal import Journal
from minitorch_lab.grade.put import put


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


def test_a_journal_that_is_cut_at_any_byte_goes_on(tmp_path: Path) -> None:
    records = {f"k{k}": {"status": "graded", "score": k, "said": "é\n漢"} for k in range(4)}
    with Journal(tmp_path / "whole") as journal:
        for key, record in records.items():
            journal.append(key, record)
    whole = (tmp_path / "whole").read_bytes()
    for cut in range(len(whole) + 1):
        path = tmp_path / "j"
        path.write_bytes(whole[:cut])
        with Journal(path) as journal:
            before = dict(journal.records)
            assert before == {key: records[key] for key in before}
            assert len(before) == len(whole[: cut + 1].splitlines()) - (whole[cut : cut + 1] not in (b"", b"\n"))
            for key in records.keys() - before.keys():
                journal.append(key, records[key])
        with Journal(path) as journal:
            assert journal.records == records


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such limit")
def test_a_full_disk_is_told_and_spoils_nothing(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal(path) as journal:
        journal.append("a", {"status": "graded"})
        before = path.read_bytes()
        with files_of(len(before) + 10), pytest.raises(ArgumentError) as caught:
            journal.append("b", {"status": "graded", "long": "x" * 1000})
        assert path.read_bytes() == before
        journal.append("b", {"status": "graded"})
    assert str(caught.value).splitlines() == [
        f"The journal {path} could not be written (File too large).",
        "  What is graded counts when it is in the journal, and what was in it before is still there.",
        "  Make room, or choose another folder with --out; the same command goes on where it stopped.",
    ]
    with Journal(path) as journal:
        assert list(journal.records) == ["a", "b"]


@contextmanager
def files_of(size: int) -> Generator[None]:
    """No file of this process may grow beyond a size: the way to a full disk that every machine has."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_results_that_cannot_be_written_leave_the_old_ones(tmp_path: Path) -> None:
    put(tmp_path / "results.json", "old")
    with files_of(10), pytest.raises(ArgumentError, match=r"results\.json could not be written \(File too large\)"):
        put(tmp_path / "results.json", "new" * 100)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("results.json", "old")]


@pytest.mark.skipif(os.name != "posix", reason="Windows has neither")
def test_what_is_no_file_is_no_journal(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("link", "pipe", "folder"):
        with pytest.raises(ArgumentError, match="could not be written"), Journal(tmp_path / name):
            pass
    assert not (tmp_path / "elsewhere").exists()


def test_strange_lines_are_passed_over(tmp_path: Path) -> None:
    good = json.dumps({"key": "a", "record": {"status": "graded"}})
    odd = ['{"key": "b", "record": 5}', '{"key": [1], "record": {"status": "graded"}}', '{"key": "c", "record": {}}']
    (tmp_path / "j").write_text("\n".join(["[]", "null", "{}", "\x00", "[" * 100_000, *odd, good, ""]))
    with Journal(tmp_path / "j") as journal:
        assert list(journal.records) == ["a"]
