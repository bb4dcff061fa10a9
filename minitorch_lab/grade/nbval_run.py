"""Runs `pytest --nbval` on a judge notebook, in a process of its own, and reports each cell's outcome by a pipe."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

from .prctl import die_with_parent, keep_to_itself
from .ready import at_once, listening, promptly
from .start import PACKAGE, full

# jsonschema takes these when they are there, for formats that no notebook has; one builds a parser for a second.
SLOW = ("rfc3987_syntax", "rfc3987", "rfc3986_validator", "isoduration", "webcolors", "uri_template", "fqdn")
COVER = "nbval.cover"  # brings in coverage, which nobody asks for here


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
    """Return nbval's way to start a kernel, such that the kernel inherits pipes, and nobody else keeps them.

    Nor does anybody else need the file with the key to the kernel: who has read it can run code there.
    """

    def started(*args: Any, **kwargs: Any) -> Any:
        manager, client = start(*args, **kwargs, pass_fds=inherited)
        for pipe in inherited:
            os.close(pipe)
        os.unlink(manager.connection_file)
        return manager, client

    return started


def main() -> None:
    """Run the judge that the argument names; its kernel inherits the pipes of the session."""
    die_with_parent()
    keep_to_itself()
    for name in SLOW:
        sys.modules[name] = None  # pyright: ignore[reportArgumentType] - so that importing it fails at once
    sys.modules[COVER] = SimpleNamespace(setup_coverage=None, teardown_coverage=None)  # pyright: ignore
    import pytest
    from jupyter_client.blocking.client import BlockingKernelClient
    from nbval import kernel

    given = json.loads(sys.argv[1])
    command = [*full("minitorch_lab.grade.kernel_run", str(PACKAGE.parent)), "-f", "{connection_file}"]
    kernel.ipykernel.kernelspec.get_kernel_dict = lambda: {"argv": command, "display_name": "", "language": "python"}
    # No ports: another program may take one between its choice and its use, and the kernel would never answer.
    manager = kernel.KernelManager
    kernel.KernelManager = partial(manager, transport="ipc", ip="kernel")
    manager.start_kernel = listening(manager.start_kernel)
    manager.shutdown_kernel = at_once(manager.shutdown_kernel)
    BlockingKernelClient.wait_for_ready = promptly(BlockingKernelClient.wait_for_ready)
    kernel.start_new_kernel = handing_on(kernel.start_new_kernel, given["inherited"])
    options = ["-q", "-p", "nbval.plugin", "-p", "no:cacheprovider", "--noconftest", "-c", os.devnull]
    options += ["--rootdir", os.path.dirname(given["notebook"]), "--nbval", "--nbval-current-env"]
    options += ["--nbval-cell-timeout", str(given["seconds"]), given["notebook"]]
    os._exit(pytest.main(options, plugins=[Outcomes(given["outcomes"])]))  # all is said; leaving by the door takes time
