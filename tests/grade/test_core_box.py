"""The submission's box: what is in it is counted up to a limit, and all of it goes."""

from __future__ import annotations

import os
from pathlib import Path

from minitorch_lab.grade.box import empty, used


def test_files_and_bytes_are_counted(tmp_path: Path) -> None:
    assert used(tmp_path, 100, 1 << 20) == (0, 0)
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "deep" / "file").write_bytes(b"x" * 10_000)
    (tmp_path / "link").symlink_to("/")
    count, size = used(tmp_path, 100, 1 << 20)
    assert count == 4
    assert 10_000 <= size < 100_000


def test_counting_stops_at_the_limit(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / f"{number}").write_bytes(b"x" * 8192)
    assert used(tmp_path, 10, 1 << 30)[0] == 11
    assert used(tmp_path, 1000, 50_000)[1] < 100_000


def test_a_box_is_emptied_whatever_is_in_it(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("stays")
    box = tmp_path / "box"
    box.mkdir()
    (box / "link").symlink_to(outside)
    (box / "folder-link").symlink_to(tmp_path)
    os.mkfifo(box / "pipe")
    (box / "shut" / "in").mkdir(parents=True)
    (box / "shut" / "in" / "file").touch()
    (box / "shut").chmod(0)
    here = os.getcwd()
    try:
        os.chdir(box)
        for _ in range(2000):  # deeper than any path may be long
            os.mkdir("d" * 100)
            os.chdir("d" * 100)
    finally:
        os.chdir(here)
    empty(box)
    assert list(box.iterdir()) == []
    assert outside.read_text() == "stays"
