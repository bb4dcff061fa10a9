"""What a result depends on besides the code: the machine, the versions, the commit, the command."""

from __future__ import annotations

from bench import one_thread  # noqa: F401 - first

# isort: split
import platform
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("numpy", "llvmlite", "torch", "jax", "jaxlib", "cupy-cuda12x", "cupy-cuda13x")


def processor() -> str:
    """The name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def versions() -> str:
    """Python and the packages that take part."""
    found = [f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def commit() -> str:
    """The commit, with a note if files differ from it."""
    try:
        said = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return said.stdout.strip()


def main() -> Iterator[str]:
    """The list."""
    yield f"- machine: {processor()}, {platform.system()}; one thread, one core"
    yield f"- versions: {versions()}"
    yield f"- commit: {commit()}"
    yield f"- command: `make bench`, which runs `python -m bench {' '.join(sys.argv[1:])}`".rstrip(" `") + "`"
