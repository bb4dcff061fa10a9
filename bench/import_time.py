"""How long `import minitorch_lab` takes, beside `import numpy` and an empty program. The bound is 0.3 s in all."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

PROGRAMS = ("pass", "import numpy", "import minitorch_lab")
REPEATS = 15


def seconds(program: str) -> float:
    """Return the wall time of a fresh Python that runs `program`."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - start


def main() -> Iterator[str]:
    """The median of interleaved runs, the first of each left out because it may write bytecode."""
    runs = [[seconds(program) for program in PROGRAMS] for _ in range(1 + REPEATS)][1:]
    medians = [statistics.median(column) for column in zip(*runs, strict=True)]
    yield "| program | seconds | ÷ import numpy |\n|---|--:|--:|"
    for program, median in zip(PROGRAMS, medians, strict=True):
        yield f"| `{program}` | {1000 * median:.0f} ms | {median / medians[1]:.2f} |"
