"""Exported pages in a real browser: from a file, under a strict policy, in a sandboxed iframe, as a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import minitorch_lab as ml
from minitorch_lab.widgets.export import export, make_view, takes, view_names
from tests.browser import looks
from tests.browser.conftest import watch
from tests.browser.server import Site, site

pytestmark = pytest.mark.browser

VIEWS = view_names()
# Nothing but files of the page's own host: no inline script, no inline style, no eval, no fonts, no frames, no forms.
STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'"
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Site]:
    """A server of a folder, which sends the strict policy with every file."""
    with site(tmp_path, {"Content-Security-Policy": STRICT}) as running:
        yield running


@pytest.fixture
def quiet(browser: Browser) -> Iterator[Callable[[], Page]]:
    """New pages, which at the end must have been quiet."""
    opened: list[tuple[Page, list[str]]] = []

    def new() -> Page:
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        opened.append((page, watch(page)))
        return page

    yield new
    for page, faults in opened:
        page.close()
        assert faults == []


def exported(name: str, folder: Path) -> Path:
    """The page of a view, of its worked example or, where it must be given recordings, of the example of Memory."""
    with ml.record() as rec:
        (ml.ones(3, requires_grad=True) * 2).sum().backward()
    return export([make_view(name, [rec] * takes(VIEWS[name])[0])], folder)


def moves(where: Any) -> None:
    """The view stands, and a step moves it."""
    expect(where.locator(".count")).to_be_visible()
    where.locator(".next").click()
    expect(where.locator(".box").first).to_have_attribute("data-step", "1")


@pytest.mark.parametrize("name", VIEWS)
def test_from_a_file_and_under_a_strict_policy(
    server: Site, quiet: Callable[[], Page], tmp_path: Path, name: str
) -> None:
    path = exported(name, tmp_path)
    for address in (path.as_uri(), server.address("index.html")):
        page = quiet()
        page.goto(address)
        moves(page)
        for step in range(page.evaluate("document.querySelector('minitorch-view').steps")):
            page.evaluate(f"document.querySelector('minitorch-view').step = {step}")
    page.locator(".transcript summary").click()
    page.locator(".box").press("/")


@pytest.mark.parametrize("name", ["lab", "backward"])
def test_in_a_sandboxed_frame_it_says_how_high_it_is(
    server: Site, quiet: Callable[[], Page], tmp_path: Path, name: str
) -> None:
    view = exported(name, tmp_path)
    view.write_text(view.read_text("utf-8").replace("<minitorch-view", "<minitorch-view embed"), "utf-8")
    (tmp_path / "course.html").write_text(
        '<!doctype html><title>A course</title><link rel="icon" href="data:,">'
        '<iframe src="index.html" title="A view" sandbox="allow-scripts" width="700" height="200"></iframe>'
        '<script src="course.js"></script>'
    )
    (tmp_path / "course.js").write_text(
        'addEventListener("message", ({ data, source }) => {'
        ' const frame = document.querySelector("iframe");'
        ' if (source === frame.contentWindow && data.type === "minitorch-view") frame.height = data.height; });'
    )
    with site(tmp_path, {"Content-Security-Policy": STRICT + "; frame-src 'self'"}) as outer:
        page = quiet()
        page.goto(outer.address("course.html"))
        inside = page.frame_locator("iframe")
        moves(inside)
        page.wait_for_function("document.querySelector('iframe').height > 300")
        fits = "document.documentElement.scrollHeight <= innerHeight"
        assert page.frames[1].evaluate(fits), "the frame has no scroll bar of its own"
        top = page.evaluate("scrollY")
        page.keyboard.press("End")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("scrollY") == top, "its keys do not move the page around it"


def test_as_a_module_for_anywidget(server: Site, quiet: Callable[[], Page], tmp_path: Path) -> None:
    """What Jupyter Book 2 does with {anywidget}: import the module, and call render with a model of the JSON body."""
    exported("memory", tmp_path)
    (tmp_path / "page.html").write_text(
        '<!doctype html><title>A book</title><link rel="icon" href="data:,"><div id="here"></div>'
        '<script type="module" src="host.mjs"></script>'
    )
    (tmp_path / "host.mjs").write_text(
        'import widget from "./memory.mjs";\n'
        'const body = { step: 2 }, el = document.getElementById("here");\n'
        "const model = { get: (k) => body[k], set() {}, on() {}, off() {}, save_changes() {} };\n"
        "globalThis.stop = await widget.render({ model, el });\n"
    )
    page = quiet()
    page.goto(server.address("page.html"))
    expect(page.locator(".box")).to_have_attribute("data-step", "2")
    page.evaluate("stop()")
    expect(page.locator(".box")).to_have_count(0)


def test_views_of_one_recording_move_together(quiet: Callable[[], Page], tmp_path: Path) -> None:
    with ml.record() as rec:
        (ml.ones(3, requires_grad=True) * 2).sum().backward()
    export([make_view("tape", [rec]), make_view("memory", [rec])], tmp_path)
    page = quiet()
    with site(tmp_path) as running:
        page.goto(running.address("index.html"))
        assert looks.violations(page) == []
    page.locator(".box").first.press("End")
    expect(page.locator(".box").nth(1)).to_have_attribute(
        "data-step", page.locator(".range").nth(1).get_attribute("max") or ""
    )


def test_its_colours_can_be_set_and_its_events_heard(quiet: Callable[[], Page], tmp_path: Path) -> None:
    path = exported("tape", tmp_path)
    page = quiet()
    page.goto(path.as_uri())
    page.add_style_tag(content="minitorch-view { --bg: rgb(255, 250, 240); --fg: rgb(1, 2, 3) }")
    colours = page.locator(".box").evaluate("e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]")
    assert colours == ["rgb(255, 250, 240)", "rgb(1, 2, 3)"]
    page.evaluate(
        "() => { globalThis.heard = [];"
        " for (const type of ['step', 'select']) document.querySelector('minitorch-view')"
        ".addEventListener(type, (event) => heard.push([type, event.detail])); }"
    )
    page.locator(".next").click()
    page.locator("[data-id^='o']").first.click()
    chosen = page.locator("[data-id^='o']").first.get_attribute("data-id")
    assert page.evaluate("heard") == [["step", {"step": 1}], ["select", {"id": chosen}]]
