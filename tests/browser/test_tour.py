"""The tour in JupyterLab, as a newcomer runs it: digits are learned, plots drawn, a changed line changes the view."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import lab as driver
from tests.browser.conftest import watch
from tests.browser.lab import Lab, run_all, theme

pytestmark = pytest.mark.browser

TOUR = Path(__file__).parents[2] / "notebooks/00_tour.ipynb"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    course = tmp_path_factory.mktemp("course")
    shutil.copy(TOUR, course)
    with driver.serve(course, tmp_path_factory.mktemp("home")) as running:
        yield running


def test_the_tour_from_top_to_bottom(lab: Lab, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    faults = watch(page)
    lab.open(page, TOUR.name)
    start = time.monotonic()
    run_all(page)
    driver.finished(page)
    assert time.monotonic() - start < 60
    cells = cells_of(page)
    assert [o for cell in cells.values() for o in cell.get("outputs", []) if o["output_type"] == "error"] == []
    assert "reads at least 97 of 100 held-out digits: True" in cells["accuracy"]["outputs"][0]["text"]
    for name in ("digits-picture", "training", "mistakes"):
        go_to(page, name)
        expect(page.locator(".jp-mod-active .js-plotly-plot .main-svg").first).to_be_visible()
    for name in ("tape", "backward", "real-tape", "real-backward"):
        go_to(page, name)
        last = reaches_its_end(page)
        assert last >= 8, name
    a_changed_line_changes_the_view(page)
    for colours in ("Dark", "Light"):
        theme(page, colours)
    assert [f for f in faults if f.startswith(("asked", "error"))] == []
    page.close()


def cells_of(page: Page) -> dict[str, Any]:
    """The cells of the open notebook, by id, with what they show now."""
    notebook = page.evaluate("jupyterapp.shell.currentWidget.content.model.sharedModel.toJSON()")
    return {cell["id"]: cell for cell in notebook["cells"]}


def go_to(page: Page, name: str) -> None:
    """Make a cell the active one, and bring it into the window."""
    page.evaluate(
        "(name) => { const all = jupyterapp.shell.currentWidget.content;"
        " all.activeCellIndex = all.widgets.findIndex(({ model }) => model.id === name);"
        " return all.scrollToItem(all.activeCellIndex, 'start') }",
        name,
    )


def reaches_its_end(page: Page) -> int:
    """Step the view of the active cell to its last step, and return its number."""
    box = page.locator(".jp-mod-active .box")
    expect(box).to_be_visible(timeout=driver.CELL_MS)
    last = int(box.locator(".range").get_attribute("max") or 0)
    box.press("End")
    expect(box).to_have_attribute("data-step", str(last))
    return last


def a_changed_line_changes_the_view(page: Page) -> None:
    go_to(page, "change")
    before = reaches_its_end(page)
    page.evaluate(
        "() => { const shared = jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel;"
        " shared.setSource(shared.getSource().replace('miss_1**2  #', 'miss_1**2 + 0.1 * w**2  #')) }"
    )
    driver.do(page, "notebook:run-cell")
    driver.finished(page)
    expect(page.locator(".jp-mod-active .box .range")).not_to_have_attribute("max", str(before))
    go_to(page, "change-grad")
    driver.do(page, "notebook:run-cell")
    driver.finished(page)
    assert "-0.7795" in cells_of(page)["change-grad"]["outputs"][0]["text"]
