"""Helpers of the lessons in the place of answers: what the students' package would answer an exercise with.

`python -m tests.grade.answering` tries every function of the lessons' modules for every function that an exercise asks
for, and prints those with which the judge is content.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from minitorch_lab import lessons
from minitorch_lab.grade.release import judged_lessons
from tests.grade.answers import right
from tests.grade.in_process import judged


class Answering(NamedTuple):
    """A helper that does what an exercise asks to be written."""

    lesson: str
    exercise: str
    function: str
    helper: str


def helpers() -> Iterator[tuple[str, str]]:
    """The functions that the lessons' modules define: the module and the name."""
    for found in iter_modules(lessons.__path__):
        module = import_module(f"{lessons.__name__}.{found.name}")
        for name, each in vars(module).items():
            if inspect.isfunction(each) and each.__module__ == module.__name__ and not name.startswith("check_"):
                yield found.name, name


def fits(module: str, name: str, asked: ast.FunctionDef) -> bool:
    """Whether a helper can be called with what the function of an exercise takes."""
    try:
        inspect.signature(getattr(import_module(f"{lessons.__name__}.{module}"), name)).bind(*asked.args.args)
    except TypeError:
        return False
    return True


def answering(lesson: str) -> Iterator[Answering]:
    """The helpers that answer exercises of a lesson."""
    for cell, source in right(lesson).items():
        for asked in (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)):
            exercise = cell.removesuffix("-exercise")
            if not wrong(lesson, exercise, f"{source}\n\ndef {asked.name}(*args):\n    raise ValueError\n"):
                continue  # the judge asks for what was made of the function, and not for it
            for module, name in helpers():
                if not fits(module, name, asked):
                    continue
                instead = f"{source}\n\nfrom {lessons.__name__}.{module} import {name} as {asked.name}\n"
                if not wrong(lesson, exercise, instead):
                    yield Answering(lesson, exercise, asked.name, f"{module}.{name}")


def wrong(lesson: str, exercise: str, answer: str) -> str:
    """What the judge has against an answer; an error of the judge's own is one, too."""
    try:
        return judged(lesson, exercise, answer, seconds=10)
    except Exception as error:
        return f"{type(error).__name__}"


if __name__ == "__main__":
    for name in sys.argv[1:] or judged_lessons():
        for each in answering(name):
            print(*each, flush=True)
