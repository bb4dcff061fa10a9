"""What pytest should know about the whole test tree."""

from importlib.util import find_spec

from tests.ops.laws import devices

collect_ignore = [] if find_spec("torch") else ["oracles"]
# Cells of students and programs that are compiled, no modules.
collect_ignore_glob = ["grade/wrong/*", "grade/other/*", "compile/deep/found/*"]


def pytest_report_header() -> list[str]:
    """Say what is left out, so that a short run is never taken for a whole one."""
    left_out: list[str] = []
    if collect_ignore:
        left_out.append("oracles: left out, torch is not installed (`make oracles` installs it)")
    if "cuda" not in devices():
        left_out.append("laws on CUDA: skipped, CuPy finds no GPU here (a stand-in for CuPy runs them on the CPU)")
    return left_out
