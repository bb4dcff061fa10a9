"""`python -m bench` runs every measurement and writes bench/RESULTS.md; `python -m bench eager` runs one and prints it.

BENCH_BACKEND=numpy chooses our backend, BENCH_TORCH_COMPILE=0 leaves `torch.compile` out, which takes minutes.
"""

from __future__ import annotations

from bench import one_thread  # first

# isort: split
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

MEASUREMENTS = (
    "machine",
    "limits",
    "compiled",
    "compile_time",
    "arena",
    "eager",
    "calls",
    "import_time",
    "loader",
    "views",
)
RESULTS = Path(__file__).parent / "RESULTS.md"
HEAD = "# What things cost\n\nRatios of one run; see `bench/`. The upper quartile has to hold the bar.\n"


def lines(names: list[str]) -> Iterator[str]:
    """The measurements with these names, as Markdown."""
    for name in names:
        module = import_module(f"bench.{name}")
        yield f"\n## {(module.__doc__ or '').strip()}\n"
        yield from module.main()


def main(names: list[str]) -> None:
    """Run the measurements with these names, or all of them, and then keep what they found."""
    one_thread.pin()
    found = [HEAD]
    for line in lines(names or list(MEASUREMENTS)):
        print(line, flush=True)
        found.append(line + "\n")
    if not names:
        RESULTS.write_text("".join(found), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
