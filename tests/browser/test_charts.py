"""A plotly figure on the clock of a view, in JupyterLab: its cursor follows the scrubber, a click moves the view."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import lab as driver
from tests.browser.conftest import watch
from tests.browser.lab import Lab, run_all, views

pytestmark = pytest.mark.browser

CELLS = ["from minitorch_lab.widgets import Chart, Memory", "chart = Chart(Memory())\nchart"]
CURSOR = "path.shape-line, .shapelayer path"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with driver.serve(tmp_path_factory.mktemp("charts"), tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture
def page(browser: Browser, lab: Lab) -> Iterator[Page]:
    path = lab.write("chart.ipynb", CELLS)
    opened = browser.new_page(viewport={"width": 1280, "height": 1200})
    faults = watch(opened)
    lab.open(opened, path.name)
    run_all(opened)
    yield opened
    lab.stop_kernels()
    opened.close()
    assert [fault for fault in faults if fault.startswith(("asked", "error"))] == []


def test_cursor_and_scrubber_go_together(page: Page) -> None:
    box, plot = views(page).first, page.locator(".js-plotly-plot").first
    expect(box).to_be_visible(timeout=driver.CELL_MS)
    expect(plot).to_be_visible(timeout=driver.CELL_MS)
    line = plot.locator(CURSOR).first
    expect(line).to_be_attached(timeout=driver.CELL_MS)
    before = line.get_attribute("d")
    box.press("End")
    expect(line).not_to_have_attribute("d", str(before))
    steps = int((page.locator(".count").first.inner_text()).split("/")[1])
    drag = plot.locator(".nsewdrag").first.bounding_box()
    assert drag is not None
    page.mouse.move(drag["x"] + drag["width"] * 0.5, drag["y"] + drag["height"] * 0.7)
    page.wait_for_timeout(300)  # plotly hovers at most so often
    page.mouse.click(drag["x"] + drag["width"] * 0.5, drag["y"] + drag["height"] * 0.7)
    expect(box).not_to_have_attribute("data-step", str(steps - 1))
    middle = int(box.get_attribute("data-step") or -1)
    assert abs(middle - (steps - 1) / 2) <= 1
