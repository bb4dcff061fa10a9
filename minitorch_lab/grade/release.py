"""Makes a course folder out of lessons: the notebooks that students get, their judges, and their solutions."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import ArgumentError
from .allowance import Times
from .bundle import Course, LessonFiles, write_times
from .gradebook import names_of, points_of
from .limits import Limits
from .writing import injected, judge_notebook, split

PACKAGE = Path(__file__).resolve().parents[1]
CHECKOUT = {"notebooks": "notebooks", "judges": "judges", "solutions": "tests/notebooks/solutions"}
WHEEL = {"notebooks": "notebooks", "judges": "judges", "solutions": "judges/solutions"}


def room(name: str) -> Path:
    """The folder of the lessons, their judges or their solutions: in the installed package, or in a git checkout."""
    packed = PACKAGE / WHEEL[name]
    return packed if packed.exists() else PACKAGE.parent / CHECKOUT[name]


def judged_lessons() -> list[str]:
    """The names of the lessons of this course that have a judge.

    Example:
        >>> "03_backward" in judged_lessons()
        True
    """
    return sorted(path.stem for path in room("judges").glob("*.py"))


def release(lessons: Sequence[str], folder: Path, name: str = "course", time: float = 1.0) -> Course:
    """Write a course folder.

    Args:
        lessons: Names of lessons of this course ("03_backward", or just "03"), or folders of your own, each with
            lesson.ipynb, judge.ipynb and reference.ipynb.
        folder: A new folder for the course.
        name: What the course is called.
        time: How many times as long as usual a submission may take.

    Raises:
        ArgumentError: There is no such lesson, a notebook of it is missing, or the folder holds something.
    """
    with TemporaryDirectory() as scratch:
        files = dict(files_of(lesson, Path(scratch)) for lesson in lessons)
        return Course.create(folder, name, files, Limits(), time)


def files_of(lesson: str, scratch: Path) -> tuple[str, LessonFiles]:
    """The name of a lesson and its three notebooks.

    Raises:
        ArgumentError: There is no such lesson, or a notebook of it is missing.
    """
    own = Path(lesson)
    if own.is_dir():
        parts = LessonFiles(own / "lesson.ipynb", own / "judge.ipynb", own / "reference.ipynb")
        if missing := [p.name for p in (parts.lesson, parts.judge, parts.reference) if not p.is_file()]:
            raise ArgumentError(
                f"The lesson in {own} has no {missing[0]}.",
                "A lesson of your own is a folder with lesson.ipynb, judge.ipynb and reference.ipynb.",
                "The judge is a notebook; book/grading/judges.md says how to write one.",
            )
        return own.resolve().name, parts
    found = [known for known in judged_lessons() if lesson in names_of(known)]
    if not found:
        raise ArgumentError(
            f"minitorch-lab release got {lesson!r}, which is neither a lesson with a judge nor a folder.",
            f"The lessons with a judge are {', '.join(judged_lessons())}.",
            "Did you mean one of these, or a folder with lesson.ipynb, judge.ipynb and reference.ipynb?",
        )
    return found[0], written(found[0], scratch)


def written(lesson: str, scratch: Path) -> LessonFiles:
    """The three notebooks of a lesson of this course, made from the lesson, its judge's sections and its solutions."""
    notebook = json.loads((room("notebooks") / f"{lesson}.ipynb").read_text("utf-8"))
    solutions = (room("solutions") / f"s{lesson}.py").read_text("utf-8")
    judge = judge_notebook((room("judges") / f"{lesson}.py").read_text("utf-8"), notebook, solutions)
    three = {"lesson": notebook, "judge": judge, "reference": solved(notebook, solutions)}
    paths = {kind: scratch / f"{lesson}-{kind}.ipynb" for kind in three}
    for kind, path in paths.items():
        path.write_text(json.dumps(three[kind], ensure_ascii=False, indent=1) + "\n", "utf-8")
    return LessonFiles(paths["lesson"], paths["judge"], paths["reference"])


def solved(notebook: dict[str, Any], solutions: str) -> dict[str, Any]:
    """The lesson with the solutions in the cells of its exercises."""
    parts = split(solutions)
    return {**notebook, "cells": list(filled(notebook["cells"], parts))}


def filled(cells: Sequence[dict[str, Any]], parts: dict[str, str]) -> Iterator[dict[str, Any]]:
    """The cells, those of exercises with what `parts` has for them."""
    for cell in cells:
        name = cell.get("id", "")
        answers = name in parts and name.endswith("-exercise")
        yield {**cell, "source": injected("".join(cell["source"]), parts[name]), "outputs": []} if answers else cell


def require_fair(course: Course, lesson: str, tell: Callable[[str], object] = str) -> Course:
    """Put the solved lesson and the starter in a student's place: they earn everything and nothing.

    What the solved lesson takes is noted in course.json: it bounds what a submission may cost.

    Args:
        course: The course.
        lesson: The lesson.
        tell: Is told what comes next, and what came of it: each of the two takes some seconds.

    Returns:
        The course, with what the solved lesson took.

    Raises:
        ArgumentError: One of them does not.
    """
    from .one import grade_one

    files, times = course.lessons[lesson], Times(0.0, {})
    for path, wanted in ((files.reference_path, files.points), (course.path / "lessons" / f"{lesson}.ipynb", 0.0)):
        tell(f"{lesson}: grading the {'solved lesson' if wanted else 'starter'} …")
        before = sum(os.times()[2:4])
        result = grade_one(path, course, lesson=lesson)
        taken = {each.name: each.seconds for each in result.exercises}
        if wanted:
            times = Times(sum(os.times()[2:4]) - before, taken)
        tell(f"{lesson}: it earns {result.score} of {points_of(result.points)}, in {result.seconds:.0f} s.")
        if result.score != wanted:
            checks = [check for each in result.exercises for check in each.checks]
            failed = [check.title for check in checks if (check.verdict == "passed") != bool(wanted)]
            raise ArgumentError(
                f"The {'solved lesson' if wanted else 'starter'} of {lesson} earns {result.score} of "
                f"{points_of(files.points)}{': ' + ', '.join(failed) if failed else ''}.",
                "The solved lesson earns everything and the starter nothing; else the judge is not fair.",
                f"Look at judges/{lesson}.ipynb{'; the grader says: ' + result.fault if result.fault else ''}.",
            )
    return write_times(course, lesson, times)
