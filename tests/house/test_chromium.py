"""Finding a browser: what is asked first, and what a machine without one is told."""

from __future__ import annotations

import asyncio
import os
import stat
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests import chromium as finder


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test looks again, on a machine where CHROMIUM is not set."""
    finder.chromium.cache_clear()
    monkeypatch.delenv("CHROMIUM", raising=False)


def browser(folder: Path, name: str, code: int = 0) -> str:
    """Make a program that acts like a browser asked for its version."""
    path = folder / name
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


posix = pytest.mark.skipif(os.name == "nt", reason="the stand-in browsers are shell scripts")


@posix
def test_the_variable_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser(tmp_path, "chromium")
    mine = browser(tmp_path, "mine")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("CHROMIUM", mine)
    assert finder.chromium() == mine


def test_a_wrong_variable_is_an_error_and_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/no/such/browser")
    with pytest.raises(finder.NoChromiumError, match="CHROMIUM is '/no/such/browser', and that does not start"):
        finder.chromium()


@posix
def test_then_the_path_passing_over_what_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser(tmp_path, "chromium", code=1)
    good = browser(tmp_path, "google-chrome")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(finder, "PLACES", ())
    assert finder.chromium() == good


@posix
def test_installing_comes_last_and_stops_when_it_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    good = browser(tmp_path, "later")
    monkeypatch.setattr(finder, "installed", lambda: iter(()))
    monkeypatch.setattr(finder, "from_playwright", lambda: iter(()))
    monkeypatch.setattr(finder, "install_debian", lambda: asked.append("debian") or iter([good]))
    monkeypatch.setattr(finder, "install_playwright", lambda: asked.append("playwright") or iter(()))
    assert finder.chromium() == good
    assert asked == ["debian"]


@posix
def test_workers_that_start_together_install_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    present: list[str] = []
    looked: set[int] = set()
    looking = threading.Barrier(4)

    def look() -> Iterator[str]:
        if threading.get_ident() not in looked:
            looked.add(threading.get_ident())
            looking.wait(timeout=60)  # all four find nothing, before the first of them installs
        return iter(present)

    def install() -> Iterator[str]:
        asked.append("debian")
        present.append(browser(tmp_path, "installed"))
        return iter(present)

    monkeypatch.setattr(finder, "installed", look)
    monkeypatch.setattr(finder, "from_playwright", lambda: iter(()))
    monkeypatch.setattr(finder, "install_debian", install)
    with ThreadPoolExecutor(4) as workers:
        found = list(workers.map(lambda _: finder.chromium.__wrapped__(), range(4)))
    assert asked == ["debian"]
    assert found == present * 4


def test_playwright_can_be_asked_while_one_runs_in_this_thread() -> None:
    async def ask() -> list[str]:
        return list(finder.from_playwright())

    (place,) = asyncio.run(ask())
    assert "chrom" in place


def test_without_any_the_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for way in ("installed", "from_playwright", "install_debian", "install_playwright"):
        monkeypatch.setattr(finder, way, lambda: iter(()))
    with pytest.raises(finder.NoChromiumError) as caught:
        finder.chromium()
    assert str(caught.value) == (
        "The browser tests need Chromium, and none was found or could be installed: install Chromium or Chrome, or set "
        "CHROMIUM to its path, or leave these tests out by name with `make test SKIP_BROWSER=1`."
    )
