"""What make says: its help, a Python that is too old, browser tests that were left out by name."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.house.source import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt" or not shutil.which("make"), reason="needs make and a POSIX shell")

BOOK, GRADES = ["book", "test-book", "pictures"], ["grade-60", "grade-360", "grade-100"]
TARGETS = ["lab", "test", "oracles", "check", "bench", "widgets", "clean", "help", *BOOK, *GRADES]


def make(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run make as from a shell: what a make that runs these tests was told must not reach it."""
    told = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "SKIP_BROWSER", "PYTHON", "ARGS", "JOBS"}
    env = {name: value for name, value in os.environ.items() if name not in told}
    return subprocess.run(["make", *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=False)


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A folder with the Makefile and nothing else."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    return tmp_path


@pytest.mark.parametrize("target", TARGETS)
def test_help_names_every_target(target: str, fresh: Path) -> None:
    assert re.search(rf"^{target}  +\w", make("help", cwd=fresh).stdout, re.MULTILINE)


def test_an_old_python_is_told_before_anything_is_made(fresh: Path) -> None:
    old = fresh / "python3.8"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = make("lab", f"PYTHON={old}", cwd=fresh)
    assert done.returncode != 0
    assert f"minitorch_lab needs Python 3.11 or newer, and '{old}' is not one." in done.stderr
    assert "Did you mean: make lab PYTHON=python3.11" in done.stderr
    assert not (fresh / ".venv").exists()


def test_leaving_out_the_browser_is_reported(fresh: Path) -> None:
    made = ["-o", ".venv/ready", "-o", "minitorch_lab/widgets/static/view.js"]
    done = make(*made, "test-browser", "SKIP_BROWSER=1", cwd=fresh)
    assert done.stdout.startswith("!! Browser tests: NOT RUN, because you asked for SKIP_BROWSER=1.")
    assert make("-n", *made, "test-browser", cwd=fresh).stdout.endswith('-m "browser and not book" tests/browser\n')
    left = make(*made, "test-book", "SKIP_BROWSER=1", cwd=fresh)
    assert left.stdout.startswith(
        "!! The book: NOT MADE, its pages NOT LOOKED AT, because you asked for SKIP_BROWSER=1."
    )
    assert make("-n", *made, "-o", ".venv/book", "test", cwd=fresh).stdout.endswith("-m book tests/browser\n")
