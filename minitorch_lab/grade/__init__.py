"""Grading: a student's cells run in a sandbox, and the instructor's judge notebook, run by nbval, asks them."""

from .bundle import Course, LessonFiles
from .limits import Limits
from .one import grade_one
from .probe import probe
from .result import CheckResult, ExerciseResult, Isolation, Result

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
