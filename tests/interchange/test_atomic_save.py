"""A file that `save` writes is the old one or the new one, whenever the program is stopped."""

from __future__ import annotations

import multiprocessing
import os
import random
import stat
import time
from pathlib import Path
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError


def save_again_and_again(path: Path, began: Any) -> None:
    for k in range(10**6):
        ml.save({"number": k, "parts": [ml.full((20_000,), float(k)), ml.full((3,), float(k))]}, path)
        began.set()


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="a fork starts in no time")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_kill_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    rng, path, context = random.Random(0), tmp_path / "run.npz", multiprocessing.get_context("fork")
    for _ in range(25):
        began = context.Event()
        program = context.Process(target=save_again_and_again, args=(path, began))
        program.start()
        assert began.wait(60)
        time.sleep(rng.uniform(0, 0.02))
        program.kill()
        program.join()
        found = ml.load(path)
        assert all((part == found["number"]).all() for part in found["parts"])
    ml.save(0, path)
    assert os.listdir(tmp_path) == ["run.npz"]


def test_what_cannot_be_saved_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    ml.save(1, path)
    with pytest.raises(ArgumentError):
        ml.save(object(), path)
    assert ml.load(path) == 1
    assert os.listdir(tmp_path) == ["run.npz"]


@pytest.mark.skipif(os.name != "posix", reason="links and modes as POSIX has them")
def test_links_modes_and_devices_stay_what_they_are(tmp_path: Path) -> None:
    path, link, pipe = tmp_path / "run.npz", tmp_path / "latest", tmp_path / "pipe"
    ml.save(1, path)
    path.chmod(0o640)
    link.symlink_to(path)
    ml.save(2, link)
    assert link.is_symlink()
    assert ml.load(path) == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)  # so that a writer need not wait
    try:
        ml.save(3, pipe)
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
