"""Runs the kernel of a judge notebook: that of Jupyter, without what only somebody at a screen needs."""

from __future__ import annotations

import sys

from .prctl import die_with_parent, keep_to_itself

SCREEN = "debugpy"  # half of a kernel's start
QUIET = ["--HistoryManager.enabled=False", "--IPCompleter.use_jedi=False"]


def main() -> None:
    """Serve the connection file that the arguments name."""
    die_with_parent()
    keep_to_itself()
    sys.modules[SCREEN] = None  # pyright: ignore[reportArgumentType] - so that importing it fails at once
    from ipykernel.kernelapp import launch_new_instance

    launch_new_instance([*sys.argv[1:], *QUIET])
