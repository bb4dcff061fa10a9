"""Which tests execute which line, and how long each takes: found by running them once, in a process of its own."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import coverage
import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.rooms import ROOT


def passes(item: pytest.Item) -> bool:
    """Run one test."""
    return not any(report.failed for report in runtestprotocol(item, nextitem=None, log=False))


def cover(items: list[pytest.Item], sources: list[str], file: Path) -> None:
    """Write for each line the tests that reach it, and the seconds that each takes. Tests that fail are left out."""
    cov = coverage.Coverage(data_file=None, include=[str(ROOT / s) for s in sources], config_file=False)
    seconds: dict[str, float] = {}
    cov.start()
    for item in items:
        cov.switch_context(item.nodeid)
        start = time.perf_counter()
        if passes(item):
            seconds[item.nodeid] = time.perf_counter() - start
    cov.stop()
    data = cov.get_data()
    lines: dict[str, dict[int, list[str]]] = {}
    for source in sources:
        reached = data.contexts_by_lineno(str(ROOT / source))
        lines[source] = {n: [test for test in tests if test in seconds] for n, tests in reached.items()}
    file.write_text(json.dumps({"seconds": seconds, "lines": lines}))


def covering(items: list[pytest.Item], sources: list[str], file: Path) -> dict[str, Any]:
    """The same, from the file of an earlier run if there is one."""
    if not file.exists():
        child = os.fork()
        if child == 0:
            try:
                cover(items, sources, file)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
    return json.loads(file.read_text())
