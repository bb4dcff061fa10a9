"""A view in JupyterLab: keys and scrubber, the step in Python and back, both themes, saved and opened again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import lab as driver
from tests.browser.conftest import watch
from tests.browser.lab import Lab, run_all, run_cell, theme, views
from tests.browser.scenes import EXAMPLES

pytestmark = pytest.mark.browser

CELLS = [
    "import json; from pathlib import Path; from minitorch_lab.widgets import View",
    f"view = View(scene=json.loads(Path({str(EXAMPLES / 'backward.json')!r}).read_text('utf-8')))\nview",
    "print('step', view.step)",
    "view.step = 1",
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with driver.serve(tmp_path_factory.mktemp("course"), tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1280, "height": 1000})
    yield opened
    opened.close()


def test_a_view_in_a_notebook_lives_is_saved_and_comes_back(lab: Lab, browser: Browser, page: Page) -> None:
    path = lab.write("view.ipynb", CELLS)
    faults = watch(page)
    lab.open(page, path.name)
    run_all(page)
    box = views(page).first
    expect(box).to_be_visible(timeout=driver.CELL_MS)

    steps_by_key_and_scrubber(page)
    arrives_in_python(page, "step 10")
    run_cell(page, 3)
    expect(box).to_have_attribute("data-step", "1")
    follows_both_themes(page)

    box.press("End")
    arrives_in_python(page, "step 13")
    page.wait_for_function("jupyterapp.shell.currentWidget.context.model.dirty")
    driver.do(page, "docmanager:save")
    assert [f for f in faults if f.startswith(("asked", "error"))] == []
    lab.stop_kernels()
    lab.trust(path)
    comes_back(lab, browser, path)


def steps_by_key_and_scrubber(page: Page) -> None:
    """The keys act on the view, and Lab's own shortcuts for them stay quiet."""
    box = views(page).first
    box.scroll_into_view_if_needed()
    box.press("Home")
    active = page.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex")
    keys = {"ArrowRight": 1, "End": 13, "ArrowLeft": 12, "[": 5, "ArrowDown": 5, "ArrowUp": 5}
    for key, step in keys.items():
        page.keyboard.press(key)
        expect(box).to_have_attribute("data-step", str(step))
    box.press("Space")
    expect(page.locator(".play")).to_have_attribute("aria-label", "Pause")
    box.press("Space")
    assert page.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex") == active
    assert page.locator(".jp-Notebook .jp-CodeCell").count() == len(CELLS)
    track = page.locator(".range").bounding_box()
    assert track is not None
    page.mouse.click(track["x"] + track["width"] * 10.5 / 14, track["y"] + track["height"] / 2)
    expect(box).to_have_attribute("data-step", "10")


def arrives_in_python(page: Page, text: str) -> None:
    """The view tells the kernel a moment after the last of several quick steps."""
    for _ in range(10):
        said = run_cell(page, 2)
        if text in said:
            return
    raise AssertionError(f"Python did not hear of {text}; it says {said}")


def follows_both_themes(page: Page) -> None:
    colours = {}
    for name in ("Dark", "Light"):
        theme(page, name)
        colours[name] = views(page).first.evaluate("e => getComputedStyle(e).backgroundColor")
        assert driver.violations(page) == [], name
    assert colours == {"Dark": "rgb(21, 24, 30)", "Light": "rgb(255, 255, 255)"}


def comes_back(lab: Lab, browser: Browser, path: Path) -> None:
    """Opened again, nothing run: the view stands at the step where it was left, and works."""
    again = browser.new_page(viewport={"width": 1280, "height": 1000})
    lab.open(again, path.name)
    box = views(again).first
    expect(box).to_have_attribute("data-step", "13", timeout=driver.CELL_MS)
    assert again.locator(".jp-InputPrompt").first.inner_text().strip() == "[1]:"
    box.press("Home")
    expect(box).to_have_attribute("data-step", "0")
    again.close()
