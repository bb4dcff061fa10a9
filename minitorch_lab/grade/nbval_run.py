"""Runs `pytest --nbval` on a judge notebook, in a process of its own, and reports each cell's outcome by a pipe."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

from .processes import die_with_parent

# jsonschema takes it when it is there, and it builds a parser for a second, for a format that no notebook has.
SLOW = "rfc3987_syntax"


class Outcomes:
    """A pytest plugin: one line of JSON per cell, and one at the end, goes into a pipe."""

    def __init__(self, pipe: int) -> None:
        self.pipe = pipe

    def say(self, **line: Any) -> None:
        """Write one line."""
        os.write(self.pipe, json.dumps(line).encode() + b"\n")

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Report how a cell ended. Only a call that passed, and was expected to, is a pass."""
        if report.when == "call" or report.outcome != "passed":
            passed = report.when == "call" and report.outcome == "passed" and not hasattr(report, "wasxfail")
            self.say(cell=int(report.nodeid.rpartition("Cell ")[2]), passed=passed, words=str(report.longrepr)[-1500:])

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Report that pytest came to its end by itself."""
        self.say(end=int(exitstatus))


def handing_on(start: Callable[..., Any], inherited: list[int]) -> Callable[..., Any]:
    """Return nbval's way to start a kernel, such that the kernel inherits pipes, and nobody else keeps them."""

    def started(*args: Any, **kwargs: Any) -> Any:
        kernel = start(*args, **kwargs, pass_fds=inherited)
        for pipe in inherited:
            os.close(pipe)
        return kernel

    return started


def main() -> None:
    """Run the judge that the argument names; its kernel inherits the pipes of the session."""
    die_with_parent()
    sys.modules[SLOW] = None  # pyright: ignore[reportArgumentType] - so that importing it fails at once
    import pytest
    from nbval import kernel

    given = json.loads(sys.argv[1])
    kernel.start_new_kernel = handing_on(kernel.start_new_kernel, given["inherited"])
    options = ["-q", "-p", "nbval.plugin", "-p", "no:cacheprovider", "--noconftest", "-c", os.devnull]
    options += ["--rootdir", os.path.dirname(given["notebook"]), "--nbval", "--nbval-current-env"]
    options += ["--nbval-cell-timeout", str(given["seconds"]), given["notebook"]]
    sys.exit(pytest.main(options, plugins=[Outcomes(given["outcomes"])]))
