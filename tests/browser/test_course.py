"""The notebooks of the course in JupyterLab: all cells run, every view steps, in both themes, and comes back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import lab as driver
from tests.browser.conftest import watch
from tests.browser.lab import Lab, run_all, theme, views

pytestmark = pytest.mark.browser

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    course = tmp_path_factory.mktemp("course") / "notebooks"
    shutil.copytree(NOTEBOOKS, course)
    with driver.serve(course, tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.mark.parametrize(
    "name",
    [
        "02_the_tape.ipynb",
        "03_backward.ipynb",
        "04_forward_and_reverse.ipynb",
        "05_autograd_internals.ipynb",
        "06_memory_and_checkpointing.ipynb",
        "07_function_transforms.ipynb",
        "08_modules_and_state.ipynb",
        "09_training_and_precision.ipynb",
        "10_execution_models.ipynb",
        "11_capture_guards_breaks.ipynb",
        "12_joint_graph_and_partition.ipynb",
        "13_graph_optimisation.ipynb",
        "14_fusion_and_codegen.ipynb",
        "15_memory_planning.ipynb",
        "17_allocator_and_memory.ipynb",
        "18_anatomy_of_a_training_step.ipynb",
    ],
)
def test_a_lesson_runs_and_its_views_step(lab: Lab, browser: Browser, name: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    faults = watch(page)
    lab.open(page, name)
    run_all(page)
    driver.finished(page)
    assert page.locator("[data-mime-type='application/vnd.jupyter.error']").all_inner_texts() == []
    assert views(page).count() > 0
    for k in range(views(page).count()):
        steps(page, views(page).nth(k))
    for colours in ("Dark", "Light"):
        theme(page, colours)
        assert driver.violations(page) == [], colours
    assert [f for f in faults if f.startswith(("asked", "error"))] == []
    comes_back(lab, page, name)
    page.close()


def comes_back(lab: Lab, page: Page, name: str) -> None:
    """Saved, trusted and opened again without running anything: all views are there and step."""
    count = views(page).count()
    driver.do(page, "docmanager:save")
    lab.stop_kernels()
    lab.trust(lab.folder / name)
    lab.open(page, name)
    expect(views(page)).to_have_count(count, timeout=driver.CELL_MS)
    for k in (0, count - 1):
        views(page).nth(k).press("End")
        expect(views(page).nth(k)).to_have_attribute(
            "data-step", views(page).nth(k).locator(".range").get_attribute("max") or ""
        )


def steps(page: Page, box: Locator) -> None:
    """By key to the end and back, by the scrubber into the middle."""
    box.scroll_into_view_if_needed()
    last = int(box.locator(".range").get_attribute("max") or 0)
    box.press("End")
    expect(box).to_have_attribute("data-step", str(last))
    box.press("ArrowLeft")
    expect(box).to_have_attribute("data-step", str(max(last - 1, 0)))
    box.locator(".range").scroll_into_view_if_needed()  # a view with two layers is taller than the notebook's window
    track = box.locator(".range").bounding_box()
    assert track is not None
    middle = last // 2
    page.mouse.click(track["x"] + track["width"] * (middle + 0.5) / (last + 1), track["y"] + track["height"] / 2)
    expect(box).to_have_attribute("data-step", str(middle))
