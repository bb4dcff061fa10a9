"""Whether the teacher's part is installed: the grader, the judges and the solutions are a wheel of their own."""

from __future__ import annotations

from importlib.util import find_spec

from ..errors import ArgumentError


def taught() -> bool:
    """Whether the teacher's part is installed: its wheel puts its modules beside this one."""
    return find_spec(f"{__package__}.one") is not None


def require_teacher(what: str) -> None:
    """Refuse what needs the teacher's part where this is the students' package alone.

    Raises:
        ArgumentError: It is.
    """
    if not taught():
        raise ArgumentError(
            f"{what} is of the teacher's part, which is not installed here.",
            "The students' package holds no grader, no judges and no solutions.",
            "Run pip install 'minitorch-lab[teacher]' first, and not where students can read it.",
        )
