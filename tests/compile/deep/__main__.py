"""Many random programs, in shards that resume: `python -m tests.compile.deep 0 100000 --shard 1/4 --resume FILE`.

Each program runs eagerly, on the stack machine, and compiled by each backend; whatever differs is written to FILE, one
line of JSON for each, and where the shard is. A process of its own runs some programs at a time, and is ended when one
of them takes too long.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from tests.compile.deep.shards import tried


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("low", type=int)
    parser.add_argument("high", type=int)
    parser.add_argument("--shard", default="1/1", help="i/n: every n-th program, from the i-th")
    parser.add_argument("--resume", type=Path, help="where to write what is found, and to go on from")
    parser.add_argument("--executors", default="machine,numpy,llvm")
    asked = parser.parse_args()
    i, n = map(int, asked.shard.split("/"))
    seeds = list(range(asked.low + i - 1, asked.high, n))
    lines = [json.loads(line) for line in asked.resume.read_text().splitlines()] if known(asked.resume) else []
    done = max((line["done"] for line in lines if "done" in line), default=asked.low - 1)
    wrong = [line for line in lines if "kind" in line]
    start, total = time.monotonic(), len(seeds)

    def told(seed: int, found: list[dict[str, Any]]) -> None:
        wrong.extend(found)
        with open(asked.resume or "/dev/null", "a") as file:
            for line in [*found, {"done": seed}] if found or seed % 50 < n else []:
                file.write(json.dumps(line) + "\n")
        for line in found:
            print(line["seed"], line["text"].split("\n")[0][:200], flush=True)

    tried([seed for seed in seeds if seed > done], tuple(asked.executors.split(",")), told)
    seconds = time.monotonic() - start
    print(f"{total} programs, {len({line['seed'] for line in wrong})} of them wrong; {seconds:.0f} s")
    return bool(wrong)


def known(path: Path | None) -> bool:
    return path is not None and path.exists()


if __name__ == "__main__":
    sys.exit(main())
