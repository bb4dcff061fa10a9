"""The terms of a course: when lessons are due, late days, extra time; and what they make of the scores."""

from __future__ import annotations

import csv
import io
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..errors import ArgumentError
from .gradebook import Entry, lesson_called, number, plain
from .rosters import person, who_is
from .tables import read_table, text_of

DAY = timedelta(days=1)
SETTLED = "student", "lesson", "earned", "lost", "score"


@dataclass(frozen=True, slots=True)
class Terms:
    """What a course has agreed on.

    Args:
        due: When each lesson is due.
        free: Late days that each student has for the whole course, and that cost nothing.
        penalty: The part of the points that each further day costs, such as 0.1.
        extra: Hours that a student has longer, by name.
    """

    due: Mapping[str, datetime]
    free: int = 0
    penalty: float = 0.0
    extra: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class Settled:
    """What the terms make of one score.

    Args:
        entry: The result.
        late: Begun days after it was due, extra time considered.
        used: Late days that were taken for it.
        lost: Points that it costs.
    """

    entry: Entry
    late: int = 0
    used: int = 0
    lost: float = 0.0

    @property
    def score(self) -> float | None:
        """The score that counts; None where there is none."""
        return None if self.entry.earned is None else self.entry.earned - self.lost


def settle(entries: Sequence[Entry], terms: Terms, times: Mapping[tuple[str, str], datetime]) -> list[Settled]:
    """Apply the terms: late days are taken in the order in which lessons are due, and a score never falls below zero.

    Args:
        entries: The results.
        terms: The terms.
        times: When each student has handed in each lesson; without a time nothing is late.
    """
    left: dict[str, int] = {}
    found: dict[tuple[str, str], Settled] = {}
    first = datetime.min.replace(tzinfo=UTC)
    for e in sorted(entries, key=lambda e: terms.due.get(e.result.lesson, first)):
        due, handed = terms.due.get(e.result.lesson), times.get(e.key)
        if due is None or handed is None:
            found[e.key] = Settled(e)
            continue
        over = handed - due - timedelta(hours=terms.extra.get(e.student, 0.0))
        late = max(0, math.ceil(over / DAY))
        used = min(late, left.get(e.student, terms.free)) if e.earned else 0  # no work, no late day
        left[e.student] = left.get(e.student, terms.free) - used
        share = min(1.0, terms.penalty * (late - used))
        found[e.key] = Settled(e, late, used, min(e.earned or 0.0, share * e.result.points))
    return [found[e.key] for e in entries]


def unmatched(entries: Sequence[Entry], terms: Terms, times: Mapping[tuple[str, str], datetime]) -> Iterator[str]:
    """What terms and times say of students and lessons that have no result, and whose result has no time, in words.

    None of it changes a score: who has not handed in yet may have extra time. But it may be a name misspelt.
    """
    students = sorted({e.student for e in entries})
    lessons = sorted({e.result.lesson for e in entries})
    for what, named, known in (
        ("[extra] names the student", terms.extra, students),
        ("[due] names the lesson", terms.due, lessons),
        ("The times name the student", dict.fromkeys(student for student, _ in times), students),
        ("The times name the lesson", dict.fromkeys(lesson for _, lesson in times), lessons),
    ):
        for name in named:
            if name not in known:
                yield f"{what} {name!r}, of which there is no result.{nearest(name, known)}"
    for lesson in terms.due:
        late = [e.student for e in entries if e.result.lesson == lesson and e.key not in times]
        names = ", ".join(late[:3]) + (f" and {len(late) - 3} more" if len(late) > 3 else "")
        if late:
            have, it, counts = ("has", "it", "counts") if len(late) == 1 else ("have", "they", "count")
            yield f"{names} {have} a result of {lesson} and no time: {it} {counts} as in time."


def nearest(name: str, known: Sequence[str]) -> str:
    """Who may be meant by a name that nobody has."""
    alike = [each for each in known if person(each) == person(name)] or get_close_matches(name, known, 1)
    return f" Did you mean {alike[0]!r}?" if alike else ""


def settled_csv(settled: Sequence[Settled]) -> str:
    """A row per result: what was earned, how late it was, what that costs, and what counts."""
    held = io.StringIO()
    lines = csv.writer(held, lineterminator="\n")
    lines.writerow(["student", "lesson", "earned", "days late", "late days used", "lost", "score", "points"])
    for each in settled:
        r = each.entry.result
        earned, counts = ("" if score is None else number(score) for score in (each.entry.earned, each.score))
        about = [each.late, each.used, number(each.lost)]
        lines.writerow([plain(each.entry.student), plain(r.lesson), earned, *about, counts, number(r.points)])
    return held.getvalue()


def read_terms(path: Path) -> Terms:
    r"""Read terms from TOML.

    Raises:
        ArgumentError: They say something that no terms have, or a time without its zone.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     _ = Path(place, "t.toml").write_text("[due]\n03 = 2026-11-01T23:59:00Z\n[late]\ndays = 2")
        ...     read_terms(Path(place, "t.toml")).free
        2
    """
    try:
        said: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
        late = said.get("late", {})
        days, penalty = int(late.get("days", 0)), float(late.get("penalty", 0.0))
        terms = Terms(said.get("due", {}), days, penalty, said.get("extra", {}))
        odd = sorted({*said} - {"due", "late", "extra"} | {*late} - {"days", "penalty"})
        good = not odd and terms.free >= 0 and 0 <= terms.penalty <= 1
        good = good and all(type(each) is datetime and each.tzinfo for each in terms.due.values())
        good = good and all(type(hours) in (int, float) and hours >= 0 for hours in terms.extra.values())
    except (OSError, ValueError, AttributeError, TypeError) as cause:
        raise bad(path, f"{type(cause).__name__}: {cause}") from cause
    if not good:
        raise bad(path, f"it says {odd[0]!r}" if odd else "a number or a time is not what it must be")
    return terms


def read_times(path: Path) -> dict[tuple[str, str], datetime]:
    """Read when what was handed in: a CSV with the columns student, lesson and handed_in (ISO 8601, with a zone).

    Commas, semicolons or tabs stand between them; blanks around a name are none of it.

    Raises:
        ArgumentError: It is none, or gives two times for one student and lesson.
    """
    times: dict[tuple[str, str], datetime] = {}
    for row in rows_of(path, ("student", "lesson", "handed_in")):
        key = row["student"], row["lesson"]
        if key in times:
            raise bad(path, f"it has two times of {key[0]} for {key[1]}")
        try:
            times[key] = datetime.fromisoformat(row["handed_in"])
        except ValueError as cause:
            raise bad(path, f"the time of {key[0]} is {row['handed_in']!r}") from cause
        if times[key].tzinfo is None:
            raise bad(path, f"the time of {key[0]} has no zone")
    return times


def rows_of(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    """The rows of a table with these columns, as a spreadsheet of any country writes it.

    Raises:
        ArgumentError: It is none, or lacks a column.
    """
    try:
        heads, rows, _ = read_table(text_of(path))
    except (OSError, csv.Error, ArgumentError) as cause:
        raise bad(path, f"it could not be read as text: {type(cause).__name__}") from cause
    if lacking := [name for name in columns if name not in heads]:
        raise bad(path, f"it has no column {lacking[0]!r}, but {', '.join(heads) or 'none'}")
    return [{name: row[heads.index(name)].strip() for name in columns} for row in rows]


def with_names(entries: Sequence[Entry], times: Mapping[tuple[str, str], datetime]) -> dict[tuple[str, str], datetime]:
    """The times by the names that the results have: "Ada" is ada where nobody else may be, and "3" is 03_backward.

    Example:
        >>> from .result import Isolation, Result
        >>> entries = [Entry("ada", Result("03_backward", "graded", (), Isolation("weak", ()), "", "", ""))]
        >>> [*with_names(entries, {("ADA@uni.example", "3"): datetime(2026, 1, 1, tzinfo=UTC)})]
        [('ada', '03_backward')]
    """
    own = {e.key: e.account for e in entries}
    found = {key: when for key, when in times.items() if key in own}
    meant: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for student, lesson in times:
        if (student, lesson) not in own:
            called = lesson_called(lesson, (e.result.lesson for e in entries))
            who = who_is(student, {name: account for (name, of), account in own.items() if of == called})
            meant.setdefault((who or student, called), []).append((student, lesson))
    for key, named in meant.items():
        clear = len(named) == 1 and key not in found
        found |= {key: times[named[0]]} if clear else {each: times[each] for each in named}
    return found


def for_results(terms: Terms, entries: Sequence[Entry]) -> Terms:
    """The terms by the names that the results have.

    Raises:
        ArgumentError: Two lines mean one student, or one lesson.
    """
    students = {e.student: e.account for e in entries}
    lessons = [e.result.lesson for e in entries]
    due = {name: lesson_called(name, lessons) for name in terms.due}
    extra = {name: who_is(name, students) or name for name in terms.extra}
    for called in (due, extra):
        several = [name for name, means in called.items() if [*called.values()].count(means) > 1]
        if several:
            raise bad(Path("The terms"), f"{' and '.join(several)} mean {called[several[0]]}")
    return replace(
        terms,
        due={due[name]: when for name, when in terms.due.items()},
        extra={extra[name]: hours for name, hours in terms.extra.items()},
    )


def with_settled(entries: Sequence[Entry], path: Path) -> list[Entry]:
    """The entries with what `settle` has found that being late costs.

    Raises:
        ArgumentError: A result is not there as it was settled, or its score is another than what was earned less that.
    """
    rows = {(row["student"], row["lesson"]): row for row in rows_of(path, SETTLED)}
    found: list[Entry] = []
    for e in entries:
        row = rows.get((plain(e.student).strip(), plain(e.result.lesson)))
        if row is None or row["earned"].replace(",", ".") != ("" if e.earned is None else number(e.earned)):
            raise ArgumentError(
                f"{path} does not settle the result of {e.student} in {e.result.lesson} as it is now.",
                "It is made of a results.json by minitorch-lab settle, and holds as long as nothing is graded anew.",
                "Settle the results once more.",
            )
        found.append(replace(e, lost=lost_in(row, path)))
    return found


def lost_in(row: Mapping[str, str], path: Path) -> float:
    """What being late costs, as a row says it.

    Raises:
        ArgumentError: The row says a score that does not follow from it.
    """
    try:
        lost = float(row["lost"].replace(",", "."))
        counts = "" if row["earned"] == "" else number(float(row["earned"].replace(",", ".")) - lost)
    except ValueError:
        lost, counts = -1.0, ""
    if lost < 0 or row["score"].replace(",", ".") != counts:
        raise ArgumentError(
            f"{path} says earned {row['earned'] or 'nothing'}, lost {row['lost']}, score {row['score'] or 'none'} of "
            f"{row['student']} in {row['lesson']}.",
            "A score is what was earned less what being late costs, which is 0 or more; another one counts nowhere.",
            "Did you mean to set it by hand? Write student,lesson,score,why to overrides.csv beside results.json, and "
            "settle once more.",
        )
    return lost


def bad(path: Path, why: str) -> ArgumentError:
    """The error for a file that cannot be used."""
    return ArgumentError(
        f"{path} cannot be used ({why}).",
        "Terms have [due] (a time with its zone per lesson), [late] with days and penalty (0 to 1), [extra] (hours per "
        "student); times are a CSV with student, lesson, handed_in.",
        "Did you mean a time such as 2026-11-01T23:59:00+01:00?",
    )
