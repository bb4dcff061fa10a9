"""A case: what a submission does in one cell, and what must come of it."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent

RIGHT = "def f(x):\n    return 3 * x**2\n"
WRONG = "def f(x):\n    return x\n"


@dataclass(frozen=True)
class Case:
    """One cell that is no ordinary answer.

    Args:
        name: What it tries.
        family: Which kind of trouble it is.
        source: The cell. It may use what `know` of the suite tells it: COURSE, SECRET, JUDGE, HOME, GRADER, PORT, MARK.
        earns: Whether its answer is right, and so has to get all the points: "all", "none", or "some" where the answer is
            right but the cell may lawfully be stopped before it is heard.
        holds: What must stand between it and its aim: "files", "signals", "network" or "" for the protocol alone. A weak
            isolation does not promise the first three, and says so.
        limit: The limits of which one must be named, if any must.
    """

    name: str
    family: str
    source: str
    earns: str = "none"
    holds: str = ""
    limit: tuple[str, ...] = ()


def cases(family: str, *told: tuple[object, ...]) -> list[Case]:
    """The cases of a family: (name, source, earns, holds, limits), the last three optional."""
    found: list[Case] = []
    for name, source, *more in told:
        earns, holds, limit = [*more, *("none", "", ())[len(more) :]]
        base = RIGHT if earns != "none" else WRONG
        found.append(Case(str(name), family, base + dedent(str(source)), str(earns), str(holds), tuple(limit)))  # type: ignore
    return found
