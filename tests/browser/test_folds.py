"""Layers that repeat, in a real browser: opened by click and by key, found by search, seen whole by zoom."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from minitorch_lab.widgets.laboratory import lab_scene
from tests.browser import looks
from tests.browser.conftest import OpenPage
from tests.browser.scenes import example
from tests.widgets.gpt import gpt_step

pytestmark = pytest.mark.browser
BUDGET = {False: 200, True: 620}  # changes a seek, with all boxes folded and with one open

BOX = ".pictures .node.fold"


@pytest.fixture(scope="module")
def gpt() -> dict[str, Any]:
    return lab_scene(gpt_step())


def walk(page: Page) -> list[int]:
    """The steps at which a reader stops who goes from start to end by →."""
    page.locator(".box").first.focus()
    page.keyboard.press("Home")
    stops: list[int] = page.evaluate(
        """() => { const view = document.querySelector('minitorch-view'), root = view.shadowRoot, stops = [view.step];
        while (view.step < view.steps - 1) { root.querySelector('.next').click(); stops.push(view.step); }
        return stops; }"""
    )
    return stops


def test_twelve_layers_are_one_box_and_few_steps(show: OpenPage, gpt: dict[str, Any]) -> None:
    page = show(gpt, width=1100)
    expect(page.locator(BOX)).to_have_count(1)
    assert page.locator(".graph .node").count() < 40
    closed = walk(page)
    assert len(closed) < 60
    page.locator(BOX).click()
    expect(page.locator(".inset")).to_be_visible()
    opened = walk(page)
    assert opened == list(range(len(gpt["steps"])))
    assert set(closed) < set(opened)
    expect(page.locator(".say")).to_contain_text("are written in place")


def test_by_keyboard_a_box_opens_and_closes(show: OpenPage) -> None:
    page = show(example("folded"), width=900)
    page.locator(".box").focus()
    for _ in range(40):
        page.keyboard.press("ArrowDown")
        if page.evaluate("document.querySelector('minitorch-view').shadowRoot.activeElement.dataset.id") == "z1":
            break
    page.keyboard.press("Enter")
    expect(page.locator(".inset")).to_be_visible()
    expect(page.locator(BOX)).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Enter")
    expect(page.locator(".inset")).to_be_hidden()


def test_search_finds_what_is_folded_away_and_opens_it_there(show: OpenPage, gpt: dict[str, Any]) -> None:
    page = show(gpt, width=1100)
    page.locator(".box").press("/")
    page.keyboard.type("blocks.7.qkv.weight")
    page.keyboard.press("Enter")
    expect(page.locator(".inset .panel-title")).to_have_text("blocks.7")
    lit = page.locator(".inset .node.param[data-lit='lead']")
    expect(lit).to_have_count(1)
    expect(lit).to_be_in_viewport()
    expect(page.locator(".aloud")).to_contain_text("blocks.7.qkv.weight")


@pytest.mark.parametrize("width", [320, 700, 1400])
def test_an_open_box_fits_and_the_height_stays(show: OpenPage, width: int) -> None:
    page = show(example("folded"), width=width)
    page.locator(BOX).dispatch_event("click")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tall = looks.height(page)
    for step in range(0, page.evaluate("document.querySelector('minitorch-view').steps"), 7):
        page.evaluate(f"document.querySelector('minitorch-view').step = {step}")
        assert looks.height(page) == tall, f"step {step}"
        assert looks.crowded(looks.view(page)) == [], f"step {step}"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_an_open_box(show: OpenPage, theme: str) -> None:
    page = show(example("folded"), theme, width=1100, step=60)
    page.locator(BOX).click()
    assert looks.violations(page) == []


def test_zoom_shows_all_and_keeps_the_middle(show: OpenPage, gpt: dict[str, Any]) -> None:
    page = show(gpt, width=1100)
    window, zoom = page.locator(".window").first, page.locator(".zoom").first
    zoom.get_by_role("button", name="Show the whole picture").click()
    box = window.locator(".pic").bounding_box()
    assert box is not None
    for end in ("loss", "ids"):
        node = window.locator(".node", has_text=end).first.bounding_box()
        assert node is not None
        assert box["x"] <= node["x"] < node["x"] + node["width"] <= box["x"] + box["width"] + 1, end
    tall = looks.height(page)
    zoom.locator("button").nth(1).click()
    assert looks.height(page) == tall
    page.evaluate("document.querySelector('minitorch-view').select('t3')")
    before = window.locator(".node[data-id='t3']").bounding_box()
    zoom.get_by_role("button", name="Larger").click()
    after = window.locator(".node[data-id='t3']").bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] == pytest.approx(1.5 * before["width"], rel=0.05)
    assert box["x"] <= after["x"] <= box["x"] + box["width"]


def test_ten_thousand_events_do_not_stutter(show: OpenPage) -> None:
    """Seventeen layers: 10,000 events. A seek changes what is in sight; `bench views` has the milliseconds."""
    rec = gpt_step(17)
    assert len(rec) > 10_000
    page = show(lab_scene(rec), width=1100)
    last = page.evaluate("document.querySelector('minitorch-view').steps") - 1
    for opened in (False, True):
        if opened:
            page.locator(BOX).click()
        counts = looks.seek_changes(looks.view(page), [(k * 7919) % last for k in range(1, 25)])
        print(f"\nseek, open {opened}: {sorted(counts)[len(counts) // 2]} changes, at most {max(counts)}", end=" ")
        assert max(counts) <= BUDGET[opened]
