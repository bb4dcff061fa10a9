"""The records of decisions: numbered without a gap, and each with its question, options, choice and cost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house.source import ROOT

PAGES = sorted((ROOT / "book" / "decisions").glob("[0-9]*.md"))
PARTS = ["Question", "Options", "Choice", "What it costs"]


def test_they_are_numbered_without_a_gap() -> None:
    assert [int(page.name[:2]) for page in PAGES] == list(range(1, len(PAGES) + 1))
    assert len(PAGES) >= 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_record_has_its_parts_and_what_it_names_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    assert re.findall(r"^# (\d+)\. .+\?$", text, re.MULTILINE) == [str(int(page.name[:2]))]
    assert re.findall("^## (.+)$", text, re.MULTILINE) == PARTS
    named = re.findall(r"`((?:minitorch_lab|tests|bench|book)/[\w./]+)`", text)
    assert [name for name in named if not (ROOT / name).exists()] == []
