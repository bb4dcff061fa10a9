"""A judge at work in this process: the cell that the grader would run, beside the student's code and without walls."""

from __future__ import annotations

import linecache
import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from itertools import count
from typing import Any

import numpy as np

import minitorch_lab as ml
from minitorch_lab.grade.inside.wire import HEADER, Malformed, Reference, frame, read
from minitorch_lab.grade.judging import reference
from minitorch_lab.grade.release import room
from minitorch_lab.grade.writing import judge_notebook, sections, split
from tests.alarm import Late, within
from tests.grade.answers import lesson

NUMBERS = count()  # of sources


class Refused(Exception):  # noqa: N818 - it says what happened
    """What a submission was asked came to nothing."""


class Failed(Exception):  # noqa: N818 - it says what happened
    """A wrong answer that the judge knows by name."""


def crossed(value: Any) -> Any:
    """A value as it comes over the wire."""
    sent = frame("", 0, value, lambda thing: Reference(0, type(thing).__name__))
    text, _ = HEADER.unpack(sent[: HEADER.size])
    return read(sent[HEADER.size : HEADER.size + text], sent[HEADER.size + text :], lambda _: object()).body


def ran(source: str, names: dict[str, Any]) -> None:
    """Run a source whose lines can be read again, as a script reads them."""
    file = f"<submission {next(NUMBERS)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), names)


class Beside:
    """The judge's helpers in the student's process."""

    def __init__(self, source: str, heard: list[str]) -> None:
        self.names: dict[str, Any] = {"ml": ml}
        self.heard = heard  # what the lesson's check says: "" where it is content
        ran(source, self.names)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def ask(*args: Any) -> Any:
            try:
                found = crossed(self.names[name](*args))
            except (Exception, Malformed) as error:
                raise Refused(f"{type(error).__name__}: {error}") from error
            if name == "said":
                self.heard.append(found)
            return found

        return ask


class Student:
    """A student's cells, run after their context."""

    def __init__(self, answer: str, context: str, heard: list[str] | None = None) -> None:
        self.heard = [] if heard is None else heard
        self.names: dict[str, Any] = {"__name__": "__main__"}
        for source in (context, answer):
            try:
                ran(source, self.names)
            except Exception as error:
                self.names["error"] = error

    def code(self, source: str) -> Beside:
        return Beside(source, self.heard)

    def expect(self, *values: Any) -> None:
        """How large answers may be is no matter here."""

    def __getattr__(self, name: str) -> Any:
        if name not in self.names:
            raise Refused(f"no {name}: {self.names.get('error')}")
        return self.names[name]


@cache
def cells(name: str) -> dict[str, Any]:
    """The compiled cells of a lesson's judge, by exercise."""
    judge, solutions = ((room(where) / file).read_text("utf-8")
                        for where, file in (("judges", f"{name}.py"), ("solutions", f"s{name}.py")))  # fmt: skip
    made = judge_notebook(judge, lesson(name), solutions)["cells"]
    return {cell["id"]: compile(cell["source"], f"<judge {cell['id']}>", "exec") for cell in made}


def judged(
    name: str, exercise: str, answer: str, seed: int = 0, seconds: float = 60, heard: list[str] | None = None
) -> str:
    """What a judge says of the source of an exercise's cell: "" if it earns its points, else why not.

    What the lesson's own check had to say about it is added to `heard`.

    Raises:
        Exception: The judge failed, and not the answer.
    """
    verdict = ""

    class Check:
        def __init__(self, title: str, points: float, hint: str) -> None:
            assert title
            assert points
            assert hint

        def __enter__(self) -> Check:
            return self

        def wrong_if(self, condition: Any, hint: str, said: str = "") -> None:
            if condition:
                raise Failed(hint, said)

        def __exit__(self, kind: Any, error: BaseException | None, _: Any) -> bool:
            nonlocal verdict
            verdict = "" if error is None else f"{type(error).__name__}: {error}"
            return isinstance(error, Refused | Failed | AssertionError | Late)

    def submission(exercise: str, cells: Sequence[str], context: str) -> Student:
        return Student(answer, context, heard)

    names: dict[str, Any] = {"__name__": "judge"}
    exec(cells(name)["imports"], names)
    names |= {"check": Check, "submission": submission, "draw": lambda _: np.random.default_rng(seed)}
    ml.manual_seed(0)
    with within(seconds), redirect_stdout(StringIO()), redirect_stderr(StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(cells(name)[exercise], names)
        except Late:
            return "Late"
    return verdict


def exercises(name: str) -> list[str]:
    """The exercises of a lesson that has a judge."""
    return [cell for cell in cells(name) if cell != "imports"]


def drawing(name: str, exercise: str) -> Any:
    """The `draws` of an exercise's judge, with what a judge has at hand; None where it has none."""
    text = split((room("judges") / f"{name}.py").read_text("utf-8"))[exercise]
    source = next((s.parts.get("draws") for s in sections(f"# %% {exercise}\n{text}")), None)
    tools = "import numpy as np\nfrom minitorch_lab.grade.judging import programs"
    return reference(tools, source).draws if source else None


class Found(Exception):  # noqa: N818 - it says what happened
    """The context of an exercise, which is all that was wanted of its judge."""


@cache
def context_of(name: str, exercise: str) -> str:
    """What an exercise's cell stands on, as the judge has it."""

    def submission(exercise: str, cells: Sequence[str], context: str) -> None:
        raise Found(context)

    try:
        exec(cells(name)[exercise], {"submission": submission})
    except Found as found:
        return str(found)
    raise AssertionError("A judge begins with its submission.")


def checked(name: str, exercise: str, answer: str, seconds: float = 60) -> str:
    """What the lesson's own check says of the source of an exercise's cell; the error where that cell did not run."""
    asks = next("".join(cell["source"]) for cell in lesson(name)["cells"] if cell["id"] == f"{exercise}-check")
    ml.manual_seed(0)
    with within(seconds), redirect_stdout(StringIO()), redirect_stderr(StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            student = Student(answer, context_of(name, exercise))
            return repr(eval(asks, student.names)) if "error" not in student.names else repr(student.names["error"])
        except Late:
            return "Late"
