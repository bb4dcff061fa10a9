"""Every view of the family in a real browser: what all of them must do, whatever they show."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from minitorch_lab.widgets.laboratory import lab_scene
from minitorch_lab.widgets.page import STATIC
from tests.browser import looks, matrix
from tests.browser.conftest import OpenPage, watch
from tests.browser.scenes import example
from tests.widgets.block import compiled_step

pytestmark = pytest.mark.browser

VIEWS = [
    "memory", "timeline", "strides", "modules", "source", "compare", "fusion", "tiling", "capture", "partition",
    "pipeline", "arena", "lab", "folded",
]  # fmt: skip
BUDGET = 90_000  # bytes, gzipped


@pytest.mark.parametrize("name", ["view.js", "minitorch-view.js", "minitorch-view.mjs"])
def test_all_views_together_are_small(name: str) -> None:
    size = len(gzip.compress((STATIC / name).read_bytes(), 9, mtime=0))
    assert size <= BUDGET, f"{name} is {size:,} bytes"


@pytest.mark.family(3)
@pytest.mark.parametrize("theme", matrix.THEMES)
@pytest.mark.parametrize("name", VIEWS)
def test_axe_finds_nothing(show: OpenPage, name: str, theme: str) -> None:
    matrix.is_accessible(looks.view(show(example(name), theme, width=1100)))


@pytest.mark.family(3)
@pytest.mark.parametrize("width", matrix.WIDTHS)
@pytest.mark.parametrize("name", VIEWS)
def test_it_fits_and_its_height_stays(show: OpenPage, name: str, width: int) -> None:
    matrix.fits(looks.view(show(example(name), width=width)))


@pytest.mark.family(3)
@pytest.mark.parametrize("name", VIEWS)
def test_zoomed_to_200_percent_it_can_be_read(show: OpenPage, name: str) -> None:
    matrix.can_be_read_zoomed(looks.view(show(example(name), width=1280, zoom=2)))


@pytest.mark.family(3)
@pytest.mark.parametrize("width", [700, 1280])
@pytest.mark.parametrize("name", [*VIEWS, "backward", "inplace"])
def test_at_twice_its_size_nothing_overlaps_and_no_control_is_lost(show: OpenPage, name: str, width: int) -> None:
    """Zoom of 200 %: a window of half as many pixels, each twice as large; and what a page does to itself by CSS."""
    page = show(example(name), width=width, zoom=2)
    page.emulate_media(reduced_motion="reduce")  # what moves may cross what stands, on its way
    view = looks.view(page)
    last = matrix.steps(view) - 1
    for step in (0, last // 2, last):
        looks.seek(view, step)
        assert looks.wider(view) <= 0, f"step {step}"
        assert looks.crowded(view) == [], f"step {step}"
        assert looks.lost(view) == [], f"step {step}"


@pytest.mark.family(3)
@pytest.mark.parametrize("name", [*VIEWS, "backward"])
def test_in_a_page_that_zooms_by_css(show: OpenPage, name: str) -> None:
    page = show(example(name), width=1280)
    page.add_style_tag(content="html { zoom: 2 } main { width: auto !important }")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert looks.crowded(looks.view(page)) == []
    assert looks.lost(looks.view(page)) == []


@pytest.mark.family(3)
@pytest.mark.parametrize("name", VIEWS)
def test_by_keyboard_alone(show: OpenPage, name: str) -> None:
    matrix.by_keyboard(looks.view(show(example(name), width=900)))


@pytest.mark.family(3)
@pytest.mark.parametrize("name", VIEWS)
def test_with_reduced_motion_nothing_moves(show: OpenPage, name: str) -> None:
    matrix.keeps_still(looks.view(show(example(name))))


@pytest.mark.family(3)
@pytest.mark.parametrize("name", VIEWS)
def test_under_a_strict_content_security_policy(browser: Browser, served: Any, name: str) -> None:
    """No inline script, no inline style, no eval: in an iframe, from the page's own files."""
    policy = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; frame-src 'self'"
    body = '<body><minitorch-view src="view.json"></minitorch-view><script src="minitorch-view.js"></script>'
    address = served(example(name), f'<meta http-equiv="Content-Security-Policy" content="{policy}">{body}')
    page = browser.new_page()
    faults = watch(page)
    page.goto(address)
    expect(page.locator(".count")).to_be_visible()
    page.locator(".next").click()
    assert looks.at(page) == 1
    page.close()
    assert faults == []


@pytest.mark.parametrize("scene", [lambda: example("lab"), lambda: lab_scene(compiled_step())], ids=["mlp", "block"])
def test_every_id_lights_up_in_every_picture_that_has_it(show: OpenPage, scene: Any) -> None:
    """The walk through all ids of the laboratory: what the scene links is lit, and nothing else."""
    scene = scene()
    page = show(scene, width=1100)
    wrong = page.evaluate(
        """(links) => {
        const view = document.querySelector('minitorch-view'), root = view.shadowRoot, faults = [];
        const drawn = new Set([...root.querySelectorAll('[data-id]')].map((e) => e.dataset.id));
        for (const id of drawn) {
            view.select(id);
            const want = new Set([id, ...(links[id] ?? [])].filter((other) => drawn.has(other)));
            const lit = new Set([...root.querySelectorAll('[data-lit]')].map((e) => e.dataset.id));
            if ([...want].some((w) => !lit.has(w)) || [...lit].some((l) => !want.has(l))) faults.push(id);
        }
        return faults; }""",
        scene["links"],
    )
    assert wrong == []


@pytest.mark.parametrize("start", ["line", "op", "block", "run"])
def test_line_op_block_and_run_meet_from_everywhere(show: OpenPage, start: str) -> None:
    page = show(example("lab"), width=1100)
    links = example("lab")["links"]
    memory = next(panel for panel in example("lab")["panels"] if panel["kind"] == "memory")
    block = next(b["id"] for b in memory["blocks"] if b["name"] == "h")
    line, op = "l1", next(id for id in links[block] if id.startswith("o"))
    ids = {"line": line, "op": op, "block": block, "run": f"r:{op}"}
    page.evaluate(f"document.querySelector('minitorch-view').select('{ids[start]}')")
    for what, id in ids.items():
        lit = page.locator(f"[data-id='{id}'][data-lit]")
        assert lit.count() > 0, f"{start} lights no {what}"
