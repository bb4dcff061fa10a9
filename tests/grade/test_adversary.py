"""What a submission may try, at every level of isolation, and what must hold after it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from minitorch_lab.grade import probe
from tests.grade.adversary.suite import CASES, LEVELS, ROOT, groups, wrongs
from tests.grade.adversary.trials import world

STRONGEST = list(LEVELS)[-1]
PARTS = 6
TRIED = [STRONGEST, "weak"] if STRONGEST != "weak" else ["weak"]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("level", TRIED)
def test_no_submission_gets_more_or_less_than_it_earned(level: str, part: int) -> None:
    isolation = probe(LEVELS[level])
    with world() as here:
        found = [wrong for group in groups(isolation)[part::PARTS] for wrong in wrongs(here, group, isolation)]
    assert found == []


@pytest.mark.skipif(not ROOT, reason="only root can become another user")
def test_the_same_holds_for_an_ordinary_user() -> None:
    command = [sys.executable, "-m", "tests.grade.adversary.ordinary", "-m", "tests.grade.adversary", STRONGEST]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, env=os.environ)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


def test_there_are_cases_of_every_family() -> None:
    families = {case.family for case in CASES}
    assert families == {"forging", "reading", "hanging", "exhausting", "honest"}
    assert len({case.name for case in CASES}) == len(CASES) >= 80
