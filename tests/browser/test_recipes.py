"""The recipes of book/embedding.md, as they stand there, in a real browser."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from minitorch_lab.widgets.export import export, make_view
from tests.browser.conftest import quiet_page
from tests.browser.server import Site, site
from tests.house.source import ROOT

pytestmark = pytest.mark.browser

TEXT = (ROOT / "book" / "embedding.md").read_text("utf-8")
REVEAL = ROOT / "widgets" / "node_modules" / "reveal.js" / "dist"
HEAD = '<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>A page</title>'


def recipe(heading: str, language: str) -> list[str]:
    """The blocks of code in that language under a heading."""
    part = TEXT.split(f"### {heading}\n")[1].partition("\n### ")[0]
    return re.findall(rf"^(?P<fence>`{{3,}}){language}\n(?P<code>.*?)^(?P=fence)$", part, re.DOTALL | re.MULTILINE)


def blocks(heading: str, language: str) -> list[str]:
    return [code for _, code in recipe(heading, language)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a reader has put the files of an exported view."""
    export([make_view("memory", [])], tmp_path)
    return tmp_path


@pytest.fixture
def server(folder: Path) -> Iterator[Site]:
    with site(folder) as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with quiet_page(browser, 1000, 800) as opened:
        yield opened


def opens(page: Page, server: Site, folder: Path, body: str) -> None:
    """Write a page with this body, and open it."""
    (folder / "page.html").write_text(HEAD + body, "utf-8")
    page.goto(server.address("page.html"))


def test_every_recipe_is_tried_here() -> None:
    tried = ["Plain HTML", "As a module", "Sphinx", "Jupyter Book 2", "Quarto"]
    tried += ["Canvas, Moodle and other frames", "reveal.js"]
    assert re.findall(r"^### (.+)$", TEXT, re.MULTILINE) == tried


def test_plain_html(page: Page, server: Site, folder: Path) -> None:
    opens(page, server, folder, blocks("Plain HTML", "html")[0])
    expect(page.locator(".box")).to_have_attribute("data-step", "3")


def test_a_poster_stands_where_scripts_are_off(browser: Browser, server: Site, folder: Path) -> None:
    page = browser.new_page(java_script_enabled=False)
    opens(page, server, folder, blocks("Plain HTML", "html")[0])
    expect(page.get_by_text("which bytes are alive, and when")).to_be_visible()
    page.close()


def test_as_a_module(page: Page, server: Site, folder: Path) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    opens(page, server, folder, blocks("As a module", "html")[0])
    expect(page.locator(".box")).to_have_attribute("data-step", "4")
    assert said == ["4"]


def test_jupyter_book_2(page: Page, server: Site, folder: Path) -> None:
    """Jupyter Book itself is no part of this environment: its part, anywidget's contract, is played by a few lines."""
    directive = blocks("Jupyter Book 2", "markdown")[0]
    module, body = re.findall(r"```\{anywidget\} (\S+)\n(.*?)```", directive, re.DOTALL)[0]
    assert json.loads(body) == {"step": 3}
    host = (
        f'import widget from "./{module}"; const body = {body};'
        "const model = { get: (key) => body[key], set() {}, on() {}, off() {}, save_changes() {} };"
        'widget.render({ model, el: document.getElementById("here") });'
    )
    opens(page, server, folder, f'<div id="here"></div><script type="module">{host}</script>')
    expect(page.locator(".box")).to_have_attribute("data-step", "3")


def test_quarto(page: Page, server: Site, folder: Path) -> None:
    """Quarto passes raw HTML through: what is inside the block is what a reader's page holds."""
    document = blocks("Quarto", "markdown")[0]
    resources = re.findall(r"^resources: \[(.*)\]$", document, re.MULTILINE)[0].split(", ")
    assert all((folder / name).is_file() for name in resources)
    raw = re.findall(r"```\{=html\}\n(.*?)```", document, re.DOTALL)[0]
    opens(page, server, folder, f'<body class="quarto-dark">{raw}')
    expect(page.locator(".count")).to_be_visible()
    assert page.locator("minitorch-view").evaluate("e => e.style.colorScheme") == "dark"


def test_canvas_moodle_and_other_frames(page: Page, server: Site, folder: Path) -> None:
    frame, listener = blocks("Canvas, Moodle and other frames", "html")
    export([make_view("memory", [])], folder / "page")
    opens(page, server, folder, f"<p>A course</p>{frame}")
    page.frame_locator("iframe").locator(".next").click()
    expect(page.frame_locator("iframe").locator(".box")).to_have_attribute("data-step", "1")
    inner = folder / "page" / "index.html"
    inner.write_text(inner.read_text("utf-8").replace("<minitorch-view", "<minitorch-view embed"), "utf-8")
    opens(page, server, folder, f"{listener}<p>A course</p>{frame}")
    page.wait_for_function("document.querySelector('iframe').height !== '720'")
    assert page.frames[1].evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_reveal(page: Page, server: Site, folder: Path) -> None:
    for name in ("reveal.js", "reveal.css"):
        (folder / name).write_bytes((REVEAL / name).read_bytes())
    slide, follow = blocks("reveal.js", "html")[0], blocks("reveal.js", "js")[0]
    first, script = slide.split("<script")
    first = first.replace("</section>", '<p class="fragment" data-step="5">Five.</p></section>')
    body = (
        '<link rel="stylesheet" href="reveal.css"><script src="reveal.js"></script>'
        f'<div class="reveal"><div class="slides"><section>First</section>{first}<section>Last</section></div></div>'
        f"<script{script}<script>Reveal.initialize({{ transition: 'none' }});{follow}</script>"
    )
    opens(page, server, folder, body)
    page.keyboard.press("ArrowRight")
    at = "Reveal.getIndices().h"
    assert page.evaluate(at) == 1
    expect(page.locator(".next")).to_be_visible()
    page.keyboard.press("ArrowRight")  # the fragment
    expect(page.locator(".box")).to_have_attribute("data-step", "5")
    page.locator(".next").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".box")).to_have_attribute("data-step", "7")
    assert page.evaluate(at) == 1, "a view that has the focus keeps its keys"


@pytest.mark.book
def test_sphinx(page: Page, folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "docs"
    (source / "_static").mkdir(parents=True)
    for name in ("minitorch-view.js", "memory.json"):
        (source / "_static" / name).write_bytes((folder / name).read_bytes())
    settings = blocks("Sphinx", "python")[0]
    (source / "conf.py").write_text(f'extensions = ["myst_parser"]\nhtml_theme = "basic"\n{settings}', "utf-8")
    (source / "index.md").write_text("# A page\n\n" + blocks("Sphinx", "markdown")[0], "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", str(source), str(tmp_path / "site")]
    subprocess.run(command, check=True, capture_output=True)
    (tmp_path / "site" / "favicon.ico").touch()  # which every browser asks for
    with site(tmp_path / "site") as running:
        page.goto(running.address("index.html"))
        page.locator(".next").click()
        expect(page.locator(".box")).to_have_attribute("data-step", "1")
