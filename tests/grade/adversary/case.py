"""A case: what a submission does in one cell, and what must come of it."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent
from typing import Any

RIGHT = "def f(x):\n    return 3 * x**2\n"
WRONG = "def f(x):\n    return x\n"


@dataclass(frozen=True)
class Case:
    """One cell that is no ordinary answer.

    Args:
        name: What it tries.
        family: Which kind of trouble it is.
        source: The cell. It may use what the world tells it: COURSE, SECRET, JUDGE, HOME, GRADER, PORT, MARK,
            EXERCISE.
        earns: Whether its answer is right, and so has to get all the points: "all", "none", or "some" where the
            answer is right but the cell may lawfully be stopped before it is heard.
        holds: What must stand between it and its aim: "files", "writes", "signals", "network", or "" for the
            protocol alone. A weak isolation promises none of these, and says so.
        limit: The limits of which one must be named, if any must.
    """

    name: str
    family: str
    source: str
    earns: str = "none"
    holds: str = ""
    limit: tuple[str, ...] = ()


def cases(family: str, *told: tuple[Any, ...]) -> list[Case]:
    """The cases of a family: (name, source, earns, holds, limits), the last three optional."""
    return [case(family, *each) for each in told]


def case(
    family: str, name: str, source: str, earns: str = "none", holds: str = "", limit: tuple[str, ...] = ()
) -> Case:
    """One case: the cell defines a right or a wrong `f` before its own source."""
    return Case(name, family, (WRONG if earns == "none" else RIGHT) + dedent(source), earns, holds, limit)
