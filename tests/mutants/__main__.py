"""Mutants: `python -m tests.mutants --sample 200 --out build/mutants [ROOM …]`. What was tried is not tried again.

Each room of the engine (`rooms.py`) loads once, with its tests; each mutant is a fork in which one function has another
code (`swap.py`), and runs the tests that reach the changed line until one fails. Survivors are printed, with the reason
that `survivors.md` gives for those which no test could tell apart.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.rooms import ROOMS
from tests.mutants.run import Trial

ARGUED = Path(__file__).with_name("survivors.md")


def reasons() -> dict[str, str]:
    """The survivors that are argued: each stands as `- NAME — REASON`."""
    lines = ARGUED.read_text("utf-8").splitlines() if ARGUED.exists() else []
    return dict(line.removeprefix("- ").split(" — ", 1) for line in lines if line.startswith("- ") and " — " in line)


def report(found: list[dict[str, Any]]) -> bool:
    """Print what became of the mutants. Returns whether too many survive."""
    known = reasons()
    counts = Counter(m["outcome"] for m in found)
    alive = [m for m in found if m["outcome"] == "survived" and m["name"] not in known]
    for m in sorted(alive, key=lambda m: (m["path"], m["line"])):
        print(f"{m['path']}:{m['line']} {m['function']}: {m['what']} ({m['tests']} tests)")
    tried = counts["killed"] + counts["survived"]
    argued = counts["survived"] - len(alive)
    print(f"{tried} mutants: {counts['killed']} killed, {argued} equivalent, {len(alive)} survive", end="; ")
    print(f"{counts['not tried']} could not be made")
    return len(alive) > 0.05 * tried


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", nargs="*", default=list(ROOMS))
    parser.add_argument("--sample", type=int, default=250, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("build/mutants"))
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    found: list[dict[str, Any]] = []
    for room in asked.rooms:
        trial = Trial(room, asked.sample, asked.seed, asked.out)
        pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", *ROOMS[room].tests], plugins=[trial])
        found += map(json.loads, (asked.out / f"{room}.jsonl").read_text().splitlines())
    return report(found)


if __name__ == "__main__":
    sys.exit(main())
