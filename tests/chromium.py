"""Finds a Chromium for the browser tests, or installs one, or says what to do.

In this order: the path in CHROMIUM; a browser on PATH or in the system's usual places; one that Playwright installed
before; Debian's package, where we may install it; Playwright's own download. Several workers ask at once, and one at a
time installs: what one has installed, the next one finds.
`python tests/chromium.py` prints the path.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from filelock import FileLock

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge", "microsoft-edge")
PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
    "C:/Program Files/Microsoft/Edge/Application/msedge.exe",
)
WHAT_TO_DO = (
    "The browser tests need Chromium, and none was found or could be installed: install Chromium or Chrome, or set "
    "CHROMIUM to its path, or leave these tests out by name with `make test SKIP_BROWSER=1`."
)


class NoChromiumError(RuntimeError):
    """There is no browser, and we may not install one. The text says what to do."""


@functools.cache
def chromium() -> str:
    """Return the path of a Chromium that starts, after installing one if that is what it takes.

    Raises:
        NoChromiumError: None was found and none could be installed, or CHROMIUM names a file that does not start.
    """
    named = os.environ.get("CHROMIUM")
    if named:
        if not starts(named):
            raise NoChromiumError(f"CHROMIUM is {named!r}, and that does not start. Set it to a browser's path.")
        return named
    found = first_that_starts(installed, from_playwright)
    if found is None:
        with FileLock(Path(sys.prefix) / "chromium.lock"):
            found = first_that_starts(installed, from_playwright, install_debian, install_playwright)
    if found is None:
        raise NoChromiumError(WHAT_TO_DO)
    return found


def first_that_starts(*ways: Callable[[], Iterator[str]]) -> str | None:
    """Return the first browser that starts, of those that these ways yield."""
    return next((path for way in ways for path in way() if starts(path)), None)


def installed() -> Iterator[str]:
    """Yield the browsers on PATH, then those in the usual places of macOS and Windows."""
    yield from filter(None, map(shutil.which, NAMES))
    yield from (place for place in PLACES if Path(place).exists())


def from_playwright() -> Iterator[str]:
    """Yield the place where Playwright keeps its own Chromium. One may be running in the thread that asks."""
    from playwright.sync_api import sync_playwright

    def place() -> str:
        with sync_playwright() as playwright:
            return playwright.chromium.executable_path

    with ThreadPoolExecutor(1) as another:
        yield another.submit(place).result()


def install_debian() -> Iterator[str]:
    """Install Debian's package, as root or with a sudo that asks nothing. (Ubuntu's is only a pointer to a snap.)"""
    if not Path("/etc/debian_version").exists() or "ubuntu" in Path("/etc/os-release").read_text().lower():
        return
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    install = ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"]
    if runs(*sudo, "apt-get", "update") and runs(*sudo, *install):
        yield from installed()


def install_playwright() -> Iterator[str]:
    """Let Playwright download its Chromium."""
    if runs(sys.executable, "-m", "playwright", "install", "chromium"):
        yield from from_playwright()


def starts(path: str) -> bool:
    """Say whether the browser at this path runs here. (Windows browsers cannot be asked without opening a window.)"""
    return Path(path).exists() if os.name == "nt" else runs(path, "--version")


def runs(*command: str) -> bool:
    """Run a command, with its output on stderr, and say whether it succeeded."""
    try:
        return subprocess.run(command, stdout=sys.stderr, stdin=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


if __name__ == "__main__":
    try:
        print(chromium())
    except NoChromiumError as error:
        sys.exit(str(error))
