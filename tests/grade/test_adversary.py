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


def tried(level: str, part: int) -> list[str]:
    isolation = probe(LEVELS[level])
    with world() as here:
        return [wrong for group in groups(isolation)[part::PARTS] for wrong in wrongs(here, group, isolation)]


@pytest.mark.family(3)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_submission_gets_more_or_less_than_it_earned(part: int) -> None:
    assert tried(STRONGEST, part) == []


@pytest.mark.parametrize("level", LEVELS)
def test_a_part_of_them_at_every_level(level: str) -> None:
    """All of them at every level, as root and as an ordinary user, is `make adversary`."""
    assert tried(level, list(LEVELS).index(level)) == []


@pytest.mark.skipif(not ROOT, reason="only root can become another user")
def test_a_part_of_them_as_an_ordinary_user() -> None:
    words = ["-m", "tests.grade.adversary.ordinary", "-m", "tests.grade.adversary", STRONGEST, "1/6"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=280, env=os.environ)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


def test_there_are_cases_of_every_family() -> None:
    families = {case.family for case in CASES}
    assert families == {"forging", "reading", "hanging", "exhausting", "honest"}
    assert len({case.name for case in CASES}) == len(CASES) >= 80
