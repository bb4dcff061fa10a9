"""What the judges of the course lean on: the reference run beside the student's, and whether two answers are alike."""

from __future__ import annotations

import linecache
from math import isclose, isnan
from types import SimpleNamespace
from typing import Any

import numpy as np

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
    """Whether two answers agree: numbers to rounding, everything else exactly, lists and tuples alike, at every depth.

    Example:
        >>> alike([1.00001, "sin", None], (1.0, "sin", None)), alike(True, 1.0), alike([1.0], [1.0, 2.0])
        (True, False, False)
    """
    if isinstance(wanted, np.ndarray | list | tuple):
        return (
            isinstance(found, np.ndarray | list | tuple)
            and len(found) == len(wanted)
            and all(alike(a, b, tolerance) for a, b in zip(found, wanted, strict=True))
        )
    if isinstance(wanted, dict):
        return isinstance(found, dict) and found.keys() == wanted.keys() and all(
            alike(found[key], value, tolerance) for key, value in wanted.items()
        )  # fmt: skip
    if isinstance(wanted, str | bool | np.bool_ | None):
        return type(found) is type(wanted) and bool(found == wanted)
    if isinstance(found, bool | np.bool_) or not isinstance(found, int | float | np.number):
        return False
    a, b = float(found), float(wanted)
    return isclose(a, b, rel_tol=tolerance, abs_tol=tolerance / 10) or (isnan(a) and isnan(b))
