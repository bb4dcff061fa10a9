"""What a judge notebook is written with: `submission`, `draw`, `check`, `close` and `Refused`."""

from __future__ import annotations

import hmac
import warnings
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from types import TracebackType
from typing import Any

from ...core.array import xp
from ...errors import ArgumentError
from ..inside.wire import Reference, frame
from .close import close
from .session import Session, session
from .talk import LOCAL, Broken, Handle, Refused, Talk

__all__ = ["Handle", "Refused", "Submission", "check", "close", "draw", "submission"]


class Submission:
    """A student's answer to one exercise. Its attributes are what the cells defined; `ml` is always the package.

    Args:
        talk: The conversation with the student's process; None when the exercise's cell is missing.
    """

    def __init__(self, talk: Talk | None) -> None:
        self._talk = talk

    def _ask(self, **question: Any) -> Any:
        if self._talk is None:
            raise Refused(limit="missing")
        return self._talk.ask(**question)

    def __getattr__(self, name: str) -> Any:
        if name.startswith(LOCAL):
            raise AttributeError(name)
        try:
            return self._ask(do="get", name=name)
        except Refused as refused:
            refused.undefined = name if refused.kinds[:1] == ("Undefined",) else None
            raise

    def code(self, source: str) -> Any:
        """Define the judge's own helpers in the student's process, and return a handle whose attributes they are.

        Their namespace holds `ml`. The student's code could read them: what is hidden does not belong here.
        """
        return self._ask(do="code", source=source)

    def expect(self, *values: Any) -> None:
        """Say what the answers that follow are about as large as: one that is many times larger is refused unread."""
        if self._talk is not None:
            self._talk.expect(len(frame("", 0, list(values), lambda thing: Reference(0, ""))))

    def names(self) -> list[str]:
        """Return the names that the cells defined."""
        return self._ask(do="names")


def submission(exercise: str, cells: Sequence[str] = (), setup: Sequence[str] = (), context: str = "") -> Submission:
    """Start a fresh process with the student's cells of an exercise, and end the one before.

    Args:
        exercise: Its name.
        cells: The ids of its cells in the lesson. Without them: `<exercise>-exercise`, or just `<exercise>`.
        setup: The ids of the lesson's cells that run before them, taken from the lesson and not from the student.
            Without them: `imports`, if there is such a cell and no context.
        context: A source that runs after the setup and before the student's cells.

    Returns:
        What the checks ask. It is there whatever the student's cells do: an error of theirs shows in the checks.
    """
    here = session()
    here.end()
    here.exercise, here.talk = exercise, None
    sources, seconds = here.cells[exercise], here.purse.open(exercise)
    if sources is None:
        here.say(limit="missing")
        return Submission(None)
    try:
        here.talk = Talk(
            here.keeping,
            here.limits,
            here.setup[exercise],
            lambda limit: here.say(limit=limit),
            seconds,
        )
    except Broken as error:
        here.say(fault=str(error))
        raise
    run_cells(here, here.talk, sources)
    return Submission(here.talk)


def run_cells(here: Session, talk: Talk, sources: Sequence[tuple[str, str]]) -> None:
    """Run the cells of an exercise. Those that run on are interrupted in time, and what they have defined stays."""
    keep, line = here.purse.kept(here.exercise, talk.budget), None
    try:
        if others := here.others[here.exercise]:
            with suppress(Refused):
                talk.ask(here.limits.wall, (talk.budget + keep) / 2, do="prepare", sources=sources, others=others)
        talk.ask(here.limits.wall, keep, do="run", sources=sources)
    except Refused as refused:
        if talk.stopped and refused.kinds[:1] == ("Stopped",):
            line = refused.line
        elif refused.limit is None:
            here.say(cell=True, **refused.told)
    if talk.stopped and talk.over is None:
        here.say(stopped=talk.stopped, at=line)


def draw(exercise: str) -> Any:
    """Return a generator of random numbers for an exercise.

    It is seeded by HMAC-SHA256 of the submission and the exercise under the secret of the course: nobody can guess the
    numbers, and grading the same submission again draws the same.
    """
    seed = hmac.digest(session().key, exercise.encode(), "sha256")
    return xp.random.default_rng(int.from_bytes(seed, "big"))


SAID = 2000  # characters of what a lesson's check said


class Named(Exception):  # noqa: N818 - it says what happened
    """A wrong answer that the judge knows by name: a hint, and what the lesson's check said."""


class check:  # noqa: N801 - it is used like a function
    """One check: what is asked inside it earns its points when nothing in it fails.

    An assertion that fails, or a question to the submission that gets no answer, fails the check and nothing else. Any
    other error may be the judge's own fault; the grader finds out by putting the solved lesson in the student's place.
    Nothing is shown of what is printed or warned of inside: nbval wants to see the same for every submission.

    Args:
        title: What is checked; students see it.
        points: What it earns.
        hint: What those who fail it see.
    """

    def __init__(self, title: str, points: float, hint: str) -> None:
        self.title, self.points, self.hint = title, points, hint
        self.silence = ExitStack()

    def wrong_if(self, condition: Any, hint: str, said: str = "") -> None:
        """Fail the check with a hint of its own, when what came back is a known misconception.

        Args:
            condition: Whether it is.
            hint: What the student reads, a literal. "…" stands for what `said` has in its place.
            said: What the lesson's check said in the student's process.

        Raises:
            ArgumentError: `condition` is no bool.
        """
        if not isinstance(condition, bool | xp.bool_):
            raise ArgumentError(
                f"wrong_if got a {type(condition).__name__} as its condition.",
                "It takes a bool, so that no strange answer counts as one.",
                "Did you mean wrong_if(close(got, wrong), hint)?",
            )
        if condition:
            raise Named(hint, said[:SAID])

    def __enter__(self) -> check:
        self.silence.enter_context(redirect_stdout(StringIO()))
        self.silence.enter_context(redirect_stderr(StringIO()))
        self.silence.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        self.silence.close()
        if error is not None and not isinstance(error, Exception):
            return False
        hint, *claim = error.args if isinstance(error, Named) else (self.hint,)
        failed = isinstance(error, AssertionError | Refused | Named)
        state = "passed" if error is None else "failed" if failed else "error"
        said = f"{type(error).__name__}: {error}"[:500] if state == "error" else ""
        told = error.told if isinstance(error, Refused) else {}
        told |= {"unheard": True} if told or (isinstance(error, Refused) and error.limit) else {}
        if (talk := session().talk) is not None:
            told["seconds"] = talk.seconds
        session().say(title=self.title, state=state, hint=hint, said="".join(claim), error=said, **told)
        return True
