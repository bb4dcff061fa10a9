"""One student's notebook of one lesson, and what the teacher should know of how it was found."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from .downloads import same_user
from .rosters import person

COPY = re.compile(r"(.+?)(?: ?\(\d+\)| - Copy(?: \(\d+\))?|[-_ ]copy ?\d*)", re.IGNORECASE)  # how copies are called


class Submission(NamedTuple):
    """One student's notebook of one lesson. Where there is none, `content` is empty.

    Then `refused` says why it was not taken and `problem` which one of `PROBLEMS` that is, or `fault` says why this
    machine could not read it: that is not the student's. `file` is the notebook that counts, and `note` what the
    teacher should know of how it was found. `account` is what a course system has for the student, and `lesson` the one
    to grade, where the notebook holds several.
    """

    student: str
    content: bytes
    refused: str = ""
    fault: str = ""
    problem: str = ""
    file: str = ""
    note: str = ""
    account: str = ""
    lesson: str = ""


def with_more_told(submission: Submission, lesson: str, more: Collection[str]) -> Submission:
    """The same, with the lesson to grade where the notebook holds more, and a note of these."""
    if not more:
        return submission
    said = f"the notebook holds {' and '.join(sorted(more))} too, which is graded as well"
    return submission._replace(note="; ".join(filter(None, [submission.note, said])), lesson=lesson)


def with_group_told(submission: Submission, group: Iterable[str]) -> Submission:
    """The same, with a note for each of those who have handed it in together."""
    said = [group_note(each) for each in group if each != submission.student]
    return submission._replace(note="; ".join(filter(None, [submission.note, *said])))


def with_twins_told(submission: Submission, students: Iterable[str]) -> Submission:
    """The same, with a note where another student may be the same person, or this is called like a copy of theirs."""
    said = [twin_note(each) for each in twins(submission.student, students)]
    copied = COPY.fullmatch(submission.student)
    if copied is not None and copied[1] in students:
        said.append(copy_note(copied[1]))
    return submission._replace(note="; ".join(filter(None, [submission.note, *said])))


def with_lesson_told(submission: Submission, lessons: Collection[str]) -> Submission:
    """The same, with a note where the student is called like a lesson."""
    if submission.student not in lessons:
        return submission
    said = "called after the file: give the folder that has the student's name"
    return submission._replace(note="; ".join(filter(None, [submission.note, said])))


def twins(student: str, students: Iterable[str]) -> list[str]:
    """Those of these students who may be the same person, written otherwise.

    Example:
        >>> twins("ada", ["ada", "Ada", "bob", "ada@uni.example"])
        ['Ada', 'ada@uni.example']
    """
    who = person(student)
    students = [*students]
    alike = [each for each in students if each != student and who and person(each) == who]
    return [*alike, *(each for each in same_user(student, students) if each not in alike)]


def twin_note(student: str) -> str:
    """What is said of somebody who may be this student too."""
    return f"may be the same person as {student!r}"


def group_note(student: str) -> str:
    """What is said of somebody who has handed in together with this student."""
    return f"handed in together with {student!r}"


def copy_note(student: str) -> str:
    """What is said of something that is called like a copy of this student's."""
    return f"called like a copy of {student}: was this handed in twice?"
