"""The submission's box and its processes: they are counted up to a limit, and all of them go."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade.box import empty, used
from minitorch_lab.grade.processes import Tree, free_user, running


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


def test_the_tree_is_seen_while_the_clock_goes_backward(monkeypatch: pytest.MonkeyPatch) -> None:
    """psutil dates a process by the clock: a child that seems older than its parent would not be one."""
    clock = iter(range(10**9, 0, -3600))
    monkeypatch.setattr("psutil._pslinux.boot_time", lambda: next(clock), raising=False)
    command = [sys.executable, "-c", "import os, time\nos.fork()\nprint(flush=True)\ntime.sleep(100)"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.readline()
        tree = Tree()
        mine = {each for each in tree.alive() if each.pid == process.pid or each.ppid() == process.pid}
        assert len(mine) == 2
        assert tree.end(tree.alive() - mine)
        assert not any(running(each) for each in mine)


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can become another user")
def test_two_submissions_never_have_the_same_user() -> None:
    with free_user(30_000, 30_002) as one, free_user(30_000, 30_002) as other:
        assert {one, other} == {30_000, 30_001}
        with pytest.raises(ArgumentError, match="found no user of its own among 30000 to 30001"):
            free_user(30_000, 30_002).__enter__()
    with free_user(30_000, 30_001) as again:
        assert again == 30_000
