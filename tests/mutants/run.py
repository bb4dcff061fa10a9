"""Running mutants: each in a fork of a process that has loaded the engine and collected the tests."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.changes import Mutant, mutants
from tests.mutants.covering import covering, passes
from tests.mutants.rooms import ROOMS, ROOT
from tests.mutants.swap import swap

MOST = 40.0  # seconds of tests for one mutant
OUTCOMES = {0: "survived", 1: "killed", 3: "not tried"}


class Trial:
    """A plugin that runs mutants instead of tests."""

    def __init__(self, room: str, sample: int, seed: int, out: Path) -> None:
        self.room, self.sample, self.seed, self.out = room, sample, seed, out

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own."""
        sources = ROOMS[self.room].sources()
        items = {item.nodeid: item for item in session.items}
        known = covering(session.items, sources, self.out / f"{self.room}.json")
        done = self.out / f"{self.room}.jsonl"
        tried = {json.loads(line)["name"] for line in done.read_text().splitlines()} if done.exists() else set()
        for mutant in self.chosen(sources):
            if mutant.name not in tried:
                tests = self.tests(mutant, known, items)
                found = {**asdict(mutant), "name": mutant.name, **self.outcome(mutant, tests, known["seconds"])}
                with done.open("a") as file:
                    file.write(json.dumps(found) + "\n")
        return True

    def chosen(self, sources: list[str]) -> list[Mutant]:
        """A random sample of the mutants of a room, the same in every run."""
        every = [m for path in sources for m in mutants(path, (ROOT / path).read_text("utf-8"))]
        random.Random(self.seed).shuffle(every)
        return every[: self.sample]

    def tests(self, mutant: Mutant, known: Any, items: dict[str, pytest.Item]) -> list[pytest.Item]:
        """The tests that reach a mutant, quick ones first, as many as there is time for."""
        names = known["lines"].get(mutant.path, {}).get(str(mutant.line), [])
        chosen, total = list[pytest.Item](), 0.0
        for name in sorted(set(names), key=known["seconds"].__getitem__):
            total += known["seconds"][name]
            if name in items and (total < MOST or not chosen):
                chosen.append(items[name])
        return chosen

    def outcome(self, mutant: Mutant, tests: list[pytest.Item], seconds: dict[str, float]) -> dict[str, Any]:
        """What becomes of a mutant."""
        if not tests:
            return {"outcome": "survived", "tests": 0}
        start = time.monotonic()
        child = os.fork()
        if child == 0:
            attempt(mutant, tests)
        limit = 20 + 10 * sum(seconds[test.nodeid] for test in tests)
        while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
            if time.monotonic() - start > limit:
                os.kill(child, signal.SIGKILL)
            time.sleep(0.01)
        status = os.waitstatus_to_exitcode(ended[1])
        return {"outcome": OUTCOMES.get(status, "killed"), "tests": len(tests), "took": time.monotonic() - start}


def attempt(mutant: Mutant, tests: list[pytest.Item]) -> None:
    """Make the change, run the tests until one fails, and end this process: 0 if the mutant survives, 1 if not."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1), os.dup2(null, 2)
        file = ROOT / mutant.path
        if not swap(file.read_text("utf-8"), str(file), mutant.index):
            os._exit(3)
        for test in tests:
            if not passes(test):
                os._exit(1)
    except ValueError as error:
        os._exit(3 if "free vars" in str(error) else 1)
    except BaseException:
        os._exit(1)
    os._exit(0)
