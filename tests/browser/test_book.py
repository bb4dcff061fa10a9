"""The book in a real browser: every page, as `make book` has written it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import looks
from tests.browser.conftest import quiet_page
from tests.browser.server import Site, site
from tests.house.source import ROOT

pytestmark = pytest.mark.book

HTML = ROOT / "build" / "book" / "html"
PAGES = sorted(path.relative_to(HTML).as_posix() for path in HTML.rglob("*.html") if "_static" not in path.parts)
CODE = [page for page in PAGES if page.startswith("_modules/")]
WORDS = [page for page in PAGES if page not in CODE]
LESSONS = [page for page in WORDS if page.startswith("lessons/")]


@pytest.fixture(scope="module")
def book() -> Iterator[Site]:
    assert PAGES, "There is no book in build/book/html: `make book` writes it."
    with site(HTML) as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with quiet_page(browser, 1200, 900) as opened:
        yield opened


def test_there_is_a_book_of_every_lesson(book: Site) -> None:
    lessons = {path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")}
    assert {Path(page).stem for page in LESSONS} == lessons
    assert {"index.html", "views.html", "systems.html", "glossary.html", "embedding.html", "search.html"} <= set(WORDS)


@pytest.mark.parametrize("name", WORDS)
def test_a_page_is_quiet_and_accessible_and_its_views_live(book: Site, page: Page, name: str) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(book.address(name))
    alive(page)
    page.emulate_media(reduced_motion="reduce")
    assert looks.violations(page, "body") == []
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert looks.violations(page, "body", "color-contrast") == [], "in the dark"


def alive(page: Page) -> None:
    """Every view of the page takes a step, and shows its words."""
    page.wait_for_load_state()
    stuck = page.evaluate(
        """async () => {
        const views = [...document.querySelectorAll("minitorch-view")], stuck = [];
        for (const view of views) {
            const box = view.shadowRoot?.querySelector(".box"), last = view.steps - 1;
            if (last < 0) { stuck.push(`${view.id}: ${box?.textContent}`); continue; }
            view.step = last;
            if (box.dataset.step !== String(last)) stuck.push(view.id);
        }
        return stuck; }"""
    )
    assert stuck == []


def test_the_code_of_the_package_is_there_and_quiet(book: Site, page: Page) -> None:
    assert len(CODE) > 50
    for name in CODE[::8]:
        page.goto(book.address(name))
    assert looks.violations(page, "body") == []


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_draws_its_charts_and_hands_itself_out(book: Site, page: Page, name: str) -> None:
    page.goto(book.address(name))
    for chart in page.locator("figure.chart").all():
        chart.scroll_into_view_if_needed()
        expect(chart.locator(".main-svg").first).to_be_visible()
    with page.expect_download() as taken:
        page.get_by_role("link", name="Run this yourself").click()
    stem = Path(name).stem
    assert taken.value.path().read_bytes() == (ROOT / "notebooks" / f"{stem}.ipynb").read_bytes()


@pytest.mark.parametrize("width", [320, 700, 1400])
@pytest.mark.parametrize("name", ["index.html", "lessons/03_backward.html", "systems.html", "reference/nn.html"])
def test_no_page_is_wider_than_its_window(book: Site, page: Page, name: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(book.address(name))
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_opened_as_a_file_it_works_and_can_be_searched(book: Site, page: Page) -> None:
    page.goto((HTML / "index.html").as_uri())
    box = page.locator("minitorch-view .box")
    box.press("ArrowRight")
    expect(box).to_have_attribute("data-step", "11")
    page.goto((HTML / "search.html").as_uri() + "?q=cotangent")
    expect(page.locator("#search-results li").first).to_be_visible()
    assert page.locator("#search-results a", has_text="3. Backward").count() > 0


def test_the_views_follow_the_theme_of_the_book(book: Site, page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(book.address("index.html"))
    colour = "e => getComputedStyle(e).backgroundColor"
    seen = set()
    for _ in range(3):  # the button goes round: auto, light, dark
        page.locator(".theme-switch-button").first.click()
        theme = page.evaluate("document.documentElement.dataset.theme")
        seen.add(theme)
        white = {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 30)"}[theme]
        expect(page.locator("minitorch-view .box")).to_have_js_property("isConnected", True)
        assert page.locator("minitorch-view .box").evaluate(colour) == white
    assert seen == {"light", "dark"}


def test_on_paper_there_is_the_lesson_and_nothing_else(book: Site, page: Page) -> None:
    page.goto(book.address("lessons/03_backward.html"))
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for gone in (".bd-sidebar-primary", ".take", ".bd-header-article"):
        expect(page.locator(gone).first).to_be_hidden()
    assert page.locator("minitorch-view .sentences tr").count() > 50


def test_without_scripts_a_lesson_holds_its_transcripts(book: Site, browser: Browser) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(book.address("lessons/03_backward.html"))
    expect(page.get_by_text("`v2` now holds 3 + 2 = 5: the second arrival is added.").first).to_be_visible()
    page.close()
