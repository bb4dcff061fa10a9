"""`python -m bench` runs every measurement; `python -m bench import_time` runs one."""

from __future__ import annotations

import sys
from importlib import import_module

MEASUREMENTS = ("import_time", "eager", "views")


def main(names: list[str]) -> None:
    """Run the measurements with these names, or all of them."""
    for name in names or MEASUREMENTS:
        print(f"== {name}: {(import_module(f'bench.{name}').__doc__ or '').strip()}")
        import_module(f"bench.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
