"""What pytest should know about the whole test tree."""

import gc
from collections.abc import Iterator
from importlib.util import find_spec
from zlib import crc32

import pytest

from minitorch_lab.compiler.capture.bytecode import sound
from minitorch_lab.compiler.targets.backends import BACKENDS
from tests.ops.laws import devices

sound.checking = True  # every captured program is held to what its capture has read and done
collect_ignore = [] if find_spec("torch") else ["oracles", "ports"]
# Cells of students and programs that are compiled, no modules.
collect_ignore_glob = ["grade/wrong/*", "grade/other/*", "grade/strangers/[rw]*", "compile/deep/found/*"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--sampled`, which `make test` gives: of the large families some members run, all of them in `make test-all`."""
    parser.addoption("--sampled", action="store_true", help="run one in n of the tests that are marked family(n)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out members of families: of the cases of each test function one in n stays, always the same ones."""
    if not config.getoption("sampled"):
        return
    families: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("family"):
            families.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out: set[pytest.Item] = set()
    for members in families.values():
        marker = members[0].get_closest_marker("family")
        assert marker is not None
        members.sort(key=lambda item: crc32(item.nodeid.encode()))
        left_out.update(members[-(-len(members) // marker.args[0]) :])
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


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


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say what is left out, so that a short run is never taken for a whole one."""
    left_out: list[str] = []
    if config.getoption("sampled"):
        left_out.append("families: one member in n, as their marks say (`make test-all` runs every one)")
    if collect_ignore:
        left_out.append("oracles: left out, torch is not installed (`make oracles` installs it)")
    if "cuda" not in devices():
        left_out.append("laws on CUDA: skipped, CuPy finds no GPU here (a stand-in for CuPy runs them on the CPU)")
    return left_out
