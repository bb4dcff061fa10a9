"""Honest styles at every level of isolation: a lesson in which every exercise stands once for each style of its answer.

`python -m tests.grade.styles [LEVEL …] [LESSON …] [PART/PARTS] [--busy N]` grades them and prints the answers that lost
points. Root does it as an ordinary user, too. `--busy` keeps N processes running beside.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from minitorch_lab.grade import Course, Isolation, LessonFiles, Limits, grade_one, probe
from minitorch_lab.grade.release import judged_lessons, room
from minitorch_lab.grade.writing import judge_notebook
from tests.grade.adversary.suite import LEVELS, ROOT
from tests.grade.answers import Answers, lesson, right
from tests.grade.honest import STYLES
from tests.grade.notebooks import write

# What an exercise is about cannot be a style of its answer.
MEANT = {
    ("tame", "a class with __call__"): "script reads the text of one function",
    ("tame", "all that is written around it"): "script refuses annotations that are no types of tensors",
    ("graphs", "a class with __call__"): "the functions of the cell are the question, and not the answer",
    ("graphs", "all that is written around it"): "they are counted as they stand",
    ("graphs", "lambdas"): "they are known by their names",
    ("whole", "all that is written around it"): "a print ends the graph, and one graph is what is asked for",
}
AT_ONCE = 2  # gradings beside each other
Notebook = dict[str, Any]


def styled(answers: Answers, part: int = 0, parts: int = 1) -> dict[str, tuple[str, str]]:
    """Answers in every style they may have: from "EXERCISE.K" to the exercise and the source.

    Of several parts each has another share of the styles of an exercise, and with as many parts as exercises, or
    fewer, every style of the lesson.
    """
    names = {cell: cell.removesuffix("-exercise") for cell in answers}
    return {f"{name}.{k}": (name, write_as(answers[cell])) for n, (cell, name) in enumerate(names.items())
            for k, (style, write_as) in enumerate(STYLES.items())
            if (name, style) not in MEANT and (n + k) % parts == part}  # fmt: skip


def style_of(copy: str) -> str:
    """The style of a copy of an exercise."""
    return list(STYLES)[int(copy.rpartition(".")[2])]


def multiplied(name: str, part: int = 0, parts: int = 1) -> tuple[Notebook, Notebook, Notebook]:
    """A lesson, its judge and the lesson solved, with every exercise once for each style of a part."""
    book, source = lesson(name), (room("judges") / f"{name}.py").read_text("utf-8")
    judge = judge_notebook(source, book, (room("solutions") / f"s{name}.py").read_text("utf-8"))
    copies = styled(right(name), part, parts)
    cells = {cell["id"]: cell for cell in book["cells"]}
    starters = [{**cells[f"{exercise}-exercise"], "id": f"{copy}-exercise"} for copy, (exercise, _) in copies.items()]
    rest = [cell for cell in book["cells"] if not cell["id"].endswith("-exercise")]
    asks = {cell["id"]: cell for cell in judge["cells"]}
    judges = [asks["imports"], *(copied(asks[exercise], copy) for copy, (exercise, _) in copies.items())]
    solved = [{**cell, "source": copies[cell["id"].removesuffix("-exercise")][1]} for cell in starters]
    return tuple({**book, "cells": each} for each in ([*rest, *starters], judges, [*rest, *solved]))


def copied(cell: dict[str, Any], copy: str) -> dict[str, Any]:
    """The cell of a judge that asks a copy of its exercise."""
    name = cell["id"]
    begin, draw = f"s = submission({name!r}, cells=[{name + '-exercise'!r}]", f"draw({name!r})"
    assert cell["source"].startswith(begin)
    source = cell["source"].replace(begin, f"s = submission({copy!r}, cells=[{copy + '-exercise'!r}]", 1)
    return {**cell, "id": copy, "source": source.replace(draw, f"draw({copy!r})")}


@contextmanager
def styles_course(names: Sequence[str], part: int = 0, parts: int = 1) -> Iterator[Course]:
    """A course of multiplied lessons; each is solved in its `reference_path`."""
    with tempfile.TemporaryDirectory(prefix="styles-") as place:
        Path(place).chmod(0o755)
        files = {
            name: LessonFiles(*(write(Path(place, f"{name}-{k}.ipynb"), book)
                                for k, book in enumerate(multiplied(name, part, parts))))
            for name in names
        }  # fmt: skip
        yield Course.create(Path(place, "course"), "styles", files, Limits())


def lost(course: Course, isolation: Isolation, name: str) -> tuple[int, list[str]]:
    """How many answers of a lesson were graded, and those that lost points though they are right."""
    result = grade_one(course.lessons[name].reference_path, course, lesson=name, isolation=isolation)
    told = [f"{name}: {result.status}: {result.fault}"] * (result.status != "graded")
    for exercise in result.exercises:
        if exercise.score != exercise.points:
            hints = "; ".join(check.hint for check in exercise.checks if check.verdict != "passed")
            told.append(f"{name} {exercise.name} ({style_of(exercise.name)}): {exercise.limit}: {hints}")
    return len(result.exercises), told


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Processes that never rest."""
    with ExitStack() as stack:
        for _ in range(count):
            process = subprocess.Popen([sys.executable, "-ISc", "while True: pass"])
            stack.callback(process.wait)
            stack.callback(process.kill)
        yield


def main(words: list[str]) -> int:
    """Grade the lessons at each level, and return 1 if a right answer lost points."""
    levels = [word for word in words if word in LEVELS] or list(LEVELS)
    names = [name for name in judged_lessons() if {name, name.partition("_")[0]} & {*words}] or judged_lessons()
    beside = int(words[words.index("--busy") + 1]) if "--busy" in words else 0
    part, parts = next((map(int, word.split("/")) for word in words if "/" in word), (0, 1))
    failed = False
    for level in levels:
        start, isolation = time.monotonic(), probe(LEVELS[level])
        with styles_course(names, part, parts) as course, busy(beside), ThreadPoolExecutor(AT_ONCE) as pool:
            counts, wrong = zip(*pool.map(partial(lost, course, isolation), names), strict=True)
        zeros = [text for each in wrong for text in each]
        who = "root" if ROOT else "an ordinary user"
        told = f"{sum(counts)} right answers, {len(zeros)} lost points, {time.monotonic() - start:.0f} s"
        print(f"{who}, {level}, {beside} busy beside: {told}", *zeros, sep="\n  ", flush=True)
        failed = failed or bool(zeros)
    if ROOT:
        ordinary = [sys.executable, "-m", "tests.grade.adversary.ordinary", "-m", "tests.grade.styles", *words]
        failed = bool(subprocess.run(ordinary, env=os.environ).returncode) or failed
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
