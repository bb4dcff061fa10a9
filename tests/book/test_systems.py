"""The index of systems: every row of the plan has a lesson, a view, a module and a test, or says why not."""

from __future__ import annotations

import re

import pytest

from book.making import systems
from book.making.rows import SYSTEMS, System
from minitorch_lab import widgets
from tests.house.source import ROOT

NAMED = {test.row for test in systems.named_tests(ROOT)}
ROWS = {"A": 18, "B": 11, "C": 15, "D": 6}


def test_every_row_of_the_plan_is_there_once() -> None:
    rows = [system.row for system in SYSTEMS]
    assert rows == [f"{letter}{k}" for letter, last in ROWS.items() for k in range(1, last + 1)]
    assert len(NAMED) > 20
    assert set(rows) >= NAMED


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.row)
def test_a_row_has_all_four_places_or_says_why_not(system: System) -> None:
    tested = system.tests or system.row in NAMED
    places = {"lesson": system.lessons, "view": system.views, "module": system.files, "test": tested}
    missing = [name for name, filled in places.items() if not filled]
    assert bool(missing) == bool(system.why), f"missing: {missing}; said: {system.why!r}"


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.row)
def test_what_a_row_names_exists(system: System) -> None:
    for number in system.lessons:
        assert len(list((ROOT / "notebooks").glob(f"{number}_*.ipynb"))) == 1
    assert set(system.views) <= set(widgets.__all__)
    assert [name for name in system.files if not (ROOT / "minitorch_lab" / name).is_file()] == []
    assert [name for name in system.tests if not (ROOT / "tests" / name).is_file()] == []


def test_every_view_and_every_lesson_is_in_the_index() -> None:
    of_any_system = {"View", "Chart"}  # a chart is any figure
    assert {name for system in SYSTEMS for name in system.views} >= set(widgets.__all__) - of_any_system
    lessons = {path.stem[:2] for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")}
    assert {number for system in SYSTEMS for number in system.lessons} == lessons


def test_the_page_links_what_it_names() -> None:
    text = systems.page(ROOT)
    assert "| B1 | Reverse mode | [03](lessons/03_backward.ipynb) | [Backward](views.md#backward) |" in text
    assert '| A15 | Edge runtime<br><span class="why">Not built yet.</span> |  |  |  |  |' in text
    linked = set(re.findall(r"\]\(code/(.+?)\)", text))
    assert linked == set(systems.code_pages(ROOT))
    assert "[`autograd/walk.py`](code/autograd/walk.md)" in text
