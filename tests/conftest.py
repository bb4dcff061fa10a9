"""What pytest should know about the whole test tree."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["oracles"]


def pytest_report_header() -> str:
    """Say what is left out, so that a short run is never taken for a whole one."""
    return "oracles: left out, torch is not installed (`make oracles` installs it)" if collect_ignore else ""
