"""Grading: a student's cells run in a sandbox, and the instructor's judge notebook, run by nbval, asks them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .bundle import Course, LessonFiles
    from .limits import Limits
    from .one import grade_one
    from .result import CheckResult, ExerciseResult, Isolation, Result
    from .trial import probe

__all__ = [
    "CheckResult",
    "Course",
    "ExerciseResult",
    "Isolation",
    "LessonFiles",
    "Limits",
    "Result",
    "grade_one",
    "probe",
]

# A judge's kernel is started for every submission, and needs none of them.
ON_DEMAND = {
    **dict.fromkeys(("Course", "LessonFiles"), "bundle"),
    **dict.fromkeys(("CheckResult", "ExerciseResult", "Isolation", "Result"), "result"),
    "Limits": "limits",
    "grade_one": "one",
    "probe": "trial",
}


def __getattr__(name: str) -> Any:
    """Import a part when it is first asked for."""
    if name not in ON_DEMAND:
        raise AttributeError(f"minitorch_lab.grade has no {name!r}.")
    from .installed import require_teacher

    require_teacher(f"minitorch_lab.grade.{name}")
    return getattr(import_module(f".{ON_DEMAND[name]}", __name__), name)
