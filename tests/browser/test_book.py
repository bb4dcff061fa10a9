"""The book in a real browser: every page, as `make book` has written it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.browser import looks, matrix
from tests.browser.conftest import quiet_page
from tests.browser.server import Site, site
from tests.house.source import ROOT

pytestmark = pytest.mark.book

HTML = ROOT / "build" / "book" / "html"
PAGES = sorted(path.relative_to(HTML).as_posix() for path in HTML.rglob("*.html") if "_static" not in path.parts)
CODE = [page for page in PAGES if page.startswith(("_modules/", "code/"))]
WORDS = [page for page in PAGES if page not in CODE]
WEIGHT = 300_000  # bytes that a page without charts may load in all
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


@pytest.mark.family(3)
@pytest.mark.parametrize("name", WORDS)
def test_a_page_is_quiet_and_accessible_and_its_views_live(book: Site, page: Page, name: str) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(book.address(name))
    alive(page)
    page.emulate_media(reduced_motion="reduce")
    assert looks.violations(page, "body") == []
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert looks.violations(page, "body", "color-contrast") == [], "in the dark"
    page.set_viewport_size({"width": 320, "height": 900})
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "on a telephone"


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


@pytest.mark.family(3)
@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_draws_its_charts_and_hands_itself_out(book: Site, page: Page, name: str) -> None:
    page.goto(book.address(name))
    page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true })")  # answers are folded away
    for chart in page.locator("figure.chart").all():
        chart.scroll_into_view_if_needed()
        expect(chart.locator(".main-svg").first).to_be_visible(timeout=30_000)  # plotly is large
    with page.expect_download() as taken:
        page.get_by_role("link", name="Run this yourself").click()
    stem = Path(name).stem
    assert taken.value.path().read_bytes() == (ROOT / "notebooks" / f"{stem}.ipynb").read_bytes()


@pytest.mark.family(3)
@pytest.mark.parametrize("width", [700, 1400])
@pytest.mark.parametrize("name", ["index.html", "lessons/03_backward.html", "systems.html", "reference/nn.html"])
def test_no_page_is_wider_than_its_window(book: Site, page: Page, name: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(book.address(name))
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# ---- every view, as it stands in the book ----------------------------------------------------------------------------


@contextmanager
def views_page(browser: Browser, book: Site, **window: Any) -> Iterator[Page]:
    """The page of all views, in a window of its own."""
    page = browser.new_page(**window)
    page.goto(book.address("views.html"))
    expect(page.locator("minitorch-view .count").last).to_be_attached()
    yield page
    page.close()


@pytest.mark.family(3)
@pytest.mark.parametrize("theme", matrix.THEMES)
@pytest.mark.parametrize("width", matrix.WIDTHS)
def test_every_view_fits_into_the_book(book: Site, browser: Browser, width: int, theme: Any) -> None:
    with views_page(browser, book, viewport={"width": width, "height": 900}, color_scheme=theme) as page:
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        for view in page.locator("minitorch-view").all():
            matrix.fits(view)


def test_every_view_can_be_read_at_200_percent(book: Site, browser: Browser) -> None:
    with views_page(browser, book, **matrix.ZOOMED) as page:
        for view in page.locator("minitorch-view").all():
            matrix.can_be_read_zoomed(view)


def test_every_view_is_worked_by_keyboard_alone(book: Site, browser: Browser) -> None:
    with views_page(browser, book, viewport={"width": 1200, "height": 900}) as page:
        for view in page.locator("minitorch-view").all():
            matrix.by_keyboard(view)


def test_every_view_keeps_still_for_those_who_ask(book: Site, browser: Browser) -> None:
    with views_page(browser, book, viewport={"width": 1200, "height": 900}) as page:
        for view in page.locator("minitorch-view").all():
            matrix.keeps_still(view)


# ---- the book as a book ----------------------------------------------------------------------------------------------


def test_from_page_to_page_by_keyboard(book: Site, page: Page) -> None:
    """The first stop leads past the sidebar; Tab comes to a view, and out of it again."""
    page.goto(book.address("index.html"))
    page.keyboard.press("Tab")
    expect(page.locator("#pst-skip-link a")).to_be_focused()
    page.keyboard.press("Enter")
    inside = "() => document.activeElement?.localName === 'minitorch-view'"
    stops = [(page.keyboard.press("Tab"), page.evaluate(inside))[1] for _ in range(40)]
    assert True in stops
    assert stops[-1] is False


def test_the_search_finds_pages_and_says_where(book: Site, page: Page) -> None:
    page.goto(book.address("index.html"))
    page.keyboard.press("Control+k")
    expect(page.locator("dialog input[type=search]")).to_be_focused()
    page.keyboard.type("cotangent")
    page.keyboard.press("Enter")
    expect(page.locator("#search-results li").first).to_be_visible(timeout=30_000)
    assert page.locator("#search-results a", has_text="3. Backward").count() > 0
    expect(page.locator("#search-results .context").first).to_contain_text("cotangent", ignore_case=True)
    assert page.locator("#search-results a[href*='code/']").count() == 0
    assert page.locator("input[type=search]:visible").count() == 1


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
    for theme, paper in (("Dark", "rgb(21, 24, 30)"), ("Light", "rgb(255, 255, 255)")):
        page.get_by_role("button", name="Color mode").click()
        page.get_by_role("button", name=theme, exact=True).click()
        expect(page.locator("html")).to_have_attribute("data-theme", theme.lower())
        assert page.locator("minitorch-view .box").evaluate(colour) == paper


@pytest.mark.parametrize("name", ["index.html", "lessons/11_capture_guards_breaks.html", "views.html"])
def test_a_page_is_light(book: Site, page: Page, name: str) -> None:
    """The renderer once, no icons and no index of the search; compressed as any server does it."""
    heard: list[Response] = []
    page.on("response", lambda answer: heard.append(answer))
    page.goto(book.address(name), wait_until="networkidle")
    answers = {answer.url: len(gzip.compress(answer.body())) for answer in heard}
    assert sum("minitorch-view" in address for address in answers) == 1
    assert not [address for address in answers if "plotly" in address or "searchindex" in address]
    assert sum(answers.values()) <= WEIGHT, answers


def test_on_paper_there_is_the_lesson_and_nothing_else(book: Site, page: Page) -> None:
    page.goto(book.address("lessons/03_backward.html"))
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.hide").count() == page.locator("details.hide[open]").count() > 0
    for gone in (".bd-sidebar-primary", ".take", ".bd-header-article"):
        expect(page.locator(gone).first).to_be_hidden()
    assert page.locator("minitorch-view .sentences tr").count() > 50


def test_without_scripts_a_lesson_holds_its_transcripts(book: Site, browser: Browser) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(book.address("lessons/03_backward.html"))
    lines = page.locator("minitorch-view li")
    assert "`v2` now holds 3 + 2 = 5: the second arrival is added." in lines.all_text_contents()
    expect(lines.first).to_be_visible()
    page.close()
