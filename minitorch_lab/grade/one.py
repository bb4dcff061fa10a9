"""Grades one submission: takes its cells out, runs the judge on them, and makes a result of what the judge said."""

from __future__ import annotations

import functools
import hashlib
import hmac
import time
from collections.abc import Set
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from ..errors import ArgumentError
from .bundle import Course, Lesson
from .extract import Submitted, bytes_of, submitted
from .hints import public_words, told
from .imported import absent
from .inside.cells import TIMED
from .judge_source import Check
from .means import means
from .reading import Unreadable
from .result import CheckResult, ExerciseResult, Isolation, Result
from .run import Run, run_judge
from .sandbox import open_to_all
from .seek import touched
from .trial import probe


def grade_one(
    submission: Path | str,
    course: Course | Path | str,
    *,
    lesson: str | None = None,
    isolation: Isolation | None = None,
) -> Result:
    """Grade one submission.

    Args:
        submission: A notebook: a regular file.
        course: The course, or its folder.
        lesson: The name of the lesson. Without it, the lesson of which the file has the most cells.
        isolation: What `probe` found. Without it, a trial run is made first.

    Returns:
        The result. A submission can do nothing that keeps it from being returned.

    Raises:
        ArgumentError: The course cannot be read, has no such lesson, or lies where submissions may read.
    """
    start = time.monotonic()
    course = course if isinstance(course, Course) else Course.load(course)
    isolation = isolation or probe()
    require_apart(course, isolation)
    lessons = [named(course, lesson)] if lesson else list(course.lessons.values())
    name = lessons[0].name if lesson else ""
    blank = Result(name, "unreadable", (), isolation, "", course.digest, grader_digest())
    try:
        raw = bytes_of(Path(submission), max(each.limits.submission for each in lessons))
        blank = replace(blank, submission=hashlib.sha256(raw).hexdigest())
        result = judged(course, submitted(raw, lessons), blank)
    except Unreadable as error:
        result = replace(blank, problem=str(error))
    except Exception as error:  # whatever goes wrong here is the grader's fault, and never the student's zero
        result = replace(blank, status="fault", fault=f"{type(error).__name__}: {error}"[:1000])
    if result.status == "unreadable" and lesson:
        result = replace(result, exercises=unreached(lessons[0]))
    return replace(result, seconds=time.monotonic() - start)


def ungraded(course: Course, lesson: str | None, isolation: Isolation, problem: str) -> Result:
    """The result of a submission of which there is nothing to grade, for a reason that is a key of `PROBLEMS`."""
    exercises = unreached(course.lessons[lesson]) if lesson else ()
    keys = ("", course.digest, grader_digest())
    return Result(lesson or "", "unreadable", exercises, isolation, *keys, problem=problem)


def require_apart(course: Course, isolation: Isolation) -> None:
    """Refuse a course among the folders of Python, which submissions may read in every isolation."""
    inside = next((each for each in open_to_all() if course.path.is_relative_to(each)), None)
    if inside is not None and {"landlock", "bubblewrap"} & {*isolation.layers}:
        raise ArgumentError(
            f"The course {course.path} lies in {inside}.",
            "Python itself is there, so submissions may read it: the judges, the solutions and the secret too.",
            "Move the course to a folder outside of it.",
        )


def named(course: Course, name: str) -> Lesson:
    """Return the lesson of a course that has this name."""
    if name not in course.lessons:
        raise ArgumentError(
            f"The course {course.name} has no lesson {name!r}.",
            "A lesson is known by the name of its notebook, without .ipynb.",
            f"Did you mean {min(course.lessons)!r}?",
        )
    return course.lessons[name]


@functools.cache
def grader_digest() -> str:
    """Return the SHA-256 of the grader's own code, as hex: another grader may give another result."""
    total = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        total.update(path.read_bytes())
    return total.hexdigest()


# ---- what the judge said --------------------------------------------------------------------------------------------


def judged(course: Course, taken: Submitted, blank: Result) -> Result:
    """Run the judge, and once more when something in it went wrong: a machine may be short of something for a moment.

    When it goes wrong again, the solved lesson takes the student's place, to tell whether it is the judge's fault. That
    is done at once where a check ended with an error of the judge's own, as an odd answer may bring about at will.
    """
    lesson = taken.lesson
    key = hmac.digest(course.secret, f"{taken.digest} {lesson.name}".encode(), "sha256")
    blank = replace(blank, lesson=lesson.name, status="graded")
    verdicts, run = verdicts_of(course, taken, key, blank.isolation)
    if not verdicts.doubtful <= verdicts.erring:
        verdicts, run = verdicts_of(course, taken, key, blank.isolation)
    if verdicts.doubtful:
        solved = submitted(lesson.reference_path.read_bytes(), [lesson])
        asked = {exercise for exercise, _ in verdicts.doubtful}
        cells = {name: each if name in asked else None for name, each in solved.cells.items()}
        solved = replace(solved, cells=cells)
        control, control_run = verdicts_of(course, solved, key, blank.isolation)
        if run.broken or any(control.states[check_key] != "passed" for check_key in verdicts.doubtful):
            fault = verdicts.words or run.words or control.words or control_run.words or "the judge did not end"
            exercises = exercises_of(lesson, verdicts, doubtful="fault")
            return replace(blank, status="fault", fault=fault, exercises=exercises)
    exercises = (
        replace(
            e,
            found=told_of(taken, e, verdicts.undefined.get(e.name, ""), verdicts.stopped.get(e.name)),
            means=means(taken, e.name) if e.score else (),
        )
        for e in exercises_of(lesson, verdicts)
    )
    return replace(blank, exercises=tuple(exercises))


def told_of(taken: Submitted, exercise: ExerciseResult, undefined: str, stopped: Stop | None = None) -> str:
    """How an exercise's cells were found; where points were lost, also what is not there, and what may be meant."""
    answer = taken.found[exercise.name]
    said = [answer.said, cut_short(stopped)]
    if exercise.score < exercise.points:
        said += [uninstalled(taken, exercise), missing(taken, exercise.name, undefined), answer.apart]
    return "; ".join(filter(None, said))


def cut_short(stopped: Stop | None) -> str:
    """That the time of an exercise's cells was over before they were."""
    if stopped is None:
        return ""
    place = "" if stopped.line is None else f" in line {stopped.line}"
    return f"its cells ran on and were stopped{place}; what they had defined by then counts"


def uninstalled(taken: Submitted, exercise: ExerciseResult) -> str:
    """Which packages a failed answer asks for in vain, by the text of its cells, or of those that it may stand on."""
    own = [source for _, source in taken.cells[exercise.name] or ()]
    if exercise.raised not in ("ModuleNotFoundError", "ImportError", "NameError"):
        return ""
    others = [source for source, mine, _ in taken.others_of(exercise.name) if mine]
    known = exercise.raised != "NameError" and exercise.line is not None
    names = (absent(own, exercise.line) if known else ()) or absent([*own, *others])
    listed = ", ".join(map(repr, names))
    why = "not installed where this was graded, and files beside the notebook are not taken along"
    return f"it imports {listed}: {why}" if names else ""


def missing(taken: Submitted, exercise: str, name: str) -> str:
    """That the cells define nothing of a name, and which name of theirs may be meant; it is read from their text."""
    if not name:
        return ""
    sources = [source for _, source in taken.cells[exercise] or ()]
    made = {each: source for source in sources for each in sorted(touched(source))}
    if name in made:
        magic = made[name].lstrip().split(maxsplit=1)[0]
        if magic.startswith("%%") and magic[2:] not in TIMED:
            return f"the cell of {name!r} begins with {magic}, so it makes nothing called that"
        gone = any(f"del {name}" in source for source in sources)
        return f"{name!r} is no longer there when its cells have run" + (f" (del {name})" if gone else "")
    alike = get_close_matches(name.casefold(), folded := {each.casefold(): each for each in made}, 1)
    return f"nothing called {name!r} is defined here" + (f" (did you mean {folded[alike[0]]!r}?)" if alike else "")


def verdicts_of(course: Course, taken: Submitted, key: bytes, isolation: Isolation) -> tuple[Verdicts, Run]:
    """Run the judge, twice if the grader itself broke."""
    run = run_judge(course, taken, key, isolation)
    if run.broken:
        run = run_judge(course, taken, key, isolation)
    return Verdicts.of(taken.lesson, run), run


class Stop(NamedTuple):
    """That the cells of an exercise were interrupted: as which limit that counts where points were lost, and where."""

    limit: str
    line: int | None


STOPS = " stops with "  # says a lesson's check of code that ended with an error: that is no belief
SHORT = {"MemoryError", "OSError", "BlockingIOError", "TimeoutError", "Broken"}  # what a machine may be short of


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What a run says of each check, by exercise and title.

    Args:
        states: "passed", "failed", "unreached" or "error".
        hints: The hint of those that failed, and the sentence that it was made of.
        doubtful: The checks whose state may be the judge's own fault.
        erring: Those of them that ended with an error in the judge, and not for want of memory or the like.
        limits: The limit that an exercise hit.
        ended: The class of the error that an exercise's cell ended with.
        raised: The class and the line of the first error in an exercise's code, as the student may see it.
        undefined: The name that the judge asked for, where an exercise's cells ran to their end and do not define it.
        stopped: The exercises whose cells were interrupted.
        seconds: What an exercise's answers took.
        words: What the judge's own errors were.
    """

    states: dict[tuple[str, str], str]
    hints: dict[tuple[str, str], tuple[str, str]]
    doubtful: frozenset[tuple[str, str]]
    erring: frozenset[tuple[str, str]]
    limits: dict[str, str]
    ended: dict[str, str]
    raised: dict[str, tuple[str, int | None]]
    undefined: dict[str, str]
    stopped: dict[str, Stop]
    seconds: dict[str, float]
    words: str

    @classmethod
    def of(cls, lesson: Lesson, run: Run) -> Verdicts:
        """Read what the judge and nbval said."""
        said = {key_of(check): [v for v in run.verdicts if key_of(check) == spoken(v)] for check in lesson.checks}
        states = {key_of(check): state_of(check, said[key_of(check)], run) for check in lesson.checks}
        words = public_words() | lesson.words
        hints = {key_of(check): hint_of(check, said[key_of(check)], words) for check in lesson.checks}
        doubtful = frozenset(key for key, state in states.items() if state in ("error", "unreached"))
        errors = {spoken(v): v["error"].partition(":")[0] for v in run.verdicts if v.get("error")}
        erring = frozenset(key for key in doubtful if errors.get(key, "OSError") not in SHORT)
        limits = {v["exercise"]: v["limit"] for v in reversed(run.verdicts) if "limit" in v}
        ended = {v["exercise"]: v["ended"] for v in run.verdicts if "cell" in v and v.get("ended", "").isidentifier()}
        raised = {v["exercise"]: (v["raised"], v["line"]) for v in reversed(run.verdicts) if "raised" in v}
        undefined = {v["exercise"]: v["undefined"] for v in run.verdicts if "undefined" in v}
        stopped = {v["exercise"]: Stop(v["stopped"], v["at"]) for v in run.verdicts if "stopped" in v}
        above = raised.keys() | limits.keys() | stopped.keys()
        undefined = {each: name for each, name in undefined.items() if each not in above}
        seconds = {v["exercise"]: v["seconds"] for v in run.verdicts if "seconds" in v}
        own = (v.get("error") or v.get("fault") for v in run.verdicts)
        words = "; ".join(dict.fromkeys(word for word in own if word))
        return cls(states, hints, doubtful, erring, limits, ended, raised, undefined, stopped, seconds, words)


def key_of(check: Check) -> tuple[str, str]:
    """Return what a check is known by."""
    return check.exercise, check.title


def spoken(verdict: dict[str, str]) -> tuple[str, str | None]:
    """Return the check that a verdict is of."""
    return verdict["exercise"], verdict.get("title")


def state_of(check: Check, said: list[dict[str, str]], run: Run) -> str:
    """Return the state of a check: passed only if the judge said so every time, and nbval of its cell too."""
    states = {verdict["state"] for verdict in said}
    if "failed" in states:
        return "failed"
    if states == {"passed"}:
        return "passed" if run.cells.get(check.cell) else "error"
    return "error" if states else "unreached"


def hint_of(check: Check, said: list[dict[str, str]], words: Set[str]) -> tuple[str, str]:
    """Return the hint of a check that failed, and the sentence that names a wrong answer, where the hint is of one.

    What gave no answer, for an error or a limit, gets no hint: that is what there is to say of it. A text that was put
    together in the judge is not shown: what fills the holes of a sentence is looked at here.
    """
    failed = [verdict for verdict in said if verdict["state"] == "failed"]
    if failed and failed[0].get("unheard"):
        return "", ""
    given = [(verdict["hint"], verdict.get("said", "")) for verdict in failed]
    sentence, claim = given[0] if given and given[0][0] in check.hints else (check.hint, "")
    named = sentence in check.hints[1:] and STOPS not in sentence
    return told(sentence, claim, words) or check.hint, sentence if named else ""


def unreached(lesson: Lesson) -> tuple[ExerciseResult, ...]:
    """The results of a lesson's exercises where no judge has run: what there was to earn."""
    return exercises_of(lesson, Verdicts.of(lesson, Run(ended=True)))


def exercises_of(lesson: Lesson, verdicts: Verdicts, doubtful: str = "") -> tuple[ExerciseResult, ...]:
    """Return the results of a lesson's exercises.

    Args:
        lesson: The lesson.
        verdicts: What the run said.
        doubtful: The verdict on checks in doubt. Without it they count as failed, or as unreached.
    """
    found: list[ExerciseResult] = []
    for exercise in lesson.exercises:
        checks: list[CheckResult] = []
        for check in lesson.checks:
            state = verdicts.states[key_of(check)]
            if key_of(check) in verdicts.doubtful:
                state = doubtful or ("failed" if state == "error" else state)
            if check.exercise == exercise.name:
                hint, sentence = ("", "") if state == "passed" else verdicts.hints[key_of(check)]
                checks.append(CheckResult(check.title, check.points, state, hint, sentence))
        ended, limit = verdicts.ended.get(exercise.name), verdicts.limits.get(exercise.name)
        lost = any(check.verdict != "passed" for check in checks)
        stop = verdicts.stopped.get(exercise.name)
        stopped = "undefined" if exercise.name in verdicts.undefined else stop.limit if stop else None
        stopped = "error" if ended else stopped
        limit = limit or (stopped if lost else None)
        raised, line = verdicts.raised.get(exercise.name, (None, None)) if lost else (None, None)
        taken = verdicts.seconds.get(exercise.name, 0.0)
        found.append(
            ExerciseResult(exercise.name, tuple(checks), limit, ended, raised=raised, line=line, seconds=taken)
        )
    return tuple(found)
