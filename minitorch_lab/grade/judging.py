"""What the judges of the course lean on: the reference run beside the student's, and whether two answers are alike."""

from __future__ import annotations

import linecache
from types import SimpleNamespace
from typing import Any

from .judge.close import close
from .sentences import says

__all__ = ["SAID", "alike", "reference", "says"]

# Runs beside the student's cells: what the lesson's own check says of them. It is a claim, and can only cost points.
SAID = """
def said(module, check, *answers):
    import importlib

    try:
        verdict = getattr(importlib.import_module("minitorch_lab.lessons." + module), check)(*answers)
    except Exception as error:
        return f"your code stops with {type(error).__name__}: in the lesson's check"
    return "" if verdict.done else verdict.text
"""


def reference(*sources: str) -> SimpleNamespace:
    r"""Run trusted cells one after the other, here, and return the names that they made.

    Example:
        >>> reference("x = 2", "def double():\n    return 2 * x").double()
        4
    """
    names: dict[str, Any] = {"__name__": "reference"}
    for source in sources:
        file = f"<reference {len(linecache.cache)}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        exec(compile(source, file, "exec"), names)
    return SimpleNamespace(**names)


def alike(found: Any, wanted: Any, tolerance: float = 1e-4) -> bool:
    """Whether two answers agree by value, at every depth: numbers to rounding, strings exactly.

    Example:
        >>> alike([1.00001, "sin", None], (1.0, "sin", None)), alike(True, 1.0), alike([1.0], [1.0, 2.0])
        (True, True, False)
    """
    return close(found, wanted, tolerance, tolerance / 10)
