"""A real browser, pages that are watched for errors and for requests to other hosts, and a server for static files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from minitorch_lab.widgets.page import STATIC, page
from tests.browser.server import site
from tests.chromium import chromium

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
HERE = {"", "127.0.0.1", "localhost"}
# anywidget 0.11 gives a module two seconds of the clock, which Plotly's first figure alone takes of a page on a busy
# machine. The view is drawn all the same, and the tests see that it is.
LATE = "[anywidget] Failed to initialize model."

OpenPage = Callable[..., Page]

pytest.register_assert_rewrite("tests.browser.matrix")  # so that a failure there says what was found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield running
        running.close()


def watch(opened: Page) -> list[str]:
    """Collect what a page must never do: log an error, fail, or ask another host for something."""
    faults: list[str] = []
    opened.on("console", lambda m: faults.append(f"console: {m.text}") if m.type in ("error", "warning") else None)
    opened.on("pageerror", lambda e: faults.append(f"error: {e}") if str(e) != LATE else None)
    opened.on(
        "request", lambda r: faults.append(f"asked: {r.url}") if urlsplit(r.url).hostname not in (*HERE, None) else None
    )
    return faults


@contextmanager
def quiet_page(browser: Browser, width: int, height: int) -> Iterator[Page]:
    """A page that at its end must have been quiet."""
    opened = browser.new_page(viewport={"width": width, "height": height})
    faults = watch(opened)
    yield opened
    opened.close()
    assert faults == []


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[OpenPage]:
    """Open a scene as a self-contained page from a file; at the end it must have been quiet.

    The view is `width` px wide. In a browser that zooms, its window has that many fewer.
    """
    opened: list[tuple[Page, list[str]]] = []

    def open_page(
        scene: dict[str, Any], theme: str = "light", width: int = 900, step: int = 0, zoom: float = 1
    ) -> Page:
        path = tmp_path / f"view{len(opened)}.html"
        column = f"<style>:root {{ color-scheme: {theme} }} main {{ width: {width / zoom}px }}</style>\n<main>"
        path.write_text(page(scene, step).replace("<main>", column, 1), encoding="utf-8")
        window = {"width": round((width + 32) / zoom), "height": round(900 / zoom)}  # what zoom does to a window
        new = browser.new_page(viewport=window, device_scale_factor=zoom)
        opened.append((new, watch(new)))
        new.goto(path.as_uri())
        new.wait_for_selector("minitorch-view .count")
        return new

    yield open_page
    for new, faults in opened:
        new.close()
        assert faults == []


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[[dict[str, Any], str], str]]:
    """Serve a scene as `view.json` beside the built renderer and a page with the given body; returns the address."""
    with site(tmp_path) as running:

        def serve(scene: dict[str, Any], body: str) -> str:
            for name in ("minitorch-view.js", "minitorch-view.mjs"):
                (tmp_path / name).write_text((STATIC / name).read_text("utf-8"), encoding="utf-8")
            (tmp_path / "view.json").write_text(json.dumps(scene), encoding="utf-8")
            head = '<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">'
            (tmp_path / "index.html").write_text(f"{head}<title>Views</title>{body}", encoding="utf-8")
            return running.address("index.html")

        yield serve
