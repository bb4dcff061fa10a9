"""Many random programs, in shards that resume: `python -m tests.compile.deep 0 100000 --shard 1/4 --resume FILE`.

Each program runs eagerly, on the stack machine, and compiled by each backend. What differs is written to FILE, one line
of JSON for each, and which programs have been tried. Processes of their own run some programs at a time, and are ended
when one of these takes too long. `python -m tests.compile.deep.triage FILE` shrinks what was found.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from tests.compile.deep.shards import tried

EVERY = 50  # programs between two lines that say what has been tried


class Book:
    """What was found, and which programs were tried: in memory and in a file."""

    def __init__(self, path: Path | None) -> None:
        self.path, self.lock = path, Lock()
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path and path.exists() else []
        self.done = {seed for line in lines for seed in line.get("done", [])}
        self.wrong = [line for line in lines if "kind" in line]
        self.new: list[int] = []

    def write(self, line: dict[str, Any]) -> None:
        if self.path:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")

    def told(self, seed: int, found: list[dict[str, Any]]) -> None:
        """Note what is wrong with a program."""
        with self.lock:
            for line in found:
                self.wrong.append(line)
                self.write(line)
                print(line["seed"], line["text"].partition("\n")[0][:200], flush=True)
            self.new.append(seed)
            if len(self.new) >= EVERY:
                self.flush()

    def flush(self) -> None:
        self.write({"done": self.new})
        self.done |= set(self.new)
        self.new = []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("low", type=int)
    parser.add_argument("high", type=int)
    parser.add_argument("--shard", default="1/1", help="i/n: every n-th program, from the i-th")
    parser.add_argument("--resume", type=Path, help="where to write what is found, and to go on from")
    parser.add_argument("--executors", default="machine,numpy,llvm")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    i, n = map(int, asked.shard.split("/"))
    book, start = Book(asked.resume), time.monotonic()
    seeds = [seed for seed in range(asked.low + i - 1, asked.high, n) if seed not in book.done]
    jobs = [
        Thread(target=tried, args=(seeds[job :: asked.jobs], tuple(asked.executors.split(",")), book.told))
        for job in range(asked.jobs)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    book.flush()
    seconds, wrong = time.monotonic() - start, {line["seed"] for line in book.wrong}
    print(f"{len(book.done)} programs, {len(wrong)} of them wrong; {len(seeds)} of them now, in {seconds:.0f} s")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
