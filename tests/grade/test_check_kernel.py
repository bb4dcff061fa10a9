"""The student's check ends, whatever becomes of the kernel, and leaves nothing behind when it is ended itself."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from minitorch_lab.grade import selfcheck
from tests.grade.answers import lesson, starters
from tests.grade.notebooks import code, notebook, write

LESSON = "02_the_tape"
PATIENCE = 150.0  # seconds: half of what one cell may take
CLI = [sys.executable, "-c", "from minitorch_lab.cli import main; main()", "check"]


def handed_in(folder: Path, source: str) -> Path:
    """An exercise of a lesson as it was handed out, with a cell of the student's above its check."""
    cells = {cell["id"]: "".join(cell["source"]) for cell in lesson(LESSON)["cells"]}
    mine = {"imports": cells["imports"], "kept-exercise": starters(LESSON)["kept-exercise"], "mine": source}
    mine["kept-check"] = cells["kept-check"]
    return write(folder / "mine.ipynb", notebook(*(code(name, text) for name, text in mine.items())))


@pytest.mark.family(4)
@pytest.mark.parametrize("source", ["exit()", "quit()", "import os; os._exit(1)", "import os; os.kill(os.getpid(), 9)"])
def test_a_cell_that_ends_the_kernel_is_named(tmp_path: Path, source: str) -> None:
    command = [*CLI, str(handed_in(tmp_path, source))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    stop = f'the kernel stopped in the cell that begins "{source}".'
    assert done.returncode == 1, done.stderr
    assert f"not yet  mine\n         {stop} exit() and os._exit() end the whole program" in done.stdout
    assert f"not yet  kept\n         it was not run: {stop}\n" in done.stdout
    assert "done   " not in done.stdout


def test_an_exit_that_python_raises_ends_the_cell_alone(tmp_path: Path) -> None:
    told = {line.cell: line.said for line in selfcheck.self_check(handed_in(tmp_path, "import sys; sys.exit()"))}
    assert "kernel" not in "".join(told.values())
    assert told["kept"].startswith("not written yet")


def test_a_cell_that_takes_too_long_makes_no_other_cell_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfcheck, "SECONDS", 3)
    told = {line.cell: line for line in selfcheck.self_check(handed_in(tmp_path, "while True: pass"))}
    assert not told["mine"].good
    assert not told["kept"].good
    assert told["kept"].said.startswith("not written yet")


@pytest.mark.skipif(sys.platform == "win32", reason="a process there keeps the number of a parent that has ended")
def test_who_ends_the_check_ends_what_it_has_started(tmp_path: Path) -> None:
    source = f"import pathlib, time; pathlib.Path({str(tmp_path / 'there')!r}).touch(); time.sleep(1000)"
    command = subprocess.Popen([*CLI, str(handed_in(tmp_path, source))], stdout=subprocess.DEVNULL)
    until = time.monotonic() + PATIENCE
    while not (tmp_path / "there").exists() and time.monotonic() < until:
        time.sleep(0.1)
    started = psutil.Process(command.pid).children(recursive=True)
    command.kill()
    command.wait()
    _, left = psutil.wait_procs(started, timeout=60)
    for process in left:
        process.kill()
    assert len(started) >= 2  # pytest, and the kernel
    assert left == []
