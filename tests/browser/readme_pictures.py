"""Makes the pictures of README.md, from recordings of code that runs: `make pictures`."""

from __future__ import annotations

import re
import runpy
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright

import minitorch_lab as ml
from minitorch_lab.widgets import View
from tests.chromium import chromium

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "book" / "pictures"
THEMES = ("light", "dark")


class Picture(NamedTuple):
    """A step of a view, and how the view is made: from what a block of README.md records, or as its worked example."""

    name: str
    step: int
    make: Callable[[Path], View]

    def path(self, theme: str) -> Path:
        """Where it stands."""
        return FOLDER / f"{self.name}-{theme}.png"


def of_block(number: int, view: Callable[[Any], View]) -> Callable[[Path], View]:
    """The view of what a Python block of README.md records, counted from 0."""

    def make(folder: Path) -> View:
        blocks: list[str] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
        script = folder / f"block_{number}.py"  # Python remembers the lines of a file by its name
        script.write_text(blocks[number], "utf-8")
        return view(runpy.run_path(str(script))["rec"])

    return make


PICTURES = (
    Picture("tape", 3, of_block(0, ml.widgets.Tape)),  # `mul` keeps what its derivative needs
    Picture("backward", 9, of_block(0, ml.widgets.Backward)),  # `mul` sends −3 to `a`, where `add` has sent 1
    Picture("fusion", 5, lambda folder: ml.widgets.Fusion()),  # the second op has joined
    Picture("memory", 12, lambda folder: ml.widgets.Memory()),  # the peak
    Picture("double_backward", 12, of_block(1, ml.widgets.Backward)),  # the second walk brings 18 to `x`
)


def shoot(browser: Browser, page_file: Path, picture: Picture, theme: str) -> None:
    """One picture in one theme."""
    page = browser.new_page(
        viewport={"width": 1000, "height": 800},
        device_scale_factor=1.2,
        color_scheme=theme,  # type: ignore[arg-type]
    )
    page.set_default_timeout(120_000)  # of a machine that does much else
    page.goto(page_file.as_uri())
    view = page.locator("minitorch-view")
    view.evaluate("(element, step) => { element.step = step; }", picture.step)
    page.wait_for_timeout(1500)  # the step's movement ends
    picture.path(theme).write_bytes(packed(view.screenshot()))
    page.close()


def packed(png: bytes) -> bytes:
    """The same picture in fewer bytes: its pixels packed once more, as tightly as zlib can."""
    head, body, place = png[:8], b"", 8
    chunks: list[tuple[bytes, bytes]] = []
    while place < len(png):
        size = int.from_bytes(png[place : place + 4])
        chunks.append((png[place + 4 : place + 8], png[place + 8 : place + 8 + size]))
        place += 12 + size
    pixels = zlib.compress(zlib.decompress(b"".join(data for kind, data in chunks if kind == b"IDAT")), 9)
    for kind, data in [*(c for c in chunks if c[0] not in (b"IDAT", b"IEND")), (b"IDAT", pixels), (b"IEND", b"")]:
        body += len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)
    return head + body


def main() -> None:
    """Write the pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if sys.platform == "linux" else []
        browser = playwright.chromium.launch(executable_path=chromium(), args=arguments)
        for picture in PICTURES:
            page_file = picture.make(Path(place)).to_html(Path(place, f"{picture.name}.html"))
            for theme in THEMES:
                shoot(browser, page_file, picture, theme)
        browser.close()


if __name__ == "__main__":
    main()
