"""What the judges of the course lean on: the reference run beside the student's, and whether two answers are alike."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from itertools import count
from types import SimpleNamespace
from typing import Any

from .judge.close import close
from .sentences import says

__all__ = ["SAID", "agreed", "alike", "asked_rows", "programs", "reference", "says"]

NUMBERS = count()  # of sources: two under one name would be read as each other

# Runs beside the student's cells: what they answer, by value in Python's own types, and what the lesson's own check
# says of them. That is a claim, and can only cost points.
SAID = """
def said(module, check, *answers):
    import importlib

    try:
        verdict = getattr(importlib.import_module("minitorch_lab.lessons." + module), check)(*answers)
    except Exception as error:
        return f"your code stops with {type(error).__name__}: in the lesson's check"
    return "" if verdict.done else verdict.text


def answer(*asked):
    from minitorch_lab.lessons.values import plain

    return plain(probe(*asked))
"""


def reference(*sources: str) -> SimpleNamespace:
    r"""Run trusted cells one after the other, here, and return the names that they made.

    Example:
        >>> reference("x = 2", "def double():\n    return 2 * x").double()
        4
    """
    names: dict[str, Any] = {"__name__": "reference"}
    for source in sources:
        file = f"<reference {next(NUMBERS)}>"
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


def asked_rows(found: Any, wanted: Any) -> Any:
    """Of a table the rows that are asked for: what else somebody has noted in it is theirs.

    Example:
        >>> asked_rows({"x.T": False, "mine": True}, {"x.T": True}), asked_rows([1], {"x.T": True})
        ({'x.T': False}, [1])
    """
    tables = isinstance(found, dict) and isinstance(wanted, dict)
    return {name: found[name] for name in wanted if name in found} if tables else found


def agreed(agree: Callable[..., Any], found: Any, wanted: Any, drawn: Sequence[Any]) -> bool:
    """What a judge's `agree` says. An answer that it cannot read is a wrong one, unless it cannot read the right one.

    Example:
        >>> agreed(lambda found, wanted: sum(found) == sum(wanted), "abc", [1, 2], ())
        False
    """
    try:
        return bool(agree(found, wanted, *drawn))
    except Exception:
        if agree(wanted, wanted, *drawn):
            return False
        raise


def programs(rng: Any, ops: Sequence[str] = ("mul", "add", "sin", "shift")) -> dict[str, list[list[Any]]]:
    """Programs for `grown`: one of every class that a walk over a graph can stumble on, and two at random.

    Example:
        >>> import numpy as np
        >>> programs(np.random.default_rng(0))["two edges to one node"]
        [['mul', 0, 0]]
    """
    found: dict[str, list[list[Any]]] = {
        "a value and no more": [],
        "two edges to one node": [["mul", 0, 0]],
        "a chain": [["sin", 0, 0], ["tanh", 1, 0], ["sin", 2, 0], ["tanh", 3, 0]],
        "the short way first": [["sin", 0, 0], ["tanh", 1, 0], ["mul", 0, 2]],
        "the long way first": [["sin", 0, 0], ["tanh", 1, 0], ["mul", 2, 0]],
        "a double edge before another reader": [["sin", 0, 0], ["mul", 0, 0], ["add", 2, 1]],
        "a double edge after another reader": [["sin", 0, 0], ["mul", 0, 0], ["add", 1, 2]],
        "two nodes of one name": [["sin", 0, 0], ["tanh", 0, 0], ["sin", 2, 0], ["mul", 1, 3]],
        "many readers, deep": [["sin", 0, 0], ["mul", 1, 0], ["add", 2, 1], ["mul", 3, 0], ["add", 4, 2]],
        "what nobody reads": [["sin", 0, 0], ["tanh", 0, 0], ["mul", 2, 0]],
        "a constant": [["shift", 0, 0], ["mul", 1, 0]] if "shift" in ops else [["add", 0, 0], ["mul", 1, 0]],
    }
    for steps in (4, 8):
        drawn = rng.choice(list(ops), steps).tolist()
        found[f"{steps} steps at random"] = [[op, k, int(rng.integers(0, k + 1))] for k, op in enumerate(drawn)]
    return found
