"""What pytest should know about the whole test tree."""

import gc
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from minitorch_lab.compiler.capture.bytecode import sound
from minitorch_lab.compiler.targets.backends import BACKENDS
from tests.ops.laws import devices

sound.checking = True  # every captured program is held to what its capture has read and done
collect_ignore = [] if find_spec("torch") else ["oracles", "ports"]
# Cells of students and programs that are compiled, no modules.
collect_ignore_glob = ["grade/wrong/*", "grade/other/*", "grade/strangers/[rw]*", "compile/deep/found/*"]


def pytest_collection_finish() -> None:
    """Set aside what lives for the whole run: 27,000 tests, which each collection of garbage would walk through."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def registered_for_one_test() -> Iterator[None]:
    """What a test registers is unknown to the next."""
    known = dict(BACKENDS)
    yield
    if known != BACKENDS:
        BACKENDS.clear()
        BACKENDS.update(known)


def pytest_report_header() -> list[str]:
    """Say what is left out, so that a short run is never taken for a whole one."""
    left_out: list[str] = []
    if collect_ignore:
        left_out.append("oracles: left out, torch is not installed (`make oracles` installs it)")
    if "cuda" not in devices():
        left_out.append("laws on CUDA: skipped, CuPy finds no GPU here (a stand-in for CuPy runs them on the CPU)")
    return left_out
