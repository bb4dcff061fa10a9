"""The suite of the adversary can fail: each kind of trouble is seen when it is there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from minitorch_lab.grade import CheckResult, ExerciseResult, Isolation, Result
from tests.grade.adversary.case import Case
from tests.grade.adversary.reading import READING
from tests.grade.adversary.trials import ANSWER, CANARIES, World, complaints, leaks, world

STRONG = Isolation("strong", ("process",))


def result(answers: str = "passed", found: str = "passed", after: str = "passed", limit: str | None = None) -> Result:
    mine = [CheckResult(title, 1, answers) for title in ANSWER] + [CheckResult("nothing was found", 1, found)]
    later = (CheckResult("in time", 1, after), CheckResult("drawn numbers", 1, "passed"))
    exercises = (ExerciseResult("a0", tuple(mine), limit), ExerciseResult("h0", later))
    return Result("trials", "graded", exercises, STRONG, "", "", "")


@pytest.mark.parametrize(
    ("case", "given", "word"),
    [
        (Case("x", "honest", "", "all"), result(answers="failed"), "a false zero"),
        (Case("x", "forging", "", "none"), result(), "forged"),
        (Case("x", "hanging", "", "none", "", ("time",)), result(answers="failed", limit="call"), "the limit was call"),
        (Case("x", "reading", "", "all"), result(found="failed"), "something was found"),
        (Case("x", "honest", "", "all"), result(after="failed"), "the honest exercise after it"),
    ],
)
def test_what_goes_wrong_is_said(case: Case, given: Result, word: str) -> None:
    (said,) = complaints(case, 0, given, strong=True)
    assert word in said


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root may read what lies before everybody")
def test_what_looks_for_files_finds_them_when_nothing_stands_in_its_way() -> None:
    looking = [case for case in READING if case.holds == "files"]
    with world() as here:
        found = {case.name: loot(here, case) for case in looking}
    assert [name for name, count in found.items() if not count] == []
    assert len(found) >= 8


def loot(here: World, case: Case) -> int:
    """How much a case finds in a process without any walls."""
    source = f"import numpy as np\n{here.knows()}{case.source}\nprint(len(loot))"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True, timeout=60)
    return int(done.stdout)


def test_what_goes_well_is_not() -> None:
    assert complaints(Case("x", "honest", "", "all"), 0, result(), strong=True) == []


def test_a_canary_in_the_feedback_is_seen() -> None:
    hint = CheckResult("right", 1, "failed", f"expected {CANARIES[0]}")
    shown = Result("trials", "graded", (ExerciseResult("a0", (hint,)),), STRONG, "", "", "")
    assert leaks(shown, strong=False) == [CANARIES[0]]


def test_a_canary_for_the_teacher_is_seen_where_nothing_can_be_read() -> None:
    told = Result("trials", "graded", (ExerciseResult("a0", (), None, CANARIES[1]),), STRONG, "", "", "")
    assert leaks(told, strong=False) == []
    assert leaks(told, strong=True) == [CANARIES[1]]
