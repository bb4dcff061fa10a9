"""Every view of the family in JupyterLab, each in a cell of its own: it does there what it does on a bare page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from minitorch_lab.widgets.export import view_names
from tests.browser import lab as driver
from tests.browser import matrix
from tests.browser.conftest import watch

pytestmark = pytest.mark.browser

VIEWS = list(view_names())
HEIGHT = 900  # px: of the window
TABS = 3  # from a cell to its view: at most Lab's buttons for a cell are between


def cell(name: str) -> str:
    """The cell that shows a view."""
    return f"opened(view_names()[{name!r}])"


CELLS = [
    "from book.making.gallery import opened\nfrom minitorch_lab.widgets.export import view_names",
    *map(cell, VIEWS),
]


@pytest.fixture(scope="module")
def notebook(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, list[str]]]:
    """A notebook of all views, which has been run, on a screen that can zoom; and what its page has complained of."""
    page = browser.new_page(**matrix.ZOOMED)
    faults = watch(page)
    with driver.serve(tmp_path_factory.mktemp("family"), tmp_path_factory.mktemp("home")) as lab:
        lab.open(page, lab.write("family.ipynb", CELLS).name)
        page.evaluate("jupyterapp.shell.collapseLeft()")
        driver.run_all(page)
        driver.finished(page)
        expect(driver.hosts(page).locator(".count")).to_have_count(len(VIEWS), timeout=driver.CELL_MS)
        yield page, faults
        page.close()


@pytest.fixture
def page(notebook: tuple[Page, list[str]]) -> Iterator[Page]:
    opened, faults = notebook
    yield opened
    opened.emulate_media(reduced_motion="no-preference")
    said = faults.copy()
    faults.clear()
    assert said == []


def view(page: Page, name: str) -> Locator:
    """The view of this name."""
    return driver.hosts(page).nth(VIEWS.index(name))


@pytest.mark.family(3)
@pytest.mark.parametrize("name", VIEWS)  # all views of one window, then the next window
@pytest.mark.parametrize("width", matrix.WIDTHS)
def test_it_fits_and_its_height_stays(page: Page, name: str, width: int) -> None:
    driver.resize(page, width, HEIGHT)
    matrix.fits(view(page, name))


@pytest.mark.family(3)
@pytest.mark.parametrize("name", VIEWS)
def test_zoomed_to_200_percent_it_can_be_read(page: Page, name: str) -> None:
    driver.resize(page, **matrix.ZOOMED["viewport"])
    matrix.can_be_read_zoomed(view(page, name))


@pytest.mark.family(3)
@pytest.mark.parametrize("name", VIEWS)
def test_by_keyboard_alone(page: Page, name: str) -> None:
    """From the cell, Tab comes to its view; what is pressed there is for the view, and Lab does nothing."""
    driver.resize(page, 1200, HEIGHT)
    driver.select(page, CELLS.index(cell(name)))
    before, box = driver.standing(page), view(page, name).locator(".box")
    for _ in range(TABS):
        page.keyboard.press("Tab")
        if box.evaluate("(box) => box.getRootNode().activeElement === box"):
            break
    expect(box).to_be_focused()
    matrix.by_keyboard(view(page, name))
    assert driver.standing(page) == before


@pytest.mark.family(3)
@pytest.mark.parametrize("name", VIEWS)
def test_with_reduced_motion_nothing_moves(page: Page, name: str) -> None:
    driver.resize(page, 1200, HEIGHT)
    matrix.keeps_still(view(page, name))


@pytest.mark.family(3)
@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("theme", matrix.THEMES)
def test_axe_finds_nothing(page: Page, name: str, theme: str) -> None:
    driver.resize(page, 1200, HEIGHT)
    driver.theme(page, theme.capitalize())
    with driver.uncut(page):
        matrix.is_accessible(view(page, name))
